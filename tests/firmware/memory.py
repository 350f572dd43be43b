"""memory.py - computes the agent's ROM and RAM for each core that the installed compilers know, as in docs/target-cost.md."""
import os
import shutil
import subprocess
import tempfile

SMALLEST = ["-DMPT_RING_RECORDS=4"]
ARM, CLANG, RISCV = ["arm-none-eabi-gcc", "-mthumb"], ["clang", "--target=arm-none-eabi", "-mthumb"], ["riscv64-unknown-elf-gcc", "-msmall-data-limit=0"]
# Row name, compiler, core, optimisation level: each core with a port, and others.
CORES = [(f"{name} `{level}`", ARM, ["-mcpu=" + name.lower()], level) for name, level in (
    ("Cortex-M0", "-Os"), ("Cortex-M0plus", "-Os"), ("Cortex-M0plus", "-O2"), ("Cortex-M23", "-Os"), ("Cortex-M3", "-Os"), ("Cortex-M4", "-Os"),
    ("Cortex-M4", "-O2"), ("Cortex-M7", "-O2"), ("Cortex-M33", "-Os"), ("Cortex-M33", "-O2"))]
CORES += [("Cortex-M4 `-O2`, clang 14", CLANG, ["-mcpu=cortex-m4"], "-O2"),
          ("Cortex-M4 `-O2 -fno-unroll-loops -fno-unwind-tables`, clang 14", CLANG, ["-mcpu=cortex-m4", "-fno-unroll-loops", "-fno-unwind-tables"], "-O2"),
          ("Cortex-M4 `-Os`, clang 14", CLANG, ["-mcpu=cortex-m4"], "-Os")]
CORES += [(f"RV32IMAC `{level}`", RISCV, ["-march=rv32imac", "-mabi=ilp32"], level) for level in ("-Os", "-O2")]


def size(root, compiler, core, level, agent, settings):
    """Returns ROM and RAM of the agent alone, linked against an empty port."""
    firmware = os.path.join(root, "firmware-ref")
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


def row(root, name, compiler, core, level, smallest, agent):
    """Returns the row of one core, or a sentence if its compiler is not installed."""
    if not shutil.which(compiler[0]):
        return f"{name}: not counted, {compiler[0]} is not installed"
    cells = [size(root, compiler, core, level, smallest, SMALLEST)] + [size(root, compiler, core, level, agent, settings) for settings in (
        ["-DMPT_VERSION_2=0", "-DMPT_VERSION_3=0"], ["-DMPT_VERSION_3=0"], ["-DMPT_WINDOWS=0"], [])]
    return f"| {name.replace('plus', '+')} | " + " | ".join(f"{rom} / {ram}" for rom, ram in cells) + " |"
