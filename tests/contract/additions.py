#!/usr/bin/env python3
"""additions.py - makes the additions of "What a change touches" in daemon/README.md to one copy of the sources, builds it once, and runs all
contract tests on it. Each row of that table that names a file beside this one must need the stated number of files.

usage: additions.py MESON NINJA SOURCE. Prints TAP. Each addition is in a file beside this one, with its test cases."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import new_command  # noqa: E402
import new_figure  # noqa: E402
import new_limit  # noqa: E402
import new_option  # noqa: E402
import toys  # noqa: E402
from cases import case, run_cases  # noqa: E402
from tree_copy import TreeCopy  # noqa: E402

# Each has `WHAT`, its name in the table, add(tree), and look(miniprofd, tree), which is called when the program is built.
ADDITIONS = [*toys.ADDITIONS, *new_figure.ADDITIONS, new_limit.NEW_LIMIT, new_option.NEW_OPTION, new_command.NEW_COMMAND]
TABLE = "daemon/README.md"


class Copy:
    """Number of files of each addition, and results of the contract tests on the copy."""

    def __init__(self):
        self.files, self.broken, self.table = {}, {}, {}


COPY = Copy()


def rows_of_table(text):
    """{addition: (files, file that shows it)}."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+)[^|]* \| [^|]* \| ([^|]*) \|$", text.split("## What a change touches")[1], re.M)
    return {what: (int(files), shown.strip("`")) for what, files, shown in rows}


@case
def each_addition_needs_the_number_of_files_in_the_table():
    for what, files in COPY.files.items():
        assert what in COPY.table, (what, sorted(COPY.table))
        assert len(files) == COPY.table[what][0], (what, sorted(files))


@case
def each_row_that_names_a_test_of_these_is_shown_by_it():
    for what, (_, shown) in COPY.table.items():
        assert not shown.startswith("tests/contract/") or what in COPY.files, what


@case
def all_contract_tests_hold_on_the_copy():
    assert not COPY.broken, "\n".join(f"{name}:\n{said}" for name, said in COPY.broken.items())


def main(meson, ninja, source):
    with open(os.path.join(source, TABLE), encoding="utf-8") as file:
        COPY.table = rows_of_table(file.read())
    with TreeCopy(source) as tree:
        for addition in ADDITIONS:
            COPY.files[addition.WHAT] = tree.edited_by(addition.add)
        miniprofd = tree.build(meson, ninja)
        for addition in ADDITIONS:
            addition.look(miniprofd, tree)
        COPY.broken = tree.broken_contracts()
        return run_cases()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
