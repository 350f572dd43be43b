#!/usr/bin/env python3
"""cost.py - measures the SyS-T emitter: ROM and RAM, instructions and bytes of a message; fails above limits.

usage: cost.py ROOT. Prints TAP; with --report the tables of docs/target-cost.md."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from cases import case, run_cases  # noqa: E402

FIRMWARE = os.path.join(ROOT, "firmware-ref")
EMITTER = [os.path.join(FIRMWARE, "syst", f"mpt_syst{part}.c") for part in ("", "_printf", "_ring", "_take")]
FLAGS = ["-mthumb", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-std=gnu17", "-nostdlib", "-Wl,--gc-sections", "-I" + FIRMWARE,
         "-I" + os.path.join(FIRMWARE, "syst")]
SMALL = ["-DMPT_SYST_RING_BYTES=128", "-DMPT_SYST_STP=0", "-DMPT_SYST_HEX=0", "-DMPT_SYST_LOCATION=0", "-DMPT_SYST_GUID=0"]
# The built variants, and the functions that a program calls.
SIZES = {
    "everything": ([], ["text", "string", "enter", "exit", "assert", "printf", "raw", "sbd", "short32", "short64", "build", "build32", "build64", "clock",
                        "catalog32", "catalog64", "lost", "keep_time"]),
    "lines of text, printf and strings": (["-DMPT_SYST_STP=0", "-DMPT_SYST_RAW=0"], ["string", "printf"]),
    "back to back, catalog messages with time and checksum": (SMALL, ["catalog32", "clock", "keep_time"]),
    "back to back, catalog messages alone": (SMALL + ["-DMPT_SYST_TIME=0", "-DMPT_SYST_CHECKSUM=0"], ["catalog32"]),
}
CORES = [("cortex-m0plus", "-Os"), ("cortex-m4", "-O2")]


def size(core, level, settings, calls):
    with tempfile.TemporaryDirectory() as folder:
        elf = os.path.join(folder, "nop.elf")
        keep = [f"-Wl,-u,mpt_syst_{call}" for call in calls + ["take", "frame"]]
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=" + core, level, *FLAGS, *settings, *keep, "-I" + os.path.join(FIRMWARE, "port/nop"),
                        "-Wl,-e,mpt_syst_take,-Ttext=0,--defsym=nop_counter=0x40000000", *EMITTER, os.path.join(FIRMWARE, "port/mps2/runtime.c"),
                        "-lgcc", "-o", elf], check=True)
        fields = subprocess.run(["arm-none-eabi-size", elf], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
        text, data, bss = (int(field) for field in fields[:3])
        return text + data, data + bss


def count(core, level, framing):
    """Returns {case: (instructions to write it, instructions to take it, bytes)}."""
    mps2 = os.path.join(FIRMWARE, "port/mps2")
    with tempfile.TemporaryDirectory() as folder:
        elf = os.path.join(folder, "cost.elf")
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=" + core, level, *FLAGS, "-DFRAMING=MPT_SYST_AS_" + framing, "-I" + mps2, "-T", os.path.join(mps2, "mps2.ld"),
                        os.path.join(ROOT, "tests/emitters/syst/cost.c"), *EMITTER, os.path.join(mps2, "startup.c"), os.path.join(mps2, "runtime.c"),
                        "-lgcc", "-o", elf], check=True)
        done = subprocess.run(["timeout", "60", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor", "none",
                               "-serial", "none", "-semihosting", "-kernel", elf], capture_output=True, text=True, check=True)
    found = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE)
    return {name: tuple(int(number) for number in numbers) for name, *numbers in found}


@case
def rom_and_ram_are_as_documented():
    limits = {"everything": (4711, 1130), "back to back, catalog messages alone": (1480, 212)}
    for name, (rom_limit, ram_limit) in limits.items():
        rom, ram = size("cortex-m0plus", "-Os", *SIZES[name])
        assert 0 < rom <= rom_limit and 0 < ram <= ram_limit, f"{name}: {rom}, {ram}"


@case
def a_message_costs_the_documented_instructions_and_bytes():
    counted = count("cortex-m4", "-O2", "RAW")
    limits = {"catalog": (690, 225, 18), "catalog_full": (1160, 310, 30), "printf": (1610, 300, 29), "number": (320, 125, 4)}
    for name, wanted in limits.items():
        assert all(0 < number <= limit for number, limit in zip(counted[name], wanted)), f"{name}: {counted[name]}, not {wanted}"
        assert counted[name][2] == wanted[2], f"{name}: {counted[name][2]} bytes"


def report():
    print("| built and called | " + " | ".join(f"{core} `{level}`" for core, level in CORES) + " |\n|---|" + "---|" * len(CORES))
    for name, what in SIZES.items():
        print(f"| {name} | " + " | ".join("%d / %d" % size(core, level, *what) for core, level in CORES) + " |")
    for core, level in CORES:
        counted = {framing: count(core, level, framing) for framing in ("RAW", "HEX", "STP")}
        print(f"\n| {core} `{level}` | to write it | to take it: raw | hex | STP | bytes: raw | hex | STP |\n|---|---|---|---|---|---|---|---|")
        for name, (said, *_) in counted["RAW"].items():
            print(f"| {name} | {said} | " + " | ".join(str(counted[f][name][1]) for f in counted) + " | " + " | ".join(str(counted[f][name][2]) for f in counted) + " |")


sys.exit(report() if "--report" in sys.argv else run_cases())
