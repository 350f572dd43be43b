#!/usr/bin/env python3
"""device.py - `miniprofd device`, over the device's port and through the daemon that has the port open.

usage: device.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon, example  # noqa: E402
from packets import ACK, DESCRIPTION, METADATA, NACK, STATUS, framed  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
START, STOP, GET_STATUS, RESET, GET_METADATA, SET_CONFIG, DESCRIBE = range(1, 8)


def ask(*arguments):
    return subprocess.run([MINIPROFD, "device", *arguments], capture_output=True, timeout=300)


def told(*arguments):
    """Returns its text output, by the first word of each line."""
    result = ask(*arguments)
    assert result.returncode == 0, result
    assert result.stderr == b"", result.stderr
    return {line.split()[0]: line.split()[1:] for line in result.stdout.decode().splitlines() if line}


def target(*arguments):
    """Returns its JSON output of the target."""
    result = ask("--json", *arguments)
    assert result.returncode == 0, result
    return json.loads(result.stdout)["target"]


def refused(*arguments, status=1):
    """Returns its error, and checks that nothing else was printed."""
    result = ask(*arguments)
    assert result.returncode == status, result
    assert result.stdout == b"", result.stdout
    said = result.stderr.decode()
    assert said.startswith("miniprofd: "), said
    if status == 1:
        assert said.count("\n") == 1, said
    return said


def description(*settings):
    """Settings are (key, least, most, value, name, unit), names in bytes."""
    text = struct.pack("<BBIHHBHB", 1, 6, 1000000, 64, 32, 1, 500, len(settings))
    for key, least, most, value, name, unit in settings:
        text += struct.pack("<BIII", key, least, most, value) + bytes([len(name)]) + name + bytes([len(unit)]) + unit
    return framed(DESCRIPTION, text)


@contextlib.contextmanager
def made_up(answers):
    """Yields the source and a list of received commands, of a device at a TCP port that answers the given command codes with those bytes, and no others."""
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        def live():
            try:
                line, _ = server.accept()
            except OSError:
                return
            with line:
                while True:
                    try:
                        command = line.recv(12, socket.MSG_WAITALL)
                    except ConnectionResetError:
                        return
                    if len(command) < 12:
                        return
                    heard.append(command)
                    with contextlib.suppress(OSError):
                        line.sendall(answers.get(command[1], b""))
        thread = threading.Thread(target=live)
        thread.start()
        try:
            yield "tcp:127.0.0.1:%d" % server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


VERSION_1 = {GET_METADATA: framed(METADATA, struct.pack("<III16s", 48000000, 1000000, 0, b"old one")),
             GET_STATUS: framed(STATUS, struct.pack("<BIIB", 0, 0, 5, 0)),
             START: framed(ACK), STOP: framed(ACK), SET_CONFIG: framed(ACK), DESCRIBE: framed(NACK)}


@case
def wrong_usage_exits_with_2_and_names_the_error():
    for arguments, name in (((), "status"), (("status",), "--port"), (("--port", "x", "--at", "http://y", "status"), "--at"),
                            (("--port", "x", "dance"), "dance"), (("--port", "x", "status", "now"), "now"),
                            (("--port", "x", "config", "depth"), "NAME=VALUE"), (("--port", "x", "config", "=1"), "NAME=VALUE"),
                            (("--port", "x", "config", "depth=deep"), "deep"), (("--port", "x", "config", "depth=-1"), "-1"),
                            (("--port", "x", "--baud", "0", "status"), "--baud"), (("--port",), "--port"),
                            (("--port", "x", "--mode", "fast", "start"), "fast"),
                            (("--port", "x", "--dtr", "low", "status"), "--dtr takes keep, on, off or pulse, not 'low'"),
                            (("--port", "x", "--rts=", "status"), "--rts takes keep"),
                            (("--at", "http://y", "--rts", "off", "status"), "--dtr and --rts go with --port"),
                            (("--port", "x", "--mode", "stream", "status"), "--mode"),
                            (("--port", "x", "window", "a>1us"), "--at"), (("--at", "http://y", "window"), "FUNCTION>TIME"),
                            (("--at", "http://y", "window", "a>1"), "a>1"), (("--at", "http://y", "window", "now", "off"), "off"),
                            (("--port", "x", "--elf", "y", "status"), "--elf")):
        said = refused(*arguments, status=2)
        assert name in said and "usage: miniprofd device" in said, (arguments, said)


@case
def modem_lines_are_set_at_ports_that_have_them():
    with example(EXAMPLE_HOST) as port:
        assert target("--port", port, "--dtr", "off", "--rts=pulse", "status")
    with made_up(VERSION_1) as (port, heard):
        for option in ("--dtr", "--rts"):
            assert f"--dtr and --rts are for serial ports, and {port} has no such lines" in refused("--port", port, option, "off", "status")
        assert not heard


@case
def help_lists_commands_and_options():
    result = ask("--help")
    assert result.returncode == 0
    for word in ("status", "config", "NAME=VALUE", "start", "stop", "reset", "window", "--port", "--baud", "--dtr", "--rts", "--at", "--json"):
        assert word in result.stdout.decode(), word
    assert all(len(line) <= 120 for line in result.stdout.decode().splitlines())


@case
def status_shows_the_device_without_changing_it():
    with example(EXAMPLE_HOST) as port:
        lines = told("--port", port, "status")
        assert lines["firmware"] == ["motor-demo", "1.0"], lines
        assert lines["profiling"] == ["no"], lines
        assert lines["modes"] == ["calls,", "stream,", "tree"], lines
        assert 0 < float(lines["hooks"][0]) < 100 and lines["hooks"][-1] == "us", lines
        assert lines["shortest"] == ["0", "us", "0", "to", "2147483648"], lines
        assert told("--port", port, "start")["profiling"][0] == "yes,"
        assert target("--port", port, "status")["profiling"] is True, "it goes on after the visit"
        assert told("--port", port, "stop")["profiling"] == ["no"]
        assert target("--port", port, "reset")["records_captured"] == 0


@case
def settings_are_set_and_shown_as_the_device_has_them():
    with example(EXAMPLE_HOST) as port:
        lines = told("--port", port, "config", "shortest=10", "depth=8")
        assert (lines["shortest"][0], lines["depth"][0]) == ("10", "8"), lines
        assert "has no setting 'deep'; it has: packet, shortest, depth, window-function, " in refused("--port", port, "config", "deep=3")
        said = refused("--port", port, "config", "shortest=11", "depth=33")
        assert "depth is from 1 to 32 calls, not 33." in said, said
        values = {s["name"]: s["value"] for s in target("--port", port, "config")["description"]["settings"]}
        assert (values["packet"], values["shortest"], values["depth"]) == (20, 10, 8), "of several, all or none"
        assert (values["window"], values["window-after"]) == (0, 50), "no window is wanted until somebody asks"


@case
def through_the_daemon_that_has_the_port_it_is_the_same():
    with example(EXAMPLE_HOST) as port, tempfile.TemporaryDirectory() as folder:
        token = os.path.join(folder, "token")
        with open(os.open(token, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("0123456789abcdef\n")
        with Daemon(MINIPROFD, "--port", port, "--token-file", token) as daemon:
            at = ("--at", daemon.address, "--token-file", token)
            daemon.headers = {"Authorization": "Bearer 0123456789abcdef"}
            daemon.wait_for_link(lambda link: link["records"] > 0)  # it has sent its description by then
            assert told(*at, "config", "depth=5", "shortest=7")["depth"][0] == "5"
            assert told(*at, "status")["shortest"][0] == "7"
            assert "it has: packet, shortest, depth, window-function, " in refused(*at, "config", "deep=5")
            assert told(*at, "stop")["profiling"] == ["no"]
            assert target(*at, "start")["profiling"] is True
            assert "token" in refused("--at", daemon.address, "status")
            said = refused("--port", port, "status")
            assert port in said and "Through a miniprofd that has it: --at" in said, said
        assert daemon.address[7:-1] in refused(*at, "status"), "nobody is there any more"
    for address in "127.0.0.1", "https://127.0.0.1", "http://", "http://x/y", "http://[::1":
        assert address in refused("--at", address, "status", status=2), address


@contextlib.contextmanager
def at_a_socket(path, *arguments):
    """Yields a daemon that listens at `path` and has received calls."""
    process = subprocess.Popen([MINIPROFD, "--listen", "unix:" + path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert path.encode() in process.stdout.readline()
        with socket.socket(socket.AF_UNIX) as events:
            events.connect(path)
            events.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with events.makefile("rb") as lines:
                assert any(re.search(rb'"records":[1-9]', line) for line in lines)
        yield
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0, process.returncode


@case
def commands_work_through_the_unix_socket_of_a_daemon():
    with example(EXAMPLE_HOST) as port, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        at = ("--at", "unix:" + path)
        with at_a_socket(path, "--port", port, "--mode", "stream"):
            assert told(*at, "config", "depth=5")["depth"][0] == "5"
            assert target(*at, "status")["mode"] == "stream"
            assert "every call is on the timeline" in refused(*at, "window", "now")
        assert path in refused(*at, "status"), "nobody is there any more"
    for nothing in "unix:", "unix:" + 108 * "x":
        assert "unix:PATH" in refused("--at", nothing, "status", status=2), nothing


@case
def long_calls_are_listed_if_every_call_is_sent():
    with example(EXAMPLE_HOST) as port, Daemon(MINIPROFD, "--port", port, "--mode", "stream") as daemon:
        at = ("--at", daemon.address)
        daemon.wait_for_link(lambda link: link["records"] > 0)
        assert "--elf" in refused(*at, "window", "nobody>5us")
        assert "every call is on the timeline" in refused(*at, "window", "now")
        called = max(daemon.snapshot()["functions"], key=lambda row: row["calls"] or 0)
        lines = told(*at, "window", "%s>0us" % called["address"])
        assert lines["trigger"] == ["%s>0ns," % called["address"], "watching"], lines
        daemon.wait_for_link(lambda link: link["windows"] > 0)
        row = json.loads(daemon.get("/api/v1/windows")[2])["windows"]["rows"][-1]
        assert row["function"] == called["id"] and row["reason"] == "slow" and not row["excerpt"], row
        assert row["to"] - row["from"] == row["duration"] > 0, row
        assert "trigger" not in told(*at, "window", "off")


def measured_with(snapshot):
    """Returns {name: (value, throughout)} of the settings that are known to differ from their defaults."""
    return {row["name"]: (row["value"], row["throughout"]) for row in snapshot["measured_with"] if row["default"] is not None}


def settings_of(port):
    return {setting["name"]: setting["value"] for setting in target("--port", port, "status")["description"]["settings"]}


@case
def a_session_reports_settings_and_restores_them():
    with example(EXAMPLE_HOST) as port:
        told("--port", port, "config", "shortest=50", "depth=8")
        found = settings_of(port)
        with Daemon(MINIPROFD, "--port", port, "--mode", "calls") as daemon:
            at = ("--at", daemon.address)
            daemon.wait_for_link(lambda link: link["records"] > 0)
            assert measured_with(daemon.snapshot()) == {"shortest": (50, True), "depth": (8, True)}, daemon.snapshot()["measured_with"]
            assert f"found with shortest 50 us (default 0), depth 8 calls (default 32), so" in daemon.errors, daemon.errors
            assert f"device --port {port} config shortest=0 depth=32." in daemon.errors, daemon.errors
            told(*at, "config", "shortest=0", "depth=5", "packet=10")
            now = measured_with(daemon.snapshot())
            assert now == {"shortest": (50, False), "depth": (5, False)}, now
            daemon.request("POST", "/api/v1/profile/clear", "{}")
            daemon.wait_until(lambda snapshot: measured_with(snapshot) == {"depth": (5, True)})
        assert settings_of(port) == found, settings_of(port)
        told("--port", port, "config", "shortest=0", "depth=32")
        with Daemon(MINIPROFD, "--port", port) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            assert measured_with(daemon.snapshot()) == {} and "found with" not in daemon.errors, daemon.errors


@case
def a_trigger_left_armed_is_reported_and_disarmed():
    with example(EXAMPLE_HOST) as port:
        told("--port", port, "config", "window-ticks=1000", "window=1")
        with Daemon(MINIPROFD, "--port", port, "--mode", "tree") as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            assert measured_with(daemon.snapshot()) == {}, daemon.snapshot()["measured_with"]
            assert "a trigger of an earlier session" in daemon.errors, daemon.errors
        assert settings_of(port)["window"] == 0 and settings_of(port)["window-ticks"] == 1000
        with Daemon(MINIPROFD, "--port", port, "--mode", "tree", "--elf", EXAMPLE_HOST, "--trigger", "control_cycle>1s") as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            daemon.wait_until(lambda snapshot: "window" in measured_with(snapshot))
        values = settings_of(port)
        assert (values["window"], values["window-ticks"], values["window-function"]) == (0, 1000, 0), values


@contextlib.contextmanager
def killed(*arguments):
    """Yields a daemon that is killed at the end, so that the device keeps profiling."""
    daemon = Daemon(MINIPROFD, *arguments)
    try:
        yield daemon
    finally:
        daemon.process.kill()
        daemon.process.communicate()


def calls_of(snapshot, name):
    return sum(row["calls"] for row in snapshot["functions"] if row["name"] == name)


@case
def a_measurement_excludes_the_run_of_a_killed_session():
    with example(EXAMPLE_HOST) as port:
        at = ("--port", port, "--mode", "tree", "--elf", EXAMPLE_HOST)
        with killed(*at) as daemon:
            before = calls_of(daemon.wait_until(lambda snapshot: calls_of(snapshot, "control_cycle") >= 300), "control_cycle")
        with killed(*at) as daemon:
            snapshot = daemon.wait_until(lambda snapshot: calls_of(snapshot, "control_cycle") and snapshot["target"]["joined"])
            assert calls_of(snapshot, "control_cycle") >= before, (calls_of(snapshot, "control_cycle"), before)
            assert "To begin a new run, press Stop profiling" in daemon.errors, daemon.errors
            told("--at", daemon.address, "stop")
            told("--at", daemon.address, "start")
            daemon.wait_until(lambda snapshot: not snapshot["target"]["joined"])
        measured = subprocess.run([MINIPROFD, *at, "--no-http", "--work", "control_cycle=5", "--export", "json=-"], capture_output=True, timeout=300)
        assert measured.returncode == 0, measured.stderr
        snapshot = json.loads(measured.stdout)
        assert not snapshot["target"]["joined"] and 5 <= calls_of(snapshot, "control_cycle") < 300, calls_of(snapshot, "control_cycle")


@case
def the_mode_is_chosen_on_the_command_line_and_while_it_runs():
    with example(EXAMPLE_HOST) as port:
        assert told("--port", port, "--mode", "calls", "start")["profiling"] == ["yes,", "mode", "calls"]
        with Daemon(MINIPROFD, "--port", port, "--mode", "calls") as daemon:
            at = ("--at", daemon.address)
            daemon.wait_for_link(lambda link: link["records"] > 0)
            daemon.wait_until(lambda snapshot: snapshot["target"]["mode"])  # calls of the earlier run may arrive before the answer
            assert target(*at, "status")["mode"] == "calls"
            for mode, outcome in ("stream", "stream"), ("calls", "calls"), ("auto", "stream"):
                status, _, body = daemon.request("POST", "/api/v1/device/mode", json.dumps({"mode": mode}))
                assert (status, json.loads(body)["target"]["mode"]) == (200, outcome), body
                records = daemon.snapshot()["link"]["records"]
                daemon.wait_for_link(lambda link: link["records"] > records)
            snapshot = daemon.snapshot()
            # On a busy machine the example's buffer may overflow as well, which is another reason.
            reason, = [why for why in snapshot["incomplete_because"] if "overflowed" not in why]
            assert "calls had been counted when the target began to send calls in another way" in reason and "(3 times)" in reason, reason
            assert snapshot["link"]["malformed"] == snapshot["link"]["unsupported_version"] == 0


@case
def a_device_of_version_1_has_no_settings():
    with made_up(VERSION_1) as (port, heard):
        lines = told("--port", port, "status")
        assert lines["firmware"] == ["old", "one"] and "describe" in lines["settings"], lines
    assert [command[1] for command in heard] == [GET_METADATA, DESCRIBE, GET_STATUS], heard
    with made_up(VERSION_1) as (port, heard):
        assert "does not say what can be set" in refused("--port", port, "config", "depth=1")
    assert all(command[1] != SET_CONFIG for command in heard)


@case
def refused_and_unanswered_commands_are_reported():
    described = {**VERSION_1, DESCRIBE: description((2, 0, 9, 5, b"depth", b"calls"))}
    with made_up({**described, SET_CONFIG: framed(NACK)}) as (port, _):
        assert "The device refused depth." in refused("--port", port, "config", "depth=1")
    with made_up({**described, START: b""}) as (port, _):
        assert "did not answer to start" in refused("--port", port, "start")
    with made_up({}) as (port, heard):
        assert "does not answer" in refused("--port", port, "status")
    assert heard


@case
def a_port_that_is_not_there_is_not_waited_for():
    said = refused("--port", "/dev/no-such-port", "status")
    assert "/dev/no-such-port" in said and "--at" not in said, said
    with tempfile.NamedTemporaryFile() as file:
        assert "Nothing can be sent" in refused("--port", "file:" + file.name, "status")


@case
def names_from_the_wire_are_no_orders_to_the_terminal():
    evil = b"\x1b]0;x\x07\xc2\x9b2J\xff\n"
    answers = {**VERSION_1, DESCRIBE: description((2, 0, 9, 5, evil, evil), (3, 0, 9, 5, "µ".encode(), b"us")),
               GET_METADATA: framed(METADATA, struct.pack("<III16s", 1, 1, 0, b"\x1b[2Jv1\r\n"))}
    with made_up(answers) as (port, _):
        result = ask("--port", port, "status")
    text = result.stdout.decode()
    assert result.returncode == 0 and "?[2Jv1??" in text and "µ" in text, text
    assert all(c == "\n" or (c >= " " and not "\x7f" <= c < "\xa0") for c in text), repr(text)
    with made_up(answers) as (port, _):
        assert "\x1b" not in refused("--port", port, "config", "x=1")


sys.exit(run_cases())
