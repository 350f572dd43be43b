#!/usr/bin/env python3
"""captures.py - checks that bench-generate writes captures like those of a target.

usage: captures.py MINIPROFD BENCH_GENERATE. Prints TAP."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, GENERATE = sys.argv[1:3]


def generate(*options):
    return subprocess.run([GENERATE, *options], stdout=subprocess.PIPE, check=True).stdout


def profile_of(*options):
    with tempfile.TemporaryDirectory() as folder:
        capture, elf, profile = (os.path.join(folder, name) for name in ("run.bin", "run.elf", "run.json"))
        generate("--output", capture, "--elf", elf, *options)
        subprocess.run([MINIPROFD, "--port", "file:" + capture, "--elf", elf, "--no-http", "--export",
                        "json=" + profile], check=True, stderr=subprocess.DEVNULL)
        with open(profile, encoding="utf-8") as file:
            return json.load(file)


@case
def every_call_arrives_under_its_name():
    profile = profile_of("--calls", "20000", "--functions", "50", "--running", "0")
    link = profile["link"]
    assert link["records"] == 20000, link
    assert not any(link[name] for name in ("crc_errors", "framing_errors", "malformed", "bytes_skipped")), link
    named = [f for f in profile["functions"] if not f["name"].startswith(("[", "0x"))]
    assert 40 <= len(named) <= 50, [f["name"] for f in named]
    assert sum(f["calls"] for f in named) == 20000


@case
def there_are_as_many_stacks_as_asked_for():
    tree = profile_of("--calls", "200000", "--nodes", "500", "--depth", "6", "--running", "0")["call_tree"]
    met = sum(calls > 0 for calls in tree["calls"])
    assert 400 <= met <= 600, met


@case
def the_same_seed_gives_the_same_bytes():
    assert generate("--calls", "1000", "--seed", "7") == generate("--calls", "1000", "--seed", "7")
    assert generate("--calls", "1000", "--seed", "7") != generate("--calls", "1000", "--seed", "8")


if __name__ == "__main__":
    sys.exit(run_cases())
