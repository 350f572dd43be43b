#!/usr/bin/env python3
"""recipes.py - tests docs/recipes.md: tasks of VS Code, its problem matcher $gcc, and an ITM stream.

usage: recipes.py MINIPROFD EXAMPLE_HOST DOCS. Prints TAP."""
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, EXAMPLE_HOST, DOCS = map(os.path.abspath, sys.argv[1:4])
PATIENCE = 120
# The pattern of $gcc, and of its groups file, line, column, severity and message.
GCC = re.compile(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$")
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")


def at(name):
    return os.path.join(FOLDER.name, name)


def run(*command, **how):
    return subprocess.run([MINIPROFD, *command], capture_output=True, timeout=PATIENCE, cwd=FOLDER.name, check=False, **how)


def profile(*more, **how):
    """Returns the profile of a source, as JSON."""
    done = run(*more, "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=profile.json", **how)
    assert done.returncode == 0, done.stderr
    with open(at("profile.json"), encoding="utf-8") as file:
        return json.load(file)


def record():
    target = subprocess.Popen([EXAMPLE_HOST, "--rounds", "20"], stdout=subprocess.PIPE, text=True)
    try:
        profile("--port", target.stdout.readline().strip(), "--record", "run.bin", "--duration", "2")
    finally:
        target.kill()
        target.wait()
    with open(at("run.bin"), "rb") as file:
        return file.read()


RECORDED = record()
WHOLE = profile("--port", "file:run.bin")


def calls(of):
    return {row["name"]: row["calls"] for row in of["functions"] if row["kind"] == "function" and row["calls"]}


def in_itm(data):
    """Returns an ITM stream with the bytes at port 0, a few at a time, among other packets."""
    chance, made, i = random.Random(7), bytearray(b"\0" * 5 + b"\x80"), 0
    while i < len(data):
        size = chance.choice([n for n in (1, 2, 4) if n <= len(data) - i])
        made += bytes([{1: 1, 2: 2, 4: 3}[size]]) + data[i:i + size]
        i += size
        made += chance.choice([b"", b"", b"", b"\x09X", b"\xc0\x81\x02", b"\x30", b"\x70", b"\x17\1\2\3\4", b"\0" * 5 + b"\x80"])
    return bytes(made)


@case
def calls_come_out_of_an_itm_stream():
    taken = subprocess.run([os.path.join(DOCS, "recipes/itm")], input=in_itm(RECORDED), capture_output=True, timeout=PATIENCE, check=True).stdout
    assert taken == RECORDED, (len(taken), len(RECORDED))
    told = profile("--port", "-", "--dialect", "miniprof", "--no-control", input=taken)
    assert calls(told) == calls(WHOLE) and len(calls(told)) > 10


@case
def an_itm_stream_that_breaks_off_ends_it():
    whole = in_itm(RECORDED[:1000])
    for length in range(0, 40, 1 if os.environ.get("TEST_ALL") else 5):
        subprocess.run([os.path.join(DOCS, "recipes/itm"), "1"], input=whole[:length], capture_output=True, timeout=PATIENCE, check=True)


@case
def the_task_prints_findings_in_the_format_of_gcc():
    slower = copy.deepcopy(WHOLE)
    for row in slower["functions"]:
        if row["kind"] == "function" and row["total_ticks"]:
            row["total_ticks"] *= 3
    for name, content in (("base.json", WHOLE), ("new.json", slower)):
        with open(at(name), "w", encoding="utf-8") as file:
            json.dump(content, file)
    with open(os.path.join(DOCS, "recipes.md"), encoding="utf-8") as file:
        tasks = json.loads(re.search(r"^```json\n(.*?)^```", file.read(), re.S | re.M)[1])["tasks"]
    task = tasks[1]
    assert task["problemMatcher"] == "$gcc" and task["dependsOn"] == tasks[0]["label"] and task["command"] == "miniprofd"
    done = run(*task["args"], "--min-delta", "0ns", "--max-loss", "100%", text=True)
    found = [GCC.match(line) for line in done.stdout.splitlines()]
    assert done.returncode == 3 and len(found) > 5 and all(found), (done.returncode, done.stdout, done.stderr)
    assert any(one[1].endswith("motor.c") and int(one[2]) > 1 for one in found), done.stdout


sys.exit(run_cases())
