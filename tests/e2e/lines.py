#!/usr/bin/env python3
"""lines.py - a second program at the daemon's port: if it reads or changes settings, it is reported by name, and settings are restored once.

usage: lines.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
import time
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon, example  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
TCGETS2 = 0x802C542A  # for any rate

# Opens the port, and executes and confirms the commands on standard input.
OTHER = """
import os, sys, termios
fd = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
print("open", flush=True)
for line in sys.stdin:
    settings = termios.tcgetattr(fd)
    if line == "text\\n":
        settings[0] |= termios.ICRNL
    elif line == "close\\n":
        settings[2] |= termios.HUPCL
    else:
        settings[4] = settings[5] = getattr(termios, "B" + line.strip())
    termios.tcsetattr(fd, termios.TCSANOW, settings)
    print("set", flush=True)
"""


class Other:
    """Another program that has the port open."""

    def __init__(self, port):
        self.process = subprocess.Popen([sys.executable, "-c", OTHER, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "open\n"
        with open(f"/proc/{self.process.pid}/comm", encoding="utf-8") as file:
            self.name = f"{file.read().strip()} (process {self.process.pid})"

    def set(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "set\n"

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def other(port):
    program = Other(port)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.end()


@contextlib.contextmanager
def bare_port():
    """Yields (the other end, path) of a silent port."""
    controller, terminal = pty.openpty()
    tty.setraw(terminal)
    path = os.ttyname(terminal)
    os.close(terminal)
    try:
        yield controller, path
    finally:
        os.close(controller)


def baud(controller):
    return struct.unpack("=4IB19s2I", fcntl.ioctl(controller, TCGETS2, bytes(44)))[-1]


def detail(daemon):
    return json.loads(daemon.get("/api/v1/status")[2])["source"]["detail"]


def wait_for_detail(daemon, *words):
    """Returns the message that contains these words, and prints how long it took. Checks that log and doctor have the same one."""
    begin = time.monotonic()
    said = daemon.wait_until(lambda snapshot: all(word in snapshot["source"]["detail"] for word in words))["source"]["detail"]
    print(f"# reported after {time.monotonic() - begin:.2f} s")
    assert said == detail(daemon)
    assert said in daemon.errors, (said, daemon.errors)
    findings = json.loads(daemon.get("/api/v1/doctor")[2])["findings"]
    assert [finding["verdict"] for finding in findings if finding["text"] == said] == ["warn"], (said, findings)
    return said


def wait_until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@case
def another_reader_of_the_port_is_named_until_it_ends():
    with example(EXAMPLE_HOST) as port, Daemon(MINIPROFD, "--port", port) as daemon:
        daemon.wait_until(lambda snapshot: snapshot["functions"])
        with other(port) as program:
            said = wait_for_detail(daemon, "open, too")
            assert said.startswith(f"Another program, {program.name}, has {port} open, too: bytes may be missing"), said
        daemon.wait_until(lambda snapshot: snapshot["source"]["detail"] == "")


@case
def another_reader_is_named_while_a_third_reopens_the_port():
    with bare_port() as (_, port), Daemon(MINIPROFD, "--port", port, "--no-control") as daemon, other(port) as program:
        is_over = threading.Event()

        def knock():
            while not is_over.wait(0.05):
                os.close(os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))

        knocking = threading.Thread(target=knock)
        knocking.start()
        try:
            program.set("close")  # it has begun
            wait_for_detail(daemon, program.name, "open, too")
        finally:
            is_over.set()
            knocking.join()


@case
def an_earlier_reader_is_named_also_by_the_doctor():
    with example(EXAMPLE_HOST) as port, other(port) as program:
        done = subprocess.run([MINIPROFD, "doctor", "--port", port], capture_output=True, text=True, timeout=120)
        assert f"warn: Another program, {program.name}, has {port} open, too" in done.stdout, done.stdout
        assert "DTR" not in done.stdout, "a pty has none"
        with Daemon(MINIPROFD, "--port", port) as daemon:
            wait_for_detail(daemon, program.name, "open, too")


@case
def changed_settings_of_a_silent_line_are_restored_once():
    with bare_port() as (controller, port), Daemon(MINIPROFD, "--port", port, "--no-control") as daemon, other(port) as program:
        wait_for_detail(daemon, "open, too")
        program.set(9600)
        said = wait_for_detail(daemon, f"Another program, {program.name}, had set {port} to 9600 baud, from 115200", "put back")
        assert baud(controller) == 115200, said
        program.set("text")
        wait_for_detail(daemon, f"{program.name}, has set {port} to text", "again")
        assert termios.tcgetattr(controller)[0] & termios.ICRNL, "two that fight leave nobody the line"


@case
def with_several_readers_none_is_blamed_for_settings():
    with bare_port() as (controller, port), other(port) as first, other(port) as second:
        with Daemon(MINIPROFD, "--port", port, "--no-control") as daemon:
            said = wait_for_detail(daemon, "open, too")
            assert first.name in said or second.name in said, said
            second.set(9600)
            said = wait_for_detail(daemon, "had set", "put back")
            assert said.startswith(f"Another program had set {port} to 9600 baud, from "), said
            assert baud(controller) == 115200, said


@case
def changed_settings_are_restored_while_bytes_arrive():
    with example(EXAMPLE_HOST) as port, Daemon(MINIPROFD, "--port", port) as daemon:
        daemon.wait_until(lambda snapshot: snapshot["functions"])
        program = Other(port)
        program.set(1200)
        program.end()
        wait_for_detail(daemon, "to 1200 baud, from 115200", "put back")
        before = daemon.snapshot()["link"]["records"]
        daemon.wait_for_link(lambda link: link["records"] > before)


@case
def harmless_changes_are_not_reported():
    with bare_port() as (controller, port), Daemon(MINIPROFD, "--port", port, "--no-control") as daemon:
        wait_until(lambda: daemon.snapshot()["source"]["state"] == "connected")
        with other(port) as program:
            program.set("close")
            program.set(115200)
            wait_for_detail(daemon, "open, too")
        daemon.wait_until(lambda snapshot: "open, too" not in snapshot["source"]["detail"])
        assert "set " + port not in daemon.errors and daemon.errors.count("WARN") + daemon.errors.count("warning") <= 1, daemon.errors
        source = daemon.snapshot()["source"]
        assert source["dtr"] is None and source["rts"] is None, source
        os.write(controller, b"x")


@case
def the_rivals_process_ends_with_the_daemon():
    with bare_port() as (_, port):
        for signal in ("TERM", "KILL"):
            daemon = Daemon(MINIPROFD, "--port", port, "--no-control")
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
                assert str(daemon.process.pid) in file.read().split()
            with open(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children", encoding="ascii") as file:
                children = file.read().split()
            assert len(children) == 1, children
            daemon.process.send_signal({"TERM": 15, "KILL": 9}[signal])
            daemon.process.wait()
            daemon.process.stdout.close()
            wait_until(lambda children=children: not os.path.exists(f"/proc/{children[0]}"))


def watching_process(daemon):
    """Returns the daemon's process that looks for other programs at the port, or None."""
    with open(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children", encoding="ascii") as file:
        children = file.read().split()
    for child in children:
        with open(f"/proc/{child}/comm", encoding="ascii") as file:
            if file.read() == "mp-rivals\n":
                return int(child)
    return None


def talks_to_processes(process):
    """Returns the number of a process' SOCK_SEQPACKET sockets, over which the daemon talks to its helper processes."""
    with open("/proc/net/unix", encoding="ascii") as file:
        sockets = {f"socket:[{words[6]}]" for words in map(str.split, file) if words[4] == "0005"}
    folder = f"/proc/{process.pid}/fd"
    links = (os.path.join(folder, name) for name in os.listdir(folder))
    return sum(os.path.lexists(link) and os.readlink(link) in sockets for link in links)


@case
def a_dead_rivals_process_is_reported_once():
    with bare_port() as (controller, port), Daemon(MINIPROFD, "--port", port, "--no-control") as daemon:
        daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "connected")
        assert talks_to_processes(daemon.process) == 1
        os.kill(watching_process(daemon), 9)
        detail = wait_for_detail(daemon, "(mp-rivals) has ended")
        assert port in detail and "Start miniprofd again" in detail, detail

        def is_reaped():
            os.write(controller, b"x")
            return watching_process(daemon) is None

        wait_until(is_reaped)
        assert talks_to_processes(daemon.process) == 0
        assert daemon.errors.count("(mp-rivals) has ended") == 1, daemon.errors


if __name__ == "__main__":
    sys.exit(run_cases())
