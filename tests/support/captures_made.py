"""captures_made.py - captures of made-up targets, byte by byte, for tests that read them through the program."""
import json
import struct


def tfm_items():
    """Returns (tag, count) of two checkpoints, each passed 30 times in both worlds."""
    count = 5000
    for i in range(30):
        for world, cost in ((0, 100 + i), (3, 300 + i)):
            for checkpoint in (0, 1):
                yield checkpoint << 16 | 4 << 8 | world << 6 | 1, count
                count += cost


TFM_NAMES = json.dumps({"clock_hz": 50000000, "calibration": {"0": 10, "3": 20}, "topics": {"4": "crypto"},
                    "pairs": [{"name": "hash", "topic": 4, "from": 0, "to": 1}]})


def tfm_dump():
    """Returns the database of these items as the target prints it."""
    return b"".join(struct.pack("<II", *item) for item in tfm_items())


def gprof_records():
    """400 calls from one place to another, and a PC sample after every fourth."""
    for i in range(400):
        yield b"A" + (0x0C10).to_bytes(3, "big") + (0x0A06).to_bytes(3, "big")
        if i % 4 == 0:
            yield b"P" + (0x0A10 + 2 * (i % 8)).to_bytes(3, "big")


def fprime_events():
    """Returns entries and exits of a function, 1,000 ticks apart, of a counter that runs down (docs/formats.md)."""
    return b"".join(struct.pack("<II", (i % 2) << 31 | 0x401, 10000000 - 1000 * i) for i in range(400))


def syst_message(kind, subtype, ticks, payload, severity=4, origin=5, unit=2, location=b""):
    """One raw message with a time stamp and a checked length."""
    header = kind | severity << 4 | bool(location) << 8 | 1 << 9 | 1 << 11 | unit << 12 | origin << 16 | subtype << 24
    return struct.pack("<I", header) + location + struct.pack("<HQ", len(payload), ticks) + payload


def syst_messages():
    """Returns calls of two nested functions, with a text with arguments in each."""
    for i in range(10):
        at = 1000 * i
        yield syst_message(2, 2, at, b"outer\0")
        yield syst_message(2, 2, at + 100, b"inner\0")
        yield syst_message(2, 11, at + 150, b"value %d of %s\0" + struct.pack("<i", -i) + b"ten\0")
        yield syst_message(2, 3, at + 300, b"inner\0")
        yield syst_message(2, 3, at + 900, b"outer\0")


def syst_talk():
    """Returns raw messages of several modules and severities, which follow calls."""
    at = 20000
    yield from syst_messages()
    for i in range(40):
        at += 250
        text = b"module %d of %s\0" + struct.pack("<i", i) + b"forty\0"
        yield syst_message(2, 11, at, text, severity=1 + i % 7, origin=5 + i % 3)
