#!/usr/bin/env python3
"""images.py - compares profiles of emulated firmware images with the emulator's counts: every edge of the call graph and every time.

usage: images.py MINIPROFD [IMAGE:HOOKS:MODE[,MODE]...]...
Each IMAGE runs in each MODE until HOOKS hooks have run. The profile must be exact in `stream` and `tree`, and in `slow-tree` over a line of 11 bytes a
millisecond (115,200 baud). `slow-stream` uses that line: every loss must be reported, and no call may have a false caller. SET_CONFIG key 0x82 sets the
rate of a slow line in the image.

Self and total ticks of each function and the ticks of each context must be exact to the tick if no call was lost (times.py, clock.py).

Without arguments the images of the folder REAL_IMAGES run in all modes, each for REAL_SECONDS (30) or until no hook has run for 2 s; REAL_HOOKS ends
them after that number of hooks. Images are built with the agent, its mps2 port, -finstrument-functions and symbols. They may start before START; what ran
before it does not count. NAME-bare.elf, the same program without the agent, is left out. A `stream` that loses calls there is checked as `slow-stream` is,
and an image without key 0x82 is skipped on slow lines.

Prints TAP, with figures as comments."""
import os
import sys

from board import LINE, Run, measured
from times import Times

BYTES_A_MS = 11  # 115,200 baud
MODES = ("stream", "tree", "slow-stream", "slow-tree")
SHOWN = 20  # most errors printed
TRIES = 3


