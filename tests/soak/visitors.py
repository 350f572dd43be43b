"""visitors.py - clients of a miniprofd for a long test: viewers of the event stream, programs that fetch and order, and some that disconnect."""
import collections
import glob
import json
import os
import select
import socket
import struct
import threading
import time

SLOW_SECONDS = 0.5  # between two reads of a slow viewer


class Visitors(threading.Thread):
    """Acts repeatedly until it is stopped. `problems` has the failures of actions that must not fail."""

    def __init__(self, daemon, chance):
        super().__init__(name=type(self).__name__.lower())
        self.daemon_at, self.chance = daemon, chance
        self.stopping, self.problems = threading.Event(), []

    def run(self):
        try:
            self.visit()
        except Exception as problem:  # reported by the thread that started this one
            self.problems.append(f"{self.name}: {type(problem).__name__}: {problem}")

    def stop(self):
        self.stopping.set()
        if self.is_alive():
            self.join()

    def connect(self, room=None):
        line = socket.socket()
        if room:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.connect(("127.0.0.1", self.daemon_at.port))
        return line

    def leave(self, line):
        """Closes like a browser, or like a crashing one, which resets the connection."""
        if self.chance.random() < 0.5:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


class Viewers(Visitors):
    """`count` viewers of the event stream. Of ten, seven keep up, two are slow, and one never reads. Every second or two one leaves and another connects."""

    def __init__(self, daemon, chance, count):
        super().__init__(daemon, chance)
        self.count, self.came, self.updates = count, 0, 0
        self.lines = []  # (socket, kind); kinds as above

    def come(self, kind):
        line = self.connect(None if kind < 7 else 4096)
        line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % self.daemon_at.port)
        self.came += 1
        return line, kind

    def visit(self):
        self.lines = [self.come(n % 10) for n in range(self.count)]
        next_leaves, next_slow = 0, 0
        while not self.stopping.is_set():
            prompt = [line for line, kind in self.lines if kind < 7]
            for line in select.select(prompt, [], [], 0.2)[0]:
                self.updates += self.read(line, 1 << 18)
            now = time.monotonic()
            if now >= next_slow:
                next_slow = now + SLOW_SECONDS
                slow = [line for line, kind in self.lines if 7 <= kind < 9]
                for line in select.select(slow, [], [], 0)[0]:
                    self.read(line, 2048)
            if now >= next_leaves:
                next_leaves = now + self.chance.uniform(0.5, 2)
                line, kind = self.lines.pop(self.chance.randrange(self.count))
                self.leave(line)
                self.lines.append(self.come(kind))
        for line, _ in self.lines:
            line.close()

    def read(self, line, most):
        """Number of complete events in the bytes it reads."""
        data = line.recv(most)
        if not data:
            self.problems.append("the event stream was ended by the daemon")
            self.stopping.set()
        return data.count(b"\n\n")


class Requests(Visitors):
    """Sends requests one after the other, chosen from `deeds`: method, path, and a body or None. One in `abandoned_of` is broken off."""

    # 503 and 504: no device at the moment, or it is silent, e.g. unplugged; 409: it refuses, or the order makes no sense now.
    GOOD = {200, 404, 409, 503, 504}

    def __init__(self, daemon, chance, name, deeds, abandoned_of=None):
        super().__init__(daemon, chance)
        self.name, self.deeds, self.abandoned_of = name, deeds, abandoned_of
        self.answers, self.abandoned = collections.Counter(), 0

    def visit(self):
        while not self.stopping.wait(self.chance.uniform(0.05, 0.8)):
            method, path, body = self.chance.choice(self.deeds)
            if self.abandoned_of and self.chance.randrange(self.abandoned_of) == 0:
                self.abandon(method, path)
                continue
            status, _, text = self.daemon_at.request(method, path, None if body is None else json.dumps(body))
            self.answers[status] += 1
            if status not in self.GOOD:
                self.problems.append(f"{method} {path} {body or ''}: {status} {text[:200]!r}")
            if path == "/api/v1/record/stop" and status == 200:
                self.forget(json.loads(text)["path"])

    @staticmethod
    def forget(recording):
        """Deletes it, its older parts and its pace file."""
        for path in glob.glob(glob.escape(recording) + "*"):
            os.unlink(path)

    def abandon(self, method, path):
        """Breaks off during the request, before the answer or during the answer."""
        line = self.connect(self.chance.choice((None, 4096)))
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.daemon_at.port}\r\n".encode()
        how = self.chance.randrange(4)
        if how == 0:
            line.sendall(head[:self.chance.randrange(len(head))])
        elif how == 1:
            line.sendall(head.replace(b"GET", b"POST") + b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"")
        else:
            line.sendall(head + b"\r\n")
            if how == 3 and select.select([line], [], [], 2)[0]:
                line.recv(1 + self.chance.randrange(5000))
        self.leave(line)
        self.abandoned += 1
