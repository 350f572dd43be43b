#!/usr/bin/env python3
"""read_text.py - reads folded stacks and CSV as strictly as their descriptions allow.

usage: read_text.py SPECIMENS. Prints TAP."""
import csv
import io
import re

from readers import case, is_counted, labels, main, plain


def folded(specimen):
    """Returns {stack: ticks}; every line must be frames, one space, digits (flamegraph.pl's pattern)."""
    found = {}
    for line in specimen.read("collapsed").decode().split("\n")[:-1]:
        match = re.fullmatch(r"(.+) (\d+)", line)
        assert match and "\t" not in line and "\r" not in line, line
        found[match[1]] = found.get(match[1], 0) + int(match[2])
    return found


@case
def each_folded_stack_has_the_self_ticks_of_its_node(specimens):
    for specimen in specimens.values():
        names = [plain(label.replace(";", ":")) for label in labels(specimen.functions)]
        contexts = [plain(context["name"].replace(";", ":")) for context in specimen.json["contexts"]]
        want = {}
        for node in specimen.nodes[1:]:
            if node["self_ticks"]:
                first = [contexts[node["context"]]] if len(contexts) > 1 else []
                stack = ";".join(first + [names[f] for f in node["path"]])
                want[stack] = want.get(stack, 0) + node["self_ticks"]
        assert folded(specimen) == want, specimen.name


@case
def a_spreadsheet_has_a_row_for_each_function(specimens):
    for specimen in specimens.values():
        text = specimen.read("csv").decode()
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
        known = [f for f in specimen.functions if is_counted(f) and (f["calls"] is not None or f["samples"] is not None)]
        assert len(rows) == len(known), specimen.name
        for row, function in zip(rows, known):
            name = plain(function["name"])
            assert row["function"] == ("'" + name if name[0] in "=+-@" else name)
            for key in ("calls", "total_ticks", "self_ticks", "p99_ticks", "samples"):
                assert row[key] == ("" if function[key] is None else str(function[key])), (name, key)


main()
