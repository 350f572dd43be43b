"""daemon.py - runs miniprofd for tests that look at it from outside."""
import contextlib
import http.client
import json
import os
import re
import select
import signal
import subprocess
import tempfile
import time

import cases

PATIENCE = 120  # seconds; enough even with a dozen other processes on the processor


@contextlib.contextmanager
def example(program):
    """Runs the example firmware, which never ends by itself; yields the path of its pty."""
    firmware = subprocess.Popen([program], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        yield firmware.stdout.readline().strip()
    finally:
        firmware.kill()
        firmware.wait()


class Served:
    """A miniprofd that serves at an address, http://127.0.0.1:PORT/."""

    def __init__(self, address):
        self.address, self.port = address, int(re.search(r":(\d+)/$", address)[1])
        self.headers = {}  # of every request, such as {"Authorization": "Bearer ..."}

    def get(self, path):
        """Returns (status, headers, body) of GET path."""
        return self.request("GET", path)

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {**self.headers, **(headers or {})}
        try:
            if body is not None:
                headers = {"Content-Type": "application/json", **headers}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            connection.close()

    def snapshot(self):
        status, _, body = self.get("/api/v1/snapshot")
        assert status == 200, status
        return json.loads(body)

    def events(self, seconds):
        """Yields the server-sent events (name, data) as they arrive, for at most this long."""
        deadline = time.monotonic() + seconds
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.request("GET", "/api/v1/events", headers=self.headers)
        response = connection.getresponse()
        assert response.status == 200, response.read()
        name, data = "message", []
        try:
            while time.monotonic() < deadline:
                line = response.readline().decode().rstrip("\n")
                if line.startswith("event:"):
                    name = line[6:].strip()
                elif line.startswith("data:"):
                    data.append(line[5:].strip())
                elif line == "" and data:
                    yield name, json.loads("\n".join(data))
                    name, data = "message", []
        finally:
            connection.close()

    def wait_until(self, holds):
        """Returns the first snapshot for which `holds` is true."""
        snapshot = self.snapshot()
        until = time.monotonic() + PATIENCE
        while not holds(snapshot):
            for _ in self.events(PATIENCE):  # each is a change
                snapshot = self.snapshot()
                if holds(snapshot) or time.monotonic() > until:
                    break
            assert holds(snapshot) or time.monotonic() < until, ("never came", snapshot["functions"], snapshot["checkpoints"], snapshot["link"])
        return snapshot

    def wait_for_link(self, reached, seconds=PATIENCE):
        """Waits for an update whose "link" makes `reached` true."""
        for name, data in self.events(seconds):
            if name in ("snapshot", "delta") and reached(data["link"]):
                return
        raise AssertionError(f"not reached in {seconds} s: {self.snapshot()['link']}")


LOG_LINES = 40
_started = []  # the daemons of the running case


class Daemon(Served):
    """A running miniprofd with its web server on a free port; a context manager that ends it and checks its exit. `errors` is what it
    has written to standard error so far, unless `how`, the arguments of Popen, redirects that."""

    def __init__(self, program, *arguments, **how):
        self.log = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would fill up
        how = {"stdout": subprocess.PIPE, "stderr": self.log, "text": True, **how}
        self.process = subprocess.Popen([program, "--listen", "127.0.0.1:0", *arguments], **how)
        _started.append(self)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        found = re.fullmatch(r"listening on (http://127\.0\.0\.1:\d+/)\n", line)
        if not found:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"first line: {line!r}, standard error: {self.errors!r}")
        super().__init__(found[1])

    @property
    def errors(self):
        with open(f"/proc/self/fd/{self.log.fileno()}") as log:
            return log.read()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"SIGTERM was not answered in {PATIENCE} s")
        if kind is None and self.process.returncode != 0:
            raise AssertionError(f"exit status {self.process.returncode}: {self.errors}")


def _last_lines():
    """Returns the last lines of each daemon's log since the last call."""
    for daemon in _started:
        yield "the log of " + " ".join(map(str, daemon.process.args)) + ":"
        yield from daemon.errors.splitlines()[-LOG_LINES:]
    _started.clear()


cases.LOGS.append(lambda: list(_last_lines()))


def paths_of(snapshot):
    """Returns, for each node of the call tree, the names from the root to it."""
    tree = snapshot["call_tree"]
    names = {f["id"]: f["name"] for f in snapshot["functions"]}
    paths = []
    for parent, function in zip(tree["parent"], tree["function"]):
        paths.append(paths[parent] + [names[function]] if parent >= 0 else [])
    return paths


