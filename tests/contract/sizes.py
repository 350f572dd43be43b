#!/usr/bin/env python3
"""sizes.py - compares the sizes of C files and functions with the limits in daemon/README.md.

usage: sizes.py SOURCE_ROOT
A function begins and ends with a brace in column 0: .clang-format puts them there, and contract/format checks that. Prints
TAP, every file or function that is too long, and a warning for each long file: it may hold two nouns. An object is not cut
in two for its length."""
import os
import sys

FILE_MOST, FILE_LONG, FUNCTION_MOST = 700, 450, 60
FOLDERS = ("protocol", "firmware-ref", "daemon", "tests")


def c_files(root, folders):
    for top in folders:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h")) and "node_modules" not in folder:
                    yield os.path.join(folder, name)


def functions(lines):
    """Yields (name, length in lines with the signature) of each function that a file defines."""
    head = start = None
    for number, line in enumerate(lines):
        if line.startswith("{"):
            start = number
        elif line.startswith("}"):
            if start is not None and not line.startswith("};"):
                yield lines[head].strip(), number - head + 1
            start = head = None
        elif start is None and line[:1] not in (" ", "", "\n", "#", "/", "*") and "(" in line:
            head = number


def too_long(root, folders, warnings):
    """One message for each file or function above its limit; messages for merely long files go to `warnings`."""
    for path in sorted(c_files(root, folders)):
        with open(path, encoding="utf-8") as text:
            lines = text.readlines()
        place = os.path.relpath(path, root)
        if len(lines) > FILE_MOST:
            yield f"{place} has {len(lines)} lines; {FILE_MOST} are the most"
        elif len(lines) > FILE_LONG:
            warnings.append(f"{place} has {len(lines)} lines")
        for name, length in functions(lines):
            if length > FUNCTION_MOST:
                yield f"{place}: {name} has {length} lines; {FUNCTION_MOST} are the most"


def main(root):
    warnings = []
    found = list(too_long(root, FOLDERS, warnings))
    print("1..1")
    print(("not ok" if found else "ok") + " 1 - no file and no function is too long")
    for sentence in found:
        print("# " + sentence)
    for sentence in warnings:
        print(f"# warning: {sentence}; from {FILE_LONG} on check whether it holds two nouns")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
