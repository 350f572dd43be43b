#!/usr/bin/env python3
"""Counts, in the emulator, what entry and exit of a call take in version 3, and holds it below limits.

    count_tree.py ROOT CPU LEVEL CASE=LIMIT[,CASE=LIMIT]... AGENT_SOURCE...

CPU may be followed by settings. Prints one line for each case of count/tree_cases.c: its name and the instructions of both hooks together."""
import os
import subprocess
import sys
import tempfile

root, cpu, level, limits, *agent = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
flags = ["-mthumb", "-DMPT_BOARD_NO_UART", *("-mcpu=" + cpu).split(), level, "-ffreestanding", "-std=gnu17", "-I" + firmware, "-I" + root,
         "-I" + os.path.join(firmware, "port/mps2")]
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
program = os.path.join(root, "tests/firmware/count/tree_cases.c")
with tempfile.TemporaryDirectory() as directory:
    elf = os.path.join(directory, "cases.elf")
    subprocess.run(["arm-none-eabi-gcc", *flags, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), program, *agent, *board,
                    "-lgcc", "-o", elf], check=True)
    output = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                             "none", "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True, check=True)
counted = dict(line.split() for line in (output.stdout + output.stderr).splitlines())
wrong = 0
for case, limit in (pair.split("=") for pair in limits.split(",")):
    print(f"{cpu} {level} {case}: {int(counted[case])} instructions (limit {limit})")
    wrong += not 0 < int(counted[case]) <= int(limit)
sys.exit(1 if wrong else 0)
