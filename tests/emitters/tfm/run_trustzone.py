#!/usr/bin/env python3
"""Tests checkpoints from both sides of TrustZone, on an emulated Cortex-M33: the non-secure image passes them, and is calibrated, through veneers.

usage: run_trustzone.py MINIPROFD SECURE_ELF NON_SECURE_ELF. Prints TAP."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, SECURE, NON_SECURE = sys.argv[1:]
ROUNDS, TOPIC = 50, 5
CALL, INSIDE, END, BACK, NOTHING = range(1, 6)  # service.h
LOADED = {}


def printed():
    """Returns the output of the secure image: entries, a mark, and the calibration by world."""
    if not LOADED:
        qemu = subprocess.Popen(["timeout", "100", "qemu-system-arm", "-M", "mps2-an505", "-icount", "shift=5", "-display", "none", "-monitor", "none",
                                 "-serial", "stdio", "-kernel", SECURE, "-device", "loader,file=" + NON_SECURE], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            lines = []
            while "calibration" not in lines[-3:-2]:
                line = qemu.stdout.readline()
                assert line, lines
                lines.append(line.strip())
        finally:
            qemu.terminate()
            qemu.wait()
        LOADED["entries"] = [tuple(int(word, 16) for word in line.split(",")) for line in lines[:-3]]
        LOADED["calibration"] = {tag: cost for tag, cost in (tuple(int(word, 16) for word in line.split(",")) for line in lines[-2:])}
    return LOADED["entries"], LOADED["calibration"]


def distances(first, last):
    """Returns the ticks from each passing of one checkpoint to the next of the other."""
    counts = {checkpoint: [count for tag, count in printed()[0] if tag >> 16 == checkpoint] for checkpoint in (first, last)}
    return [(before - after) & 0xFFFFFFFF for before, after in zip(counts[first], counts[last])]


@case
def both_sides_are_in_one_database_in_the_order_of_time():
    entries, _ = printed()
    assert [(tag & 0xF, tag >> 6 & 3, tag >> 8 & 0xFF, tag >> 16) for tag, _ in entries] == [
        (1, 0 if checkpoint in (INSIDE, END) else 3, TOPIC, checkpoint) for _ in range(ROUNDS) for checkpoint in range(CALL, NOTHING + 1)]
    assert all(before > after for (_, before), (_, after) in zip(entries, entries[1:])), "the counter runs down"


@case
def calls_through_a_veneer_are_calibrated_by_their_end():
    _, calibration = printed()
    assert set(calibration) == {0, 3} and calibration[3] > calibration[0] > 0, calibration
    between = distances(BACK, NOTHING)
    assert abs(sum(between) / ROUNDS - calibration[3]) <= 3, (between, calibration)


@case
def pairs_within_and_across_worlds_equal_the_counts():
    entries, calibration = printed()
    worlds = {"call": (CALL, BACK, 3, 3), "way in": (CALL, INSIDE, 3, 0), "service": (INSIDE, END, 0, 0), "way back": (END, BACK, 0, 3)}
    title = {0: "secure", 3: "non-secure"}
    names = {"calibration": {str(world): cost for world, cost in calibration.items()}, "clock_hz": 20000000,
             "pairs": [{"name": name, "topic": TOPIC, "from": first, "to": last, "world": title[a], "to_world": title[b]}
                       for name, (first, last, a, b) in worlds.items()]}
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("names.json", "log.txt")]
        with open(files[0], "w", encoding="ascii") as file:
            json.dump(names, file)
        with open(files[1], "w", encoding="ascii") as file:
            file.writelines(f"{tag:08X},{count:08X}\n" for tag, count in entries)
        done = subprocess.run([MINIPROFD, "--port", "file:" + files[1], "--dialect", "tfm", "--dialect-opt", "names=" + files[0], "--dialect-opt",
                               "counter=down", "--no-http", "--export", "json=-"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)["checkpoints"]}
    for name, (first, last, _, world) in worlds.items():
        true = [ticks - calibration[world] for ticks in distances(first, last)]
        row = rows[name]
        assert (row["count"], row["min_ticks"], row["max_ticks"]) == (ROUNDS, min(true), max(true)), (name, row, min(true), max(true))
        assert abs(row["mean_ticks"] - sum(true) / ROUNDS) < 0.001, (name, row, sum(true) / ROUNDS)


if __name__ == "__main__":
    sys.exit(run_cases())
