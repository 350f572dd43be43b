#!/usr/bin/env python3
"""corrected.py - corrected times are nearer than measured ones to the times without a profiler, and leaving out the functions that the export
"exclude" lists has the promised effect.

usage: corrected.py MINIPROFD ROOT PLAIN_ELF PROFILED_ELF EXCLUDED_ELF OPTION

All are the example for the Cortex-M4 (tests/images): without and with -finstrument-functions, and with OPTION in addition. The first runs in the
emulator with every instruction logged, which gives the self time of each function, at 1.25 instructions a tick. The second is profiled in each
of MODES, in the emulator as well, the third in the first of these. Prints TAP."""
import bisect
import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, ROOT, PLAIN, PROFILED, EXCLUDED, OPTION = sys.argv[1:]
MODES = ("stream", "calls", "tree")
MOST_OFF = 0.02  # of the total
ROUNDS = 20  # of PROFILED
TICKS_PER_INSTRUCTION = 32 / 40  # -icount shift=5 is 32 ns, and SysTick has 25 MHz
EXAMPLE = [os.path.join(ROOT, "firmware-ref/example", name) for name in ("main.c", "motor.c", "sensors.c", "telemetry.c", "vibration.cpp")]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def plain(name):
    """Returns the name without the suffix of a compiler's copy of the function."""
    return name.split(".")[0]


def symbols(elf):
    """Returns (start addresses in order, name at each, base names of the example's own functions)."""
    starts, names, ours = [], {}, set()
    sources = {os.path.realpath(source) for source in EXAMPLE}
    for line in sorted(run("arm-none-eabi-nm", "-l", "-S", elf).splitlines()):
        symbol = re.match(r"([0-9a-f]{8}) [0-9a-f]{8} [tTwW] (\S+)\s*(.*?):\d+$", line)
        if symbol:
            starts.append(int(symbol[1], 16) & ~1)
            names[starts[-1]] = symbol[2]
            if os.path.realpath(symbol[3]) in sources:
                ours.add(symbol[2])
    return starts, names, ours


class Stack:
    """Follows the example's functions by the addresses of instructions, and counts the self time of each."""

    def __init__(self, elf):
        self.starts, self.names, self.ours = symbols(elf)
        self.open, self.self, self.calls = [], collections.Counter(), collections.Counter()
        self.name_at = {}  # of each address that has run

    def name(self, pc):
        if pc not in self.name_at:
            at = bisect.bisect_right(self.starts, pc) - 1
            self.name_at[pc] = self.names[self.starts[at]] if at >= 0 else ""
        return self.name_at[pc]

    def step(self, pc):
        name = self.name(pc)
        if name in self.ours and name != "main":
            if pc in self.names:
                self.open.append(name)
                self.calls[plain(name)] += 1
            elif name in self.open:
                while self.open[-1] != name:
                    self.open.pop()
        elif name in ("main", "schedule_wait"):
            self.open.clear()
        if self.open:
            self.self[plain(self.open[-1])] += 1


def without_agent(starts, names):
    """Returns QEMU's -dfilter of all code except the agent's: three quarters of all instructions are its poll between the rounds."""
    starts = sorted(set(starts))
    ends = [start - 1 for start in starts[1:]] + [0xFFFFFFFF]
    return ",".join(f"{start:#x}..{end:#x}" for start, end in zip(starts, ends) if not names[start].startswith("mpt_"))


def truth(elf):
    """Returns the self ticks per call of each function."""
    stack = Stack(elf)
    command = [*emulator.MPS2, "-serial", "none", "-singlestep", "-d", "exec,nochain", "-dfilter", without_agent(stack.starts, stack.names), "-kernel", elf]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as qemu:
        try:
            for line in qemu.stderr:
                if line.startswith("Trace "):  # "Trace 0: 0x7f… [00000000/PC/…": a million of them
                    stack.step(int(line.split("/", 2)[1], 16))
                if stack.calls["control_cycle"] == ROUNDS and not stack.open:
                    break
        finally:
            qemu.kill()
    return {name: TICKS_PER_INSTRUCTION * stack.self[name] / calls for name, calls in stack.calls.items()}


def profile(elf, mode):
    """Returns (the daemon's snapshot, its export "exclude") after all rounds."""
    with emulator.running(*emulator.MPS2, "-kernel", elf) as port, Daemon(MINIPROFD, "--port", port, "--elf", elf, "--mode", mode) as daemon:
        for name, _ in daemon.events(60):
            snapshot = daemon.snapshot() if name in ("snapshot", "delta") else None
            cycles = [f["calls"] for f in (snapshot or {"functions": []})["functions"] if f["name"] == "control_cycle"]
            if cycles == [ROUNDS] and snapshot["complete"]:
                return snapshot, daemon.get("/api/v1/export/exclude")[2].decode()
        raise AssertionError("the rounds never came")


def rows_of(told, bare):
    """Returns (name, calls, self ticks a call: alone, measured, corrected) of each function."""
    scale = told["target"]["description"]["tick_hz"] / told["target"]["ticks_per_second"]
    for function in told["functions"]:
        name, calls = plain(function.get("raw_name", function["name"])), function["calls"]
        if calls and name in bare:
            yield name, calls, bare[name], *(scale * function[key] / calls for key in ("self_ticks", "corrected_self_ticks"))


