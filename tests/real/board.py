"""board.py - an image in QEMU's mps2-an386, counted by QEMU's log, and miniprofd on its serial line."""
import json
import os
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402

from counter import Counter, log_options, read_log  # noqa: E402
from image import Image  # noqa: E402

LINE = 0x82  # the key of SET_CONFIG that sets the bytes per millisecond of an image's line
ACK, NACK = bytes.fromhex("AA5501000088830A"), bytes.fromhex("AA55020000D8DA0A")


def command(code, payload):
    bare = bytes([0x55, code, len(payload)]) + payload.ljust(8, b"\0")
    return bare + bytes([sum(bare) & 0xFF])


class Board:
    """A context manager whose board runs once a client connects to its serial line. `counter` has the true counts, complete when the board
    has ended."""

    def __init__(self, elf):
        self.image = Image(elf)
        self.counter = Counter(self.image)
        self.folder = tempfile.TemporaryDirectory()
        fifo = os.path.join(self.folder.name, "log")
        self.problem = None
        options = log_options(self.image)
        os.mkfifo(fifo)
        self.qemu, self.port = emulator.start(*emulator.MPS2, *options, "-D", fifo, "-kernel", elf)
        self.reader = threading.Thread(target=self._read, args=(fifo,))
        self.reader.start()

    def _read(self, fifo):
        try:
            with open(fifo, "rb", buffering=0) as log:
                read_log(log, self.counter)
        except Exception as problem:  # raised in the waiting thread
            self.problem = problem

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.qemu.terminate()
        self.qemu.wait()
        self.reader.join()
        self.folder.cleanup()
        if kind is None and self.problem:
            raise self.problem

    def set_line(self, bytes_a_ms):
        """Sets the line's rate before miniprofd connects. Returns False if the image does not have that key."""
        host, _, port = self.port.removeprefix("tcp:").rpartition(":")
        with socket.create_connection((host, int(port)), PATIENCE) as line:
            said = b""
            while ACK not in said and NACK not in said:
                line.sendall(command(6, bytes([LINE]) + bytes_a_ms.to_bytes(4, "little")))
                said += line.recv(4096)
        return ACK in said


def wait_until(is_so, what, seconds=PATIENCE):
    """Polls until `is_so` returns true; raises if that takes too long."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s without success until {what}")
        time.sleep(0.02)


class Run:
    """A run: the board's `counter` and miniprofd's `snapshot`."""

    def __init__(self, miniprofd, elf, mode, events, seconds, line):
        """Orders the device to stop after `events` hooks, or, if None, when no hook has run for 2 s; after `seconds` seconds at the latest."""
        self.is_refused = False
        with Board(elf) as board:
            self.image, self.counter = board.image, board.counter
            if line and not board.set_line(line):
                self.is_refused = True
                return
            with Daemon(miniprofd, "--port", board.port, "--elf", elf, "--mode", mode) as daemon:
                wait_until(lambda: board.counter.starts, "the device is ordered to profile")
                self._let_run(board, events, seconds)
                if board.problem:
                    raise board.problem
                tell(daemon, "stop")
                wait_until(board.counter.has_stopped, "the device received STOP")
                self.let_arrive(daemon)
                self.snapshot = daemon.snapshot()

    @staticmethod
    def _let_run(board, events, seconds):
        end, before, since = time.monotonic() + seconds, -1, 0
        while time.monotonic() < end and (events is None or board.counter.events + 1 < events) and not board.problem:
            if board.counter.events != before:
                before, since = board.counter.events, time.monotonic()
            elif events is None and time.monotonic() > since + 2:
                return
            time.sleep(0.02)

    @staticmethod
    def let_arrive(daemon):
        """Waits until the device has stopped and only its answers to two requests for status arrive."""
        before = None
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            tell(daemon, "status")
            snapshot = daemon.snapshot()
            now = snapshot["link"]["records"], snapshot["link"]["bytes"]
            if before and not snapshot["target"]["profiling"] and now[0] == before[0] and now[1] - before[1] <= 40:
                return
            before = now
            time.sleep(0.5)
        raise AssertionError(f"the device goes on sending after STOP: {json.dumps(snapshot['link'])}")


def tell(daemon, what):
    status, _, body = daemon.request("POST", "/api/v1/device/" + what, "")
    assert status == 200, body


def measured(snapshot):
    """Returns ({(caller or None, function): calls}, {function: calls}) by addresses; an unknown caller is "?"."""
    functions = {f["id"]: (int(f["address"], 16) & ~1) if f["kind"] == "function" else None for f in snapshot["functions"]}
    names = {f["id"]: f["name"] for f in snapshot["functions"]}
    tree = snapshot["call_tree"]
    edges, calls = {}, {}
    for parent, function, n in zip(tree["parent"], tree["function"], tree["calls"]):
        if not n or function < 0:
            continue
        above = tree["function"][parent]
        caller = None if above < 0 else functions[above] or "?" + names[above]
        callee = functions[function] or "?" + names[function]
        edges[caller, callee] = edges.get((caller, callee), 0) + n
        calls[callee] = calls.get(callee, 0) + n
    return edges, calls
