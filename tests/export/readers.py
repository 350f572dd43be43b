"""readers.py - the common part of the tests of foreign readers: specimens, expected figures, TAP.

A test file lists its cases with @case and ends in main()."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

SPECIMENS = ("plain", "threads", "nasty", "huge", "empty")
SAMPLED = ("sampled32", "sampled32be", "sampled64")
CASES = []


def case(function):
    """Marks a test case, which gets the specimens; its name states the expected behaviour."""
    CASES.append(function)
    return function


def labels(functions):
    """Returns the labels of functions in exports with names only (daemon/export/labels.h), by number."""
    placed = [f for f in functions if f["kind"] == "function" and f["address"] is not None]

    def base_name(path):
        return (path or "").rpartition("/")[2]

    def label(function):
        others = [f for f in placed if f is not function and f["name"] == function["name"]]
        if function not in placed or not others:
            return function["name"]
        if not function["file"] or any((f["file"] or "") == function["file"] for f in others):
            return f"{function['name']} [{function['address']}]"
        is_shared = any(base_name(f["file"]) == base_name(function["file"]) for f in others)
        return f"{function['name']} [{function['file'] if is_shared else base_name(function['file'])}]"
    return [label(function) for function in functions]


class Specimen:
    """An artificial profile: `path(format)` is its file, `functions` and `nodes` its content."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.json = json.loads(self.read("json"))
        self.rate = self.json["target"]["ticks_per_second"]
        self.functions = self.json["functions"]
        tree = self.json["call_tree"]
        self.nodes = [dict(zip(tree, row)) for row in zip(*tree.values())]
        for node in self.nodes:
            node["path"] = self.nodes[node["parent"]]["path"] + [node["function"]] if node["parent"] >= 0 else []

    def path(self, extension):
        return os.path.join(self.folder, f"{self.name}.{extension}")

    def read(self, extension):
        with open(self.path(extension), "rb") as f:
            return f.read()

    def outermost(self, key):
        """Returns the sum of `key` per function over the nodes that are not inside a call of the same function."""
        sums = {}
        for node in self.nodes[1:]:
            if node["function"] not in node["path"][:-1]:
                sums[node["function"]] = sums.get(node["function"], 0) + node[key]
        return sums

    def nanoseconds(self, ticks):
        return ticks * 10**9 // self.rate if self.rate else ticks


ORDERS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|(?<=#)#|^:(?=:)")


def plain(text):
    """Returns the text as text_plain() does: without commands for terminals, CI runners or spreadsheets."""
    return ORDERS.sub("?", text)


def is_counted(function):
    """True when something was counted for the row itself; otherwise a placeholder of callers has 0 calls and times."""
    return function["kind"] == "function" or function["calls"] > 0


class Missing(Exception):
    """Raised for a reader that is not installed; its case is skipped by name."""

    def __init__(self, program, package):
        super().__init__(f"{program} is not installed (Debian package {package})")


def need(program, package):
    """Returns the path of the program, or raises Missing."""
    found = shutil.which(program)
    if not found:
        raise Missing(program, package)
    return found


def run(*command, seconds=300):
    """Returns the standard output of a tool, which must succeed without messages."""
    done = subprocess.run(command, capture_output=True, timeout=seconds)
    assert done.returncode == 0, (command, done.returncode, done.stderr.decode(errors="replace"))
    assert done.stderr == b"", (command, done.stderr.decode(errors="replace"))
    return done.stdout.decode()


def check(found, want, specimen):
    """Compares two dictionaries of figures; names the differences."""
    for key in [*want, *found]:
        assert found.get(key) == want.get(key), (specimen.name, str(key)[:200], "found", found.get(key), "want", want.get(key))


def main():
    with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
        subprocess.run([sys.argv[1], folder], check=True, timeout=300)
        specimens = {name: Specimen(folder, name) for name in SPECIMENS + SAMPLED}
        print(f"1..{len(CASES)}")
        bad = 0
        for number, function in enumerate(CASES, 1):
            try:
                function(specimens)
                print(f"ok {number} - {function.__name__}", flush=True)
            except Missing as what:
                print(f"ok {number} - {function.__name__} # SKIP {what}", flush=True)
            except Exception:  # whatever it is, the other cases still run
                bad += 1
                traceback.print_exc()
                print(f"not ok {number} - {function.__name__}", flush=True)
    sys.exit(1 if bad else 0)
