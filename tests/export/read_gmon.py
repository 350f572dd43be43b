#!/usr/bin/env python3
"""read_gmon.py - gprof reads our gmon.out together with its program, in both word sizes and byte orders.

usage: read_gmon.py SPECIMENS. Prints TAP."""
import re

from readers import case, check, main, need, run

ARM = ("arm-none-eabi-gprof", "binutils-arm-none-eabi")
HOST = ("gprof", "binutils")
READERS = {"sampled32": ARM, "sampled32be": ARM, "sampled64": HOST}


def gprof(specimen, what):
    return run(need(*READERS[specimen.name]), "-b", what, specimen.path("elf"), specimen.path("gmon"))


@case
def the_flat_profile_has_every_functions_samples_and_calls(specimens):
    for name in READERS:
        specimen = specimens[name]
        found = {}
        for line in gprof(specimen, "-p").splitlines():
            # % cumulative self [calls self/call total/call] name
            match = re.fullmatch(r" *[\d.]+ +[\d.]+ +([\d.]+) +(?:(\d+) +[\d.]+ +[\d.]+ +)?(\w+)", line)
            if match:
                found[match[3]] = (float(match[1]), int(match[2] or 0))
        want = {f["name"]: (round(f["samples"] / specimen.rate + 1e-9, 2), f["calls"] or 0) for f in specimen.functions}
        assert found.keys() == want.keys(), (found, want)
        for function, (seconds, calls) in want.items():
            assert abs(found[function][0] - seconds) < 0.011 and found[function][1] == calls, (name, function, found[function])


@case
def samples_are_counted_in_the_unit_of_the_rate(specimens):
    assert "Each sample counts as 0.001 seconds." in gprof(specimens["sampled32"], "-p")
    assert "Each sample counts as 0.01 seconds." in gprof(specimens["sampled32be"], "-p")


@case
def the_call_graph_has_every_arc(specimens):
    for name in READERS:
        specimen = specimens[name]
        names = {f["id"]: f["name"] for f in specimen.functions}
        want = {(names[arc["caller"]], names[arc["callee"]]): arc["calls"] for arc in specimen.json["arcs"]}
        found = {}
        for entry in re.split(r"^-+$", gprof(specimen, "-q"), flags=re.M):
            primary = re.search(r"^\[\d+\] .* (\w+) \[\d+\]$", entry, re.M)
            if not primary:
                continue
            for line in entry[primary.end():].splitlines():  # callees: self, children, calls/of all, name
                match = re.fullmatch(r" +[\d.]+ +[\d.]+ +(\d+)/\d+ +(\w+) \[\d+\]", line)
                if match:
                    found[primary[1], match[2]] = int(match[1])
        check(found, want, specimen)


@case
def a_profile_without_samples_has_no_such_file(specimens):
    import os
    assert not os.path.exists(specimens["plain"].path("gmon"))


main()
