#!/usr/bin/env python3
"""tools.py - compares captures of the thesis' profiler with the output of its own converter.

usage: tools.py MINIPROFD. Prints TAP. GPROF_TOOLS names a folder with, for each NAME, NAME.hex (the capture, two digits for each byte) and NAME.gmon (the converter's gmon.out,
BSD 4.4's form). What may differ is what docs/formats.md lists: each of our samples and arcs is looked for in a bin of 4 bytes, a caller in 8.
Its range of code must not begin at 0, where it puts the record that it reads behind the end."""
import collections
import glob
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE  # noqa: E402

MINIPROFD = sys.argv[1]
BIN, CALLER = 4, 8  # resolution of the converter, in bytes of code


def captures():
    found = sorted(path[:-4] for path in glob.glob(os.path.join(os.environ.get("GPROF_TOOLS", ""), "*.hex")) if os.path.exists(path[:-4] + ".gmon"))
    if "GPROF_TOOLS" not in os.environ or not found:
        raise Skip("GPROF_TOOLS names no folder with NAME.hex and NAME.gmon (docs/formats.md)")
    return found


def theirs(path):
    """Returns samples by bin and calls by arc, and the range of code."""
    with open(path, "rb") as f:
        data = f.read()
    low, high, size, version = struct.unpack_from("<4I", data)
    assert version == 0x51879, f"{path} is not in BSD 4.4's form"
    counters = struct.unpack_from(f"<{(size - 32) // 2}H", data, 32)
    arcs = {(caller, callee): calls for caller, callee, calls in struct.iter_unpack("<3I", data[size:])}
    return {low + BIN * i: count for i, count in enumerate(counters) if count}, arcs, low, high


def ours(name, low, high):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gmon")
        done = subprocess.run([MINIPROFD, "--port", f"file:{name}.hex", "--no-http", "--dialect", "gprof", "--export", "gmon=" + path], capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr.decode()
        with open(path, "rb") as f:
            data = f.read()
    samples, arcs, at = collections.Counter(), collections.Counter(), 20
    while at < len(data):
        if data[at] == 0:
            first, last, bins = struct.unpack_from("<3I", data, at + 1)
            step = (last - first) // bins
            for i, count in enumerate(struct.unpack_from(f"<{bins}H", data, at + 33)):
                place = first + step * i
                if count and low <= place < high:
                    samples[place - (place - low) % BIN] += count
            at += 33 + 2 * bins
        else:
            caller, callee, calls = struct.unpack_from("<3I", data, at + 1)
            if low <= caller <= high:
                arcs[caller - (caller - low) % CALLER, callee] += calls
            at += 13
    return samples, arcs


@case
def each_sample_and_each_arc_is_the_converters():
    for name in captures():
        samples, arcs, low, high = theirs(name + ".gmon")
        assert samples and arcs, f"{name}.gmon says nothing"
        own_samples, own_arcs = ours(name, low, high)
        assert {place: count % 65536 for place, count in own_samples.items()} == samples, f"{name}: samples differ"
        assert own_arcs == arcs, f"{name}: {own_arcs}, not {arcs}"


sys.exit(run_cases())
