#!/usr/bin/env python3
"""words.py - finds the banned turns of CONTRIBUTING.md in documents, comments, log lines, errors and --help.

usage: words.py SOURCE_ROOT [--list]
Reads the prose of a file: a document without its code, or the comments and strings of a program. Names of variables and
functions are not prose. Prints TAP and each line found, with --list also the count of each file."""
import os
import re
import sys

# Banned phrases, and what to write instead. Readers had to translate each of them.
BANNED = {
    r"\banew\b": "again",
    r"\bbe had\b": "be available",
    r"\bkn(?:ow|ows|own|ew) of\b": "have, see",
    r"\bin (?:which |plain )?words\b": "leave it out",
    r"\b(?:say|says|said|saying) so\b": "warn, report, print",
    r"\bin sight\b": "visible",
    r"\bthe wall\b(?![ -]clock)": "wall-clock time",
    r"\b(?:is|are|was|were|all) well\b": "ok, passed",
    r"\bvouch\w*": "trust",
    r"\b(?:nobody|somebody) (?:knows|knew|has said|said|says|tells|told|vouches)\b": "unknown",
    r"\bhear(?:s|d|ing)?\b": "receive, get, see",
    r"\bso (?:many|long|deep|often|few|late)\b(?! (?:that|as)\b)": "N, this many, at depth D",
    r"\btold\b(?! (?:apart|from)\b)": "reported, sent, shown",
    r"\btells?\b(?!\.[ch]\b| (?:whether|if|from|(?:\w+ )?apart)\b)": "report, send, show, print, distinguish",
    r"\bbut for\b": "except",
    r"\bin vain\b": "without success, failed",
    r"\bheld against\b": "compared with",
    r"\b(?:no memory left|not enough memory)\b|(?-i:\bMemory (?:is|was) used up)": "Out of memory while ... (one wording for one event)",
    r"\bwhoever\b|\b(?:for|by|to|of|that|than|as) who\b(?! calls)": "the caller, the user, the reader",
    r"\blook(?:s|ed|ing)? whether\b": "check",
    r"\blikelier\b": "more likely, more often",
    r"\bears?\b": "receiver, screen reader",
    r"\bWho(?:ever)? [a-z]": "a subject: the caller, the user, a device that",
    r"\bWhether [a-z]": "true when; tells whether",
}
FOLDERS = ("daemon", "firmware-ref", "protocol", "docs", "scripts", "webroot", "tests", ".")
CODE = (".c", ".h", ".in", ".S", ".rs", ".hpp", ".cpp", ".css", ".html", ".ld", ".proto", ".alloy")
PAGE = (".js", ".mjs")
SCRIPTS = (".py", ".build", ".txt", ".yml", ".yaml", ".rules", ".ini", ".sh", "")
# Foreign text, and this list itself.
EXEMPT = ("LICENSE", "tests/contract/words.py")
DATA = ("node_modules", "__pycache__", "images", "corpus")
# (file, words) -> why they stay
ALLOWED = {
    ("daemon/export/export_markdown.c", "Who c"): "a heading of the report, *Who calls them*",
    ("tests/contract/bundle.py", "told"): "a name in the page's code that the test makes",
    ("tests/contract/new_figure.py", "told"): "a name in the page's code that the test makes",
    ("tests/firmware/packages.py", "told"): "the name of a file",
}


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def blank(match):
    return re.sub(r"[^\n]+", lambda line: " " * len(line.group()), match.group())


