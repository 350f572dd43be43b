#!/usr/bin/env python3
"""library_threads.py - libmpt_host in a program with threads, signals, longjmp and fork: one thread is measured exactly, and nothing breaks.

usage: library_threads.py MINIPROFD LIBRARY_PROGRAM MODE
MODE is stream or tree. Prints TAP."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon  # noqa: E402
from example import differences, measured  # noqa: E402

ROUNDS = 5000
EDGES = {("run", "step"): ROUNDS, ("step", "shared"): ROUNDS, ("step", "leap"): ROUNDS, ("leap", "jump"): ROUNDS,
         ("run", "count_signals"): 1, ("run", "fork_child"): 1}


def last_snapshot(daemon):
    """Returns the snapshot that has the program's last call."""
    for name, _ in daemon.events(30):
        if name in ("snapshot", "delta"):
            snapshot = daemon.snapshot()
            if any(f["name"] == "fork_child" and f["calls"] for f in snapshot["functions"]):
                return snapshot
    raise AssertionError("the program's last call never came")


def main(miniprofd, program, mode):
    # In a sanitizer's build, the forked child lacks the threads that its search for leaks needs.
    environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    process = subprocess.Popen([program, "tcp:0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment)
    try:
        port, elf = re.fullmatch(r"mpt_host: miniprofd --port (\S+) --elf (\S+)\n", process.stderr.readline()).groups()
        with Daemon(miniprofd, "--port", port, "--elf", elf, *(["--mode", "tree"] if mode == "tree" else [])) as daemon:
            output, said = process.communicate()
            snapshot = last_snapshot(daemon)
    finally:
        process.kill()
        process.wait()
    calls, edges = measured(snapshot)
    # A signal may come anywhere; those that interrupt a hook are not counted.
    signals = calls.pop("on_signal", 0)
    ticks = calls.pop("tick", 0)
    edges = {edge: n for edge, n in edges.items() if edge[1] not in ("on_signal", "tick")}
    want = {}
    for (_, callee), n in EDGES.items():
        want[callee] = want.get(callee, 0) + n
    problems = differences(calls, want) + differences(edges, EDGES)
    if process.returncode or said != "mpt_host: not profiled: this process is the child of one that is\n":
        problems.append(f"exit status {process.returncode}, {said!r}")
    if not (0 < signals <= int(output) and signals == ticks):
        problems.append(f"{signals} calls of on_signal and {ticks} of tick, of {output.strip()}")
    for key in ("crc_errors", "framing_errors", "malformed", "bytes_skipped"):
        if snapshot["link"][key]:
            problems.append(f"link.{key} is {snapshot['link'][key]}")
    print("1..1")
    print(("not ok" if problems else "ok") + f" 1 - one thread of a program with three, its signals and its child: mode {mode}")
    for problem in problems:
        print("# " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
