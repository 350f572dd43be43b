#!/usr/bin/env python3
"""additions.py - what is added to the sources as a person would: all of it to one copy, which is built once and then looked at.

usage: additions.py MESON NINJA SOURCE. Prints TAP. Each addition is a file beside this one, with what it adds, and its cases."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import run_cases  # noqa: E402
from new_figure import CHANGED  # noqa: E402
from toys import TOYS  # noqa: E402
from tree_copy import TreeCopy  # noqa: E402


def main(meson, ninja, source):
    with TreeCopy(source) as tree:
        for addition in (TOYS, CHANGED):
            addition.add(tree)
        miniprofd = tree.build(meson, ninja)
        for addition in (TOYS, CHANGED):
            addition.look(miniprofd, tree)
        return run_cases()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
