#!/usr/bin/env python3
"""Tests hooks under asynchronous interrupts, in the emulator: with exclusive access as on Armv7-M, and locked as on Armv6-M; events in
the ring, and the call tree with too few nodes, in its flat form, with a window, and with tasks.

    run_interrupted.py ELF...

The images are those of tests/images that begin with `interrupted-`. Each runs at one of SHIFTS, in turn; in a full run at each."""
import os
import subprocess
import sys

SHIFTS = range(3)  # rates of the clock against instructions; each lets interrupts come at other places

failures = 0
for number, elf in enumerate(sys.argv[1:]):
    for shift in SHIFTS if os.environ.get("TEST_ALL") else [SHIFTS[number % len(SHIFTS)]]:
        output = subprocess.run(["timeout", "20", "qemu-system-arm", "-M", "mps2-an386", "-icount", f"shift={shift}", "-display", "none",
                                 "-monitor", "none", "-serial", "none", "-semihosting", "-kernel", elf],
                                capture_output=True, text=True, check=False)
        said = (output.stdout + output.stderr).strip()
        print(f"{os.path.basename(elf)} shift={shift}: {said}")
        failures += said != "right"
sys.exit(1 if failures else 0)
