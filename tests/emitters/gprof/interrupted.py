#!/usr/bin/env python3
"""Runs interrupted.c in the emulator, in both forms, at several moments; each form on one of two cores, or with TEST_ALL on both.

    interrupted.py ROOT SOURCE..."""
import os
import subprocess
import sys
import tempfile

root, *sources = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
sources += [os.path.join(root, "tests/emitters/gprof/interrupted.c")] + [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
CORES = (["-mcpu=cortex-m0plus", "-Os"], ["-mcpu=cortex-m4", "-O2"])
wrong = 0
with tempfile.TemporaryDirectory() as directory:
    for at, form in enumerate(("-DMPT_GPROF_ARCS=0", "-DMPT_GPROF_ARCS=16 -DHAS_PROCESS_STACK=1", "-DMPT_GPROF_ARCS=4 -DMPT_GPROF_PLACES=4 -DMPT_GPROF_RING=4")):
        for core in CORES if os.environ.get("TEST_ALL") else [CORES[at % len(CORES)]]:
            settings, objects, elf = form.split(), [], os.path.join(directory, "interrupted.elf")
            for number, source in enumerate(sources):
                objects.append(os.path.join(directory, f"{number}.o"))
                subprocess.run(["arm-none-eabi-gcc", "-mthumb", *core, *settings, "-ffreestanding", "-std=gnu17", "-I" + firmware, "-I" + root,
                                "-I" + os.path.join(firmware, "gprof"), "-I" + os.path.join(firmware, "port/mps2"), "-DMPT_BOARD_NO_UART",
                                *(["-pg"] if source.endswith("interrupted.c") else []), "-c", source, "-o", objects[-1]], check=True)
            subprocess.run(["arm-none-eabi-gcc", "-mthumb", *core, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), *objects, "-lgcc",
                            "-o", elf], check=True)
            done = subprocess.run(["timeout", "120", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor", "none",
                                   "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True)
            said = (done.stdout + done.stderr).strip()
            print(*core, form, said)
            wrong += said != "all is reported"
sys.exit(1 if wrong else 0)
