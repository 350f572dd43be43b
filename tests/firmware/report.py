#!/usr/bin/env python3
"""Says what the agent costs: ROM and RAM for each core that the compiler here knows, instructions and bytes of a call.

    report.py ROOT COUNT_SENDING SMALLEST_AGENT_SOURCE... -- AGENT_SOURCE...

The first line is for machines: the smallest agent on a Cortex-M0+ with -Os, the hooks' and the sender's instructions of
a call on a Cortex-M4 with -O2 in version 2, its bytes on the wire, and the hooks' instructions of a call in version 3, which is all
that one takes there. docs/target-cost.md explains the rest."""
import os
import re
import subprocess
import sys
import tempfile

root, count_sending, *sources = sys.argv[1:]
smallest, agent = sources[:sources.index("--")], sources[sources.index("--") + 1:]
firmware = os.path.join(root, "firmware-ref")
SMALLEST = ["-DMPT_RING_RECORDS=4"]
CORES = [("cortex-m0plus", "-Os"), ("cortex-m0plus", "-O2"), ("cortex-m23", "-Os"), ("cortex-m3", "-Os"), ("cortex-m4", "-Os"),
         ("cortex-m4", "-O2"), ("cortex-m7", "-O2"), ("cortex-m33", "-Os"), ("cortex-m33", "-O2")]


def size(core, level, agent, settings):
    """ROM and RAM of an agent alone, linked against a port that does nothing."""
    with tempfile.TemporaryDirectory() as directory:
        elf = os.path.join(directory, "nop.elf")
        sources = agent + [os.path.join(firmware, "port/nop/board.c"), os.path.join(firmware, "port/mps2/runtime.c")]
        subprocess.run(["arm-none-eabi-gcc", "-mthumb", "-mcpu=" + core, level, *settings, "-ffreestanding", "-ffunction-sections",
                        "-fdata-sections", "-std=gnu17", "-I" + firmware, "-I" + root, "-I" + os.path.join(firmware, "port/nop"),
                        "-nostdlib", "-Wl,--gc-sections,-e,main,-Ttext=0,--defsym=nop_counter=0x40000000",
                        "-Wl,-u,__cyg_profile_func_enter,-u,__cyg_profile_func_exit", *sources, "-lgcc", "-o", elf], check=True)
        fields = subprocess.run(["arm-none-eabi-size", elf], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
        text, data, bss = (int(field) for field in fields[:3])
        return text + data, data + bss


def cost(version):
    output = subprocess.run([sys.executable, count_sending, root, version, "100000", *agent], capture_output=True, text=True, check=True)
    total, hooks, sent = re.search(r": ([\d.]+) instr.*?, ([\d.]+) of them.*; ([\d.]+) bytes", output.stdout).groups()
    return float(hooks), float(total) - float(hooks), float(sent)


rom, ram = size("cortex-m0plus", "-Os", smallest, SMALLEST)
hooks, sending, sent = cost("2")
print(f"rom_bytes={rom} ram_bytes={ram} hook_instructions={hooks:.0f} send_instructions={sending:.0f} v2_bytes_per_call={sent:.2f} "
      f"tree_instructions={cost('3')[0]:.0f}")
_, sending_1, sent_1 = cost("1")
print(f"\nversion 1: {sending_1:.0f} instructions to send a call, {sent_1:.2f} bytes; version 2: {sending:.0f}, {sent:.2f}\n")
print("| core | smallest | version 1 only | without version 3 | without windows | as it comes |\n|---|---|---|---|---|---|")
for core, level in CORES:
    cells = [size(core, level, smallest, SMALLEST)] + [size(core, level, agent, settings) for settings in (
        ["-DMPT_VERSION_2=0", "-DMPT_VERSION_3=0"], ["-DMPT_VERSION_3=0"], ["-DMPT_WINDOWS=0"], [])]
    print(f"| {core} `{level}` | " + " | ".join(f"{rom} / {ram}" for rom, ram in cells) + " |")
