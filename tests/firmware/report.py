#!/usr/bin/env python3
"""Says what the agent costs: ROM and RAM for each core that the compiler here knows, instructions and bytes of a call; then what the emitters of
other formats do, as tests/emitters counts it.

    report.py ROOT COUNT_SENDING ELF_V1 ELF_V2 ELF_V3 SMALLEST_AGENT_SOURCE... -- AGENT_SOURCE...

Rows of compilers that are not there are left out, which is said.

The first line is for machines: the smallest agent on a Cortex-M0+ with -Os, the hooks' and the sender's instructions of
a call on a Cortex-M4 with -O2 in version 2, its bytes on the wire, and the hooks' instructions of a call in version 3, which is all
that one takes there. docs/target-cost.md explains the rest."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

root, count_sending, *sources = sys.argv[1:]
count_elfs, sources = sources[:3], sources[3:]
smallest, agent = sources[:sources.index("--")], sources[sources.index("--") + 1:]
firmware = os.path.join(root, "firmware-ref")
SMALLEST = ["-DMPT_RING_RECORDS=4"]
ARM, CLANG, RISCV = ["arm-none-eabi-gcc", "-mthumb"], ["clang", "--target=arm-none-eabi", "-mthumb"], ["riscv64-unknown-elf-gcc", "-msmall-data-limit=0"]
# What the row is called, compiler, core, level: each core that a port is for, and others.
CORES = [(f"{name} `{level}`", ARM, ["-mcpu=" + name.lower()], level) for name, level in (
    ("Cortex-M0", "-Os"), ("Cortex-M0plus", "-Os"), ("Cortex-M0plus", "-O2"), ("Cortex-M23", "-Os"), ("Cortex-M3", "-Os"), ("Cortex-M4", "-Os"),
    ("Cortex-M4", "-O2"), ("Cortex-M7", "-O2"), ("Cortex-M33", "-Os"), ("Cortex-M33", "-O2"))]
CORES += [("Cortex-M4 `-O2`, clang 14", CLANG, ["-mcpu=cortex-m4"], "-O2"),
          ("Cortex-M4 `-O2 -fno-unroll-loops -fno-unwind-tables`, clang 14", CLANG, ["-mcpu=cortex-m4", "-fno-unroll-loops", "-fno-unwind-tables"], "-O2"),
          ("Cortex-M4 `-Os`, clang 14", CLANG, ["-mcpu=cortex-m4"], "-Os")]
CORES += [(f"RV32IMAC `{level}`", RISCV, ["-march=rv32imac", "-mabi=ilp32"], level) for level in ("-Os", "-O2")]


def size(compiler, core, level, agent, settings):
    """ROM and RAM of an agent alone, linked against a port that does nothing."""
    with tempfile.TemporaryDirectory() as directory:
        elf = os.path.join(directory, "nop.elf")
        sources = agent + [os.path.join(firmware, "port/nop/board.c"), os.path.join(firmware, "port/mps2/runtime.c")]
        compiled = [os.path.join(directory, f"{i}.o") for i in range(len(sources))]
        for source, made in zip(sources, compiled):
            subprocess.run([*compiler, *core, level, *settings, "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-std=gnu17", "-I" + firmware,
                            "-I" + root, "-I" + os.path.join(firmware, "port/nop"), "-c", source, "-o", made], check=True)
        linker = ARM if compiler == CLANG else compiler
        subprocess.run([*linker, *core, "-nostdlib", "-Wl,--gc-sections,-e,main,-Ttext=0,--defsym=nop_counter=0x40000000",
                        "-Wl,-u,__cyg_profile_func_enter,-u,__cyg_profile_func_exit", *compiled, "-lgcc", "-o", elf], check=True)
        tool = linker[0].replace("-gcc", "-size")
        fields = subprocess.run([tool, elf], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
        text, data, bss = (int(field) for field in fields[:3])
        return text + data, data + bss


def cost(version):
    output = subprocess.run([sys.executable, count_sending, root, count_elfs[int(version) - 1], "100000"], capture_output=True, text=True, check=True)
    total, hooks, sent = re.search(r": ([\d.]+) instr.*?, ([\d.]+) of them.*; ([\d.]+) bytes", output.stdout).groups()
    return float(hooks), float(total) - float(hooks), float(sent)


rom, ram = size(ARM, ["-mcpu=cortex-m0plus"], "-Os", smallest, SMALLEST)
hooks, sending, sent = cost("2")
print(f"rom_bytes={rom} ram_bytes={ram} hook_instructions={hooks:.0f} send_instructions={sending:.0f} v2_bytes_per_call={sent:.2f} "
      f"tree_instructions={cost('3')[0]:.0f}")
_, sending_1, sent_1 = cost("1")
print(f"\nversion 1: {sending_1:.0f} instructions to send a call, {sent_1:.2f} bytes; version 2: {sending:.0f}, {sent:.2f}\n")
print("| core | smallest | version 1 only | without version 3 | without windows | as it comes |\n|---|---|---|---|---|---|")
for name, compiler, core, level in CORES:
    if not shutil.which(compiler[0]):
        print(f"{name}: not counted, {compiler[0]} is not installed")
        continue
    cells = [size(compiler, core, level, smallest, SMALLEST)] + [size(compiler, core, level, agent, settings) for settings in (
        ["-DMPT_VERSION_2=0", "-DMPT_VERSION_3=0"], ["-DMPT_VERSION_3=0"], ["-DMPT_WINDOWS=0"], [])]
    print(f"| {name.replace('plus', '+')} | " + " | ".join(f"{rom} / {ram}" for rom, ram in cells) + " |")

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
