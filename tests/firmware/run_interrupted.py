#!/usr/bin/env python3
"""Hooks under asynchronous interrupts, in the emulator: with exclusive access as on Armv7-M, and locked as on Armv6-M.

    run_interrupted.py ROOT AGENT_SOURCE..."""
import os
import subprocess
import sys
import tempfile

root, *agent = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
program = os.path.join(root, "tests/firmware/count/interrupted.c")
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
failures = 0
for cpu, level in (("cortex-m4", "-O2"), ("cortex-m4", "-Os"), ("cortex-m0plus", "-Os")):
    with tempfile.TemporaryDirectory() as directory:
        flags = ["-mthumb", "-mcpu=" + cpu, level, "-ffreestanding", "-std=gnu17", "-DMPT_RING_RECORDS=8192",
                 "-I" + firmware, "-I" + root, "-I" + os.path.join(firmware, "port/mps2")]
        elf, instrumented = os.path.join(directory, "interrupted.elf"), os.path.join(directory, "program.o")
        subprocess.run(["arm-none-eabi-gcc", *flags, "-finstrument-functions", "-finstrument-functions-exclude-function-list=nvic,mpt_", "-c", program, "-o", instrumented], check=True)
        subprocess.run(["arm-none-eabi-gcc", *flags, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), *agent, *board,
                        instrumented, "-lgcc", "-o", elf], check=True)
        for shift in range(3):  # of the clock against instructions: interrupts hit other places
            output = subprocess.run(["timeout", "20", "qemu-system-arm", "-M", "mps2-an386", "-icount", f"shift={shift}", "-display", "none",
                                     "-monitor", "none", "-serial", "none", "-semihosting", "-kernel", elf],
                                    capture_output=True, text=True, check=False)
            said = (output.stdout + output.stderr).strip()
            print(f"{cpu} {level} shift={shift}: {said}")
            failures += said != "right"
sys.exit(1 if failures else 0)
