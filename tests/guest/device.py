"""device.py - runs the example firmware as a program behind a serial adapter that is plugged in and unplugged.

A UART sends whether or not its data is read: bytes that the adapter cannot take are lost, and the device never waits. All bytes sent are kept in a file,
for comparison with those that arrive."""
import os
import selectors
import socket
import subprocess
import threading
import time

ROOM = 4096  # the most bytes buffered on the way to the adapter


class Device:
    """A context manager. `sent` and `lost` count bytes; `heard` is the time of the host's first bytes after plug(), or None."""

    def __init__(self, program, pace_ms, kept):
        self.process = subprocess.Popen([program, "--stdio", "--pace-ms", str(pace_ms)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.kept = open(kept, "wb")
        self.adapter, self.heard = None, None
        self.sent = self.lost = 0
        self.lock = threading.Lock()
        self.bell, self.ringer = os.pipe()
        self.is_over = False
        self.thread = threading.Thread(target=self._carry)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.is_over = True
        os.write(self.ringer, b"!")
        self.thread.join()
        self.unplug()
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.kept.close()
        for end in (self.bell, self.ringer):
            os.close(end)

    def plug(self, guest):
        """Plugs an adapter into the guest and connects to it. Returns the time."""
        guest.lay_wire()
        wire = socket.socket(socket.AF_UNIX)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        wire.connect(guest.wire)
        wire.setblocking(False)
        when = guest.plug()
        with self.lock:
            self.adapter, self.heard = wire, None
        os.write(self.ringer, b"!")
        return when

    def unplug(self):
        with self.lock:
            wire, self.adapter = self.adapter, None
        if wire:
            wire.close()

    def _carry(self):
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            ready.register(self.bell, selectors.EVENT_READ)
            watched = None
            while not self.is_over:
                with self.lock:
                    watched = self._watch(ready, watched)
                for key, _ in ready.select(0.2):
                    if key.fileobj is self.process.stdout:
                        self._from_device()
                    elif key.fileobj is self.bell:
                        os.read(self.bell, 64)
                    else:
                        self._from_host()

    def _watch(self, ready, watched):
        if watched is not self.adapter:
            if watched:
                ready.unregister(watched)  # already closed, which selectors allow
            if self.adapter:
                ready.register(self.adapter, selectors.EVENT_READ)
        return self.adapter

    def _from_device(self):
        said = os.read(self.process.stdout.fileno(), 65536)
        self.kept.write(said)
        with self.lock:
            try:
                taken = self.adapter.send(said) if self.adapter else 0
            except OSError:  # full or closed
                taken = 0
        self.sent += len(said)
        self.lost += len(said) - taken

    def _from_host(self):
        with self.lock:
            try:
                said = self.adapter.recv(4096) if self.adapter else b""
            except OSError:
                said = b""
            if said and self.heard is None:
                self.heard = time.monotonic()
        if said:
            self.process.stdin.write(said)
