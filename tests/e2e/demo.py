#!/usr/bin/env python3
"""demo.py - scripts/demo shows each format live, from firmware on the emulated board, and leaves nothing running.

usage: demo.py ROOT BUILD. Prints TAP."""
import json
import os
import re
import select
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, case_of_all, run_cases  # noqa: E402
from daemon import PATIENCE, Served  # noqa: E402

ROOT, BUILD = (os.path.abspath(path) for path in sys.argv[1:])
DEMO = os.path.join(ROOT, "scripts", "demo")


def calls_of(snapshot, name):
    return sum(row["calls"] for row in snapshot["functions"] if row["name"] == name)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def shows(reached, *arguments):
    """Starts the demo, waits for a snapshot that makes `reached` true, and ends it. No check of the page may find a fault in it."""
    demo = subprocess.Popen([DEMO, *arguments, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "BUILD": BUILD})
    children = []
    try:
        said = ""
        while not (found := re.search(r"open (http://127\.0\.0\.1:\d+/)\n", said)):
            ready, _, _ = select.select([demo.stdout], [], [], PATIENCE)
            more = os.read(demo.stdout.fileno(), 4096) if ready else b""
            assert more, f"it said {said!r}"
            said += more.decode()
        children = children_of(demo.pid)
        served = Served(found[1])
        for name, _ in served.events(PATIENCE):
            if name in ("snapshot", "delta") and reached(served.snapshot()):
                break
        else:
            raise AssertionError(f"not reached: {served.snapshot()['link']}")
        findings = json.loads(served.get("/api/v1/doctor")[2])["findings"]
        assert findings and all(one["verdict"] == "ok" for one in findings), findings
        assert len(children) >= 2, "neither firmware nor daemon is its own"
    finally:
        for one in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:  # as when its terminal is closed
            demo.send_signal(one)
        _, errors = demo.communicate(timeout=PATIENCE)
    assert demo.returncode == 0, errors
    left = [pid for pid in children if os.path.exists(f"/proc/{pid}")]
    assert not left, f"{left} still run"


@case
def call_records_come_from_the_agent():
    shows(lambda s: s["complete"] and calls_of(s, "control_cycle") > 10)


@case_of_all
def gprof_shows_arcs_and_samples():
    shows(lambda s: s["complete"] and s["samples"]["total"] > 100 and calls_of(s, "control_cycle") > 10 and calls_of(s, "ADC_IRQHandler") > 10, "gprof")


@case_of_all
def fprime_shows_entries_and_exits():
    shows(lambda s: s["complete"] and calls_of(s, "rate_group") > 10, "fprime")


@case_of_all
def tfm_shows_checkpoints():
    shows(lambda s: s["complete"] and len(s["checkpoints"]) >= 4, "tfm")


@case
def syst_shows_messages_beside_call_records():
    shows(lambda s: s["complete"] and len(s["messages"]) > 100 and calls_of(s, "filter") > 10 and len(s["contexts"]) == 3 and
          not any(one["name"].startswith("context ") for one in s["contexts"]), "syst")


@case
def an_unknown_argument_gives_an_error():
    for argument in "gprog", "--gprof":
        done = subprocess.run([DEMO, argument], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 2 and argument in done.stderr and done.stderr.count("\n") == 1, done


sys.exit(run_cases())
