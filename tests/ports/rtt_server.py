#!/usr/bin/env python3
"""rtt_server.py - replaces a debug probe and its RTT server, with QEMU's gdb stub as the probe: finds the control block in memory and moves
bytes between its rings of channel 0 and a client.

usage: rtt_server.py LINK QEMU...
LINK is stdio (the client is at standard input and output) or tcp (one client on a port of 127.0.0.1, printed as the first line on standard
output). QEMU's command must have `-gdb stdio`. Ends with the client; exits with 127 if QEMU is not installed. As with OpenOCD, the rings are
not served until there is a client."""
import ctypes
import os
import select
import signal
import socket
import struct
import subprocess
import sys

RAM, RAM_BYTES = 0x20000000, 0x40000
ID = b"SEGGER RTT".ljust(16, b"\0")
POLL = 0.002  # seconds between two reads of the rings, as OpenOCD's `rtt polling_interval`
MOST = 1024  # the most bytes of memory in a packet of the stub
PR_SET_PDEATHSIG = 1


class Stub:
    """The packets of the gdb remote protocol that read and write memory of a target; it runs in between."""

    def __init__(self, command):
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs,
                                        preexec_fn=lambda: ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
        theirs.close()
        self.socket, self.received = ours, b""
        self.ask("?")

    def packet(self, text):
        self.socket.sendall(b"$%s#%02x" % (text.encode(), sum(text.encode()) % 256))

    def answer(self):
        """Returns the next packet. Skips acknowledgements and ignores checksums, since the stub's bytes cannot be damaged."""
        while True:
            begin = self.received.find(b"$")
            end = self.received.find(b"#", begin)
            if 0 <= begin < end and len(self.received) >= end + 3:
                text, self.received = self.received[begin + 1:end], self.received[end + 3:]
                self.socket.sendall(b"+")
                return text.decode()
            more = self.socket.recv(65536)
            if not more:
                raise EOFError("QEMU ended")
            self.received += more

    def ask(self, text):
        self.packet(text)
        return self.answer()

    def go(self):
        self.packet("c")

    def halt(self):
        self.socket.sendall(b"\x03")
        reason = self.answer()
        assert reason.startswith("T"), reason

    def read(self, address, n):
        found = b""
        while len(found) < n:
            found += bytes.fromhex(self.ask(f"m{address + len(found):x},{min(n - len(found), MOST):x}"))
        return found

    def write(self, address, data):
        if data:
            assert self.ask(f"M{address:x},{len(data):x}:{data.hex()}") == "OK"


class Rings:
    """Channel 0 of the control block at `block`."""

    def __init__(self, stub, block):
        self.stub, self.block = stub, block
        ups, downs = struct.unpack("<ii", stub.read(block + 16, 8))
        assert ups >= 1 and downs >= 1, (ups, downs)
        self.up, self.down = block + 24, block + 24 + 24 * ups

    def fetch(self):
        """Takes all bytes out of the up ring and returns them."""
        _, at, size, write, read, _ = struct.unpack("<6I", self.stub.read(self.up, 24))
        data = self.stub.read(at + read, write - read) if write >= read else self.stub.read(at + read, size - read) + self.stub.read(at, write)
        if data:
            self.stub.write(self.up + 16, struct.pack("<I", write))
        return data

    def put(self, data):
        """Puts bytes into the down ring while it has room. Returns the rest."""
        _, at, size, write, read, _ = struct.unpack("<6I", self.stub.read(self.down, 24))
        n = min(len(data), (read - write - 1) % size)
        first = min(n, size - write)
        self.stub.write(at + write, data[:first])
        self.stub.write(at, data[first:n])
        if n:
            self.stub.write(self.down + 12, struct.pack("<I", (write + n) % size))
        return data[n:]


def find_block(stub):
    """Lets the target run until it has made its control block. Returns the block's address."""
    while True:
        place = stub.read(RAM, RAM_BYTES).find(ID)
        if place >= 0:
            return RAM + place
        stub.go()
        select.select([], [], [], POLL)
        stub.halt()


def client_of(link):
    """Returns (descriptor to read from, descriptor to write to)."""
    if link == "stdio":
        return 0, 1
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(f"tcp:127.0.0.1:{server.getsockname()[1]}", flush=True)
        client = server.accept()[0]
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    descriptor = client.detach()
    return descriptor, descriptor


def send_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def serve(stub, link):
    rings = Rings(stub, find_block(stub))
    source, sink = client_of(link)
    waiting = b""
    while True:
        send_all(sink, rings.fetch())
        if waiting:
            waiting = rings.put(waiting)
        stub.go()
        if source in select.select([source], [], [], POLL)[0]:
            more = os.read(source, 4096)
            if not more:
                return
            waiting += more
        stub.halt()


def main(link, *command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        stub = Stub(command)
    except FileNotFoundError:
        return 127
    try:
        serve(stub, link)
    except (BrokenPipeError, ConnectionResetError):
        pass  # the client has disconnected
    finally:
        stub.process.kill()
        stub.process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
