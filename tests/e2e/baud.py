#!/usr/bin/env python3
"""baud.py - the rate of the line is raised, proven and given up, with the example behind a pty that behaves like a UART.

usage: baud.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
HOME, FAST, ROUNDS = 115200, 921600, 200
CALLS = ROUNDS * json.loads(subprocess.check_output([EXAMPLE_HOST, "--counts"]))["calls_per_round"]


@contextlib.contextmanager
def example(*options):
    """Yields the path of a pty behind which the example runs, at HOME."""
    firmware = subprocess.Popen([EXAMPLE_HOST, "--uart", str(HOME), *options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        yield firmware.stdout.readline().strip()
    finally:
        firmware.kill()
        firmware.wait()


def raising(port, *options):
    return Daemon(MINIPROFD, "--port", port, "--baud", str(HOME), "--baud-max", str(FAST), *options)


def wait_for(daemon, reached):
    """Returns the next snapshot for which `reached` is true."""
    for name, _ in daemon.events(120):
        if name in ("snapshot", "delta", "status"):
            snapshot = daemon.snapshot()
            if reached(snapshot):
                return snapshot
    last = daemon.snapshot()
    raise AssertionError(json.dumps({part: last[part] for part in ("source", "link", "target")}))


def baud_setting(snapshot):
    description = snapshot["target"]["description"]
    return next(s["value"] for s in description["settings"] if s["name"] == "baud") if description else None


def has_all(snapshot, calls=CALLS):
    return snapshot["link"]["records"] >= calls and sum(snapshot["call_tree"]["calls"]) >= calls


def assert_exact(snapshot, calls=CALLS):
    assert sum(snapshot["call_tree"]["calls"]) == calls, sum(snapshot["call_tree"]["calls"])
    assert snapshot["complete"] is True, snapshot["incomplete_because"]
    for key in "crc_errors", "framing_errors", "malformed", "bytes_skipped", "unplaced_calls", "records_lost":
        assert snapshot["link"][key] == 0, (key, snapshot["link"])


def order(daemon, path, body):
    status, _, answer = daemon.request("POST", "/api/v1/device/" + path, json.dumps(body))
    return status, json.loads(answer)


def device(*arguments):
    return subprocess.run([MINIPROFD, "device", *arguments], capture_output=True, text=True, timeout=300)


@case
def the_line_is_raised_and_every_call_is_there():
    with example("--rounds", str(ROUNDS)) as port:
        with raising(port) as daemon:
            snapshot = wait_for(daemon, has_all)
            assert_exact(snapshot)
            source = snapshot["source"]
            assert (source["baud"], source["baud_wanted"], source["baud_problem"], source["detail"]) == (FAST, FAST, None, ""), source
            assert baud_setting(snapshot) == FAST
        assert "runs at 921600 baud" in daemon.errors, daemon.errors
        with Daemon(MINIPROFD, "--port", port) as daemon:  # the earlier session has restored the rate
            snapshot = wait_for(daemon, has_all)
            assert_exact(snapshot)
            assert snapshot["source"]["baud"] == baud_setting(snapshot) == HOME


@case
def a_rate_that_fails_is_reported_and_left_without_a_loss():
    with example("--rounds", str(ROUNDS), "--uart-good", "500000") as port:
        with raising(port) as daemon:
            snapshot = wait_for(daemon, has_all)
            assert_exact(snapshot)
            source = snapshot["source"]
            assert source["baud"] == baud_setting(snapshot) == HOME, source
            said = "At 921600 baud the device does not answer, so the line is back at 115200 baud."
            assert source["baud_problem"].startswith(said) and source["detail"] == source["baud_problem"], source
            status, answer = order(daemon, "config", {"name": "baud", "value": 460800})
            assert (status, answer["source"]["baud"], answer["source"]["baud_problem"]) == (200, 460800, None), answer
        assert daemon.errors.count(said) == 1, daemon.errors


@case
def a_change_of_rate_in_a_stream_loses_nothing():
    rounds = 10 * ROUNDS
    with example("--rounds", str(rounds)) as port, Daemon(MINIPROFD, "--port", port) as daemon:
        for rate in 460800, FAST, 3000000, HOME, 230400:
            records = daemon.snapshot()["link"]["records"]
            wait_for(daemon, lambda s: s["link"]["records"] > records)
            status, answer = order(daemon, "config", {"name": "baud", "value": rate})
            assert status == 200 and answer["source"]["baud"] == baud_setting(answer) == rate, answer
            assert answer["link"]["records"] < 10 * CALLS, "it is over before the rates were tried"
        assert_exact(wait_for(daemon, lambda s: has_all(s, 10 * CALLS)), 10 * CALLS)


@case
def a_lost_answer_only_prevents_the_change():
    with example("--rounds", str(ROUNDS), "--uart-mute") as port:
        with raising(port) as daemon:
            snapshot = wait_for(daemon, has_all)
            assert_exact(snapshot)
            assert snapshot["source"]["baud"] == HOME
            assert "did not answer when it was asked for 921600 baud" in snapshot["source"]["baud_problem"]


@case
def a_rate_that_fails_later_is_left_and_losses_are_reported():
    with example("--uart-lasts", "2500") as port:
        with raising(port) as daemon:
            wait_for(daemon, lambda s: s["source"]["baud"] == FAST and s["link"]["records"] > 0)
            snapshot = wait_for(daemon, lambda s: s["source"]["baud"] == HOME and baud_setting(s) == HOME)
            assert "At 921600 baud the device ceased to answer" in snapshot["source"]["baud_problem"], snapshot["source"]
            records = snapshot["link"]["records"]
            snapshot = wait_for(daemon, lambda s: s["link"]["records"] > records)
            assert snapshot["source"]["baud"] == HOME and snapshot["target"]["profiling"] is True
            assert snapshot["complete"] is False and snapshot["link"]["bytes_skipped"] > 0, "garbage is reported"
            assert snapshot["link"]["target_resets"] == 0, snapshot["link"]


@case
def after_a_killed_daemon_the_next_finds_the_rate():
    with example() as port:
        with raising(port) as daemon:
            wait_for(daemon, lambda s: s["source"]["baud"] == FAST and s["link"]["records"] > 0)
            daemon.process.kill()
            daemon.process.wait()
            daemon.process.returncode = 0
        with raising(port) as daemon:
            snapshot = wait_for(daemon, lambda s: s["source"]["baud"] == FAST and s["link"]["records"] > 0)
            assert snapshot["source"]["baud_problem"] is None, snapshot["source"]
        with raising(port) as daemon:
            daemon.process.kill()
            daemon.process.wait()
            daemon.process.returncode = 0
        result = device("--port", port, "status")
        assert result.returncode == 0, result


@case
def miniprofd_device_tests_a_rate_and_restores_the_old_one():
    with example("--uart-good", "500000") as port:
        result = device("--port", port, "--json", "config", "baud=460800")
        assert result.returncode == 0, result
        answer = json.loads(result.stdout)
        assert baud_setting(answer) == answer["source"]["baud"] == 460800, answer["source"]
        assert "is back at 115200 baud now" in result.stderr and result.stderr.count("\n") == 1, result.stderr
        result = device("--port", port, "config", "baud=921600")
        assert result.returncode == 1 and "At 921600 baud the device does not answer" in result.stderr, result
        result = device("--port", port, "--json", "status")
        assert baud_setting(json.loads(result.stdout)) == HOME
        with Daemon(MINIPROFD, "--port", port) as daemon:
            wait_for(daemon, lambda s: s["link"]["records"] > 0)
            status, answer = order(daemon, "config", {"name": "baud", "value": 600000})
            assert status == 409 and "At 600000 baud" in answer["detail"], answer
            assert baud_setting(daemon.snapshot()) == HOME
            result = device("--at", daemon.address, "--json", "config", "baud=230400")
            assert json.loads(result.stdout)["source"]["baud"] == 230400 and result.stderr == "", result


@case
def a_source_without_a_rate_reports_it_and_continues():
    firmware = subprocess.Popen([EXAMPLE_HOST, "--tcp", "0"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        with raising(firmware.stdout.readline().strip()) as daemon:
            snapshot = wait_for(daemon, lambda s: s["link"]["records"] > 0)
            assert (snapshot["source"]["baud"], snapshot["source"]["baud_problem"]) == (None, None), snapshot["source"]
        assert "has no baud rate, so there is none to raise" in daemon.errors, daemon.errors
    finally:
        firmware.kill()
        firmware.wait()
    unchanging = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        with raising(unchanging.stdout.readline().strip()) as daemon:
            snapshot = wait_for(daemon, lambda s: s["link"]["records"] > 0)
            assert "The device cannot change its baud rate" in snapshot["source"]["baud_problem"], snapshot["source"]
    finally:
        unchanging.kill()
        unchanging.wait()
    with tempfile.NamedTemporaryFile() as file:
        result = subprocess.run([MINIPROFD, "--port", "file:" + file.name, "--baud-max", "fast", "--no-http"], capture_output=True, text=True)
        assert result.returncode == 2 and "--baud-max takes a speed" in result.stderr, result


sys.exit(run_cases())
