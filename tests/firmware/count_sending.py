#!/usr/bin/env python3
"""Counts, in the emulator, every instruction that the agent executes for the example's calls, from hook to port.

    count_sending.py ROOT VERSION LIMIT [--by-function] AGENT_SOURCE...

Builds count/main.c, the example's workload and the agent for a Cortex-M4 with -O2; its port takes all bytes at once. Prints
instructions and bytes per call, frames included, and fails when there are more instructions than LIMIT."""
import bisect
import collections
import os
import re
import subprocess
import sys
import tempfile

ROUNDS, CALLS = 20, 111  # count/main.c, counts.h

arguments = [argument for argument in sys.argv[1:] if argument != "--by-function"]
root, version, limit, *agent = arguments
firmware = os.path.join(root, "firmware-ref")
flags = ["-mthumb", "-DMPT_BOARD_NO_UART", "-mcpu=cortex-m4", "-O2", "-g", "-ffreestanding", "-ffunction-sections", "-DMPT_RING_RECORDS=1024",
         f"-DCOUNT_VERSION={version}"] + [f"-I{os.path.join(firmware, d)}" for d in ("", "..", "example", "port/mps2")]
workload = [os.path.join(firmware, "example", name) for name in ("main.c", "motor.c", "sensors.c", "telemetry.c", "vibration.cpp")]
board = [os.path.join(firmware, "port/mps2", name) for name in ("board.c", "runtime.c", "startup.c")]
board.append(os.path.join(root, "tests/firmware/count/main.c"))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as directory:
    objects = []
    for source in agent + workload + board:
        objects.append(os.path.join(directory, f"{len(objects)}.o"))
        extra = ["-finstrument-functions"] if source in workload else []
        extra += ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"] if source.endswith(".cpp") else ["-std=gnu17"]
        run("arm-none-eabi-gcc", *flags, *extra, "-c", source, "-o", objects[-1])
    elf = os.path.join(directory, "count.elf")
    run("arm-none-eabi-gcc", *flags, "-nostdlib", "-Wl,--gc-sections", "-T", os.path.join(firmware, "port/mps2/mps2.ld"), *objects,
        "-lgcc", "-o", elf)
    starts, names = [], {}
    ours = {os.path.realpath(source) for source in agent}
    for line in sorted(run("arm-none-eabi-nm", "-l", "-S", elf).splitlines()):
        symbol = re.match(r"([0-9a-f]{8}) [0-9a-f]{8} [tT] (\S+)\s*(.*?):\d+$", line)
        if symbol:
            starts.append(int(symbol[1], 16) & ~1)
            names[starts[-1]] = symbol[2], os.path.realpath(symbol[3]) in ours
    log = os.path.join(directory, "log")
    output = subprocess.run(["timeout", "100", "qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor",
                             "none", "-serial", "none", "-semihosting", "-singlestep", "-d", "exec,nochain", "-D", log, "-kernel", elf],
                            capture_output=True, text=True, check=True)
    sent = int(re.search(r"bytes (\d+)", output.stdout + output.stderr)[1])
    counts, is_counting = collections.Counter(), False
    for pc in re.findall(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", open(log).read(), re.M):
        at = bisect.bisect_right(starts, int(pc, 16)) - 1
        name, is_ours = names[starts[at]] if at >= 0 else ("", False)
        is_counting = name != "count_end" and (is_counting or name == "count_begin")
        if is_counting and is_ours:
            counts[name] += 1

calls = ROUNDS * CALLS
if "--by-function" in sys.argv:
    for name, count in counts.most_common():
        print(f"{count / calls:8.1f}  {name}")
in_hooks = re.compile(r"__cyg|mpt_tree_(enter|exit|call|owe|open_context|leave_context)(_unusual)?$")
hooks = sum(count for name, count in counts.items() if in_hooks.match(name))
total = sum(counts.values()) / calls
print(f"version {version}: {total:.1f} instructions a call (limit {limit}), {hooks / calls:.1f} of them in the hooks; {sent / calls:.2f} bytes")
sys.exit(0 if 0 < total <= float(limit) else 1)
