#!/usr/bin/env python3
"""excluded.py - leaving out the functions that the export "exclude" lists makes a program faster by as much as the export promises.

usage: excluded.py MINIPROFD BUILD NINJA IMAGE...

Each IMAGE of firmware-ref/images in the folder BUILD runs in the emulator and is profiled, once in each of its MODES. Then its instrumented sources are
compiled again, with the option of the export, and the program runs once more. The times of both runs must differ by the promised gain, within 15 %. In
mode calls, tasks that interrupt each other cannot be told apart: there the export must give a reason instead. Only the last mode, tree, runs if TEST_ALL
is not set. Prints TAP."""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, BUILD, NINJA, *IMAGES = sys.argv[1:]
MODES = ("stream", "calls", "tree")
CALLS = {"corrected-profiled": 2220, "corrected-tasks": 1860}  # of 20 rounds
MIXED = [("corrected-tasks", "calls")]  # calls of several tasks overlap
INSTRUMENT = "-finstrument-functions"
OPTION = INSTRUMENT + "-exclude-function-list="
RUNS = {("corrected-tasks", "stream"): 3}  # there the UART's interrupts run within measured calls, more in one run than in another
MOST_OFF = 0.15  # of the gain


def calls_of(snapshot):
    return sum(f["calls"] or 0 for f in snapshot["functions"] if f["kind"] == "function")


def profile(elf, mode, calls):
    """Returns (the daemon's snapshot, its export "exclude") after that number of calls."""
    with emulator.running(*emulator.MPS2, "-kernel", elf) as port, Daemon(MINIPROFD, "--port", port, "--elf", elf, "--mode", mode) as daemon:
        for name, _ in daemon.events(60):
            snapshot = daemon.snapshot() if name in ("snapshot", "delta") else None
            if snapshot and calls_of(snapshot) == calls:
                return snapshot, daemon.get("/api/v1/export/exclude")[2].decode()
        raise AssertionError(f"{calls} calls never came")


def ticks_of(elf, mode, calls, folder, first, runs):
    """Returns the mean time of several runs, the first of which has been made."""
    return sum(s["slowdown"]["ticks"] for s in [first, *(profile(elf, mode, calls)[0] for _ in range(runs - 1))]) / runs


def build(image, option, folder):
    """Compiles the instrumented sources of the image with the option as well, as ninja would, and links them with its other objects."""
    elf = f"firmware-ref/images/{image}.elf"
    commands = [shlex.split(line) for line in subprocess.run([NINJA, "-C", BUILD, "-t", "commands", elf], capture_output=True, text=True, check=True).stdout.splitlines()]
    objects = {}
    for words in commands:
        if INSTRUMENT in words:
            at = words.index("-o") + 1
            objects[words[at]] = os.path.join(folder, os.path.basename(words[at]))
            words[at], words[words.index("-MF") + 1] = objects[words[at]], os.path.join(folder, "depends")
            subprocess.run([*words[:at + 1], option, *words[at + 1:]], cwd=BUILD, check=True)
    link = next(words for words in commands if words[-2:] == ["-o", elf])
    out = os.path.join(folder, image + "-excluded.elf")
    subprocess.run([*(objects.get(word, word) for word in link[:-1]), out], cwd=BUILD, check=True)
    return out


def problems_with(image, mode, folder):
    elf, runs = os.path.join(BUILD, f"firmware-ref/images/{image}.elf"), RUNS.get((image, mode), 1)
    before, text = profile(elf, mode, CALLS[image])
    option = text.splitlines()[-1]
    if (image, mode) in MIXED:
        if OPTION in text or "several tasks overlap" not in text:
            yield f"no reason in: {text}"
        return
    promised = re.search(r"runs (?:(\S+) % faster|(\S+) times faster), and", text)
    if not promised or not option.startswith(OPTION):
        yield f"no gain in: {text}"
        return
    names = option.removeprefix(OPTION).split(",")
    left_out = [f for f in before["functions"] if f["kind"] == "function" and any(name in f["name"] for name in names)]
    other, calls = build(image, option, folder), CALLS[image] - sum(f["calls"] or 0 for f in left_out)
    after, _ = profile(other, mode, calls)
    gain = float(promised[1]) / 100 if promised[1] else float(promised[2]) - 1
    found = ticks_of(elf, mode, CALLS[image], folder, before, runs) / ticks_of(other, mode, calls, folder, after, runs) - 1
    print(f"# {', '.join(names)}: {100 * gain:.1f} % faster promised, {100 * found:.1f} % found")
    if abs(found - gain) > MOST_OFF * gain:
        yield "the gain is another one"
    if {f["name"] for f in left_out} & {f["name"] for f in after["functions"]}:
        yield "a function is measured that the option leaves out"


def main():
    modes = MODES if os.environ.get("TEST_ALL") else MODES[-1:]
    failures, number = 0, 0
    print(f"1..{len(IMAGES) * len(modes)}")
    for image in IMAGES:
        for mode in modes:
            number += 1
            with tempfile.TemporaryDirectory() as folder:
                problems = list(problems_with(image, mode, folder))
            failures += bool(problems)
            print(("not ok" if problems else "ok") + f" {number} - the promised gain of {image}, mode {mode}")
            for problem in problems:
                print("# " + problem, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