def problems_with(told, bare):
    """Returns functions whose corrected time is not nearer to that of the bare image; prints the figures."""
    rows = list(rows_of(told, bare))
    scale = told["target"]["description"]["tick_hz"] / told["target"]["ticks_per_second"]
    print(f"# the hooks take {told['target']['description']['hook_ticks']} ticks a call")
    print(f"# {'':<34}{'calls':>6}{'alone':>9}{'raw':>9}{'corrected':>11}   ticks a call, for itself")
    for name, *figures in rows:
        print("# {:<34}{:>6}{:>9.1f}{:>9.1f}{:>11.1f}".format(name, *figures))
    nearer = [name for name, _, alone, raw, corrected in rows if abs(corrected - alone) < abs(raw - alone)]
    calls = sum(row[1] for row in rows)
    off_raw, off = (sum(n * abs(figures[i] - figures[0]) for _, n, *figures in rows) / calls for i in (1, 2))
    print(f"# {len(nearer)} of {len(rows)} nearer; {off_raw:.1f} ticks a call off as measured, {off:.1f} corrected")
    if len(rows) < 25:
        yield f"only {len(rows)} functions"
    if len(nearer) < 0.8 * len(rows):
        yield f"farther off: {sorted(set(row[0] for row in rows) - set(nearer))}"
    if off > off_raw / 2:
        yield "what is corrected is not half as far off"
    yield from problems_with_sums(told, bare, scale)


def problems_with_sums(told, bare, scale):
    """Returns totals that are not sums of self times, or not within 2 % (MOST_OFF) of the time of all calls without a profiler. main() waits in
    between; in mode calls "[depth 0 running]" stands for it."""
    functions = told["functions"]
    tree = told["call_tree"]
    waits = {-1, *(i for i, f in enumerate(functions) if f["name"] == "main" or f["kind"] == "running")}
    outermost = {fn for fn, above in zip(tree["function"], tree["parent"]) if above >= 0 and tree["function"][above] in waits} - waits
    total = scale * sum(functions[fn]["corrected_total_ticks"] or 0 for fn in outermost)
    own = scale * sum(f["corrected_self_ticks"] or 0 for f in functions if f["name"] != "main")
    alone = sum(f["calls"] * bare[plain(f.get("raw_name", f["name"]))] for f in functions if f["calls"] and plain(f.get("raw_name", f["name"])) in bare)
    error = scale * sum(functions[fn]["corrected_total_error_ticks"] or 0 for fn in outermost)
    print(f"# all calls: {alone:.0f} ticks alone, {total:.0f} corrected, which may be off by {error:.0f}, {own:.0f} the sum of corrected own times")
    if abs(total - own) > 1e-6 * own:
        yield f"the totals are {total}, the own times {own}"
    if abs(total / alone - 1) > MOST_OFF:
        yield "the corrected total is off by too much"
    if abs(total - alone) > error:
        yield f"the corrected total is off by {abs(total - alone):.0f} ticks, and {error:.0f} are reported"


def problems_with_list(before, text, after):
    """Returns an error if leaving the functions out does not bring what the export promises, within 15 %."""
    option = text.splitlines()[-1]
    promised = re.search(r"runs (?:(\S+) % faster|(\S+) times faster), and", text)
    if option != OPTION:
        yield f"tests/images/meson.build has {OPTION} as corrected_exclude; it is to be {option}"
    if not promised:
        yield f"no gain in: {text}"
        return
    gain = float(promised[1]) / 100 if promised[1] else float(promised[2]) - 1
    found = before["slowdown"]["ticks"] / after["slowdown"]["ticks"] - 1
    print(f"# {100 * gain:.1f} % faster promised, {100 * found:.1f} % found; slowdown {before['slowdown']['factor']}, then {after['slowdown']['factor']}")
    if abs(found - gain) > 0.15 * gain:
        yield "the gain is another one"
    with open(os.path.join(ROOT, "docs/target-cost.md"), encoding="utf-8") as file:
        words = file.read()
    row = next(line for line in words.splitlines() if line.startswith("| the example, 20 rounds"))
    if abs(float(row.split("|")[6]) - before["slowdown"]["factor"]) > 0.03:
        yield f"docs/target-cost.md does not say that the example is {before['slowdown']['factor']} times slower: {row}"
    if f"`{OPTION.split('=')[1]}`, {100 * gain:.1f} % faster" not in words:
        yield f"docs/target-cost.md does not name {OPTION.split('=')[1]} and {100 * gain:.1f} % faster"
    left = {plain(f.get("raw_name", f["name"])) for f in after["functions"]}
    for name in OPTION.split("=")[1].split(","):
        if name in left:
            yield f"{name} is measured all the same"


def report(number, name, problems):
    """Prints the problems; returns 1 if there are any."""
    problems = list(problems)
    print(("not ok" if problems else "ok") + f" {number} - {name}")
    for problem in problems:
        print("# " + problem)
    return bool(problems)


def main():
    failures = 0
    print(f"1..{len(MODES) + 1}")
    with tempfile.TemporaryDirectory() as folder:
        bare = truth(PLAIN)
        told = {mode: profile(PROFILED, mode) for mode in MODES}
        for number, mode in enumerate(MODES, 1):
            failures += report(number, f"corrected times are nearer to those without a profiler, mode {mode}", problems_with(told[mode][0], bare))
        after, _ = profile(EXCLUDED, MODES[0])
        failures += report(len(MODES) + 1, "what is left out brings what was promised", problems_with_list(*told[MODES[0]], after))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
