#!/usr/bin/env python3
"""stack.py - computes the most stack that the agent's code needs, from the compiler's frame sizes and call graph, for each core that the installed
compiler knows, as in docs/target-cost.md.

The board's driver and registers saved by interrupts are excluded. A function called only by its address is assumed to be called by each
function that makes such calls.

usage: stack.py ROOT AGENT_AS_ONE_FILE. Prints TAP: each row must be in docs/target-cost.md."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ARM, RISCV = ["arm-none-eabi-gcc", "-mthumb"], ["riscv64-unknown-elf-gcc", "-msmall-data-limit=0"]
CORES = [("Cortex-M0+ `-Os`", ARM, ["-mcpu=cortex-m0plus", "-Os"]), ("Cortex-M4 `-O2`", ARM, ["-mcpu=cortex-m4", "-O2"]),
         ("Cortex-M33 `-O2`", ARM, ["-mcpu=cortex-m33", "-O2"]), ("RV32IMAC `-O2`", RISCV, ["-march=rv32imac", "-mabi=ilp32", "-O2"])]
SETTINGS = (["-DMPT_VERSION_2=0", "-DMPT_VERSION_3=0"], ["-DMPT_VERSION_3=0"], ["-DMPT_WINDOWS=0"], [])
HOOKS = ["__cyg_profile_func_enter", "__cyg_profile_func_exit"]
INDIRECT = "__indirect_call"


def graph_of(text):
    """Returns (stack bytes of each function, functions that each calls) from the output of -fcallgraph-info=su."""
    own = {title: int(size) for title, size in re.findall(r'node: { title: "([^"]+)" label: "[^"]*?(\d+) bytes \((?:static|dynamic,bounded)\)"', text)}
    calls = {}
    for source, target in re.findall(r'edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', text):
        calls.setdefault(source, set()).add(target)
    called = {target for targets in calls.values() for target in targets}
    calls[INDIRECT] = {title for title in own if ":" in title and title not in called}
    return own, calls


def most(own, calls, name, above=()):
    """Returns the bytes of the deepest chain of calls from the function. A hook that finds a requested window calls itself once: a function may be in
    a chain twice."""
    if above.count(name) > (name != INDIRECT):
        return 0
    return own.get(name, 0) + max((most(own, calls, target, (*above, name)) for target in calls.get(name, ())), default=0)


def row(root, name, compiler, flags, agent):
    """Returns the row of one core, or a sentence if its compiler is not installed. `agent` is the agent as one file."""
    if not shutil.which(compiler[0]):
        return f"{name}: not counted, {compiler[0]} is not installed"
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        for settings in SETTINGS:
            made = os.path.join(folder, "agent.o")
            paths = [f"-I{os.path.join(root, path)}" for path in ("firmware-ref", "", "firmware-ref/port/nop")]
            subprocess.run([*compiler, *flags, *settings, "-ffreestanding", "-std=gnu17", *paths, "-fcallgraph-info=su", "-c", agent, "-o", made], check=True)
            with open(os.path.join(folder, "agent.ci"), encoding="utf-8") as file:
                graph = graph_of(file.read())
            cells.append(f"{max(most(*graph, hook) for hook in HOOKS)} / {most(*graph, 'mpt_poll')}")
    return f"| {name} | " + " | ".join(cells) + " |"


def rows(root, agent):
    return [row(root, *core, agent) for core in CORES]


def main():
    root, agent = sys.argv[1:]
    with open(os.path.join(root, "docs/target-cost.md"), encoding="utf-8") as file:
        documented = file.read().splitlines()
    found = rows(root, agent)
    print(f"1..{len(found)}")
    for number, one in enumerate(found, 1):
        skipped = "not counted" in one
        print(f"{'ok' if skipped or one in documented else 'not ok'} {number} - {one}{' # SKIP' if skipped else ''}")
    return any(one not in documented and "not counted" not in one for one in found)


if __name__ == "__main__":
    sys.exit(main())
