#!/usr/bin/env python3
"""instructions.py - checks that the number of instructions per call of a replay has not grown.

usage: instructions.py MINIPROFD BENCH_GENERATE. Prints TAP. COUNT and ROW_COUNT are for gcc 12 on x86-64 with
--buildtype=release; lower them when the replay gets faster. One run is subtracted from another of twice the length, which
removes the cost of the start."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from packets import Tree, TreeRows, metadata  # noqa: E402

MINIPROFD, GENERATE = sys.argv[1:3]
COUNT, LESS, MORE = 281, 0.90, 1.03
CALLS = 200_000
ROW_COUNT, PACKETS, ROWS = 1113, 1000, 20


def generate(capture, calls, nodes):
    subprocess.run([GENERATE, "--calls", str(calls), "--nodes", str(nodes), "--output", capture], check=True)


def generate_tree(capture, packets):
    """Packets of a tree of ROWS nodes, each called by the one before, whose sums grow with each packet."""
    tree = Tree(room=ROWS)
    with open(capture, "wb") as file:
        file.write(metadata())
        for number in range(1, packets + 1):
            rows = TreeRows()
            for node in range(ROWS):
                rows.row(0, node, node - 1 if node else None, 0x1000 + 16 * node, number, number * (node + 1))
            file.write(tree.packet(number * ROWS * (ROWS + 1) // 2, rows.records, nodes=ROWS))


def instructions(capture):
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", MINIPROFD, "--unconfined", "--port",
                             "file:" + capture, "--no-http"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                            check=True, env={**os.environ, "MALLOC_PERTURB_": "0"})
    return int(re.search(r"refs:\s+([\d,]+)", result.stderr)[1].replace(",", ""))


def instructions_each(write, n, *more):
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (os.path.join(folder, name) for name in ("once", "twice"))
        write(once, n, *more)
        write(twice, 2 * n, *more)
        return (instructions(twice) - instructions(once)) / n


def expect_about(each, count, what):
    print(f"# {each:.1f} instructions {what}", flush=True)
    assert each <= count * MORE, f"{each:.1f} instructions {what}; it was {count}"
    assert each >= count * LESS, f"{each:.1f} instructions {what}; it was {count}: lower that number"


@case
def a_call_takes_no_more_instructions_than_before():
    expect_about(instructions_each(generate, CALLS, 1000), COUNT, "a call")


@case
def a_row_of_a_tree_takes_no_more_instructions_than_before():
    expect_about(instructions_each(generate_tree, PACKETS) / ROWS, ROW_COUNT, "a row")


@case
def each_of_100_000_stacks_takes_at_most_twice_as_many_as_of_1_000():
    few, many = instructions_each(generate, CALLS, 1000), instructions_each(generate, 5 * CALLS, 100_000)
    print(f"# {many / few:.2f}", flush=True)
    assert many <= 2 * few, f"{many:.1f} and {few:.1f}"


if __name__ == "__main__":
    sys.exit(run_cases())
