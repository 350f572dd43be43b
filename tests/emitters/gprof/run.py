#!/usr/bin/env python3
"""run.py - tests the example compiled with -pg, in QEMU, its line and the daemon: every arc of 20 rounds, and gprof's reading of them.

usage: run.py MINIPROFD EXAMPLE_HOST ELF FORM QEMU_COMMAND...
FORM is what its records are: raw; counted; small (counted, in a cache that is too small); extension (counted, inside the agent's packets); beside (the same, and
the agent sends the calls as well); overrun (raw, with a ring that
is too small, and no samples). The command serves the socket whose path replaces @SOCKET@ in it. Prints TAP."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST, ELF, FORM, *COMMAND = sys.argv[1:]
ROUNDS, HANDLER, NOBODY = 20, "ADC_IRQHandler", "[interrupt]"
MOST_BYTES_PER_ARC = {"raw": 7, "counted": 0.5, "small": 3, "extension": 1, "beside": 6, "overrun": 7}  # including samples and all other bytes, except for raw


def expected():
    """Returns {(caller, callee): calls}. An interrupt's handler has no caller."""
    edges = {}
    for edge in json.loads(subprocess.check_output([EXAMPLE_HOST, "--counts"]))["edges"]:
        caller = NOBODY if edge["callee"] == HANDLER else edge["caller"]
        edges[caller, edge["callee"]] = edges.get((caller, edge["callee"]), 0) + edge["calls"] * ROUNDS
    return edges


def arcs_of(snapshot):
    names = {f["id"]: f.get("raw_name") or f["name"] for f in snapshot["functions"]}
    arcs = {}
    for arc in snapshot["arcs"]:
        key = names[arc["caller"]], names[arc["callee"]]
        arcs[key] = arcs.get(key, 0) + arc["calls"]
    return arcs


def run():
    """Returns the snapshot after all calls were sent, the bytes received, and gmon.out."""
    wanted = sum(expected().values())
    with tempfile.TemporaryDirectory() as folder:
        socket = os.path.join(folder, "uart")
        target = subprocess.Popen([part.replace("@SOCKET@", socket) for part in COMMAND], stdin=subprocess.DEVNULL)
        dialect = [] if FORM in ("extension", "beside") else ["--dialect", "gprof"]
        try:
            with Daemon(MINIPROFD, "--port", "unix:" + socket, "--elf", ELF, *dialect) as daemon:
                for name, _ in daemon.events(120):
                    if name in ("snapshot", "delta"):
                        snapshot = daemon.snapshot()
                        seen = sum(f["calls"] or 0 for f in snapshot["functions"]) if FORM == "beside" else wanted
                        if sum(arc["calls"] for arc in snapshot["arcs"]) + snapshot["link"]["records_lost"] >= wanted <= seen:
                            status, _, gmon = daemon.get("/api/v1/export/gmon")
                            assert status == 200, (status, gmon)
                            return snapshot, gmon
                raise AssertionError(f"not all calls were sent: {arcs_of(snapshot)}, {snapshot['link']}")
        finally:
            target.terminate()  # timeout(1) passes it on
            target.wait()


SNAPSHOT, GMON = run()


@case
def arcs_are_exact_or_counted_as_lost():
    arcs, want, lost = arcs_of(SNAPSHOT), expected(), SNAPSHOT["link"]["records_lost"]
    if FORM == "overrun":
        assert all(n <= want.get(key, 0) for key, n in arcs.items()), (arcs, want)
        assert lost > 1000 and sum(arcs.values()) + lost == sum(want.values()), (arcs, lost)
        assert not SNAPSHOT["complete"], SNAPSHOT["incomplete_because"]
    else:
        assert arcs == want, [(key, arcs.get(key), want.get(key)) for key in {*arcs, *want} if arcs.get(key) != want.get(key)]
        assert lost == 0 and SNAPSHOT["complete"], SNAPSHOT["incomplete_because"]


@case
def calls_come_from_the_agent_or_the_arcs():
    calls, want = {f.get("raw_name") or f["name"]: f["calls"] for f in SNAPSHOT["functions"] if f["calls"]}, {}
    for (_, callee), n in expected().items():
        want[callee] = want.get(callee, 0) + n
    if FORM != "overrun":
        assert calls == want, (calls, want)


@case
def no_record_is_torn_by_an_interrupt():
    for key in ("crc_errors", "framing_errors", "malformed", "bytes_skipped", "over_limit"):
        assert SNAPSHOT["link"][key] == 0, (key, SNAPSHOT["link"])


@case
def samples_are_of_functions_that_are_there():
    if FORM == "overrun":
        assert SNAPSHOT["samples"]["total"] == 0
        return
    assert SNAPSHOT["samples"]["hz"] == 1000, SNAPSHOT["samples"]
    sampled = {f["name"]: f["samples"] for f in SNAPSHOT["functions"] if f["samples"]}
    assert sum(sampled.values()) == SNAPSHOT["samples"]["total"] >= 8, sampled
    assert not [name for name in sampled if name.startswith("0x")], sampled
    assert "board_spin" in sampled, sampled  # where the workload spends its time


@case
def an_arc_takes_few_bytes():
    told = sum(arcs_of(SNAPSHOT).values()) + (SNAPSHOT["samples"]["total"] * 4 / 7 if FORM in ("raw", "overrun") else 0)
    lost = 20 * 4 if FORM == "overrun" else 0
    per_arc = (SNAPSHOT["link"]["bytes"] - lost) / told
    print(f"# {FORM}: {per_arc:.2f} bytes an arc")
    assert per_arc <= MOST_BYTES_PER_ARC[FORM] * 1.0001, per_arc


@case
def gprof_reads_the_same_from_the_exported_gmon_out():
    gprof = shutil.which("arm-none-eabi-gprof")
    if not gprof:
        raise Skip("arm-none-eabi-gprof is not installed (Debian package binutils-arm-none-eabi)")
    with tempfile.NamedTemporaryFile() as f:
        f.write(GMON)
        f.flush()
        done = subprocess.run([gprof, "-b", "--no-demangle", "-q", ELF, f.name], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    found = {}
    for entry in re.split(r"^-+$", done.stdout, flags=re.M):
        primary = re.search(r"^\[\d+\](?: +[-.\w]+){3} +(?:\d+)?(?:\+(\d+))? *(\S+)(?: <cycle \d+>)? \[\d+\]$", entry, re.M)
        if not primary:
            continue
        if primary[1]:  # calls of itself
            found[primary[2], primary[2]] = int(primary[1])
        for part, is_caller in (entry[:primary.start()], True), (entry[primary.end():], False):  # its callers, and its callees
            for line in part.splitlines():  # self, children, calls/of all, name
                match = re.fullmatch(r"(?: +[-.\w]+){2} +(\d+)/\d+ +(\S+) \[\d+\]", line)
                if match:
                    found[(match[2], primary[2]) if is_caller else (primary[2], match[2])] = int(match[1])
    want = {key: n for key, n in arcs_of(SNAPSHOT).items() if key[0] != NOBODY}
    assert found == want, [(key, found.get(key), want.get(key)) for key in {*found, *want} if found.get(key) != want.get(key)]


sys.exit(run_cases())
