#!/usr/bin/env python3
"""mipi.py - compares captures of MIPI's SyS-T library with the output of MIPI's printer.

usage: mipi.py MINIPROFD. Prints TAP. MIPI_SYST names a folder with NAME.hex, NAME.csv, NAME.xml and, if there is one, NAME.stp
(docs/formats.md). What may differ is what docs/formats.md lists."""
import csv
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE  # noqa: E402

MINIPROFD = sys.argv[1]
STATUS, PAYLOAD, TYPE, SEVERITY, ORIGIN, UNIT, TIME, _, LOCATION, LENGTH, CHECKSUM, COLLATERAL = range(12)


def captures():
    found = sorted(path[:-4] for path in glob.glob(os.path.join(os.environ.get("MIPI_SYST", ""), "*.hex")) if os.path.exists(path[:-4] + ".csv"))
    if "MIPI_SYST" not in os.environ or not found:
        raise Skip("MIPI_SYST names no folder with NAME.hex and NAME.csv (docs/formats.md)")
    return found


def rows(path):
    with open(path, newline="", encoding="utf-8", errors="replace") as f:
        return [row + [""] * (12 - len(row)) for row in csv.reader(f)][1:]


def ours(name, extension, framing):
    command = [MINIPROFD, "--port", f"file:{name}.{extension}", "--no-http", "--dialect", "syst", "--dialect-opt", "framing=" + framing, "--export", "systcsv=-"]
    if os.path.exists(name + ".xml"):
        command += ["--dialect-opt", f"collateral={name}.xml"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    return list(csv.reader(done.stdout.decode(errors="replace").splitlines(keepends=True)))[1:]


def may_differ(column, theirs, own):
    """True when docs/formats.md allows the difference."""
    if theirs[STATUS] in ("UNKNOWN_TYPE", "TOO_SHORT", "UNKNOWN_STATE"):  # for which theirs reports no more
        return own[TYPE].split(":")[0] in ("CLOCK", "SBD", "STRING") or own[STATUS] == "TOO_LONG"
    if column == PAYLOAD:
        return (own[TYPE].startswith(("BUILD:COMPACT", "STRING:PRINTF")) or
                own[TYPE].startswith("CATALOG") and (theirs[PAYLOAD].startswith("Undefined catalog id") or "4294967" in theirs[PAYLOAD]))
    if column == STATUS:
        return theirs[PAYLOAD].startswith("Undefined catalog id")
    if column == LOCATION:
        return own[LOCATION].split(" ")[-1].startswith("0x")
    return column == ORIGIN


@case
def each_message_equals_that_of_the_mipi_printer():
    for name in captures():
        theirs, own = rows(name + ".csv"), ours(name, "hex", "hex")
        assert len(theirs) == len(own) > 0, f"{name}: {len(theirs)} and {len(own)} messages"
        for n, (their, mine) in enumerate(zip(theirs, own), 1):
            for column in (STATUS, PAYLOAD, TYPE, SEVERITY, ORIGIN, UNIT, TIME, LOCATION, LENGTH, CHECKSUM):
                assert their[column] == mine[column] or may_differ(column, their, mine), f"{name}, message {n}: {mine}, not {their}"


@case
def a_raw_stream_gives_the_messages_of_the_lines():
    streams = [name for name in captures() if os.path.exists(name + ".stp")]
    if not streams:
        raise Skip("MIPI_SYST has no NAME.stp (docs/formats.md)")
    for name in streams:
        lines, stream = ours(name, "hex", "hex"), ours(name, "stp", "stp")
        assert len(lines) == len(stream), f"{name}: {len(lines)} and {len(stream)} messages"
        for n, (line, packet) in enumerate(zip(lines, stream), 1):
            assert [line[c] for c in (STATUS, TYPE, SEVERITY, ORIGIN, UNIT, LENGTH)] == [packet[c] for c in (STATUS, TYPE, SEVERITY, ORIGIN, UNIT, LENGTH)], (name, n, line, packet)


sys.exit(run_cases())
