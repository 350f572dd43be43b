#!/usr/bin/env python3
"""example.py - the example firmware, its link, the daemon and its snapshot: every call and every edge of N rounds.

usage: example.py MINIPROFD EXAMPLE_HOST ELF ROUNDS LINK MODE [FIRMWARE COMMAND...]
LINK is how the daemon reaches the firmware: pty or tcp (the command prints the path or port in its first line), or unix
(the command serves the socket whose path replaces @SOCKET@ in it). MODE is the expected form of the data: calls (finished ones, version 1),
stream (entries and exits, version 2), small (the same from the smallest agent, without calls running at START, interrupts and build id), tree
(counted on the target, version 3) or evicting (a tree too small for the program: calls are exact, edges are not). Prints TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon, paths_of  # noqa: E402


def start_firmware(link, command, folder):
    """Returns (process, source for --port)."""
    socket = os.path.join(folder, "uart")
    command = [part.replace("@SOCKET@", socket) for part in command]
    if link == "unix":
        return subprocess.Popen(command, stdin=subprocess.DEVNULL), "unix:" + socket
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline().strip()
    if link == "tcp":
        return process, "tcp:127.0.0.1:" + re.search(r"(\d+)$", first)[1]
    return process, first


HANDLER = "ADC_IRQHandler"


def expected(counts, rounds, mode):
    """Returns (calls of each function, calls of each edge) after this many rounds. In mode calls main, which never returns, is no caller, and the
    interrupted function is the caller of a handler; in other modes handlers are outermost."""
    calls, edges = {}, {}
    for edge in counts["edges"]:
        n = edge["calls"] * rounds
        calls[edge["callee"]] = calls.get(edge["callee"], 0) + n
        if (edge["callee"] != HANDLER) if mode in ("stream", "tree", "evicting") else (edge["caller"] != "main"):
            key = (edge["caller"], edge["callee"])
            edges[key] = edges.get(key, 0) + n
    return calls, edges


def measured(snapshot):
    raw = {f["name"]: f.get("raw_name", f["name"]) for f in snapshot["functions"]}
    calls = {raw[f["name"]]: f["calls"] for f in snapshot["functions"] if f["calls"]}
    edges = {}
    for path, n in zip(paths_of(snapshot), snapshot["call_tree"]["calls"]):
        if n and len(path) > 1 and not path[-2].startswith("["):
            key = (raw[path[-2]], raw[path[-1]])
            edges[key] = edges.get(key, 0) + n
    return calls, edges


def wrong_longest(snapshot):
    """Returns errors of called functions: the longest call must be known, no longer than their total, and no shorter than the mean of their self time."""
    return [f"{f['name']}: the longest of {f['calls']} calls is {f['max_ticks']}, all took {f['total_ticks']}" for f in snapshot["functions"]
            if f["calls"] and not (f["max_ticks"] and f["max_ticks"] <= f["total_ticks"] and f["max_ticks"] * f["calls"] >= f["self_ticks"])]


def wrong_eviction(snapshot, got, want):
    """Returns errors of an evicting tree: edges must be real and not too many, missing ones reported, and self time must add up."""
    tree, own = snapshot["target"]["tree"], sum(f["self_ticks"] or 0 for f in snapshot["functions"])
    problems = [f"{key}: {n} calls of {want.get(key, 0)}" for key, n in got.items() if n > want.get(key, 0)]
    if not tree or not tree["evictions"] or "Calls and own times of functions are exact. The call tree needs about" not in (tree["doubt"] or ""):
        problems.append(f"target.tree is {tree}")
    if not snapshot["ledger"]["adds_up"] or own != sum(snapshot["call_tree"]["self_ticks"]):
        problems.append(f"own times are {own}, in the tree {sum(snapshot['call_tree']['self_ticks'])}")
    if not any(f["kind"] == "below" and f["total_ticks"] for f in snapshot["functions"]):
        problems.append("nothing is below a node")
    if all(f["total_ticks"] is not None for f in snapshot["functions"] if f["calls"]):
        problems.append("all totals are known")
    return problems


def differences(got, want):
    return [f"{key}: {got.get(key)} instead of {want.get(key)}" for key in sorted(set(got) | set(want), key=str)
            if got.get(key) != want.get(key)]


def main(miniprofd, example_host, elf, rounds, link, mode, *command):
    counts = json.loads(subprocess.check_output([example_host, "--counts"]))
    want_calls, want_edges = expected(counts, int(rounds), mode)
    total = sum(want_calls.values())
    is_tree = mode in ("tree", "evicting")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        firmware, source = start_firmware(link, list(command), folder)
        try:
            with Daemon(miniprofd, "--port", source, "--elf", elf, *(["--mode", "tree"] if is_tree else [])) as daemon:
                daemon.wait_for_link(lambda link: link["records"] >= total)
                snapshot = wait_until_placed(daemon, total, mode == "evicting")
                got_calls, got_edges = measured(snapshot)
                problems += differences(got_calls, want_calls)
                problems += wrong_eviction(snapshot, got_edges, want_edges) if mode == "evicting" else differences(got_edges, want_edges)
                for key in ("crc_errors", "framing_errors", "malformed", "bytes_skipped", "unplaced_calls"):
                    if snapshot["link"][key]:
                        problems.append(f"link.{key} is {snapshot['link'][key]}")
                if snapshot["target"]["mode"] != {"small": "stream", "evicting": "tree"}.get(mode, mode):
                    problems.append(f"mode is {snapshot['target']['mode']}")
                if not snapshot["complete"]:
                    problems.append(f"incomplete because {snapshot['incomplete_because']}")
                if snapshot["target"]["elf_match"] is not (True if mode != "small" else None):
                    problems.append(f"elf_match is {snapshot['target']['elf_match']}")
                if mode == "tree":
                    problems += wrong_longest(snapshot)
                demangled = {f["name"] for f in snapshot["functions"]}
                for name in counts["demangled"].values():
                    if name not in demangled:
                        problems.append(f"no function is called {name}")
        finally:
            firmware.terminate()  # timeout(1) passes it on
            firmware.wait()
    print("1..1")
    print(("not ok" if problems else "ok") + f" 1 - {total} calls of {rounds} rounds over {link} come out exactly, mode {mode}")
    for problem in problems:
        print("# " + problem)
    return 1 if problems else 0


def wait_until_placed(daemon, total, evicts=False):
    """Returns the snapshot in which every received call is in the tree, or in its function if the tree evicts."""
    for name, _ in daemon.events(30):
        if name not in ("snapshot", "delta"):
            continue
        snapshot = daemon.snapshot()
        calls = [f["calls"] or 0 for f in snapshot["functions"]] if evicts else snapshot["call_tree"]["calls"]
        if sum(calls) >= total:
            return snapshot
    raise AssertionError("calls were received and never placed")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
