#!/usr/bin/env python3
"""rfc2217.py - the example behind Debian's ser2net, which serves its serial port: rates, escapes, and a restarted server.

usage: rfc2217.py MINIPROFD EXAMPLE_HOST. Prints TAP; cases that need ser2net are skipped by name if it is not installed."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402
from ports import free_port  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
SER2NET = shutil.which("ser2net") or shutil.which("ser2net", path="/usr/sbin:/sbin")
HOME, FAST, ROUNDS = 115200, 921600, 200
CALLS = ROUNDS * json.loads(subprocess.check_output([EXAMPLE_HOST, "--counts"]))["calls_per_round"]


@contextlib.contextmanager
def example():
    """Yields the path of a pty that behaves like a UART at HOME, behind which the example runs."""
    firmware = subprocess.Popen([EXAMPLE_HOST, "--uart", str(HOME), "--rounds", str(ROUNDS)], stdout=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, text=True)
    try:
        yield firmware.stdout.readline().strip()
    finally:
        firmware.kill()
        firmware.wait()


@contextlib.contextmanager
def server(pty, accepts, port=None):
    """Yields the port of a ser2net that opens the pty at 9600 baud, until a client sets another rate."""
    if not SER2NET:
        raise Skip("ser2net is not installed (Debian package ser2net)")
    port = port or free_port()
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "ser2net.yaml")
        with open(config, "w", encoding="ascii") as file:
            file.write("connection: &one\n"
                       f"  accepter: {accepts},tcp,127.0.0.1,{port}\n"
                       f"  connector: serialdev(nouucplock=true),{pty},9600n81,local\n")
        process = subprocess.Popen([SER2NET, "-n", "-d", "-c", config, "-P", os.path.join(folder, "pid")], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            while process.poll() is None and not is_listening(port):
                time.sleep(0.02)
            assert process.poll() is None, process.stderr.read()
            yield port
        finally:
            process.kill()
            process.communicate(timeout=PATIENCE)


def is_listening(port):
    """Checks it without connecting, since a server of one port accepts one client."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(f"0100007F:{port:04X} 00000000:0000 0A" in line for line in table)


def wait_for(daemon, reached):
    """Returns the next snapshot for which `reached` is true."""
    for name, _ in daemon.events(PATIENCE):
        if name in ("snapshot", "delta", "status"):
            snapshot = daemon.snapshot()
            if reached(snapshot):
                return snapshot
    raise AssertionError(json.dumps(daemon.snapshot()["source"]))


def has_all(snapshot):
    return sum(snapshot["call_tree"]["calls"]) >= CALLS


def assert_exact(snapshot):
    assert sum(snapshot["call_tree"]["calls"]) == CALLS, sum(snapshot["call_tree"]["calls"])
    assert snapshot["complete"] is True, snapshot["incomplete_because"]
    assert snapshot["link"]["crc_errors"] == snapshot["link"]["bytes_skipped"] == 0, snapshot["link"]


@case
def the_rate_is_set_at_the_server_and_every_call_comes():
    with example() as pty, server(pty, "telnet(rfc2217)") as port:
        with Daemon(MINIPROFD, "--port", f"rfc2217:127.0.0.1:{port}", "--baud", str(HOME)) as daemon:
            snapshot = wait_for(daemon, has_all)
            assert_exact(snapshot)
            assert snapshot["source"]["baud"] == HOME, snapshot["source"]
        assert f"is open at {HOME} baud" in daemon.errors, daemon.errors


@case
def the_rate_is_raised_through_the_server():
    with example() as pty, server(pty, "telnet(rfc2217)") as port:
        with Daemon(MINIPROFD, "--port", f"rfc2217:127.0.0.1:{port}", "--baud", str(HOME), "--baud-max", str(FAST)) as daemon:
            snapshot = wait_for(daemon, has_all)
            assert snapshot["source"]["baud"] == FAST, snapshot["source"]
            assert_exact(snapshot)


@case
def a_lost_server_is_reconnected_and_set_again():
    with example() as pty:
        with contextlib.ExitStack() as first:
            port = first.enter_context(server(pty, "telnet(rfc2217)"))
            with Daemon(MINIPROFD, "--port", f"rfc2217:127.0.0.1:{port}", "--baud", str(HOME)) as daemon:
                wait_for(daemon, has_all)
                first.close()
                wait_for(daemon, lambda s: s["source"]["state"] == "lost")
                with server(pty, "telnet(rfc2217)", port):
                    snapshot = wait_for(daemon, lambda s: s["source"]["state"] == "connected" and s["target"]["profiling"] is True)
                    assert snapshot["source"]["baud"] == HOME, snapshot["source"]


@case
def a_server_without_rfc_2217_is_used_with_a_warning():
    with example() as pty, server(pty, "telnet") as port:
        with Daemon(MINIPROFD, "--port", f"rfc2217:127.0.0.1:{port}", "--baud", str(HOME)) as daemon:
            snapshot = wait_for(daemon, lambda s: "refuses RFC 2217" in s["source"]["detail"])
            assert snapshot["source"]["state"] == "connected", snapshot["source"]
        assert daemon.errors.count("refuses RFC 2217") == 1, daemon.errors


@contextlib.contextmanager
def one_answer(said):
    """Yields the port of a server that sends its client these bytes only."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve():
            with contextlib.suppress(OSError), listener.accept()[0] as client:
                client.sendall(said)
                while client.recv(4096):
                    pass

        server_ = threading.Thread(target=serve)
        server_.start()
        try:
            yield listener.getsockname()[1]
        finally:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes a waiting accept()
            server_.join()


@case
def a_rate_changed_by_the_server_is_reported_once():
    answers = bytes([255, 253, 0, 255, 251, 0, 255, 253, 44, 255, 250, 44, 101, 0, 0, 0x96, 0, 255, 240])
    with one_answer(answers) as port, Daemon(MINIPROFD, "--port", f"rfc2217:127.0.0.1:{port}", "--baud", str(HOME)) as daemon:
        sentence = "runs its serial port at 38400 baud, not at 115200"
        snapshot = wait_for(daemon, lambda s: sentence in s["source"]["detail"])
        assert (snapshot["source"]["baud"], snapshot["source"]["baud_wanted"]) == (38400, HOME), snapshot["source"]
    assert daemon.errors.count(sentence) == 1, daemon.errors


@case
def telnet_is_recognised_without_a_real_server():
    with one_answer(bytes([255, 251, 3, 255, 253, 3])) as port, Daemon(MINIPROFD, "--port", f"tcp:127.0.0.1:{port}") as daemon:
        wait_for(daemon, lambda s: f"use --port rfc2217:127.0.0.1:{port}" in s["source"]["detail"])
    assert daemon.errors.count("speaks Telnet") == 1, daemon.errors


@case
def telnet_read_as_plain_bytes_is_reported():
    with example() as pty, server(pty, "telnet(rfc2217)") as port:
        with Daemon(MINIPROFD, "--port", f"tcp:127.0.0.1:{port}") as daemon:
            snapshot = wait_for(daemon, lambda s: "speaks Telnet" in s["source"]["detail"])
            assert f"--port rfc2217:127.0.0.1:{port}" in snapshot["source"]["detail"], snapshot["source"]
        assert daemon.errors.count("speaks Telnet") == 1, daemon.errors


sys.exit(run_cases())
