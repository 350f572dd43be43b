#!/usr/bin/env python3
"""read_callgrind.py - callgrind_annotate reads our callgrind files, and its figures are ours.

usage: read_callgrind.py SPECIMENS. Prints TAP."""
import re
import sys

from readers import case, check, main, need, plain, run


def name_of(specimen, function):
    """Returns the function's name in the file: with the address, or the row's number, if another function of that file has the same name."""
    row = specimen.functions[function]
    twins = [f for f in specimen.functions if (plain(f["name"]), f["file"]) == (plain(row["name"]), row["file"])]
    apart = f"@{row['address']}" if row["address"] else f"#{row['id']}"
    return plain(row["name"]) + (apart if len(twins) > 1 else "")


def label(specimen, function, suffix=""):
    return f"{plain(specimen.functions[function]['file'] or '???')}:{name_of(specimen, function)}{suffix}"


def figures(specimen, *options):
    """Returns {label: cost} as callgrind_annotate prints it."""
    text = run(need("callgrind_annotate", "valgrind"), "--show-percs=no", "--threshold=100", "--auto=no", *options, specimen.path("callgrind"))
    table = text.split("file:function\n", 1)[1].split("\n", 1)[1]
    found = {}
    for line in table.splitlines():
        cost, _, name = line.lstrip().partition("  ")
        if not name:
            continue
        found[name] = found.get(name, 0) + (int(cost.replace(",", "")) if cost != "." else 0)
    return found


def summed(pairs):
    sums = {}
    for name, value in pairs:
        if value:
            sums[name] = sums.get(name, 0) + value
    return sums


def without_zero(found):
    return {name: value for name, value in found.items() if value}


@case
def the_cost_of_each_function_is_its_self_ticks(specimens):
    for specimen in specimens.values():
        want = summed((label(specimen, n["function"], "'2" if n["function"] in n["path"][:-1] else ""),
                       n["self_ticks"]) for n in specimen.nodes[1:])
        if want:
            check(without_zero(figures(specimen, "--inclusive=no")), want, specimen)


@case
def inclusive_cost_counts_recursion_once(specimens):
    for specimen in specimens.values():
        want = summed((label(specimen, f), total) for f, total in specimen.outermost("total_ticks").items())
        if not want:
            continue
        found = without_zero(figures(specimen, "--inclusive=yes"))
        check({name: cost for name, cost in found.items() if not name.endswith(("'2", "[all]"))}, want, specimen)


@case
def each_edge_has_its_calls_and_its_cost(specimens):
    for specimen in specimens.values():
        want = {}
        for node in specimen.nodes[1:]:
            steps = [None] + [(f, f in node["path"][:i]) for i, f in enumerate(node["path"])]
            pairs = list(zip(steps, steps[1:]))
            calls, ticks = node["calls"], node["total_ticks"] if pairs[-1] not in pairs[:-1] else 0
            if calls or ticks:
                add(want, named(specimen, pairs[-1][0]) + named(specimen, pairs[-1][1]), calls, ticks)
        want = {edge: (calls or 1, ticks) for edge, (calls, ticks) in want.items()}
        check(edges(specimen.read("callgrind").decode()), want, specimen)


def named(specimen, step):
    if step is None:
        return ("???", "[all]")
    function, recursive = step
    return (specimen.functions[function]["file"] or "???", name_of(specimen, function) + ("'2" if recursive else ""))


def add(sums, edge, calls, ticks):
    before = sums.get(edge, (0, 0))
    sums[edge] = (before[0] + calls, before[1] + ticks)


def edges(text):
    """Returns {(file, name, file, name): (calls, ticks)} from the lines of a file, with compressed names resolved."""
    names, files, found = {}, {}, {}
    lines = iter(text.split("\n"))
    for line in lines:
        key, _, value = line.partition("=")
        if key in ("fl", "fn", "cfl", "cfn"):
            number, _, name = value.partition(" ")
            table = names if key.endswith("fn") else files
            if name:
                assert number not in table, line
                table[number] = name
            where = {**(where if key != "fl" else {}), key: table[number]}
        elif key == "calls":
            ticks = int(next(lines).split()[1])
            add(found, (where["fl"], where["fn"], where["cfl"], where["cfn"]), int(value.split()[0]), ticks)
    return found


@case
def a_profile_of_nothing_is_a_file_without_costs(specimens):
    assert "totals: 0" in specimens["empty"].read("callgrind").decode()


main()
