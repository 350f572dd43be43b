#!/usr/bin/env python3
"""Reports the agent's cost: ROM and RAM for each core that the compiler knows, instructions and bytes of a call; then the cost of the emitters of
other formats, as tests/emitters counts it.

    report.py ROOT COUNT_SENDING AGENT_AS_ONE_FILE ELF_V1 ELF_V2 ELF_V3 SMALLEST_AGENT_SOURCE... -- AGENT_SOURCE...

Rows of compilers that are not installed are skipped with a message.

The first line is for machines: the smallest agent on a Cortex-M0+ with -Os, the hooks' and the sender's instructions of
a call on a Cortex-M4 with -O2 in version 2, its bytes on the wire, and the hooks' instructions of a call in version 3, where
a call has no other cost. docs/target-cost.md explains the rest."""
import glob
import os
import re
import subprocess
import sys

import memory
import stack

root, count_sending, one_file, *sources = sys.argv[1:]
count_elfs, sources = sources[:3], sources[3:]
smallest, agent = sources[:sources.index("--")], sources[sources.index("--") + 1:]
firmware = os.path.join(root, "firmware-ref")


def cost(version):
    output = subprocess.run([sys.executable, count_sending, root, count_elfs[int(version) - 1], "100000"], capture_output=True, text=True, check=True)
    total, hooks, sent = re.search(r": ([\d.]+) instr.*?, ([\d.]+) of them.*; ([\d.]+) bytes", output.stdout).groups()
    return float(hooks), float(total) - float(hooks), float(sent)


rom, ram = memory.size(root, memory.ARM, ["-mcpu=cortex-m0plus"], "-Os", smallest, memory.SMALLEST)
hooks, sending, sent = cost("2")
print(f"rom_bytes={rom} ram_bytes={ram} hook_instructions={hooks:.0f} send_instructions={sending:.0f} v2_bytes_per_call={sent:.2f} "
      f"tree_instructions={cost('3')[0]:.0f}")
_, sending_1, sent_1 = cost("1")
print(f"\nversion 1: {sending_1:.0f} instructions to send a call, {sent_1:.2f} bytes; version 2: {sending:.0f}, {sent:.2f}\n")
print("| core | smallest | version 1 only | without version 3 | without windows | defaults |\n|---|---|---|---|---|---|")
for core in memory.CORES:
    print(memory.row(root, *core, smallest, agent))

print("\n| stack of a hook / of mpt_poll() | version 1 only | without version 3 | without windows | defaults |\n|---|---|---|---|---|")
for line in stack.rows(root, one_file):
    print(line)

emitters = os.path.join(root, "tests/emitters")
gprof = sorted(glob.glob(os.path.join(firmware, "gprof/mpt_gprof*.c")))
COUNTED = ["-DMPT_GPROF_ARCS=16", "-DMPT_GPROF_PLACES=4", "-DMPT_GPROF_RING=4"]
RAW = ["-DMPT_GPROF_ARCS=0", "-DMPT_GPROF_RING=16"]


def row(name, script, *arguments):
    done = subprocess.run([sys.executable, os.path.join(emitters, script), root, *arguments], capture_output=True, text=True, check=True)
    print(name + done.stdout.strip())


print()
for core, level in (("cortex-m0plus", "-Os"), ("cortex-m4", "-O2")):
    row(f"gprof raw, {core} {level}: ", "gprof/count.py", core, level, "report", *RAW, *gprof)
    row(f"gprof counted, {core} {level}: ", "gprof/count.py", core, level, "report", *COUNTED, *gprof)
    row(f"F-Prime and TF-M, {core} {level}: ", "cost.py", core, level, "report")
print("\nSyS-T")
row("", "syst/cost.py", "--report")
