#!/usr/bin/env python3
"""every_allocation.py - a batch run in which the Nth allocation fails ends with the right numbers, or reports the error.

usage: every_allocation.py MINIPROFD NTH_CALL.so EXAMPLE_HOST [EVERY [FIRST]]
Tries every EVERYth N (29; 1: all) with each capture, beginning with FIRST (1); prints TAP. Allowed are: unchanged exports and exit status 0; exit
status 1 and an error; or a profile that reports that it is incomplete, and why. Failures are other numbers with exit status 0 and no
message, any other exit status, and a signal.
A process of the annex is a copy of the program and continues its count, so its Nth allocation also fails."""
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, PRELOAD, EXAMPLE_HOST = (os.path.abspath(path) for path in sys.argv[1:4])
EVERY, FIRST = int((sys.argv[4:5] or ["29"])[0]), int((sys.argv[5:6] or ["1"])[0])
CHANGES = ("captured_at", "producer")  # members of a snapshot that differ from run to run


def record(path, mode):
    firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        subprocess.run([MINIPROFD, "--port", port, "--mode", mode, "--record", path, "--no-http", "--duration", "2"],
                       stderr=subprocess.DEVNULL, check=True, timeout=120)
    finally:
        firmware.kill()
        firmware.wait()


class Run:
    def __init__(self, folder, capture, options, fail_at=None, fail_on=False):
        out = {name: os.path.join(folder, "out." + name) for name in ("json", "csv", "collapsed")}
        counted = os.path.join(folder, "count")
        for path in (*out.values(), counted):
            if os.path.exists(path):
                os.remove(path)
        # Fill new memory: zeros would hide reads of memory that was never written.
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, "COUNT_TO": counted, "MALLOC_PERTURB_": "85"}
        if fail_at:
            environment.update(FAIL_AT=str(fail_at), FAIL_ON="1" if fail_on else "0")
        exports = [word for name, path in out.items() for word in ("--export", name + "=" + path)]
        process = subprocess.run([MINIPROFD, "--unconfined", "--port", "file:" + capture, "--no-http", *options, *exports], capture_output=True,
                                 text=True, errors="replace", timeout=120, env=environment, check=False)
        self.status = process.returncode
        self.said = [line for line in process.stderr.splitlines() if ": info: " not in line]
        self.out = {name: open(path, encoding="utf-8").read() if os.path.exists(path) else None for name, path in out.items()}
        if self.out["json"]:
            self.profile = json.loads(self.out["json"])
            self.out["json"] = {key: value for key, value in self.profile.items() if key not in CHANGES}
        if os.path.exists(counted):
            with open(counted, encoding="utf-8") as file:
                self.count = int(file.read())

    def verdict(self, good):
        if self.status == 0:
            if self.out == good.out:
                return "right"
            return "WRONG: other numbers, and no word: " + ", ".join(
                name if name != "json" else "json " + "/".join(key for key in good.out["json"] if self.out["json"].get(key) != good.out["json"][key])
                for name in good.out if self.out[name] and self.out[name] != good.out[name])
        if self.status == 1 and self.said and self.out["json"] and not self.profile["complete"]:
            return "incomplete"
        if self.status in (1, 2) and self.said:
            return "sentence"
        return f"WRONG: exit status {self.status}" + (f" ({signal.Signals(-self.status).name})" if self.status < 0 else " without a word")


def sweep(mode, *options):
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "run.bin")
        record(capture, mode)
        good = Run(folder, capture, options)
        assert good.status == 0 and all(good.out.values()), good.said
        found = collections.defaultdict(list)
        for n in range(FIRST, good.count + 1, EVERY):
            for fail_on in (False, True):
                found[Run(folder, capture, options, n, fail_on).verdict(good)].append(f"{n}+" if fail_on else str(n))
        told = [f"{len(at)} {verdict}" + (f" at {' '.join(at[:12])}" if verdict.startswith("WRONG") else "") for verdict, at in found.items()]
        print(f"# {mode} {' '.join(options)[:40]}, {good.count} allocations: " + "; ".join(told), flush=True)
        assert found["right"] or found["incomplete"] or found["sentence"], "nothing was tried"
        wrong = "; ".join(word for word in told if " WRONG" in word)
        if wrong:  # another capture may fail elsewhere or not at all
            kept = os.path.abspath(f"scarcity-{mode}{'-elf' if options else ''}.bin")
            shutil.copy(capture, kept)
        assert not wrong, f"{wrong}; of {good.count} allocations with {kept}"


@case
def of_calls():
    sweep("calls")


@case
def of_a_stream():
    sweep("stream")


@case
def of_a_tree():
    sweep("tree")


@case
def with_an_elf():
    sweep("stream", "--elf", EXAMPLE_HOST)


if __name__ == "__main__":
    sys.exit(run_cases())
