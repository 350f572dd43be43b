#!/usr/bin/env python3
"""Counts, in the emulator, the instructions of an arc, and the size of its code, and fails above limits.

    count.py ROOT CPU LEVEL CASE=LIMIT[,CASE=LIMIT]... [-DSETTING]... SOURCE...

Cases: those of count.c, in instructions (arc: all that -pg adds to a call, when it is on and the arc is in the cache or the ring has room; off: when it is not; miss: the recording
of one that is not in the cache; send: from there to the port), and rom and ram, in bytes. With "report" for the limits all are printed, in a line."""
import os
import subprocess
import sys
import tempfile

root, cpu, level, limits, *rest = sys.argv[1:]
settings, sources = [word for word in rest if word.startswith("-D")], [word for word in rest if not word.startswith("-D")]
firmware = os.path.join(root, "firmware-ref")
flags = ["-mthumb", "-mcpu=" + cpu, level, "-ffreestanding", "-ffunction-sections", "-std=gnu17", *settings, "-I" + firmware, "-I" + root,
         "-I" + os.path.join(firmware, "gprof"), "-I" + os.path.join(firmware, "port/mps2"), "-DMPT_BOARD_NO_UART"]
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
counted = {"rom": 0, "ram": 0}
with tempfile.TemporaryDirectory() as directory:
    def compile(source, *more):
        out = os.path.join(directory, os.path.basename(source) + ".o")
        subprocess.run(["arm-none-eabi-gcc", *flags, *more, "-c", source, "-o", out], check=True)
        return out
    objects = [compile(source) for source in sources]
    for line in subprocess.run(["arm-none-eabi-size", *objects], capture_output=True, text=True, check=True).stdout.splitlines()[1:]:
        text, data, bss = (int(field) for field in line.split()[:3])
        counted["rom"] += text + data
        counted["ram"] += data + bss
    elf = os.path.join(directory, "count.elf")
    subprocess.run(["arm-none-eabi-gcc", *flags, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), *objects,
                    compile(os.path.join(root, "tests/emitters/gprof/count.c"), "-pg"), *[compile(source) for source in board], "-lgcc", "-o", elf], check=True)
    done = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                           "none", "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True, check=True)
counted.update((name, int(number)) for name, number in (line.split() for line in (done.stdout + done.stderr).splitlines()))
wrong = counted.pop("wrong_arguments") != 0
if wrong:
    print("the called function's arguments were changed")
if limits == "report":
    print(" ".join(f"{case}={number}" for case, number in counted.items()))
    sys.exit(1 if wrong else 0)
limits = dict(pair.split("=") for pair in limits.split(","))
for case, limit in limits.items():
    print(f"{cpu} {level} {' '.join(settings)} {case}: {counted[case]} (limit {limit})")
    wrong |= not 0 < counted[case] <= int(limit)
sys.exit(1 if wrong else 0)
