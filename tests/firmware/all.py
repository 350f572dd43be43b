#!/usr/bin/env python3
"""Tests the agent as one pair of files: it compiles without a warning, and sends the same bytes as the separate files.

    all.py ROOT AGENT_SOURCE...

Exit status: 0 right, 1 wrong. arm-none-eabi-gcc and clang are skipped, with a message, if they are not installed."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT, *AGENT = sys.argv[1:]
FIRMWARE = os.path.join(ROOT, "firmware-ref")
HERE = os.path.join(ROOT, "tests/firmware/all")
STRICT = ["-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Werror"]
# Compiler and settings. Of sizes of other boards and programs, only the smallest and the largest; the rest is for a full run.
BUILDS = [
    ("arm-none-eabi-gcc", ["-mthumb", "-mcpu=cortex-m33", "-O1", "-ffreestanding", "-DMPT_TASKS=8", "-DMPT_PORT_BAUD=115200u",
                           "-DMPT_PORT_BAUD_LEAST=9600u", "-DMPT_PORT_BAUD_MOST=921600u"]),
    ("gcc", ["-O0", "-DMPT_VERSION_3=0", "-DMPT_VERSION_2=0", "-DMPT_CONTEXTS=0", "-DMPT_HOOK_TICKS=0", "-DMPT_BUILD_ID=0",
             "-DMPT_SET_CONFIG=0", "-DMPT_DESCRIBE=0", "-DMPT_EXACT_STATUS=0"]),
]
BUILDS_OF_ALL = [
    ("arm-none-eabi-gcc", ["-mthumb", "-mcpu=cortex-m0plus", "-Os", "-ffreestanding"]),
    ("arm-none-eabi-gcc", ["-mthumb", "-mcpu=cortex-m4", "-O2", "-ffreestanding"]),
    ("gcc", ["-O0", "-DMPT_TASKS=4", "-DMPT_TREE_LONGEST=1", "-DMPT_EXTENSIONS=2"]),
    ("gcc", ["-O0", "-DMPT_VERSION_3=0"]),
    ("gcc", ["-O0", "-DMPT_WINDOWS=0", "-DMPT_TREE_FLAT=0"]),
    ("clang", ["-O0"]),
]
STREAM = ["-DMPT_TASKS=3", "-DMPT_RING_RECORDS=256", "-DMPT_STACK_DEPTH=16", "-DMPT_TREE_LONGEST=1", "-O0", "-std=gnu11", "-fno-pie", "-no-pie"]
failed = 0


def run(*command, **how):
    return subprocess.run(command, capture_output=True, check=False, **how)


def tell(is_right, what, why=""):
    global failed
    failed += not is_right
    print(f"{'ok' if is_right else 'not ok'} - {what}" + ("" if is_right else f"\n{why}"))


def build(what, command):
    done = run(*command)
    tell(done.returncode == 0, what, done.stderr.decode(errors="replace")[-3000:])
    return done.returncode == 0


def compile_all(directory):
    for compiler, flags in BUILDS + (BUILDS_OF_ALL if os.environ.get("TEST_ALL") else []):
        name = f"{compiler} {' '.join(flags)}"
        if not shutil.which(compiler):
            print(f"ok - {name} # SKIP {compiler} is not installed")
            continue
        build(name, [compiler, *STRICT, *flags, "-isystem", os.path.join(FIRMWARE, "port/nop"), "-c",
                     os.path.join(directory, "mpt_all.c"), "-o", os.path.join(directory, "mpt_all.o")])
    program = os.path.join(directory, "program.cpp")
    with open(program, "w", encoding="utf-8") as file:
        file.write('#include "mpt_all.h"\nint main() { mpt_poll(); return 0; }\n')
    build("mpt_all.h in C++", ["g++", "-Wall", "-Wextra", "-Werror", "-isystem", os.path.join(FIRMWARE, "port/nop"), "-c", program, "-o",
                               os.path.join(directory, "program.o")])


def stream_of(directory, name, agent, header):
    program = os.path.join(directory, name)
    if not build(f"the program with {header}", ["gcc", *STREAM, f'-DALL_AGENT="{header}"', f"-I{HERE}", f"-I{directory}", f"-I{FIRMWARE}", f"-I{ROOT}",
                                                os.path.join(HERE, "stream.c"), *agent, "-o", program]):
        return b""
    return run(program, timeout=60).stdout


def main():
    with tempfile.TemporaryDirectory() as directory:
        made = run(sys.executable, os.path.join(ROOT, "scripts/amalgamate"), directory)
        tell(made.returncode == 0, "the script makes it", made.stderr.decode())
        nowhere = run(sys.executable, os.path.join(ROOT, "scripts/amalgamate"), os.path.join(directory, "mpt_all.c"))
        tell(nowhere.returncode == 1 and nowhere.stderr.count(b"\n") == 1, "a folder that cannot be made is one sentence", nowhere.stderr.decode())
        compile_all(directory)
        separate = stream_of(directory, "separate", AGENT, "mpt.h")
        together = stream_of(directory, "together", [os.path.join(directory, "mpt_all.c")], "mpt_all.h")
        tell(len(separate) > 20000, f"the separate files send something: {len(separate)} bytes", "")
        same = next((i for i, pair in enumerate(zip(separate, together)) if pair[0] != pair[1]), min(len(separate), len(together)))
        tell(separate == together, "both send the same", f"{len(separate)} and {len(together)} bytes, the same up to {same}")
    return 1 if failed else 0


sys.exit(main())
