#!/usr/bin/env python3
"""check.py - `miniprofd check`: what became slower is named, and nothing else; what cannot be told is not called fine.

usage: check.py MINIPROFD SPECIMENS. Prints TAP."""
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MINIPROFD, SPECIMENS = map(os.path.abspath, sys.argv[1:3])
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "ci.md")
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
subprocess.run([SPECIMENS, FOLDER.name], check=True, timeout=300)


def profile(name="plain"):
    with open(os.path.join(FOLDER.name, name + ".json"), encoding="utf-8") as f:
        made = json.load(f)
    made["link"]["records"] = 3000  # the specimen came over no link
    return made


BASE = profile()
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


@case
def a_run_against_itself_has_no_findings():
    for metric in "total-mean", "self-mean", "p99":
        result = check(BASE, "--metric", metric, "--max-regress", "0%", "--min-delta", "0ns", "--format", "json")
        assert result.returncode == 0 and findings(result) == []
        assert json.loads(result.stdout)["compared"] == len(MEASURED)


@case
def the_function_that_became_slower_is_named_and_nothing_else():
    for function in MEASURED:
        for metric, key in ("total-mean", "total_ticks"), ("self-mean", "self_ticks"), ("p99", "p99_ticks"):
            after = slower(function["name"], 1.2, key)
            result = check(after, "--metric", metric, "--min-delta", "0ns", "--format", "json")
            assert (result.returncode, findings(result)) == (3, [function["name"]]), (function["name"], metric)
    assert check(slower(MEASURED[0]["name"], 0.5)).returncode == 0, "faster is fine"


@case
def names_may_be_chosen_and_left_out():
    names = sorted({f["name"] for f in MEASURED})
    after = copy.deepcopy(BASE)
    for function in after["functions"]:
        function["total_ticks"] = 2 * function["total_ticks"] + 1000
    assert set(findings(check(after, "--format", "json"))) == set(names), "all of them became slower"
    for name in names:
        chosen = findings(check(after, "--only", f"^{re.escape(name)}$", "--format", "json"))
        assert set(chosen) == {name}, (name, chosen)
        left = findings(check(after, "--ignore", f"^{re.escape(name)}$", "--format", "json"))
        assert set(left) == set(names) - {name}, (name, left)
    both = check(after, "--only", ".", "--ignore", ".")
    assert both.returncode == 4 and b"No function is in both" in both.stderr, "nothing compared is never fine"


@case
def both_thresholds_must_be_exceeded():
    name = MEASURED[0]["name"]
    after = slower(name, 1.2)
    mean = MEASURED[0]["total_ticks"] / MEASURED[0]["calls"]  # microseconds
    assert check(after, "--max-regress", "19%", "--min-delta", f"{mean * 0.19:f}us").returncode == 3
    assert check(after, "--max-regress", "21%", "--min-delta", "0us").returncode == 0
    assert check(after, "--max-regress", "0%", "--min-delta", f"{mean * 0.21:f}us").returncode == 0


@case
def functions_are_matched_by_name_and_file_not_by_id_or_address():
    after = copy.deepcopy(BASE)
    after["functions"].reverse()
    for n, function in enumerate(after["functions"]):
        function["id"], function["address"] = n + 1000, hex(n)
    assert check(after, "--max-regress", "0%", "--min-delta", "0ns").returncode == 0
    twin = copy.deepcopy(BASE)
    twin["functions"].append({**MEASURED[0], "total_ticks": MEASURED[0]["total_ticks"] * 9})
    told = json.loads(check(twin, "--format", "json").stdout)
    assert told["untold"] == 1 and told["findings"] == [] and told["compared"] == len(MEASURED) - 1, told


@case
def a_tree_that_tells_no_percentiles_is_held_to_its_means():
    tree = copy.deepcopy(BASE)
    for function in tree["functions"]:
        function["p99_ticks"] = None
    name = MEASURED[0]["name"]
    result = check(slower(name, 1.2, base=tree), "--min-delta", "0ns", "--format", "json", before=tree)
    assert (result.returncode, findings(result)) == (3, [name]), result
    result = check(tree, "--metric", "p99", before=tree)
    assert result.returncode == 4 and b"No function" in result.stderr, result


@case
def rates_of_the_timers_may_differ():
    after = copy.deepcopy(BASE)
    after["target"]["ticks_per_second"] *= 2
    for function in after["functions"]:
        for key in "total_ticks", "self_ticks", "p99_ticks":
            function[key] = function[key] and function[key] * 2
    assert check(after, "--max-regress", "0.001%", "--min-delta", "0.001ns").returncode == 0


