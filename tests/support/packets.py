"""packets.py - packets of the MiniProfiler protocol, for captures that tests make up (protocol/SPEC.md)."""
import binascii
import struct

ACK, NACK, METADATA, STATUS, PROFILE_DATA, EXTENSION, DESCRIPTION = 0x01, 0x02, 0x03, 0x04, 0x05, 0x40, 0x41


def framed(kind, payload=b""):
    """A whole packet (section 3), with CRC-16/CCITT-FALSE."""
    body = b"\xaa\x55" + bytes([kind]) + struct.pack("<H", len(payload)) + payload
    return body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF)) + b"\n"


def split(capture):
    """Returns the packets of a capture in order, and the bytes between them, as (type or None, bytes)."""
    at, between = 0, b""
    while at < len(capture):
        size = 8 + int.from_bytes(capture[at + 3:at + 5], "little")
        packet = capture[at:at + size]
        if packet[:2] == b"\xaa\x55" and len(packet) == size and packet == framed(packet[2], packet[5:-3]):
            if between:
                yield None, between
            yield packet[2], packet
            at, between = at + size, b""
        else:
            between += capture[at:at + 1]
            at += 1
    if between:
        yield None, between


def varint(number):
    """Seven bits a byte, lowest first (10.2)."""
    out = b""
    while number >= 128:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def signed(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


def metadata(timer_hz=1000000, version=b"v1"):
    return framed(METADATA, struct.pack("<III", 8000000, timer_hz, 0) + version.ljust(16, b"\0"))


def status(overflows=0, captured=0, usage=0, profiling=True):
    return framed(STATUS, struct.pack("<BIIB", profiling, overflows, captured, usage))


def calls(*records):
    """Version 1: (function, start, duration, depth) each, as they end."""
    body = b"".join(struct.pack("<IIIH", *record) for record in records)
    return framed(PROFILE_DATA, bytes([1, len(records) & 255, len(records) >> 8]) + body)


def description(*settings, hooks=None, tasks=1, run=None):
    """DESCRIPTION (section 11) of a target that has these settings: (name, unit, least, most, value) each, with keys from 2 on. `run` is
    (boot, the byte of the run, version); a target that sends it sends `hooks`, too."""
    head = struct.pack("<BBIHHBHB", 1, 0xE, 1000000, 64, 32, tasks, 500, len(settings))
    for key, (title, unit, *range_and_value) in enumerate(settings, 2):
        head += struct.pack("<BIII", key, *range_and_value)
        head += b"".join(bytes([len(word)]) + word.encode() for word in (title, unit))
    head += b"" if hooks is None else struct.pack("<H", hooks)
    return framed(DESCRIPTION, head + (b"" if run is None else struct.pack("<IBB", *run)))


def stream(tokens, number=0, time=0, depth=0, run=1, runs=0, closes=False):
    """Version 2, 8 slots: tokens (10.4) in hex, sent at `time` in the context `runs`, on a stack of `depth` calls."""
    head = struct.pack("<BBII", 2, closes << 3, run << 28 | number, time)
    return framed(PROFILE_DATA, head + varint(runs) + varint(depth) + bytes.fromhex(tokens))


class Tree:
    """Packets of version 3 of one run (12.2)."""

    def __init__(self, hz=1000000, run=1, flat=False, longest=False, room=8, start=1000):
        self.hz, self.run, self.room, self.start = hz, run, room, start
        self.flags = flat | longest << 1
        self.number = -1

    def packet(self, elapsed, *records, nodes=None, stopped=False, closes=False, time=None):
        self.number += 1
        time = (self.start + elapsed if time is None else time) & 0xFFFFFFFF
        head = struct.pack("<BBII", 3, self.flags | stopped << 2 | closes << 3, self.run << 28 | self.number, time)
        head += varint(elapsed) + varint(self.hz) + varint(self.room if nodes is None else nodes) + varint(self.room)
        return framed(PROFILE_DATA, head + b"".join(records))


def context(number):
    return b"\xc4" + varint(number)


def name(number, text, is_idle=False):
    return b"\xc9" + varint(number) + bytes([is_idle, len(text)]) + text.encode()


def outside(ticks, calls=0, other_ticks=0):
    """A context's time in no function, and the calls that found no node."""
    return b"\xc8" + varint(1) + varint(ticks) + varint(calls) + varint(other_ticks)


def node(number, up, function, calls, ticks, longest=None):
    """A row (12.3): `number` and `function` are differences to the row before it in the packet."""
    sums = varint(calls) + varint(ticks) + (b"" if longest is None else varint(longest))
    return bytes([number]) + varint(up) + signed(function) + sums


def arc(number, caller, function, calls, ticks, longest=None):
    """A row of the flat form (12.5): `caller` and `function` are differences to the address before each."""
    sums = varint(calls) + varint(ticks) + (b"" if longest is None else varint(longest))
    return bytes([number]) + signed(caller) + signed(function) + sums


def chains(bits, empty, node_bytes):
    """The number of chains of callers (12.8)."""
    return b"\xcb" + varint(bits) + varint(empty) + varint(node_bytes)


class TreeRows:
    """Records of a packet of version 3, from absolute node numbers and addresses."""

    def __init__(self, flat=False, longest=False):
        self.flat, self.longest = flat, longest
        self.records = b""
        self.node = self.told = self.of = 0

    def of_context(self, number):
        if number != self.of:
            self.records += context(number)
            self.of = number

    def name(self, number, text):
        self.records += name(number, text)

    def sums(self, number, ticks, calls=0, other_ticks=0):
        """Time outside of all functions, and calls that found no node."""
        self.of_context(number)
        self.records += outside(ticks, calls, other_ticks)

    def row(self, of, number, parent, function, calls, ticks, longest=0):
        """`parent` is a node or None; in the flat form the caller's address or 0."""
        self.of_context(of)
        step = number - self.node
        if not 0 <= step < 0x80:
            self.records += b"\xc0" + varint(number)
            step = 0
        self.node = number
        longest = longest if self.longest else None
        if self.flat:
            self.records += arc(step, _step(parent, self.told), _step(function, parent), calls, ticks, longest)
        else:
            self.records += node(step, 0 if parent is None else number - parent, _step(function, self.told), calls, ticks, longest)
        self.told = function


def _step(address, before):
    step = (address - before) & 0xFFFFFFFF
    return step - (1 << 32) if step >> 31 else step
