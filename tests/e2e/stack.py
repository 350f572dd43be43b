#!/usr/bin/env python3
"""stack.py - the sum of the ELF's frame sizes along observed call chains equals the distance of the stack pointer.

usage: stack.py MINIPROFD ELF RECORDS

Runs the example of the Cortex-M4 in the emulator, which logs the stack pointer at the first instruction of each function.
Between main's and that of any other function lie the frames of all its callers: for each function that was logged and runs in
main's context alone the furthest has to be the deepest chain above it in the snapshot,
or less where a function of it is inlined in places. Prints TAP."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, ELF, RECORDS = sys.argv[1:]


def profile(*options):
    """Returns the snapshot after RECORDS calls."""
    with emulator.running(*emulator.MPS2, "-kernel", ELF, *options) as port, Daemon(MINIPROFD, "--port", port, "--elf", ELF, "--mode", "stream") as daemon:
        daemon.wait_for_link(lambda link: link["records"] >= int(RECORDS))
        return daemon.snapshot()


def logged(path):
    """Returns {address of a function's first instruction: the lowest stack pointer there}."""
    lowest, at = {}, None
    with open(path, encoding="utf-8", errors="replace") as log:
        for text in log:
            trace = re.match(r"Trace \d+: .* \[[0-9a-f]+/([0-9a-f]+)/", text)
            pointer = re.search(r"R13=([0-9a-f]+)", text)
            if trace:
                at = int(trace.group(1), 16)
            elif pointer and at is not None:
                lowest[at] = min(lowest.get(at, 1 << 32), int(pointer.group(1), 16))
    return lowest


def chains(snapshot):
    """Returns {function: bytes of the deepest chain of callers}, of those that ran in the first context alone."""
    tree, functions = snapshot["call_tree"], snapshot["functions"]
    above, deepest, elsewhere = [0], {}, set()  # callers precede callees, and a parent is a row
    for parent, function, context in list(zip(tree["parent"], tree["function"], tree["context"]))[1:]:
        deepest[function] = max(deepest.get(function, 0), above[parent])
        above.append(above[parent] + functions[function]["frame_bytes"])
        if context != 0:
            elsewhere.add(function)
    return {function: most for function, most in deepest.items() if function not in elsewhere}


def wrong_chains(snapshot, pointers):
    functions = snapshot["functions"]
    address = {function["id"]: int(function["address"], 16) for function in functions if function["address"]}
    main = next(pointers[address[function["id"]]] for function in functions if function["name"] == "main")
    compared = [(functions[id]["name"], most, main - pointers[address[id]]) for id, most in chains(snapshot).items()
                if address[id] in pointers]
    # A function in the chain that is inlined in some places counts in all: the sum may be too large, never too small.
    assert sum(most == seen for _, most, seen in compared) >= 10, compared
    return [f"{name}: {most} bytes of callers, the emulator saw {seen}" for name, most, seen in compared if most < seen]


def wrong_depth(snapshot):
    """Returns an error unless the context's depth is that of its deepest function with its own frame, and its node is the end of that chain."""
    functions, tree, context = snapshot["functions"], snapshot["call_tree"], snapshot["contexts"][0]
    row, total = tree["index"].index(context["stack_node"]), 0
    while row > 0:
        total += functions[tree["function"][row]]["frame_bytes"]
        row = tree["parent"][row]
    most = max(most + functions[id]["frame_bytes"] for id, most in chains(snapshot).items())
    return [] if context["stack_bytes"] == total == most and context["stack_unknown"] == 0 else [f"{context}, {total} and {most} by hand"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        known = [f for f in profile()["functions"] if f["kind"] == "function"]
        log = os.path.join(folder, "log")
        places = ",".join(f"{f['address']}+2" for f in known)
        snapshot = profile("-d", "exec,cpu,nochain", "-dfilter", places, "-D", log)
        pointers = logged(log)
        snapshot["functions"] = [dict(f, frame_bytes=f["frame_bytes"] or 0) for f in snapshot["functions"]]
        # Code that was inlined everywhere reports calls, and its first instruction never runs: it has no frame of its own.
        bare = dict(snapshot, functions=[dict(f, frame_bytes=f["frame_bytes"] if f["address"] and int(f["address"], 16) in pointers else 0)
                                         for f in snapshot["functions"]])
        results = [("callers take as much of the stack as the emulator saw", wrong_chains(bare, pointers)),
                   ("the depth of a context is that of its deepest chain", wrong_depth(snapshot))]
    print(f"1..{len(results)}")
    for number, (what, problems) in enumerate(results, 1):
        print(f"{'not ok' if problems else 'ok'} {number} - {what}")
        for problem in problems:
            print("# " + problem)
    return 1 if any(problems for _, problems in results) else 0


if __name__ == "__main__":
    sys.exit(main())
