#!/usr/bin/env python3
"""Tests F-Prime's events from the emulated board to the daemon, in each form: counts are exact.

usage: run_fprime.py MINIPROFD FOLDER_OF_IMAGES. Prints TAP."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from board import begin_rounds, functions, running, running_as_shown, wait_for  # noqa: E402
from cases import case, case_of_all, run_cases  # noqa: E402

MINIPROFD, IMAGES = sys.argv[1:]
ROUND = {"rate_group": 1, "read_sensor": 3, "scale": 6, "fold": 8, "send_telemetry": 1}  # workload.h


def image(name):
    return os.path.join(IMAGES, name + ".elf")


def check(snapshot, rounds):
    rows = functions(snapshot)
    for name, calls in ROUND.items():
        assert rows[name]["calls"] == rounds * calls, (name, rows[name]["calls"], rounds)
    link = snapshot["link"]
    for figure in ("malformed", "bytes_skipped", "framing_errors", "crc_errors", "orphan_exits", "missing_exits"):
        assert link[figure] == 0, (figure, link)
    assert link["doubt"] is None, link["doubt"]
    assert not snapshot["incomplete_because"], snapshot["incomplete_because"]


def begins(daemon, name):
    """Returns the start ticks of the function's calls."""
    _, _, body = daemon.get("/api/v1/export/chrome")
    return sorted(call["args"]["start_ticks"] for call in json.loads(body)["traceEvents"] if call["ph"] == "X" and call["name"] == name)


def is_done(rounds):
    return lambda snapshot: functions(snapshot).get("send_telemetry", {}).get("calls") == rounds and \
        functions(snapshot)["rate_group"]["calls"] == rounds


def run(name, rounds, period, *arguments):
    with running(MINIPROFD, image(name), "--dialect", "fprime", *arguments) as daemon:
        check(wait_for(daemon, is_done(rounds)), rounds)
        starts = begins(daemon, "rate_group")
        assert len(starts) == rounds, len(starts)
        # A round that waited for room is late, and later ones catch up; none is early.
        late = [start - starts[0] - number * period for number, start in enumerate(starts)]
        assert min(late) > -2000 and min(late[-20:]) < 2000, late
        return daemon.snapshot(), begins(daemon, "rate_tick")


@case
def a_stream_with_a_reload_value_has_exact_times():
    _, ticks = run("example-fprime-stream", 100, 300000)
    assert 117 <= len(ticks) <= 120, len(ticks)
    for number, start in enumerate(ticks):
        assert abs(start - ticks[0] - 250000 * number) < 1500, (number, start)


@case
def a_stream_with_the_documents_reload_is_too():
    run("example-fprime-wide", 40, 1000000)


@case_of_all
def either_reload_may_be_given():
    run("example-fprime-stream", 100, 300000, "--dialect-opt", "reload=249999", "--dialect-opt", "clock_hz=25000000")
    run("example-fprime-wide", 40, 1000000, "--dialect-opt", "reload=0xFFFFFF")


@case
def text_lines_give_the_same_profile():
    snapshot, ticks = run("example-fprime-text", 100, 300000)
    assert snapshot["link"]["form"] == "text", snapshot["link"]
    assert 117 <= len(ticks) <= 120, len(ticks)


@case
def a_dump_is_exact():
    run("example-fprime-dump", 10, 300000)


@case
def a_full_dump_ends_with_its_last_whole_event():
    with running(MINIPROFD, image("example-fprime-full"), "--dialect", "fprime") as daemon:
        snapshot = wait_for(daemon, lambda s: s["link"]["records"] == 256)
        assert snapshot["link"]["malformed"] == 0 and snapshot["link"]["bytes"] == 256 * 8, snapshot["link"]
        assert functions(snapshot)["rate_group"]["calls"] == 6, functions(snapshot)["rate_group"]


def beside(*modes):
    for mode in modes:
        with running(MINIPROFD, image("example-fprime"), "--mode", mode, "--dialect-opt", "fprime.clock_hz=25000000") as daemon:
            begin_rounds(daemon, mode, 100)
            snapshot = wait_for(daemon, lambda s: is_done(100)(s) and functions(s).get("control_step", {}).get("calls") == 100)
            check(snapshot, 100)
            assert functions(snapshot)["pid_step"]["calls"] == 200, functions(snapshot)["pid_step"]
            hz = snapshot["target"]["ticks_per_second"]
            assert hz == (1000000 if mode == "calls" else 25000000), "the link's"
            carried, own = begins(daemon, "rate_group"), begins(daemon, "control_step")
            # They are called one after the other in each round; the tree has no times.
            apart = [(after - before) / hz for before, after in zip(carried, own)] or [0]
            assert len(carried) == 100 and len(own) == (0 if mode == "tree" else 100) and max(apart) - min(apart) < 0.001, apart
            assert max(map(abs, apart)) < 0.5, apart


@case
def beside_the_agents_calls_both_are_exact():
    beside("stream", "tree")


@case_of_all
def beside_the_agents_calls_in_mode_calls_both_are_exact():
    beside("calls")


def capture(daemon, is_on):
    """The command ENABLE of the original, and its opposite."""
    status, _, body = daemon.request("POST", "/api/v1/device/config", json.dumps({"payload": f"81{is_on:02x}000000"}))
    assert status == 200, body


@case
def a_capture_begins_by_command():
    with running(MINIPROFD, image("example-fprime"), "--mode", "tree") as daemon:
        wait_for(daemon, lambda snapshot: snapshot["target"]["mode"] == "tree")
        capture(daemon, False)
        begin_rounds(daemon, "tree", 60000)
        before = wait_for(daemon, lambda s: functions(s).get("control_step", {}).get("calls", 0) > 20)
        assert "rate_group" not in functions(before), functions(before)
        capture(daemon, True)
        wait_for(daemon, lambda s: functions(s).get("rate_group", {}).get("calls", 0) > 20)


@case
def interrupts_in_hooks_and_nested_break_no_event():
    for shift in (0, 1, 2, 5) if os.environ.get("TEST_ALL") else (2,):
        with running(MINIPROFD, image("example-fprime-storm"), "--dialect", "fprime", "--dialect-opt", "reload=1999", shift=shift) as daemon:
            snapshot = wait_for(daemon, is_done(40))
            check(snapshot, 40)
            assert functions(snapshot)["rate_tick"]["calls"] > 500, functions(snapshot)["rate_tick"]


@case
def commands_of_the_page_work():
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/add-fprime.md")
    with running_as_shown(page, MINIPROFD, IMAGES) as daemon:
        check(wait_for(daemon, is_done(100)), 100)


sys.exit(run_cases())
