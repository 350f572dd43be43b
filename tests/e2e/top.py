#!/usr/bin/env python3
"""top.py - `miniprofd top`: in a terminal with its keys, over a pipe, of a running daemon and of a port.

usage: top.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon, example  # noqa: E402

MINIPROFD, EXAMPLE_HOST = map(os.path.abspath, sys.argv[1:3])
ROW = re.compile(r"^ +([\d.]+|-) +([\d.]+|-) .*  (\S.*)$")


class Terminal:
    """A terminal in which `miniprofd top` runs. `lines` is its screen."""

    def __init__(self, *arguments, width=100, height=40, **environment):
        self.ours, theirs = pty.openpty()
        self.resize(width, height, tell=False)
        self.modes = termios.tcgetattr(theirs)
        self.shown = b""
        self.process = subprocess.Popen([MINIPROFD, "top", "-d", "0.2", *arguments], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE,
                                        start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                                        env={**os.environ, "TERM": "xterm", **environment})
        self.theirs = theirs  # kept open to check its modes afterwards

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        os.close(self.ours)
        os.close(self.theirs)

    def resize(self, width, height, tell=True):
        self.width, self.height = width, height
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        if tell:
            self.process.send_signal(signal.SIGWINCH)

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def read(self, seconds):
        if not select.select([self.ours], [], [], seconds)[0]:
            return False
        with contextlib.suppress(OSError):
            self.shown += os.read(self.ours, 65536)
        return True

    @property
    def lines(self):
        """Returns the last whole screen."""
        screens = self.shown.decode(errors="replace").split("\033[H")
        text = re.sub(r"\033\[[0-9;]*[mKJ]", "", screens[-1])
        return [line.rstrip("\r") for line in text.split("\n")]

    def names(self):
        return [found[3] for found in map(ROW.match, self.lines) if found and not found[3].startswith("FUNCTION")]

    def wait_until(self, holds):
        until = time.monotonic() + PATIENCE
        while not holds():
            self.read(1)
            assert time.monotonic() < until and self.process.poll() is None, (self.process.poll(), self.lines)

    def end(self):
        """Returns the exit status, and checks that the terminal is restored."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self.read(0.1)
            assert time.monotonic() < until
        while self.read(0):
            pass
        assert self.shown.endswith(b"\033[?7h\033[?25h\033[?1049l"), self.shown[-100:]
        assert termios.tcgetattr(self.theirs) == self.modes
        return self.process.returncode


def plain(*arguments, **how):
    return subprocess.run([MINIPROFD, "top", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False, **how)


@contextlib.contextmanager
def measured_daemon(*arguments):
    with example(EXAMPLE_HOST) as port, Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, *arguments) as daemon:
        daemon.wait_until(lambda s: len(s["functions"]) > 20 and s["functions"][1]["total_ticks"])
        yield daemon


def shares(text):
    """Returns {name: (self, total)} of the functions of a plain table."""
    functions = text.split("  FUNCTION\n", 1)[1].split("\n\n")[0]
    return {found[3]: (found[1], found[2]) for found in map(ROW.match, functions.splitlines()) if found}


@case
def without_a_terminal_it_prints_the_requested_tables():
    with measured_daemon() as daemon:
        done = plain("--at", daemon.address)
        assert done.returncode == 0 and not done.stderr and "\033" not in done.stdout, done
        rows = shares(done.stdout)
        assert rows["main"][0] == "0.0" and rows["control_cycle"] and "motor-demo" in done.stdout, done.stdout
        assert 99 < sum(float(own) for own, _ in rows.values()) < 101, rows
        twice = plain("--at", daemon.address.removeprefix("http://").rstrip("/"), "-b", "-n", "2", "-d", "0.5", "-o", "total")
        assert twice.returncode == 0 and twice.stdout.count("  FUNCTION\n") == 2, twice
        first, second = twice.stdout.split("\n\nminiprofd top")
        assert "since the profile began" in first and "last interval" in second and "sorted by total" in second, twice.stdout


