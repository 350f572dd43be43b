#!/usr/bin/env python3
"""instructions.py - checks that the number of instructions per call of a replay has not grown.

usage: instructions.py MINIPROFD BENCH_GENERATE. Prints TAP. COUNT is for gcc 12 on x86-64 with --buildtype=release; lower it
when the replay gets faster. One run is subtracted from another of twice the calls, which removes the cost of the start."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, GENERATE = sys.argv[1:3]
COUNT, LESS, MORE = 281, 0.90, 1.03
CALLS = 200_000


def instructions(folder, calls, nodes):
    capture = os.path.join(folder, "run.bin")
    subprocess.run([GENERATE, "--calls", str(calls), "--nodes", str(nodes), "--output", capture], check=True)
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", MINIPROFD, "--unconfined", "--port",
                             "file:" + capture, "--no-http"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                            check=True, env={**os.environ, "MALLOC_PERTURB_": "0"})
    return int(re.search(r"refs:\s+([\d,]+)", result.stderr)[1].replace(",", ""))


def instructions_a_call(calls, nodes):
    with tempfile.TemporaryDirectory() as folder:
        return (instructions(folder, 2 * calls, nodes) - instructions(folder, calls, nodes)) / calls


@case
def a_call_takes_no_more_instructions_than_before():
    each = instructions_a_call(CALLS, 1000)
    print(f"# {each:.1f} instructions a call", flush=True)
    assert each <= COUNT * MORE, f"{each:.1f} instructions a call; it was {COUNT}"
    assert each >= COUNT * LESS, f"{each:.1f} instructions a call; it was {COUNT}: lower that number"


@case
def each_of_100_000_stacks_takes_at_most_twice_as_many_as_of_1_000():
    few, many = instructions_a_call(CALLS, 1000), instructions_a_call(5 * CALLS, 100_000)
    print(f"# {many / few:.2f}", flush=True)
    assert many <= 2 * few, f"{many:.1f} and {few:.1f}"


if __name__ == "__main__":
    sys.exit(run_cases())
