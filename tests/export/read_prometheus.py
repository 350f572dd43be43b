#!/usr/bin/env python3
"""read_prometheus.py - promtool finds nothing wrong with our metrics, and a parser of the format finds our figures.

usage: read_prometheus.py SPECIMENS. Prints TAP."""
import re
import subprocess
from fractions import Fraction

from readers import case, check, is_counted, main, need, plain

SAMPLE = re.compile(r'(\w+)(?:\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)')
LABEL = re.compile(r'(\w+)="((?:[^"\\\n]|\\["\\n])*)"')


def series(specimen):
    """Returns {(metric, labels): value} by the rules of the text format."""
    found = {}
    for line in specimen.read("prometheus").decode().split("\n")[:-1]:
        if line.startswith("#"):
            continue
        match = SAMPLE.fullmatch(line)
        assert match, line[:300]
        labels = {key: re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)
                  for key, value in LABEL.findall(match[2] or "")}
        key = (match[1], *sorted(labels.items()))
        assert key not in found, line
        found[key] = Fraction(match[3])
    return found


@case
def promtool_has_no_complaint(specimens):
    for specimen in specimens.values():
        done = subprocess.run([need("promtool", "prometheus"), "check", "metrics"], capture_output=True, timeout=300,
                              input=specimen.read("prometheus"))
        assert done.returncode == 0 and done.stdout + done.stderr == b"", (specimen.name, done.stdout, done.stderr)


def labels(function, functions):
    """Returns the label: the name, with file or address only for functions that share it."""
    namesakes = [f for f in functions if plain(f["name"]) == plain(function["name"]) and f is not function]
    found = [("function", plain(function["name"]))]
    if namesakes and function["file"]:
        found.append(("file", function["file"]))
    if namesakes and (not function["file"] or any(f["file"] == function["file"] for f in namesakes)):
        address = function["address"]
        found.append(("address", hex(int(address, 0) if isinstance(address, str) else address)) if address is not None
                     else ("row", str(function["id"])))
    return sorted(found)


@case
def each_function_has_its_calls_and_times(specimens):
    for specimen in specimens.values():
        def of(metric, key, unit=Fraction):
            return {(metric, *labels(f, specimen.functions)): unit(f[key])
                    for f in specimen.functions if f[key] is not None and is_counted(f)}

        def seconds(ticks):
            return Fraction(specimen.nanoseconds(ticks), 10**9) if specimen.rate else Fraction(ticks)

        unit = "seconds" if specimen.rate else "ticks"
        want = {**of("miniprofd_function_calls_total", "calls"),
                **of("miniprofd_function_samples_total", "samples"),
                **of(f"miniprofd_function_{unit}_total", "total_ticks", seconds),
                **of(f"miniprofd_function_self_{unit}_total", "self_ticks", seconds)}
        found = {key: value for key, value in series(specimen).items() if key[0].startswith("miniprofd_function_") and "_recent_" not in key[0]}
        check(found, want, specimen)


@case
def the_longest_recent_call_is_a_real_one(specimens):
    told = 0
    for specimen in specimens.values():
        longest = {tuple(labels(f, specimen.functions)): f["max_ticks"] for f in specimen.functions}
        for key, value in series(specimen).items():
            if key[0] != "miniprofd_function_recent_max_seconds":
                continue
            assert specimen.rate and value <= Fraction(specimen.nanoseconds(longest[key[1:]]), 10**9), (specimen.name, key)
            told += value > 0
    assert told > 10, told


@case
def the_labels_of_the_source_survive(specimens):
    assert any(key[0] == "miniprofd_info" and ("port", 'file:a "capture" & more.bin') in key
               for key in series(specimens["plain"]))


main()
