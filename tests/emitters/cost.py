#!/usr/bin/env python3
"""Measures the cost of F-Prime's events and TF-M's checkpoints on a target, and fails above limits.

    cost.py ROOT CPU LEVEL CASE=LIMIT[,CASE=LIMIT]...

Cases: those of cost.c, in instructions (pair: the entry and the exit hook of a call; off: the same outside of a capture; take and text: from the table into the
sender's bytes, an event); fprime_rom and tfm_rom, in bytes, of what records and takes; fprime_ram and tfm_ram, without the table. With "report" for the limits all are printed, in a line."""
import os
import re
import subprocess
import sys
import tempfile

root, cpu, level, limits = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
flags = ["-mthumb", "-mcpu=" + cpu, level, "-ffreestanding", "-ffunction-sections", "-std=gnu17", "-I" + firmware, "-I" + root,
         "-I" + os.path.join(firmware, "port/mps2"), "-DMPT_BOARD_NO_UART", "-DMPT_BOARD_TIMER1"]
OTHERS = re.compile(r"text|hex|write_|between|fetch|calibrat|__cyg|average")  # text, analysis, and the hooks' second names
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
counted = {}
with tempfile.TemporaryDirectory() as directory:
    def compiled(source):
        out = os.path.join(directory, os.path.basename(source) + ".o")
        subprocess.run(["arm-none-eabi-gcc", *flags, "-c", source, "-o", out], check=True)
        return out
    objects = []
    for name in ("fprime", "tfm"):
        objects.append(compiled(os.path.join(firmware, name, f"mpt_{name}.c")))
        listing = subprocess.run(["arm-none-eabi-nm", "-S", objects[-1]], capture_output=True, text=True, check=True).stdout
        symbols = [(int(size, 16), kind, symbol) for size, kind, symbol in re.findall(r"^\w{8} (\w{8}) (\w) (\S+)$", listing, re.M)]
        counted[name + "_rom"] = sum(size for size, kind, symbol in symbols if kind in "TtRrDd" and not OTHERS.search(symbol))
        counted[name + "_all_rom"] = sum(size for size, kind, symbol in symbols if kind in "TtRrDd" and "__cyg" not in symbol)
        counted[name + "_ram"] = sum(size for size, kind, symbol in symbols if kind in "BbDd" and not symbol.endswith("_table"))
    elf = os.path.join(directory, "cost.elf")
    subprocess.run(["arm-none-eabi-gcc", *flags, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), *objects,
                    compiled(os.path.join(root, "tests/emitters/cost.c")), *[compiled(source) for source in board], "-lgcc", "-o", elf], check=True)
    done = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                           "none", "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True, check=True)
counted.update((name, int(number)) for name, number in (line.split() for line in (done.stdout + done.stderr).splitlines()))
if limits == "report":
    print(" ".join(f"{case}={number}" for case, number in counted.items()))
    sys.exit()
wrong = False
for case, limit in (pair.split("=") for pair in limits.split(",")):
    print(f"{cpu} {level} {case}: {counted[case]} (limit {limit})")
    wrong |= not 0 < counted[case] <= int(limit)
sys.exit(1 if wrong else 0)
