#!/usr/bin/env python3
"""tree_room.py - measures which share of a program's time a call tree with too few nodes shows correctly, with emulated firmware images.

usage: tree_room.py MINIPROFD [IMAGE[:HOOKS]]...
Each IMAGE runs in mode tree until HOOKS hooks have run, or as images.py says. Without arguments the images of the folder REAL_IMAGES run, except
NAME-bare.elf. Build a program once for each number of node slots to compare (MPT_TREE_NODES).

Prints TAP, and for each image the share of self time at the right function and at the right chain of callers: the lesser of reported and true time, summed
and divided by all time. Checks that no function has more time than it ran, and that a tree with room for all nodes evicts none and is exact. A tree that
evicts must have 95 % at the right function with at least 128 node slots and 99 % with at least 256, for programs that need at most 1,650 nodes. No
chain may lack more than the reported error bound."""
import os
import sys

from board import Run
from times import true

LEAST = ((256, 0.99), (128, 0.95))  # (node slots, the least share of self time at the right function)
FOR_NODES = 1650  # the most nodes of a program to which LEAST applies; others have more functions than fit
AGAIN_TICKS = 20  # the most ticks between a hook's first and second read in an evicting tree


def functions_told(snapshot):
    """Returns {function: self ticks}. The tree does not have these: there, evicted nodes are in their caller's "(other below)"."""
    said = {}
    for f in snapshot["functions"]:
        if f["kind"] == "function":
            address = int(f["address"], 16) & ~1
            said[address] = said.get(address, 0) + (f["self_ticks"] or 0)
    return said


def chains_told(snapshot):
    """Returns {chain of functions, outermost first: self ticks}, summed over contexts; the key None has time without a function."""
    functions = {f["id"]: (int(f["address"], 16) & ~1) if f["kind"] == "function" else None for f in snapshot["functions"]}
    tree, above, sums = snapshot["call_tree"], {-1: ()}, {}
    for row, (parent, function, ticks) in enumerate(zip(tree["parent"], tree["function"], tree["self_ticks"])):
        is_known = function < 0 or functions.get(function) is not None
        known = above[parent] + ((functions[function],) if function >= 0 and is_known else ()) if is_known and above[parent] is not None else None
        above[row] = known
        if function >= 0:
            sums[known] = sums.get(known, 0) + (ticks or 0)
    return sums


def chains_true(clock):
    above, sums = {None: ()}, {}
    for _, node in clock.nodes():
        above[node] = above[node.parent] + ((node.function,) if node.function is not None else ())
        if node.function is not None:
            sums[above[node]] = sums.get(above[node], 0) + node.self
    return sums


def share(said, truth):
    """Returns the share of the ticks in `truth`."""
    return sum(min(said.get(key, 0), ticks) for key, ticks in truth.items()) / max(1, sum(truth.values()))


class Room:
    """The figures of one run."""

    def __init__(self, run):
        self.tree, clock = run.snapshot["target"]["tree"], run.counter.clock
        self.calls, self.passed = sum(run.counter.edges.values()), clock.ended - clock.began
        said = functions_told(run.snapshot)
        truth = {f: own for f, (own, _) in true(clock).functions.items()}
        self.off = [(said.get(f, 0) - truth.get(f, 0), run.image.name(f)) for f in {**said, **truth}]
        chains = chains_told(run.snapshot)
        self.true_chains = chains_true(clock)
        self.contexts = 2 * len(clock.roots)  # each takes one or two nodes
        self.lack = max((ticks - chains.get(chain, 0) for chain, ticks in self.true_chains.items()), default=0)
        self.at_function, self.at_chain = share(said, truth), share(chains, self.true_chains)
        # The ticks of a hook that an interrupt or STOP interrupted may count for either call.
        self.doubt = clock.guessed + sum(abs(t) for hook in clock.unfinished for state in hook.states() for t in state.values())
        self.doubt += AGAIN_TICKS * clock.repeated if self.tree["evictions"] else 0

    def needed(self):
        return len(self.true_chains)

    def problems(self):
        said = [f"{name} has {off} ticks more than it ran" for off, name in self.off if off > self.doubt]
        places, evictions, bound = self.tree["nodes"], self.tree["evictions"], self.tree["chain_lacks_ticks"]
        if places > self.needed() + self.contexts:
            said += [f"{evictions} evictions where all nodes find room"] if evictions else []
            said += [f"{name} is off by {off} ticks" for off, name in self.off if abs(off) > self.doubt]
        if not evictions:
            return said
        if self.lack > bound + self.doubt:
            said.append(f"a chain lacks {self.lack} ticks, and {bound} was reported")
        least = next((least for n, least in LEAST if places >= n and self.needed() <= FOR_NODES), 0)
        if self.at_function < least:
            said.append(f"{self.at_function * 100:.2f} % of own time is at the right function, and {least * 100:.0f} % is promised")
        return said

    def figures(self):
        tree = self.tree
        return (f"{tree['nodes']} places, {self.needed()} chains ({tree['needed']} nodes needed, as the target reckons), {self.calls} calls, {tree['evictions']} evictions: "
                f"own time at the right function {self.at_function * 100:.2f} %, at the right chain {self.at_chain * 100:.2f} %; a chain lacks "
                f"{self.lack / max(1, self.passed) * 100:.2f} % at most, {(tree['chain_lacks_ticks'] or 0) / max(1, self.passed) * 100:.2f} % were reported")


def asked_for(arguments):
    """Yields (ELF, hooks or None, seconds)."""
    for argument in arguments:
        elf, _, hooks = argument.partition(":")
        yield elf, int(hooks) if hooks else None, 600
    if not arguments:
        folder, hooks = os.environ["REAL_IMAGES"], os.environ.get("REAL_HOOKS")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".elf") and not name.endswith("-bare.elf"):
                yield os.path.join(folder, name), int(hooks) if hooks else None, float(os.environ.get("REAL_SECONDS", "30"))


def main(miniprofd, *arguments):
    if not arguments and not os.environ.get("REAL_IMAGES"):
        print("1..0 # SKIP REAL_IMAGES is not set: a folder of firmware images to be tried (tests/real/tree_room.py)")
        return 0
    number = failed = 0
    for elf, hooks, seconds in asked_for(arguments):
        number += 1
        try:
            room = Room(Run(miniprofd, elf, "tree", hooks, seconds, 0))
            problems, figures = room.problems(), room.figures()
        except Exception as problem:  # one failed image does not hide the others
            problems, figures = [f"{type(problem).__name__}: {problem}"], "no figures"
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {os.path.basename(elf)}")
        for line in (figures, *problems[:20]):
            print("# " + line, flush=True)
    print(f"1..{number}")
    return 1 if failed or not number else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
