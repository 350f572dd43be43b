#!/usr/bin/env python3
"""Hooks under asynchronous interrupts, in the emulator: with exclusive access as on Armv7-M, and locked as on Armv6-M; events in
the ring, and the call tree, with too few nodes,
in its flat form, with a window that is recorded, and with tasks.

    run_interrupted.py ROOT AGENT_SOURCE..."""
import itertools
import os
import subprocess
import sys
import tempfile

root, *agent = sys.argv[1:]
firmware = os.path.join(root, "firmware-ref")
# With settings of agent and program, and of the program alone.
PROGRAMS = (("interrupted.c", [], []), ("interrupted_tree.c", [], []), ("interrupted_tree.c", ["-DMPT_TREE_NODES=6"], []),
            ("interrupted_tree.c", ["-DMPT_TREE_LONGEST=1"], []), ("interrupted_tree.c", ["-DMPT_TREE_LONGEST=1", "-DMPT_TASKS=2"], []),
            ("interrupted_tree.c", [], ["-DIS_FLAT=true"]), ("interrupted_tree.c", ["-DMPT_TASKS=2", "-DMPT_TREE_NODES=300"], []),
            ("interrupted_tree.c", [], ["-DHAS_POLL=1"]), ("interrupted_tree.c", [], ["-DHAS_WINDOW=1"]), ("interrupted_tree.c", ["-DMPT_TASKS=2", "-DMPT_TREE_NODES=300"], ["-DHAS_WINDOW=1"]))
CORES = (("cortex-m4", "-O2"), ("cortex-m4", "-Os"), ("cortex-m0plus", "-Os"))
board = [os.path.join(firmware, "port/mps2", name) for name in ("runtime.c", "startup.c")]
failures = 0


def run_with(elf):
    """What the program says at each of three rates of the clock against instructions: interrupts hit other places."""
    for shift in range(3):
        output = subprocess.run(["timeout", "20", "qemu-system-arm", "-M", "mps2-an386", "-icount", f"shift={shift}", "-display", "none",
                                 "-monitor", "none", "-serial", "none", "-semihosting", "-kernel", elf],
                                capture_output=True, text=True, check=False)
        yield shift, (output.stdout + output.stderr).strip()


def compiled(directory, *command):
    """The objects of the sources that the command ends with, in a new directory below."""
    folder = tempfile.mkdtemp(dir=directory)
    subprocess.run(["arm-none-eabi-gcc", "-c", *command], check=True, cwd=folder)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


with tempfile.TemporaryDirectory() as directory:
    agents = {}  # what it is compiled with -> objects: several programs have the same
    for (name, of_agent, of_program), (cpu, level) in itertools.product(PROGRAMS, CORES):
        flags = ["-mthumb", "-DMPT_BOARD_NO_UART", "-mcpu=" + cpu, level, "-ffreestanding", "-std=gnu17", "-DMPT_RING_RECORDS=8192", *of_agent,
                 "-I" + firmware, "-I" + root, "-I" + os.path.join(firmware, "port/mps2")]
        if tuple(flags) not in agents:
            agents[tuple(flags)] = compiled(directory, *flags, *agent, *board)
        program = compiled(directory, *flags, *of_program, "-finstrument-functions",
                           "-finstrument-functions-exclude-function-list=nvic,mpt_", os.path.join(root, "tests/firmware/count", name))
        elf = os.path.join(directory, "interrupted.elf")
        subprocess.run(["arm-none-eabi-gcc", *flags, "-nostdlib", "-T", os.path.join(firmware, "port/mps2/mps2.ld"),
                        *agents[tuple(flags)], *program, "-lgcc", "-o", elf], check=True)
        for shift, said in run_with(elf):
            print(f"{name} {' '.join(of_agent + of_program)} {cpu} {level} shift={shift}: {said}")
            failures += said != "right"
sys.exit(1 if failures else 0)
