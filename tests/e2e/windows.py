#!/usr/bin/env python3
"""windows.py - the example firmware counts its call tree, and sends the events around a slow call: the timeline shows exactly these calls, and the
sums are unchanged.

usage: windows.py MINIPROFD EXAMPLE_HOST
Prints TAP; skips by name if the firmware's agent has no windows."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:]
TRIGGER = "control_cycle>0us"


def get(daemon, path):
    status, _, body = daemon.get(path)
    assert status == 200, (path, status, body)
    return json.loads(body)


def calls_in(daemon, names, window, only_whole=False):
    """Returns [(name, start, end, depth, context)] of the calls of that window, in order of their starts; with `only_whole` without those that an
    edge of the window cuts."""
    rows = get(daemon, "/api/v1/timeline?from=%d&to=%d&max=100000" % (window["from"], window["to"]))["rows"]
    assert set(rows["calls"]) == {1}, "each by itself"
    columns = zip(rows["function"], rows["start"], rows["duration"], rows["depth"], rows["context"], rows["cut"])
    return sorted((names[f], start, start + ticks, depth, context) for f, start, ticks, depth, context, cut in columns if not (cut and only_whole))


def check_window(daemon, names, window):
    calls = calls_in(daemon, names, window)
    slow = ("control_cycle", window["ticks"] - window["duration"], window["ticks"])
    assert slow in [call[:3] for call in calls], (window, calls[:20])
    mains = [call for call in calls if call[0] == "main" and call[3] == 0]
    assert (window["from"], window["to"]) == (mains[0][1], mains[-1][2]), "what runs all the time is shown up to the edges"
    whole = [call for call in calls if call[0] == "control_cycle" and call[1] > window["from"] and call[2] < window["to"]]
    for _, start, end, depth, context in whole:
        inside = [call[0] for call in calls if call[3] == depth + 1 and call[4] == context and start <= call[1] and call[2] <= end]
        assert inside.count("adc_scan") == 1 and inside.count("telemetry_send") == 1, (start, end, inside)
    return len(whole)


def check_range(daemon, names, window):
    """Checks that a range over a window counts its calls only, and their durations: those of whole calls."""
    part = get(daemon, "/api/v1/snapshot?from=%d&to=%d" % (window["from"], window["to"]))
    assert part["complete"], part["incomplete_because"]
    counted = {f["name"]: f["calls"] for f in part["functions"] if f["calls"]}
    calls = calls_in(daemon, names, window, only_whole=True)
    shown = [call[0] for call in calls]
    assert counted == {name: shown.count(name) for name in set(shown)}, counted
    for function in part["functions"]:
        took = [end - start for name, start, end, _, _ in calls if name == function["name"]]
        if took:
            assert (function["min_ticks"], function["max_ticks"]) == (min(took), max(took)), (function, took)


def run(daemon):
    daemon.wait_for_link(lambda link: link["records"] > 0)
    settings = get(daemon, "/api/v1/snapshot")["target"]["description"]["settings"]
    if "window" not in [setting["name"] for setting in settings]:
        print("1..0 # SKIP this firmware's agent keeps no windows")
        return
    daemon.wait_for_link(lambda link: link["windows"] >= 4)
    assert get(daemon, "/api/v1/windows")["trigger"]["state"] == "armed"
    daemon.request("POST", "/api/v1/device/stop", "{}")
    snapshot = daemon.snapshot()
    names = {f["id"]: f["name"] for f in snapshot["functions"]}
    assert snapshot["target"]["mode"] == "tree" or not snapshot["target"]["profiling"], snapshot["target"]
    windows = [row for row in snapshot["windows"]["rows"] if row["state"] == "whole"]
    assert len(windows) >= 3 and all(row["reason"] == "slow" and row["lost"] == 0 for row in windows), windows
    assert all(a["to"] <= b["from"] for a, b in zip(windows, windows[1:])), "one after the other"
    assert sum(check_window(daemon, names, row) for row in windows) > 0
    check_range(daemon, names, windows[1])
    calls = {f["name"]: f["calls"] for f in snapshot["functions"]}
    assert calls["adc_scan"] == calls["control_cycle"] > len(windows), calls
    assert snapshot["link"]["malformed"] == snapshot["link"]["duplicates"] == 0, snapshot["link"]
    print("1..1\nok 1 - what windows show is what ran, and the tree's sums are its own")


def main():
    firmware = subprocess.Popen([EXAMPLE_HOST, "--pace-ms", "5"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        arguments = ("--port", port, "--elf", EXAMPLE_HOST, "--mode", "tree", "--trigger", TRIGGER)
        with Daemon(MINIPROFD, *arguments) as daemon:
            run(daemon)
    finally:
        firmware.kill()
        firmware.wait()


main()