@case
def what_cannot_be_told_is_never_fine():
    def with_(path, value):
        made = copy.deepcopy(BASE)
        at = made
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        return made
    bad = [b"", b"{", b"[]", b"null", b"[" * 100000, with_(["functions"], []), with_(["functions"], {}), with_(["functions"], None),
           with_(["functions", 0], 7), with_(["functions", 0, "name"], None), with_(["functions", 0, "calls"], -1),
           with_(["functions", 0, "calls"], "3"), with_(["functions", 0, "total_ticks"], 1e300), with_(["functions", 0, "total_ticks"], float("nan")),
           with_(["functions", 0, "file"], 3), with_(["schema_version"], 2), with_(["schema"], "other"), with_(["target", "ticks_per_second"], 0),
           with_(["target", "elf_match"], False), with_(["link", "records_lost"], 30), with_(["link", "losses_of_unknown_size"], 1),
           with_(["link"], None), with_(["complete"], False), with_(["complete"], 1),
           json.dumps(BASE).encode().replace(MEASURED[0]["name"].encode(), b"\xff"), json.dumps(BASE).encode() + b"\0"]
    for content in bad:
        for result in check(content), check(BASE, before=content):
            assert result.returncode == 4 and result.stdout == b"" and result.stderr.startswith(b"miniprofd: "), (str(content)[:90], result)
    assert check(BASE, "--min-calls", "1000000").returncode == 4
    assert check(with_(["link", "records_lost"], 30), "--max-loss", "1%").returncode == 0
    missing = subprocess.run([MINIPROFD, "check", "--baseline", "base.json", "--against", "none.json"], capture_output=True, cwd=FOLDER.name)
    assert missing.returncode == 1 and b"none.json" in missing.stderr


@case
def a_damaged_file_ends_with_a_status_that_the_help_names():
    chance, whole = random.Random(5), json.dumps(BASE).encode()
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at:at + chance.randrange(3)] = bytes([chance.choice(b'{}[]",:-0e9n\xff')])
        assert check(bytes(damaged)).returncode in (0, 3, 4)


@case
def the_line_of_the_function_is_pointed_at():
    function = next(f for f in MEASURED if f["line"])
    after = slower(function["name"], 2)
    line = check(after, "--format", "gcc").stdout.decode()
    match = re.fullmatch(r"(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)\n", line)  # as $gcc has it
    assert match and (match[1], int(match[2])) == (function["file"], function["line"]) and function["name"] in match[5], line
    strange = slower(function["name"], 2)
    for made in (strange, before := copy.deepcopy(BASE)):
        for row in made["functions"]:
            if row["name"] == function["name"]:
                row.update(name="a\n::error::b%", file="c:d,e.c")
    line = check(strange, "--format", "github", before=before).stdout.decode()
    assert line.startswith(f"::error file=c%3Ad%2Ce.c,line={function['line']},title=Slower::a%0A::error::b%25 became slower: "), line
    assert line.count("\n") == 1, line


@case
def a_wrong_command_line_is_told():
    for options in (["--max-regress", "5"], ["--max-regress", "nan%"], ["--min-delta", "1"], ["--min-delta", "-1us"], ["--metric", "mean"],
                    ["--min-calls", "0"], ["--only", "("], ["--ignore", "[a"], ["--only", "a", "--only", "b"], ["--format", "xml"], ["--what"], ["more"], ["--max-loss"]):
        result = check(BASE, *options)
        assert result.returncode == 2 and b"miniprofd check --help" in result.stderr, (options, result)
    assert subprocess.run([MINIPROFD, "check"], capture_output=True).returncode == 2
    assert b"--baseline" in subprocess.run([MINIPROFD, "check", "--help"], capture_output=True, check=True).stdout


@case
def the_commands_of_the_documentation_do_what_it_says():
    check(BASE)
    with open(DOCS, encoding="utf-8") as f:
        commands = re.findall(r"^(?: *- (?:run: )?)?(miniprofd check .*)$", f.read(), re.M)
    assert len(commands) >= 5
    for command in commands:
        done = subprocess.run([MINIPROFD, *command.split()[1:]], cwd=FOLDER.name, capture_output=True)
        assert done.returncode == 0, (command, done.stderr)


if __name__ == "__main__":
    sys.exit(run_cases())
