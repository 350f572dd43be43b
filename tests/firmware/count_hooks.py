#!/usr/bin/env python3
"""Counts, in the emulator, the instructions of each run of the two hooks, and fails if their sum exceeds a limit.

    count_hooks.py LIMIT ARM_NM RUN_EXAMPLE ROUNDS ELF QEMU_COMMAND...

Runs the example with every instruction inside the hooks logged. Reports calls that were recorded, which is the most expensive path through
the hooks on a healthy system. Exit status as run_example's."""
import collections
import os
import re
import subprocess
import sys
import tempfile

limit, arm_nm, run_example, rounds, elf, *qemu = sys.argv[1:]

ranges = {}
for line in subprocess.run([arm_nm, "-S", elf], capture_output=True, text=True, check=True).stdout.splitlines():
    fields = line.split()
    if len(fields) == 4 and fields[3].startswith("__cyg_profile_func_"):
        start = int(fields[0], 16) & ~1
        ranges[fields[3].rsplit("_", 1)[1]] = range(start, start + int(fields[1], 16))

with tempfile.TemporaryDirectory() as directory:
    log = os.path.join(directory, "log")
    wanted = ",".join(f"{hook.start:#x}+{len(hook):#x}" for hook in ranges.values())
    tracing = ["-singlestep", "-d", "exec,nochain", "-dfilter", wanted, "-D", log]
    at = qemu.index("-kernel")
    run = subprocess.run([run_example, rounds, elf, *qemu[:at], *tracing, *qemu[at:], elf], check=False)
    if run.returncode:
        sys.exit(run.returncode)
    # Trace 0: 0x7f.. [flags/pc/...]
    program_counters = [int(pc, 16) for pc in re.findall(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", open(log).read(), re.M)]

runs = {name: collections.Counter() for name in ranges}
name, length = None, 0
for pc in program_counters + [None]:
    begins = next((n for n, hook in ranges.items() if pc == hook.start), None)
    if begins or pc is None:
        if name:
            runs[name][length] += 1
        name, length = begins, 0
    length += 1

total = 0
for name, lengths in runs.items():
    usual, n = lengths.most_common(1)[0]
    total += usual
    print(f"{name}: {usual} instructions in {n} of {sum(lengths.values())} runs; all: {dict(sorted(lengths.items()))}")
print(f"enter and exit together: {total} (limit {limit})")
sys.exit(0 if 0 < total <= int(limit) else 1)
