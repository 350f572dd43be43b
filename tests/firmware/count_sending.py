#!/usr/bin/env python3
"""Counts, in the emulator, every instruction that the agent executes for the example's calls, from hook to port.

    count_sending.py ROOT ELF LIMIT [--by-function]

ELF: count/main.c, the example's workload and the agent for a Cortex-M4 with -O2 (tests/images); its port accepts all bytes at once. Prints
instructions and bytes per call, frames included, and fails when there are more instructions than LIMIT."""
import bisect
import collections
import os
import re
import subprocess
import sys
import tempfile

ROUNDS, CALLS = 20, 111  # count/main.c, counts.h

root, elf, limit = [argument for argument in sys.argv[1:] if argument != "--by-function"]
AGENT = tuple(os.path.join(os.path.realpath(root), part) for part in ("firmware-ref/mpt", "protocol/"))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as directory:
    starts, names = [], {}
    for line in sorted(run("arm-none-eabi-nm", "-l", "-S", elf).splitlines()):
        symbol = re.match(r"([0-9a-f]{8}) [0-9a-f]{8} [tT] (\S+)\s*(.*?):\d+$", line)
        if symbol:
            starts.append(int(symbol[1], 16) & ~1)
            names[starts[-1]] = symbol[2], os.path.realpath(symbol[3]).startswith(AGENT)
    log = os.path.join(directory, "log")
    output = subprocess.run(["timeout", "100", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                             "none", "-serial", "none", "-semihosting", "-singlestep", "-d", "exec,nochain", "-D", log, "-kernel", elf],
                            capture_output=True, text=True, check=True)
    sent = int(re.search(r"bytes (\d+)", output.stdout + output.stderr)[1])
    counts, is_counting = collections.Counter(), False
    for pc in re.findall(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", open(log).read(), re.M):
        at = bisect.bisect_right(starts, int(pc, 16)) - 1
        name, is_ours = names[starts[at]] if at >= 0 else ("", False)
        is_counting = name != "count_end" and (is_counting or name == "count_begin")
        if is_counting and is_ours:
            counts[name] += 1

calls = ROUNDS * CALLS
if "--by-function" in sys.argv:
    for name, count in counts.most_common():
        print(f"{count / calls:8.1f}  {name}")
in_hooks = re.compile(r"__cyg|mpt_tree_(enter|exit|call|owe|open_context|leave_context)(_unusual)?$")
hooks = sum(count for name, count in counts.items() if in_hooks.match(name))
total = sum(counts.values()) / calls
print(f"{os.path.basename(elf)}: {total:.1f} instructions a call (limit {limit}), {hooks / calls:.1f} of them in the hooks; {sent / calls:.2f} bytes")
sys.exit(0 if 0 < total <= float(limit) else 1)
