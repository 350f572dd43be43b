#!/usr/bin/env python3
"""replay.py - speed and memory of reading captures, compared with md5sum and uftrace.

usage: replay.py MINIPROFD BENCH_GENERATE [CALLS]. Prints figures; fails only when something does not work."""
import shutil
import subprocess
import sys
import tempfile

from figures import compare, run, tell, tell_machine

MINIPROFD, GENERATE = sys.argv[1:3]
CALLS = int(float(sys.argv[3])) if len(sys.argv) > 3 else 10_000_000


def replay(folder, capture):
    return [MINIPROFD, "--port", f"file:{folder}/{capture}.bin", "--elf", f"{folder}/{capture}.elf", "--no-http",
            "--export", f"json={folder}/profile.json"]


def generate(folder, capture, *options):
    subprocess.run([GENERATE, "--output", f"{folder}/{capture}.bin", "--elf", f"{folder}/{capture}.elf", *options], check=True)


def against_md5sum(folder):
    for nodes in (1000, 20000):
        generate(folder, "run", "--calls", str(CALLS), "--nodes", str(nodes))
        ours, _, ratio = compare(replay(folder, "run"), ["md5sum", f"{folder}/run.bin"])
        tell(f"replay of {CALLS:,} calls, {nodes:,} stacks: {CALLS / ours / 1e6:.1f} M calls/s; / md5sum", f"{ratio:.2f}", "<= 1.0")


def against_uftrace(folder):
    if not shutil.which("uftrace"):
        print("uftrace is not installed: not compared")
        return
    calls = CALLS // 2  # enough that the start's cost is small
    generate(folder, "run", "--calls", str(calls), "--uftrace", f"{folder}/uftrace")
    theirs, _, ratio = compare(["uftrace", "report", "-d", f"{folder}/uftrace"], replay(folder, "run"), 3)
    tell(f"uftrace report of {calls:,} calls: {calls / theirs / 1e6:.1f} M calls/s; / replay", f"{ratio:.1f}", ">= 10")


def memory(folder):
    for calls in (CALLS // 10, CALLS):
        generate(folder, "run", "--calls", str(calls))
        tell(f"peak memory, {calls:,} calls, 20,000 stacks", f"{run(replay(folder, 'run'))[1]:.0f} MB", "<= 64 MB, flat")


def growth(folder):
    """Time of twice the calls minus time of the calls once, which removes the start and the creation of the tree."""
    def seconds(nodes):
        for capture, calls in (("half", CALLS // 2), ("run", CALLS)):
            generate(folder, capture, "--calls", str(calls), "--nodes", str(nodes))
        half, whole, _ = compare(replay(folder, "half"), replay(folder, "run"), 3)
        return whole - half
    tell("time per call, 100,000 stacks / 1,000 stacks", f"{seconds(100_000) / seconds(1000):.2f}", "<= 2")


tell_machine()
with tempfile.TemporaryDirectory() as place:
    against_md5sum(place)
    against_uftrace(place)
    memory(place)
    growth(place)
