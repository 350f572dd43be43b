"""ledger_captures.py - runs small captures through the program, and checks that its figures add up.

Reads from their command line: MINIPROFD."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from packets import calls, metadata  # noqa: E402

MINIPROFD = sys.argv[1]


def run(capture, *options, exports=("json",), dialect="miniprof"):
    """Returns the finished batch run and the content of each export."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "capture")
        with open(path, "wb") as f:
            f.write(capture)
        command = [MINIPROFD, "--port", "file:" + path, "--dialect", dialect, "--no-http", *options]
        for export in exports:
            command += ["--export", f"{export}={folder}/{export}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        texts = []
        for export in exports:
            with open(os.path.join(folder, export)) as f:
                texts.append(f.read())
        return done, texts


def snapshot(*packets):
    done, (text,) = run(b"".join(packets))
    assert done.returncode == 0, done.stderr
    told = json.loads(text)
    adds_up(told)
    return told


def adds_up(told):
    """Checks that self time is the same in functions, tree and contexts, and that a node's total is its self time and that of the nodes below it
    (not for an estimated tree)."""
    assert told["ledger"]["adds_up"], told["ledger"]
    tree = told["call_tree"]
    contexts = [context["running_ticks"] for context in told["contexts"] if context.get("running_ticks") is not None]
    assert not contexts or sum(contexts) == sum(function["self_ticks"] or 0 for function in told["functions"]), (contexts, told["functions"])
    if told.get("call_tree_estimated"):
        return
    own = sum(function["self_ticks"] or 0 for function in told["functions"])
    assert own == sum(tree["self_ticks"]), (own, tree)
    below = [0] * len(tree["parent"])
    for at in range(len(below) - 1, 0, -1):
        assert tree["total_ticks"][at] == tree["self_ticks"][at] + below[at], (at, tree)
        below[tree["parent"][at]] += tree["total_ticks"][at]


def rows(told):
    """Returns {function: (calls, total, self)}, without time outside of functions."""
    return {f["name"]: (f["calls"], f["total_ticks"], f["self_ticks"]) for f in told["functions"] if f["kind"] not in ("outside", "unknown")}


def rest(told):
    """Returns the time outside of instrumented functions, and that of unknown ones."""
    own = {f["kind"]: f["self_ticks"] for f in told["functions"] if f["kind"] in ("outside", "unknown")}
    return own.get("outside", 0), own.get("unknown", 0)


def ran(told):
    return {c["name"]: c["running_ticks"] for c in told["contexts"]}


def lacks(told, *words):
    """Checks that the profile is incomplete, for reasons that contain these words, one each."""
    assert told["complete"] is False
    for reason, word in zip(told["incomplete_because"], words, strict=True):
        assert word in reason, told["incomplete_because"]


TWO_CALLS = metadata() + calls((0x100, 100, 10, 0)) + calls((0x200, 200, 10, 0))


def checked(before, after, *options):
    """Runs `check` on the profiles of two captures."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, capture in ("before", before), ("after", after):
            paths.append(os.path.join(folder, name + ".json"))
            with open(paths[-1], "w") as f:
                f.write(run(capture)[1][0])
        return subprocess.run([MINIPROFD, "check", "--baseline", paths[0], "--against", paths[1], *options], capture_output=True, text=True, timeout=300)