class Verdict:
    """Compares miniprofd's figures of a run with the truth."""

    def __init__(self, run, mode):
        self.run, self.counter, self.link = run, run.counter, run.snapshot["link"]
        self.edges, self.calls = measured(run.snapshot)
        # A tree counts calls that still run at STOP, a stream only those that ended.
        self.truth = self.counter.edges if mode.endswith("tree") else self.counter.ended
        self.true_calls = {}
        for (_, function), n in self.truth.items():
            self.true_calls[function] = self.true_calls.get(function, 0) + n
        self.wrong = [edge for edge in {**self.truth, **self.edges} if abs(self.truth.get(edge, 0) - self.edges.get(edge, 0)) > self.doubt(edge)]
        # A caller that is shown as unknown is not false.
        self.false = [edge for edge in self.wrong if not str(edge[0]).startswith("?") and self.edges.get(edge, 0) > self.counter.edges.get(edge, 0) + self.doubt(edge)]
        # With lost calls, times are unknown.
        self.times = Times(run, mode == "stream") if mode != "slow-stream" and not self.link["records_lost"] else None
        self.lost, self.missing = self.link["records_lost"], sum(self.truth.values()) - sum(self.edges.values())

    def doubt(self, edge):
        return edge in self.counter.doubtful

    def worst_share(self):
        """Returns (percentage points, function) where the shown share of all calls is furthest from the true one."""
        told, true = sum(self.calls.values()) or 1, sum(self.true_calls.values()) or 1
        return max((abs(self.calls.get(f, 0) / told - self.true_calls.get(f, 0) / true) * 100, self.name(f)) for f in {**self.true_calls, **self.calls})

    def name(self, function):
        return "(none)" if function is None else function if isinstance(function, str) else self.run.image.name(function)

    def problems(self, is_exact):
        counter = self.counter
        said = [f"{key} is {self.link[key]}" for key in ("crc_errors", "framing_errors", "malformed", "unplaced_calls", "orphan_exits") if self.link[key]]
        if not self.truth:
            said.append("nothing was called")
        if counter.starts != 1 or counter.stops != 1:
            said.append(f"the device was started {counter.starts} times and stopped {counter.stops} times")
        if counter.unpaired or counter.overlapping():
            said.append(f"the counter itself is at a loss: {counter.unpaired} exits without an entry, tasks with one stack: {counter.overlapping()}")
        bad = self.wrong if is_exact else self.false
        said += [f"{self.name(a)} -> {self.name(b)}: {self.edges.get((a, b), 0)} calls shown, {self.truth.get((a, b), 0)} true" for a, b in bad[:SHOWN]]
        if len(bad) > SHOWN:
            said.append(f"and {len(bad) - SHOWN} edges more")
        if self.times:
            said += self.times.wrong[:SHOWN]
            if len(self.times.wrong) > SHOWN:
                said.append(f"and {len(self.times.wrong) - SHOWN} times more")
        if not is_exact and not self.adds_up():
            said.append(f"{self.missing} calls are missing, and {self.lost} were reported as lost")
        return said

    def adds_up(self):
        """Returns True if the missing calls match the reported losses. Those are rounded up from events, two a call; a call is missing if either of its events is lost."""
        return abs(self.missing - self.lost) <= max(2, len(self.true_calls), sum(self.true_calls.values()) // 200)

    def figures(self):
        share, function = self.worst_share()
        equal = len(self.truth) - len([edge for edge in self.wrong if edge in self.truth])
        return (f"{sum(self.truth.values())} calls over {len(self.truth)} edges: {equal} equal, {len(self.false)} false; {self.missing} calls missing, "
                f"{self.lost} reported as lost; worst share {share:.3f} points ({function}); {self.counter.left} calls left without an exit, "
                f"{len(self.counter.stacks)} tasks, {len([k for k in self.counter.frames if k < 0])} interrupts, {self.link['bytes']} bytes")


def look_at(miniprofd, elf, mode, hooks, seconds, may_lose):
    """Returns ("ok", "not ok" or "skip", lines with the reasons and figures)."""
    said = []
    for _ in range(TRIES):
        run = Run(miniprofd, elf, mode.removeprefix("slow-"), hooks, seconds, BYTES_A_MS if mode.startswith("slow") else 0)
        if run.is_refused:
            return "skip", [f"it answers NACK to SET_CONFIG key {LINE:#x}, by which the line's rate is set"]
        if run.counter.starts == 1:
            break
        said.append(f"tried again: the emulator was too slow for its answers, and was ordered to START {run.counter.starts} times")
    verdict = Verdict(run, mode)
    problems = verdict.problems(is_exact=mode != "slow-stream" and not (may_lose and mode == "stream" and verdict.lost))
    said += [verdict.figures()] + ([verdict.times.figures()] if verdict.times else [])
    return "not ok" if problems else "ok", said + problems


def asked_for(arguments):
    """Yields (ELF, hooks or None, seconds, modes, True if a stream may lose calls)."""
    for argument in arguments:
        elf, hooks, modes = argument.rsplit(":", 2)
        yield elf, int(hooks), 600, modes.split(","), False
    if not arguments:
        folder = os.environ["REAL_IMAGES"]
        hooks = os.environ.get("REAL_HOOKS")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".elf") and not name.endswith("-bare.elf"):
                yield os.path.join(folder, name), int(hooks) if hooks else None, float(os.environ.get("REAL_SECONDS", "30")), MODES, True


def main(miniprofd, *arguments):
    if not arguments and not os.environ.get("REAL_IMAGES"):
        print("1..0 # SKIP REAL_IMAGES is not set: a folder of firmware images to be tried (tests/real/images.py)")
        return 0
    number = failed = 0
    for elf, hooks, seconds, modes, may_lose in asked_for(arguments):
        for mode in modes:
            number += 1
            try:
                result, said = look_at(miniprofd, elf, mode, hooks, seconds, may_lose)
            except Exception as problem:  # one failed image does not hide the others
                result, said = "not ok", [f"{type(problem).__name__}: {problem}"]
            failed += result == "not ok"
            name = f"{'ok' if result == 'skip' else result} {number} - {os.path.basename(elf)}, {mode}"
            print(name + (" # SKIP " + said.pop() if result == "skip" else ""))
            for line in said:
                print("# " + line, flush=True)
    print(f"1..{number}")
    if not number:
        print("# REAL_IMAGES has no NAME.elf")
    return 1 if failed or not number else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
