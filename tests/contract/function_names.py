#!/usr/bin/env python3
"""function_names.py - counts static functions with one bare word as a name, such as take() or find().

usage: function_names.py SOURCE_ROOT
A static function should carry its noun (find_measured_setting), so that a search finds one place. Counts the static
functions in daemon/, protocol/ and firmware-ref/ without an underscore in their name. Prints TAP and the number of each
folder, and the names if there are more than allowed."""
import collections
import os
import re
import sys

# The present number, so that it never rises. The goal is 5 % of all static functions, some 150. A change that renames some
# of them lowers this to the number that the test prints.
BARE_MOST = 154
FOLDERS = ("protocol", "firmware-ref", "daemon")
DEFINITION = re.compile(r"^static\s[^;={}()]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)


def static_functions(root):
    """Yields (path, name) of each static function that a C file or header defines, once per file."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as text:
                        for function in sorted(set(DEFINITION.findall(text.read()))):
                            yield os.path.relpath(path, root), function


def main(root):
    functions = list(static_functions(root))
    bare = [(path, name) for path, name in functions if "_" not in name]
    good = 0 < len(functions) and len(bare) <= BARE_MOST
    print("1..1")
    print(("ok" if good else "not ok") + f" 1 - at most {BARE_MOST} static functions are named with one bare word")
    print(f"# {len(bare)} of {len(functions)} are")
    rooms = collections.defaultdict(list)
    for path, name in bare:
        rooms[os.path.dirname(path)].append(name)
    for room, names in sorted(rooms.items()):
        print(f"# {room}: {len(names)}" + ("" if good else f" ({', '.join(names)})"))
    if not good:
        print("# give a new one its noun: verb_noun, as find_measured_setting")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
