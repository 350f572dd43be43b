#!/usr/bin/env python3
"""tools.py - compares captures of TF-M's profiler, and its own analysis of them, with miniprofd's figures.

usage: tools.py MINIPROFD. Prints TAP. TFM_TOOLS names a folder with, for each NAME:

  NAME.csv          what prof_data_diff(), _min(), _max() and _avg() say of each pair of checkpoints, as lines
                    name,world,to_world,topic,from,to_topic,to,count,first,min,max,mean below such a heading (world: secure,
                    non-secure; to_world and to_topic may be left out, where all pairs are of one; count: how many pairs its
                    fetch functions find)
  NAME.names.json   the same pairs, and its calibration, as a names file
  NAME.*bin, *txt   the database: its bytes, a line of tag,count for each entry, or as the self-test prints it
  NAME.averages     the lines of averages that the PSA case prints, with the pairs' names

Captures NAME.SOMETHING.bin are of the same intervals by another counter: one that runs down, or that wraps, of which the
original's analysis prints nothing sensible."""
import csv
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE  # noqa: E402

MINIPROFD = sys.argv[1]


def recorded(*patterns):
    """Yields each NAME's rows and its captures of those patterns."""
    folder = os.environ.get("TFM_TOOLS", "")
    names = sorted(path[:-4] for path in glob.glob(os.path.join(folder, "*.csv")))
    found = [(name, path) for name in names for pattern in patterns for path in sorted(glob.glob(name + pattern))]
    if "TFM_TOOLS" not in os.environ or not found:
        raise Skip(f"TFM_TOOLS names no folder with NAME.csv and NAME{patterns[0]} (tests/emitters/tfm/tools.py)")
    for name, path in found:
        with open(name + ".csv", newline="", encoding="utf-8") as f:
            yield name, path, list(csv.DictReader(f))


def ours(path, *options):
    command = [MINIPROFD, "--port", "file:" + path, "--no-http", "--dialect", "tfm", "--export", "json=-"]
    for option in options:
        command += ["--dialect-opt", option]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


FIGURES = ("count", "first", "min", "max", "mean")


def of_theirs(rows):
    return {(row["name"], row["world"], row.get("to_world", row["world"]), row["topic"], row["from"], row.get("to_topic", row["topic"]), row["to"]):
            tuple(int(row[figure]) for figure in FIGURES) for row in rows if row["count"] != "0"}


def of_ours(snapshot):
    """Returns our rows, with means rounded down as theirs are."""
    return {(row["name"], row["context"], row["to_context"], *(str(row[key]) for key in ("topic", "from", "to_topic", "to"))):
            (row["count"], row["first_ticks"], row["min_ticks"], row["max_ticks"], int(row["mean_ticks"])) for row in snapshot["checkpoints"] if row["count"]}


def check(pattern):
    for name, path, rows in recorded(pattern):
        snapshot = ours(path, f"names={name}.names.json")
        theirs, own = of_theirs(rows), of_ours(snapshot)
        assert theirs.keys() == own.keys(), f"{path}: only one has {sorted(theirs.keys() ^ own.keys())}"
        different = {pair: (theirs[pair], own[pair]) for pair in theirs if theirs[pair] != own[pair]}
        assert not different, f"{path}: theirs and ours, {FIGURES}: {different}"
        for figure in ("malformed", "bytes_skipped", "framing_errors", "records_lost"):
            assert snapshot["link"][figure] == 0, (path, figure, snapshot["link"])


@case
def a_database_agrees_with_the_original_analysis():
    check(".bin")


@case
def counters_down_and_wrapping_give_the_same_intervals():
    check(".*.bin")


@case
def text_agrees_with_the_original_analysis():
    check(".*txt")


@case
def averages_are_those_that_it_prints():
    for _, path, rows in recorded(".averages"):
        theirs = {(row["world"], row["name"]): int(row["mean"]) for row in rows if row["count"] != "0"}
        own = {(row["context"], row["name"]): row["mean_ticks"] for row in ours(path)["checkpoints"]}
        assert theirs == own, f"{path}: theirs {theirs}, ours {own}"


sys.exit(run_cases())
