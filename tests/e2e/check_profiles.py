"""check_profiles.py - profiles for the tests of `miniprofd check`, and its results.

Reads from their command line: MINIPROFD SPECIMENS."""
import copy
import json
import os
import subprocess
import sys
import tempfile

MINIPROFD, SPECIMENS = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
subprocess.run([SPECIMENS, FOLDER.name], check=True, timeout=300)


def profile(name="plain"):
    with open(os.path.join(FOLDER.name, name + ".json"), encoding="utf-8") as f:
        made = json.load(f)
    made["link"]["records"] = 3000  # the specimen came over no link
    return made


BASE = profile()
for source in {f["file"] for f in BASE["functions"] if f["file"]} | {"c:d,e.c"}:  # locations are reported for existing files
    os.makedirs(os.path.join(FOLDER.name, os.path.dirname(source)), exist_ok=True)
    with open(os.path.join(FOLDER.name, source), "w", encoding="utf-8"):
        pass
MEASURED = [f for f in BASE["functions"] if f["kind"] == "function" and f["calls"]]


def check(after, *options, before=BASE):
    for name, content in ("base.json", before), ("new.json", after):
        with open(os.path.join(FOLDER.name, name), "wb") as f:
            f.write(content if isinstance(content, bytes) else json.dumps(content).encode())
    return subprocess.run([MINIPROFD, "check", "--baseline", "base.json", "--against", "new.json", *options], capture_output=True, timeout=60,
                          cwd=FOLDER.name)


def slower(name, factor, key="total_ticks", base=BASE):
    made = copy.deepcopy(base)
    for function in made["functions"]:
        if function["name"] == name:
            function[key] = int(function[key] * factor) + 1
    return made


def findings(result):
    assert result.returncode in (0, 3), (result.returncode, result.stderr)
    return [f["name"] for f in json.loads(result.stdout)["findings"]]


def held(after, *limits):
    options = [part for limit in limits for part in ("--limit", limit)]
    with open(os.path.join(FOLDER.name, "held.json"), "w", encoding="utf-8") as f:
        json.dump(after, f)
    return subprocess.run([MINIPROFD, "check", "--against", "held.json", "--format", "json", *options], capture_output=True, timeout=60, cwd=FOLDER.name)


def verdicts(result):
    return [limit["verdict"] for limit in json.loads(result.stdout)["limits"]]
