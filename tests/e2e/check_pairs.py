#!/usr/bin/env python3
"""check_pairs.py - `miniprofd check` raises no false alarm: two runs of one firmware, ended by work, pass in every mode.

usage: check_pairs.py MINIPROFD ELF

The firmware runs in the emulator, at the speed of the machine. Each run is compared with the one before it, so N pairs take N + 1 runs.
CHECK_PAIRS=N sets N for each mode (default 3), CHECK_MODES=stream,tree,calls,auto chooses modes. Prints TAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE  # noqa: E402

MINIPROFD, ELF = map(os.path.abspath, sys.argv[1:3])
PAIRS = int(os.environ.get("CHECK_PAIRS", "3"))
MODES = os.environ.get("CHECK_MODES", "stream,tree,calls").split(",")
WORK = "control_cycle=100"
TRIES = 5
SAYS = {0: "alike", 3: "false alarms", 4: "cannot be compared", "unclear": "with unclear functions"}


def measured(folder, mode, n, work=WORK):
    """Returns the complete profile of one run by work, from a board that has just started. On a busy machine the emulator may answer too late, which
    the profile reports: then another run is tried."""
    for _ in range(TRIES):
        made = run_once(folder, mode, n, work)
        with open(made, encoding="utf-8") as file:
            profile = json.load(file)
        if profile["complete"]:
            return made
        print("# tried again: " + " ".join(profile["incomplete_because"]), flush=True)
    raise AssertionError(f"no run of {TRIES} was complete")


def run_once(folder, mode, n, work):
    made = os.path.join(folder, f"{mode}{n}.json")
    with emulator.running(*emulator.MPS2, "-kernel", ELF) as port:
        run = subprocess.run([MINIPROFD, "--port", port, "--elf", ELF, "--mode", mode, "--work", work, "--no-http", "--export", f"json={made}"],
                             capture_output=True, text=True, timeout=10 * PATIENCE)
    assert run.returncode == 0, run.stderr
    return made


def check(before, after, *options):
    return subprocess.run([MINIPROFD, "check", "--baseline", before, "--against", after, *options], capture_output=True, text=True, timeout=PATIENCE)


def compare_runs(mode):
    """Returns the number of pairs of this mode for each status of `check` or with unclear functions, and the output for differing pairs."""
    ended, said = {}, []
    with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
        before = measured(folder, mode, 0)
        for n in range(1, PAIRS + 1):
            after = measured(folder, mode, n)
            done = check(before, after)
            ended[done.returncode] = ended.get(done.returncode, 0) + 1
            if "\nunclear: " in done.stdout:
                ended["unclear"] = ended.get("unclear", 0) + 1
            if done.returncode:
                said.append(done.stdout + done.stderr)
            os.unlink(before)
            before = after
    return ended, said


def needs_emulator():
    if not shutil.which(emulator.MPS2[0]):
        raise Skip(f"{emulator.MPS2[0]} is not installed")


@case
def two_runs_of_the_same_work_are_alike_in_every_mode():
    needs_emulator()
    wrong = []
    for mode in MODES:
        ended, said = compare_runs(mode)
        print(f"# mode {mode}, {PAIRS} pairs: " + ", ".join(f"{n} {SAYS.get(status, status)}" for status, n in sorted(ended.items(), key=str)), flush=True)
        wrong += [f"mode {mode}: {text}" for text in said]
    assert not wrong, "\n".join(wrong[:20])


@case
def runs_in_two_modes_are_refused_unless_allowed_then_equal():
    needs_emulator()
    with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
        runs = {mode: measured(folder, mode, 0) for mode in ("stream", "tree", "calls")}
        for one, before in runs.items():
            for other, after in runs.items():
                if one == other:
                    continue
                refused = check(before, after)
                assert refused.returncode == 4 and f"in mode {one}, and the new profile in mode {other}" in refused.stderr, refused
                for metric in "time", "self-mean":
                    alike = check(before, after, "--allow", "mode", "--metric", metric, "--format", "json")
                    assert alike.returncode == 0 and json.loads(alike.stdout)["compared"] > 10, (one, other, metric, alike.stdout[:1000])


@case
def a_run_of_twice_the_work_is_no_regression():
    needs_emulator()
    with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
        once, twice = measured(folder, "stream", 0), measured(folder, "stream", 1, "control_cycle=200")
        longer, shorter = check(once, twice), check(twice, once)
        assert longer.returncode in (0, 4) and shorter.returncode in (0, 4), (longer, shorter)
        assert longer.returncode == 0 or "times as much work as the baseline" in longer.stderr, longer


if __name__ == "__main__":
    sys.exit(run_cases())
