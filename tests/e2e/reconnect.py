#!/usr/bin/env python3
"""reconnect.py - the line to a device in mode tree is lost and restored.

usage: reconnect.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import json
import os
import select
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
ROUNDS = 400
CALLS = ROUNDS * json.loads(subprocess.check_output([EXAMPLE_HOST, "--counts"]))["calls_per_round"]
START = bytes([0x55, 0x01])
COMMAND = 12  # bytes


class Line(threading.Thread):
    """A TCP port behind which the example runs, with or without a client: what it sends without one is gone. `starts` counts the commands START."""

    def __init__(self):
        super().__init__()
        self.starts = 0
        self.firmware = subprocess.Popen([EXAMPLE_HOST, "--stdio", "--rounds", str(ROUNDS), "--pace-ms", "5"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, bufsize=0)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = "tcp:127.0.0.1:%d" % self.listener.getsockname()[1]
        self.client = None
        self.cuts, self.wake = os.pipe()
        self.start()

    def run(self):
        while True:
            fds = [self.cuts, self.firmware.stdout, self.client or self.listener]
            ready = select.select(fds, [], [])[0]
            if self.cuts in ready:
                if os.read(self.cuts, 1) == b"q":
                    return
                self.hang_up()
            elif self.firmware.stdout in ready:
                self.send(os.read(self.firmware.stdout.fileno(), 4096))
            elif self.listener in ready:
                self.client = self.listener.accept()[0]
            else:
                self.take(self.client.recv(COMMAND, socket.MSG_WAITALL))

    def send(self, data):
        try:
            if self.client:
                self.client.sendall(data)
        except OSError:
            self.hang_up()

    def take(self, command):
        if len(command) < COMMAND:
            self.hang_up()
            return
        self.starts += command.startswith(START)
        self.firmware.stdin.write(command)

    def hang_up(self):
        if self.client:
            self.client.close()
        self.client = None

    def cut(self):
        os.write(self.wake, b"c")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self.wake, b"q")
        self.join()
        self.hang_up()
        self.listener.close()
        self.firmware.kill()
        self.firmware.wait()
        for end in self.firmware.stdin, self.firmware.stdout:
            end.close()
        os.close(self.cuts)
        os.close(self.wake)


def calls_of(snapshot):
    return sum(snapshot["call_tree"]["calls"])


def wait_for(daemon, reached):
    for name, _ in daemon.events(120):
        if name in ("snapshot", "delta", "status"):
            snapshot = daemon.snapshot()
            if reached(snapshot):
                return snapshot
    raise AssertionError(json.dumps(daemon.snapshot()["link"]))


@case
def counts_survive_a_lost_line_and_catch_up():
    with Line() as line, Daemon(MINIPROFD, "--port", line.port, "--mode", "tree") as daemon:
        calls = calls_of(wait_for(daemon, lambda s: calls_of(s) > 0))
        for reconnects in 1, 2:
            line.cut()
            snapshot = wait_for(daemon, lambda s: s["link"]["reconnects"] == reconnects and s["source"]["state"] == "connected")
            assert calls_of(snapshot) >= calls, (calls_of(snapshot), calls)
            calls = calls_of(wait_for(daemon, lambda s: calls_of(s) > calls or calls == CALLS))
        snapshot = wait_for(daemon, lambda s: calls_of(s) >= CALLS)
        assert calls_of(snapshot) == CALLS, (calls_of(snapshot), CALLS)
        assert line.starts == 1, line.starts
        assert snapshot["complete"] is True, snapshot["incomplete_because"]


if __name__ == "__main__":
    sys.exit(run_cases())