def prose_of_document(text):
    """A document without its code: fenced blocks and text between backquotes."""
    text = re.sub(r"^```.*?^```", blank, text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", lambda m: "x" * len(m.group()), text)
    return re.sub(r"^#.*$", blank, text, flags=re.M)


TOKEN_C = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
TOKEN_SCRIPT = re.compile(r'""".*?"""|\'\'\'.*?\'\'\'|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# In the page's code, text between backquotes is a string; its insertions are code.
TEMPLATE = re.compile(TOKEN_C.pattern + r"|`(?:\\.|[^`\\])*`", re.S)


def masked(match):
    return "x" * len(match.group())


def prose_of_page(text):
    kept = prose_of_code(text, TOKEN_C)
    for match in TEMPLATE.finditer(text):
        if match.group().startswith("`"):
            part = re.sub(r"\$\{[^{}]*\}", masked, match.group()[1:-1])
            kept = kept[: match.start()] + f" {part} " + kept[match.end() :]
    return kept


def prose_of_code(text, token):
    """Only comments and strings, at their places; the signs around them and at the start of lines are blank."""
    kept = list(blank(re.match(r"(?s).*", text)))
    for match in token.finditer(text):
        part = match.group()
        if part.startswith(("/*", "//", "#", '"""', "'''")):
            part = re.sub(r"(?m)^[ \t]*\*(?!/)", lambda m: " " * len(m.group()), part)
            part = re.sub(r"/\*+<?|\*+/|//+|\"\"\"|'''", lambda m: " " * len(m.group()), part)
            if match.group().endswith("*/"):
                part = part[:-1] + ";"  # the next comment is another sentence
            part = re.sub(r"^#+", lambda m: " " * len(m.group()), part)
        elif " " not in part:
            continue  # a key or a name
        else:
            part = " " + part[1:-1] + " "
            part = part.replace("\\n", "  ")
            if text[match.start() - 1 : match.start()] == "f":  # a string with code in it
                part = re.sub(r"\{[^{}]*\}", masked, part)
        part = re.sub(r"`[^`\n]*`", masked, part)
        kept[match.start() : match.end()] = part
    return "".join(kept)


def prose(path, text):
    if path.endswith(".md"):
        return prose_of_document(text)
    if path.endswith(PAGE):
        return prose_of_page(text)
    return prose_of_code(text, TOKEN_C if path.endswith(CODE) else TOKEN_SCRIPT)


def readable_files(root):
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = [] if top == "." else sorted(f for f in folders if f not in DATA)
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                ending = os.path.splitext(name)[1]
                if path not in EXEMPT and (ending in CODE + PAGE + SCRIPTS + (".md",)) and not name.startswith("."):
                    yield path


def places(root):
    """Yields (file, line, phrase found, what to write instead)."""
    turns = {turn: turn.replace(" ", r"\s+") for turn in BANNED}  # a phrase may be split between two lines
    is_exact = {turn: "Who" in turn or "Whe" in turn for turn in BANNED}
    patterns = [(re.compile(turns[turn], re.M | (0 if is_exact[turn] else re.I)), instead) for turn, instead in BANNED.items()]
    word = r"\b"
    # Most files have none of them, which one search shows sooner than one for each. All begin with a word.
    any_turn = re.compile(word + "(?:" + "|".join(f"(?{'' if is_exact[turn] else 'i'}:{turns[turn].removeprefix(word)})" for turn in BANNED) + ")")
    for path in readable_files(root):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = re.sub(" +", " ", prose(path, file.read()))  # blanks are most of a program
        if not any_turn.search(text):
            continue
        for pattern, instead in patterns:
            for match in pattern.finditer(text):
                if (path, match.group()) not in ALLOWED:
                    yield path, line_of(text, match.start()), match.group().strip(), instead


def main(root, *options):
    found = list(places(root))
    print("1..1")
    print(("not ok" if found else "ok") + " 1 - no banned turn of speech")
    for path, line, words, instead in found:
        print(f'# {path}:{line}: "{words}"; write: {instead}')
    if "--list" in options:
        counts = {}
        for path, *_ in found:
            counts[path] = counts.get(path, 0) + 1
        for path, count in sorted(counts.items(), key=lambda entry: -entry[1]):
            print(f"# {count:4} {path}")
        print(f"# {len(found)} in {len(counts)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