@case
def a_terminal_is_filled_sorted_by_keys_and_given_back():
    with measured_daemon() as daemon, Terminal("--at", daemon.address) as top:
        top.wait_until(lambda: "control_cycle" in top.names())
        top.press("T")
        top.wait_until(lambda: "sorted by total" in str(top.lines) and top.names()[:1] in (["main"], ["control_cycle"]))
        top.press("N")
        top.wait_until(lambda: "sorted by name" in str(top.lines) and top.names() == sorted(top.names(), key=str.encode))
        top.press("R")
        top.wait_until(lambda: "reversed" in str(top.lines) and top.names() == sorted(top.names(), key=str.encode, reverse=True))
        top.press("Ri>")
        top.wait_until(lambda: "shares of all time" in str(top.lines) and "sorted by own" in str(top.lines) and top.names()[:1] == ["main"])
        top.press("H")
        top.wait_until(lambda: "TASK" not in str(top.lines))
        top.press("?")
        top.wait_until(lambda: "reverse the order" in str(top.lines))
        top.press("?p")
        top.wait_until(lambda: "Paused" in str(top.lines))
        top.press("q")
        assert top.end() == 0


@case
def it_follows_the_size_of_its_terminal():
    with measured_daemon() as daemon, Terminal("--at", daemon.address) as top:
        top.wait_until(lambda: len(top.names()) > 10)
        assert "MEAN" in str(top.lines)
        top.resize(44, 16)
        top.wait_until(lambda: "MEAN" not in str(top.lines) and top.names() and max(map(len, top.lines)) <= 44 and len(top.lines) <= 16)
        top.press("SN\033[6~\033[6~")  # two pages down
        top.wait_until(lambda: top.names() and top.names()[0] > "a")
        top.resize(120, 50)
        top.wait_until(lambda: "CALLS" in str(top.lines).replace("CALLS/s", "") and len(top.names()) > 20)
        top.press("q")
        assert top.end() == 0


@case
def a_signal_gives_the_terminal_back():
    with measured_daemon() as daemon:
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            with Terminal("--at", daemon.address) as top:
                top.wait_until(top.names)
                top.process.send_signal(number)
                assert top.end() == 0, number
        with Terminal("--at", daemon.address) as top:
            top.wait_until(top.names)
            top.press("\x1a")  # Ctrl+Z
            os.waitid(os.P_PID, top.process.pid, os.WSTOPPED)
            assert termios.tcgetattr(top.theirs) == top.modes
            top.process.send_signal(signal.SIGCONT)
            top.wait_until(lambda: termios.tcgetattr(top.theirs) != top.modes)
            top.press("q")
            assert top.end() == 0


@case
def a_port_is_read_by_a_daemon_that_ends_with_top():
    with example(EXAMPLE_HOST) as port, tempfile.TemporaryDirectory() as folder:
        own = ("--port", port, "--elf", EXAMPLE_HOST)
        with Terminal(*own, TMPDIR=folder) as top:
            top.wait_until(lambda: "control_cycle" in top.names())
            assert len(os.listdir(folder)) == 1
            top.press("q")
            assert top.end() == 0
        assert os.listdir(folder) == []
        done = plain(*own, "-d", "0.5", env={**os.environ, "TMPDIR": folder, "MINIPROFD_NO_HTTP": "1"})
        assert done.returncode == 0 and "control_cycle" in shares(done.stdout) and os.listdir(folder) == [], done
        with Terminal(*own, TMPDIR=folder) as top:
            top.wait_until(top.names)
            top.press("\x03")  # Ctrl+C, for both
            assert top.end() == 0
        assert os.listdir(folder) == []


@case
def a_recording_is_shown_when_it_has_been_read():
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "capture")
        with open(capture, "wb") as made:
            made.write(b"".join(syst_messages()))
        done = plain("--port", "file:" + capture, "--dialect", "syst", "--dialect-opt", "clock_hz=1000000", "-n", "5")
        assert done.returncode == 0 and set(shares(done.stdout)) >= {"inner", "outer"} and done.stdout.count("FUNCTION") == 1, done
        assert ": ended" in done.stdout, done.stdout


@case
def an_unreadable_source_gives_an_error():
    with Daemon(MINIPROFD, "--port", "file:/dev/null") as daemon:
        address = daemon.address
    for arguments, status, words in ((("--at", address), 1, "Cannot reach a miniprofd"), (("--at", "ftp://x"), 2, "--at takes an address"),
                                     (("--what",), 2, "miniprofd top --help"), (("-d", "0"), 2, "--delay takes"), (("-o", "x"), 2, "--sort"),
                                     (("--port", "file:/dev/null", "--boud", "3"), 2, "--boud"),
                                     (("--port", "file:/dev/null"), 1, "miniprofd doctor")):
        done = plain(*arguments)
        assert done.returncode == status and words in done.stderr, (arguments, done)
    done = plain("--help")
    assert done.returncode == 0 and done.stdout.startswith("usage: miniprofd top"), done


if __name__ == "__main__":
    sys.exit(run_cases())
