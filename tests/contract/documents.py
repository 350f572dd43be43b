#!/usr/bin/env python3
"""documents.py - checks that the documents are quick to read.

usage: documents.py SOURCE_ROOT
A paragraph, or an item of a list, has at most six lines when it is wrapped at 120 columns. README.md has at most 900 words
and no line over 120 characters. The glossary of daemon/README.md is in the order of the alphabet. Tables and blocks of code
are no paragraphs. Prints TAP, and each line that breaks a rule."""
import os
import re
import sys
import textwrap

COLUMNS, LINES_MOST, README_WORDS_MOST = 120, 6, 900


def documents(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith((".", "build")) and f != "node_modules"]
        for name in names:
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def read_document(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def paragraphs(text):
    """Yields (number of the first line, text) of each paragraph and list item."""
    text = re.sub(r"^```.*?^```$", lambda m: "\n" * m.group().count("\n"), text, flags=re.M | re.S)
    part, begin = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        ends = not line.strip() or re.match(r"\s*(?:[*-]|\d+\.) |\||#", line)
        if ends and part:
            yield begin, " ".join(part)
            part = []
        if line.strip() and not line.startswith(("|", "#")):
            begin = begin if part else number
            part.append(line.strip())


def long_paragraphs(root):
    for path in sorted(documents(root)):
        for number, part in paragraphs(read_document(root, path)):
            lines = len(textwrap.wrap(part, COLUMNS))
            if lines > LINES_MOST:
                yield f"{path}:{number}: a paragraph of {lines} lines; {LINES_MOST} are the most"


def readme_faults(root):
    text = read_document(root, "README.md")
    words = len(text.split())
    if words > README_WORDS_MOST:
        yield f"README.md has {words} words; {README_WORDS_MOST} are the most"
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS:
            yield f"README.md:{number} has {len(line)} characters; {COLUMNS} are the most"


def glossary_faults(root):
    text = read_document(root, "daemon/README.md").split("\n## Words\n")[1].split("\n## ")[0]
    words = [row.split("|")[1].strip() for row in text.split("\n") if row.startswith("| ")][1:]
    for before, word in zip(words, words[1:]):
        if before.lower() > word.lower():
            yield f"daemon/README.md: {word} stands behind {before}; the glossary is in the order of the alphabet"
    if len(words) < 20:
        yield "daemon/README.md: no glossary was found"


def main(root):
    checks = (
        ("no paragraph is too long", long_paragraphs),
        ("README.md is short", readme_faults),
        ("the glossary is in order", glossary_faults),
    )
    failed = False
    print(f"1..{len(checks)}")
    for number, (name, check) in enumerate(checks, 1):
        found = list(check(root))
        failed = failed or bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - {name}")
        for sentence in found:
            print("# " + sentence)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
