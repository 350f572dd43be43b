#!/usr/bin/env python3
"""Counts, in the emulator, the instructions of entry and exit in version 3, and fails above limits.

    count_tree.py ELF CASE=LIMIT[,CASE=LIMIT]...

ELF: count/tree_cases.c with the agent (tests/images). Prints one line for each case: its name and the instructions of both hooks together."""
import os
import subprocess
import sys

elf, limits = sys.argv[1:]
output = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                         "none", "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True, check=True)
counted = dict(line.split() for line in (output.stdout + output.stderr).splitlines())
wrong = 0
for case, limit in (pair.split("=") for pair in limits.split(",")):
    print(f"{os.path.basename(elf)} {case}: {int(counted[case])} instructions (limit {limit})")
    wrong += not 0 < int(counted[case]) <= int(limit)
sys.exit(1 if wrong else 0)
