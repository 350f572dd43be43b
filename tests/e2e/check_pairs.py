#!/usr/bin/env python3
"""check_pairs.py - `miniprofd check` raises no false alarm: two runs of one firmware, ended by work, are alike in every mode.

usage: check_pairs.py MINIPROFD ELF

The firmware runs in the emulator, which is as fast as the machine lets it be. Each run is compared with the one before it, so N pairs take
N + 1 runs. CHECK_PAIRS=N in each mode (3 unless it is set), CHECK_MODES=stream,tree,calls,auto chooses modes. Prints TAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE  # noqa: E402

MINIPROFD, ELF = map(os.path.abspath, sys.argv[1:3])
PAIRS = int(os.environ.get("CHECK_PAIRS", "3"))
MODES = os.environ.get("CHECK_MODES", "stream,tree,calls").split(",")
EMULATOR = "qemu-system-arm"
WORK = "control_cycle=100"
TRIES = 5
SAYS = {0: "alike", 3: "false alarms", 4: "cannot be compared", "unclear": "with unclear functions"}


def measured(folder, mode, n):
    """The complete profile of one run by work, from a board that has just begun. A machine that is busy may keep the emulator from answering in time,
    which the profile says: then another run is tried."""
    for _ in range(TRIES):
        made = run_once(folder, mode, n)
        with open(made, encoding="utf-8") as file:
            profile = json.load(file)
        if profile["complete"]:
            return made
        print("# tried again: " + " ".join(profile["incomplete_because"]), flush=True)
    raise AssertionError(f"no run of {TRIES} was complete")


def run_once(folder, mode, n):
    line, made = (os.path.join(folder, f"{mode}{n}.{ending}") for ending in ("line", "json"))
    board = subprocess.Popen([EMULATOR, "-M", "mps2-an386", "-icount", "shift=5", "-display", "none", "-monitor", "none", "-chardev",
                              f"socket,path={line},server=on,wait=on,id=line", "-serial", "chardev:line", "-kernel", ELF],
                             stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        run = subprocess.run([MINIPROFD, "--port", f"unix:{line}", "--elf", ELF, "--mode", mode, "--work", WORK, "--no-http", "--export", f"json={made}"],
                             capture_output=True, text=True, timeout=10 * PATIENCE)
    finally:
        board.kill()
        board.wait()
    assert run.returncode == 0, run.stderr
    return made


def compare_runs(mode):
    """How many pairs of this mode end in each status of `check`, or name functions that are unclear, and what it said of those that are not alike."""
    ended, said = {}, []
    with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
        before = measured(folder, mode, 0)
        for n in range(1, PAIRS + 1):
            after = measured(folder, mode, n)
            check = subprocess.run([MINIPROFD, "check", "--baseline", before, "--against", after], capture_output=True, text=True, timeout=PATIENCE)
            ended[check.returncode] = ended.get(check.returncode, 0) + 1
            if "\nunclear: " in check.stdout:
                ended["unclear"] = ended.get("unclear", 0) + 1
            if check.returncode:
                said.append(check.stdout + check.stderr)
            os.unlink(before)
            before = after
    return ended, said


@case
def two_runs_of_the_same_work_are_alike_in_every_mode():
    if not shutil.which(EMULATOR):
        raise Skip(f"{EMULATOR} is not installed")
    wrong = []
    for mode in MODES:
        ended, said = compare_runs(mode)
        print(f"# mode {mode}, {PAIRS} pairs: " + ", ".join(f"{n} {SAYS.get(status, status)}" for status, n in sorted(ended.items(), key=str)), flush=True)
        wrong += [f"mode {mode}: {text}" for text in said]
    assert not wrong, "\n".join(wrong[:20])


if __name__ == "__main__":
    sys.exit(run_cases())
