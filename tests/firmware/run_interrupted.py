#!/usr/bin/env python3
"""Hooks under asynchronous interrupts, in the emulator: with exclusive access as on Armv7-M, and locked as on Armv6-M; events in
the ring, and the call tree, with too few nodes,
in its flat form, and with tasks.

    run_interrupted.py ROOT AGENT_SOURCE..."""
import itertools
import os
import subprocess
import sys
import tempfile

root, *agent = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
PROGRAMS = (("interrupted.c", []), ("interrupted_tree.c", []), ("interrupted_tree.c", ["-DMPT_TREE_NODES=6"]),
            ("interrupted_tree.c", ["-DIS_FLAT=true"]), ("interrupted_tree.c", ["-DMPT_TASKS=2", "-DMPT_TREE_NODES=300"]))
CORES = (("cortex-m4", "-O2"), ("cortex-m4", "-Os"), ("cortex-m0plus", "-Os"))
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
failures = 0
for (name, settings), (cpu, level) in itertools.product(PROGRAMS, CORES):
    program = os.path.join(root, "tests/firmware/count", name)
    with tempfile.TemporaryDirectory() as directory:
        flags = ["-mthumb", "-mcpu=" + cpu, level, "-ffreestanding", "-std=gnu17", "-DMPT_RING_RECORDS=8192", *settings,
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
            print(f"{name} {' '.join(settings)} {cpu} {level} shift={shift}: {said}")
            failures += said != "right"
sys.exit(1 if failures else 0)
