#!/usr/bin/env python3
"""check.py - `miniprofd check`: only functions that became slower are named; an undecided result does not pass.

usage: check.py MINIPROFD SPECIMENS. Prints TAP."""
import copy
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

from check_profiles import BASE, FOLDER, MEASURED, MINIPROFD, check, findings, held, slower, verdicts  # noqa: E402


@case
def a_run_against_itself_has_no_findings():
    for metric in "total-mean", "self-mean", "p99":
        result = check(BASE, "--metric", metric, "--max-regress", "0%", "--min-delta", "0ns", "--format", "json")
        assert result.returncode == 0 and findings(result) == []
        assert json.loads(result.stdout)["compared"] == len(MEASURED)


@case
def only_the_function_that_became_slower_is_named():
    for function in MEASURED[:2]:  # tests/check/test_gate.c has more of it
        for metric, key in ("total-mean", "total_ticks"), ("self-mean", "self_ticks"), ("p99", "p99_ticks"), ("time", "self_ticks"):
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
    for name in names[:3]:
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
def the_folder_that_a_program_was_built_in_does_not_count():
    before, after = copy.deepcopy(BASE), copy.deepcopy(BASE)
    for made, folder in (before, "/builds/1/board"), (after, "C:\\ci\\2\\board"):
        for function in made["functions"]:
            function["file"] = folder + ("/" if folder[0] == "/" else "\\") + "main.c"
    told = json.loads(check(after, "--format", "json", before=before).stdout)
    assert (told["compared"], told["gone"], told["added"]) == (len(MEASURED), 0, 0), told
    moved = copy.deepcopy(before)
    row = next(f for f in moved["functions"] if f["name"] == MEASURED[0]["name"])
    row["file"] = "/builds/1/board/other.c"
    told = json.loads(check(moved, "--format", "json", before=before).stdout)
    assert (told["compared"], told["gone"], told["added"]) == (len(MEASURED) - 1, 1, 1), "a file of another name does"


@case
def functions_of_a_file_that_was_renamed_are_the_same():
    def of_files(name, first):
        made = copy.deepcopy(BASE)
        for function in made["functions"]:
            function["file"] = f"src/{first if function['name'] == MEASURED[0]['name'] else name}"
        return made
    before, renamed = of_files("main.c", "kept.c"), of_files("motor.c", "kept.c")
    slow = next(f for f in renamed["functions"] if f["name"] == MEASURED[1]["name"])
    slow["total_ticks"] *= 9
    told = json.loads(check(renamed, "--format", "json", before=before).stdout)
    assert (told["compared"], told["gone"], told["added"]) == (len(MEASURED), 0, 0), told
    assert [row["name"] for row in told["findings"]] == [slow["name"]], told["findings"]
    told = json.loads(check(of_files("motor.c", "main.c"), "--format", "json", before=of_files("main.c", "main.c")).stdout)
    assert (told["compared"], told["gone"]) == (1, len(MEASURED) - 1), "main.c is still there"


@case
def equal_names_in_equal_files_are_matched_by_folder():
    def two(first, second, factor):
        made = copy.deepcopy(BASE)
        row = next(f for f in made["functions"] if f["name"] == MEASURED[0]["name"])
        row["file"] = first
        made["functions"].append({**row, "file": second, "total_ticks": row["total_ticks"] * factor})
        return made
    before = two("a/init.c", "b/init.c", 3)
    turned = {**before, "functions": before["functions"][::-1]}
    for after, expected in (turned, (len(MEASURED) + 1, 0, 0)), (two("a/init.c", "c/init.c", 9), (len(MEASURED), 1, 1)):
        told = json.loads(check(after, "--format", "json", before=before).stdout)
        assert (told["compared"], told["gone"], told["added"], told["findings"]) == (*expected, []), told
    swapped = findings(check(two("b/init.c", "a/init.c", 3), "--format", "json", before=before))
    assert swapped == [MEASURED[0]["name"]], "a/init.c takes three times as long now, b/init.c a third"


@case
def a_tree_without_percentiles_is_compared_by_means():
    tree = copy.deepcopy(BASE)
    for function in tree["functions"]:
        function["p99_ticks"] = None
    name = MEASURED[0]["name"]
    result = check(slower(name, 1.2, base=tree), "--min-delta", "0ns", "--format", "json", before=tree)
    assert (result.returncode, findings(result)) == (3, [name]), result
    result = check(tree, "--metric", "p99", before=tree)
    assert result.returncode == 4 and b"No function has p99 in both profiles" in result.stderr, result


@case
def rates_of_the_timers_may_differ():
    after = copy.deepcopy(BASE)
    after["target"]["ticks_per_second"] *= 2
    for function in after["functions"]:
        for key in "total_ticks", "self_ticks", "p99_ticks":
            function[key] = function[key] and function[key] * 2
    assert check(after, "--max-regress", "0.001%", "--min-delta", "0.001ns").returncode == 0


@case
def an_unknown_result_is_never_a_pass():
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
    for n, content in enumerate(bad):
        for result in [check(content)] if n % 6 else [check(content), check(BASE, before=content)]:
            assert result.returncode == 4 and result.stdout == b"" and result.stderr.startswith(b"miniprofd: "), (str(content)[:90], result)
    assert check(BASE, "--min-calls", "1000000").returncode == 4
    for loss in ("records_lost", "calls_discarded"):
        assert check(with_(["link", loss], 30)).returncode == 4
        assert check(with_(["link", loss], 30), "--max-loss", "1%").returncode == 0
    for content, words in (b"\x7fELF\1\1\1", b"is a program and no profile"), (b"\x1f\x8b\x08", b"gunzip"), (b"\xaa\x55\x03\0", b"Of a recording, miniprofd --port file:"):
        assert words in check(content).stderr, (content, words)
    missing = subprocess.run([MINIPROFD, "check", "--baseline", "base.json", "--against", "none.json"], capture_output=True, cwd=FOLDER.name)
    assert missing.returncode == 1 and b"none.json" in missing.stderr
    folder = subprocess.run([MINIPROFD, "check", "--baseline", "base.json", "--against", "."], capture_output=True, cwd=FOLDER.name)
    assert folder.returncode == 1 and b"is a folder; name a file in it" in folder.stderr, folder


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
    assert line.startswith(f"::error file=c%3Ad%2Ce.c,line={function['line']},title=Slower::a?::error::b%25 became slower: "), line
    assert line.count("\n") == 1, line


@case
def reports_go_to_files_beside_the_one_that_is_shown():
    function = next(f for f in MEASURED if f["file"])
    strange, before = slower(function["name"], 2), copy.deepcopy(BASE)
    for made in strange, before:
        for row in made["functions"]:
            if row["name"] == function["name"]:
                row["name"] = "a<b> & \"c\"|*d*"
    result = check(strange, "--format", "junit=report.xml", "--format", "bmf=report.json", "--format", "markdown=report.md", before=before)
    assert result.returncode == 3 and result.stdout.startswith(b'a<b> & "c"|*d* became slower: total-mean '), result

    def written(name):
        with open(os.path.join(FOLDER.name, name), encoding="utf-8") as f:
            return f.read()
    suite = ET.fromstring(written("report.xml")).find("testsuite")
    cases = suite.findall("testcase")
    failed = [c for c in cases if c.find("failure") is not None]
    assert len(cases) == int(suite.get("tests")) == len(MEASURED) and suite.get("failures") == "1" and suite.get("errors") == "0"
    assert [(c.get("name"), c.get("file"), int(c.get("line"))) for c in failed] == [('a<b> & "c"|*d*', function["file"], function["line"])]
    assert "became slower: total-mean" in failed[0].find("failure").get("message")
    metrics = json.loads(written("report.json"))
    assert set(metrics) == {f["name"] for f in strange["functions"] if f["kind"] == "function" and f["calls"]}
    assert all(list(value) == ["latency"] and value["latency"]["value"] > 0 for value in metrics.values())
    table = written("report.md").splitlines()
    assert table[0] == "| function | what | where |" and len([line for line in table if line.startswith("| a\\<b\\>")]) == 1, table
    assert table[2].count("|") - table[2].count("\\|") == 4, "the name's own is no end of a cell"
    shown = check(strange, "--format", "json", "--format", "text=report.txt", before=before)
    assert json.loads(shown.stdout) and "became slower" in written("report.txt")
    assert check(strange, "--format", "json=no/where.json").returncode == 1
    assert json.loads(check(strange, "--format", "json=-", before=before).stdout) and not os.path.exists(os.path.join(FOLDER.name, "-")), "as for --export"
    assert check(strange, "--format", "json=-", "--format", "text").returncode == 2


@case
def an_unknown_result_is_written_to_the_reports():
    for path in "report.xml", "report.md", "report.txt":
        with open(os.path.join(FOLDER.name, path), "w", encoding="utf-8") as f:
            f.write("all passed, of yesterday")
    reports = "--format", "junit=report.xml", "--format", "markdown=report.md", "--format", "text=report.txt", "--format", "bmf=report.json", "--format", "json"
    for after, options, why in (BASE, ["--min-calls", "1000000"], "No function is in both profiles"), (b"{", [], "new.json is not JSON"):
        result = check(after, *options, *reports)
        told = json.loads(result.stdout)
        assert result.returncode == 4 and why in told["inconclusive"] and (told["compared"], told["findings"]) == (0, []), result
        suite = ET.parse(os.path.join(FOLDER.name, "report.xml")).find("testsuite")
        assert (suite.get("tests"), suite.get("errors")) == ("1", "1") and why in suite.find("testcase/error").get("message")
        with open(os.path.join(FOLDER.name, "report.md"), encoding="utf-8") as f:
            said = f.read()
            assert said.startswith("Inconclusive. ") and why in said.replace("\\", ""), said
        assert os.path.getsize(os.path.join(FOLDER.name, "report.txt")) == 0
        line = check(after, *options, "--format", "github").stdout.decode()
        assert line.startswith("::error title=Inconclusive::" + why) and line.count("\n") == 1, line
    assert json.loads(check(BASE, "--format", "json").stdout)["inconclusive"] is None


@case
def options_set_what_is_allowed_and_where_sources_are():
    name = next(f["name"] for f in MEASURED if f["file"])
    cut, renamed = copy.deepcopy(BASE), slower(name, 10, "self_ticks", slower(name, 10))
    cut["functions"] = [f for f in cut["functions"] if f["name"] != name]
    assert check(cut).returncode == 0 and f"gone: {name}\n".encode() in check(cut).stdout
    assert check(cut, "--gone", "warn").returncode == 0 and check(cut, "--gone", "fail").returncode == 3
    assert b"became faster: " in check(BASE, "--faster", "warn", before=slower(name, 9)).stdout
    for row in renamed["functions"]:
        if row["name"] == name:
            row["name"] += ".constprop.0"
    result = check(renamed)
    assert result.returncode == 3 and result.stdout.startswith(name.encode() + b".constprop.0 +900 % itself ("), result
    for made, options in (made_with(clock=16000000), ["--allow", "clock"]), (made_with(mode="calls"), ["--allow", "mode,clock", "--metric", "calls"]):
        assert check(made, *options, before=made_with()).returncode == (3 if "clock" == options[1] else 0), options
    file = next(f["file"] for f in MEASURED if f["name"] == name)
    moved = slower(name, 9)
    os.makedirs(os.path.join(FOLDER.name, "repository/.git/x"), exist_ok=True)
    os.makedirs(os.path.join(FOLDER.name, "repository/build/src"), exist_ok=True)
    with open(os.path.join(FOLDER.name, "repository/build/src/deep.c"), "w", encoding="utf-8"):
        pass
    for row in moved["functions"]:
        if row["name"] == name:
            row.update(file="../src/deep.c", directory=os.path.join(FOLDER.name, "repository/build/x"))
    base = {**copy.deepcopy(moved), "functions": [{**f, "total_ticks": f["total_ticks"] // 9} if f["name"] == name else f for f in moved["functions"]]}
    assert check(moved, "--format", "gcc", "--root", "repository", before=base).stdout.startswith(b"build/src/deep.c:"), file
    assert check(moved, "--format", "gcc", before=base).stdout.startswith(b"repository/build/src/deep.c:"), "no repository: this folder"
    assert b"file=" not in check(moved, "--format", "github", "--root", "/nowhere", before=base).stdout
    assert check(moved, "--format", "gcc", "--root", "repository/build", "--source-path", f"{FOLDER.name}/repository/build/src={FOLDER.name}/repository/build/none",
                 before=base).stdout.startswith(b"unknown:1:1: "), "where it is said to be it is not"


@case
def a_folder_of_baselines_is_a_history():
    name, folder = MEASURED[0]["name"], os.path.join(FOLDER.name, "history")
    os.makedirs(folder)
    for n, factor in enumerate((1.0, 1.3, 0.9)):
        with open(os.path.join(folder, f"{n}.json"), "w", encoding="utf-8") as f:
            json.dump({**slower(name, factor), "captured_at": f"2026-11-2{n}T10:00:00.000Z"}, f)

    def held_against(after):
        with open(os.path.join(FOLDER.name, "new.json"), "w", encoding="utf-8") as f:
            json.dump(after, f)
        return subprocess.run([MINIPROFD, "check", "--baseline", "history", "--against", "new.json", "--max-regress", "0%", "--min-delta", "0ns", "--format", "json",
                               "--metric", "total-mean"], capture_output=True, timeout=60, cwd=FOLDER.name)
    assert findings(held_against(slower(name, 1.4))) == [], "what they differ by is let through"
    found = held_against(slower(name, 1.9))
    assert findings(found) == [name], found
    assert json.loads(found.stdout)["findings"][0]["before_ns"] < 1000 * MEASURED[0]["total_ticks"] / MEASURED[0]["calls"], "the newest is what it is compared with"
    with open(os.path.join(folder, "3.json"), "w", encoding="utf-8") as f:
        f.write("{")
    assert held_against(BASE).returncode == 4
    os.makedirs(os.path.join(FOLDER.name, "empty"))
    assert subprocess.run([MINIPROFD, "check", "--baseline", "empty", "--against", "new.json"], capture_output=True, cwd=FOLDER.name).returncode == 1


@case
def how_often_and_how_deep_are_figures_like_time():
    name = MEASURED[0]["name"]
    after, before = copy.deepcopy(BASE), copy.deepcopy(BASE)
    for made in after, before:
        for function in made["functions"]:
            function["stack_bytes"] = 200
    for function in after["functions"]:
        if function["name"] == name:
            function["calls"], function["stack_bytes"] = function["calls"] + 1000, 232
    for metric, title, words in (("calls", "Called more often", "is called more often: calls "),
                                 ("stack", "More stack", "needs more stack: stack 232 bytes, was 200 bytes (+16.0 %)")):
        result = check(after, "--metric", metric, before=before)
        assert result.returncode == 3 and f"{name} {words}" in result.stdout.decode() and result.stdout.count(b"\n") == 2, result
        line = check(after, "--metric", metric, "--format", "github", before=before).stdout.decode()
        assert f"title={title}::{name} " + words.replace("%", "%25") in line, line
    assert check(after, "--metric", "stack", "--min-delta", "32", before=before).returncode == 0
    assert check(after, "--metric", "stack", "--min-delta", "1us", before=before).returncode == 2
    for made in after, before:
        for function in made["functions"]:
            function["stack_bytes"] = None
    unknown = check(after, "--metric", "stack", before=before)
    assert unknown.returncode == 4 and b"has stack in both profiles; use another --metric" in unknown.stderr, "frames are unknown"


@case
def differences_between_baseline_runs_are_noise():
    name = MEASURED[0]["name"]
    loose = "--max-regress", "0%", "--min-delta", "0ns", "--noise", "again.json", "--format", "json"
    for again, after, slow in (1.0, 1.1, True), (1.2, 1.1, False), (0.9, 1.05, False), (0.9, 1.15, True), (1.1, 1.15, False), (1.1, 1.25, True):
        with open(os.path.join(FOLDER.name, "again.json"), "w", encoding="utf-8") as f:
            json.dump(slower(name, again) if again != 1.0 else BASE, f)
        result = check(slower(name, after), *loose)
        assert findings(result) == ([name] if slow else []), (again, after, result.stdout)
    with open(os.path.join(FOLDER.name, "again.json"), "w", encoding="utf-8") as f:
        f.write("{")
    assert check(BASE, *loose).returncode == 4
    os.remove(os.path.join(FOLDER.name, "again.json"))
    assert check(BASE, *loose).returncode == 1


def made_with(*settings, mode="tree", clock=8000000, base=None, throughout=True):
    """Returns a profile measured with settings (name, value, default); None when the device reports no settings."""
    made = copy.deepcopy(base or BASE)
    made["target"]["mode"], made["target"]["mcu_clock_hz"] = mode, clock
    made["measured_with"] = None if settings == (None,) else [
        {"name": name, "unit": "us" if name == "shortest" else "", "value": value, "default": usual, "throughout": throughout}
        for name, value, usual in settings]
    return made


SHORTEST, DEPTH, WINDOW, PACKET = ("shortest", 50, 0), ("depth", 8, 32), ("window", 1, 0), ("packet", 20, None)


@case
def profiles_with_different_settings_are_not_compared():
    plain = made_with(PACKET)
    older = {key: value for key, value in plain.items() if key != "measured_with"}
    for before, after, *words in (
            (plain, made_with(SHORTEST, PACKET), "The baseline was measured with shortest 0 us, and the new profile with shortest 50 us; set shortest to one value"),
            (made_with(DEPTH), plain, "with depth 8, and the new profile with depth 32"),
            (made_with(SHORTEST), made_with(("shortest", 60, 0)), "with shortest 50 us, and the new profile with shortest 60 us"),
            (plain, made_with(("packet", 10, None)), "with packet 20, and the new profile with packet 10"),
            (made_with(None), made_with(SHORTEST), "a setting shortest that it does not say"),
            (made_with(SHORTEST), older, "a setting shortest that it does not say"),
            (made_with(SHORTEST), made_with(SHORTEST, throughout=False), "While the new profile was measured, its setting shortest was changed"),
            (made_with(SHORTEST, throughout=False), made_with(SHORTEST), "While the baseline was measured, its setting shortest was changed"),
            (plain, made_with(WINDOW, PACKET), "The new profile was measured with a trigger armed"),
            (made_with(WINDOW), plain, "The baseline was measured with a trigger armed"),
            (older, made_with(WINDOW), "The new profile was measured with a trigger armed"),
            (plain, made_with(mode="calls"), "in mode tree, and the new profile in mode calls", "--mode"),
            (plain, made_with(clock=16000000), "at a clock of 8000000 Hz, and the new profile at 16000000 Hz")):
        result = check(after, before=before)
        assert result.returncode == 4 and result.stderr.count(b"\n") == 1, result
        assert all(word.encode() in result.stderr for word in words), (words, result.stderr)
        with_reports = check(after, "--format", "json", before=before)
        assert words[0] in json.loads(with_reports.stdout)["inconclusive"], with_reports


@case
def profiles_with_equal_settings_are_compared():
    plain, older = made_with(), {key: value for key, value in made_with().items() if key != "measured_with"}
    for before, after in ((made_with(SHORTEST, DEPTH), made_with(DEPTH, SHORTEST)), (made_with(WINDOW), made_with(WINDOW, throughout=False)), (older, plain),
                          (made_with(None), plain), (plain, made_with(PACKET)), (made_with(PACKET), older), (plain, made_with(("shortest", 0, 0))),
                          (made_with(mode=None, clock=None), plain), (plain, made_with(mode=None, clock=None))):
        result = check(after, before=before)
        assert result.returncode == 0, (before["target"], before.get("measured_with"), after.get("measured_with"), result)
    # A trigger makes calls longer, but does not change their number.
    assert check(made_with(WINDOW), "--metric", "calls", before=plain).returncode == 0
    assert check(made_with(SHORTEST), "--metric", "calls", before=plain).returncode == 4
    # The second run of the baseline must have the same settings.
    with open(os.path.join(FOLDER.name, "again.json"), "w", encoding="utf-8") as f:
        json.dump(made_with(SHORTEST), f)
    again = check(plain, "--noise", "again.json", before=plain)
    assert again.returncode == 4 and b"baseline's other run again.json was measured with shortest 50 us" in again.stderr, again
    uneven = copy.deepcopy(plain)
    for row in uneven["functions"][::2]:
        row["calls"] *= 3
    with open(os.path.join(FOLDER.name, "again.json"), "w", encoding="utf-8") as f:
        json.dump(uneven, f)
    again = check(plain, "--noise", "again.json", before=plain)
    assert again.returncode == 4 and b"baseline's other run again.json and the new profile are of different work" in again.stderr, again
    assert check(plain, "--noise", "again.json", "--allow", "work", before=plain).returncode == 0


@case
def damaged_settings_are_refused_and_control_codes_removed():
    row = made_with(SHORTEST)["measured_with"][0]
    for damaged in (3, {}, [3], [{}], [{**row, "value": -1}], [{**row, "value": None}], [{**row, "name": None}], [{**row, "default": "0"}], [{**row, "throughout": 1}], [row] * 1001):
        result = check({**made_with(), "measured_with": damaged})
        assert result.returncode == 4 and b"is damaged: its functions, limits, settings or link" in result.stderr, (damaged, result)
    evil = {**row, "name": "\x1b[2J\n::error::" + 200 * "ä", "default": 0}
    result = check({**made_with(), "measured_with": [evil]}, "--format", "github", before=made_with())
    assert result.returncode == 4 and b"\x1b" not in result.stderr and result.stdout.count(b"\n") == result.stderr.count(b"\n") == 1, result


@case
def a_time_that_a_trigger_made_too_long_breaks_no_limit():
    name = next(f["name"] for f in MEASURED if sum(other["name"] == f["name"] for other in MEASURED) == 1)
    calls = next(f["calls"] for f in MEASURED if f["name"] == name)
    armed = made_with(WINDOW)
    for limit, figure in ((f"{name}:max<1ns", "max"), (f"{name}:mean<1ns", "mean")):
        result = held(armed, limit)
        assert (result.returncode, verdicts(result)) == (4, ["unknown"]) and b"a trigger was armed" in result.stdout, result
        assert held(made_with(), limit).returncode == 3, figure
    assert held(armed, f"{name}:max<1s").returncode == 0, "what is kept even so is kept"
    assert held(armed, f"{name}:calls<{calls}").returncode == 3
    for text, status in ((f"{name}:max<1us", 4), (f"{name}:load<1%", 4), (f"{name}:rate<3/s", 3), (f"{name}:period>3us", 3)):
        judged = {**armed, "limits": [{"limit": text, "name": name, "state": "broken", "worst": {"value": 4.5}}]}
        assert check(judged, before=armed).returncode == status, text


@case
def limits_hold_with_or_without_a_baseline():
    function = MEASURED[0]
    name, longest, mean = function["name"], function["max_ticks"], function["total_ticks"] / function["calls"]  # microseconds
    for limit, verdict, status in [(f"{name}:max<={longest}us", "holds", 0), (f"{name}:max<{longest}us", "broken", 3), (f"{name}:mean<{mean + 1:.0f}us", "holds", 0),
                                   (f"{name}:calls<={function['calls']}", "holds", 0), (f"{name}:calls<{function['calls']}", "broken", 3),
                                   (f"{name}:load<50%", "unknown", 4), ("nobody:p99<1ms", "unknown", 4)]:
        result = held(BASE, limit)
        assert (result.returncode, verdicts(result)) == (status, [verdict]), (limit, result)
    result = held(BASE, f"{name}:max<=1ns", f"{name}:load<50%")
    assert (result.returncode, verdicts(result)) == (3, ["broken", "unknown"]), "what is broken is broken"
    both = check(BASE, "--limit", f"{name}:max<1ns")
    assert both.returncode == 3 and f"{name} breaks its limit {name}:max<1ns: it was ".encode() in both.stdout and b"1 of 1 limits broken" in both.stdout, both
    with open(os.path.join(FOLDER.name, "limits.txt"), "w", encoding="utf-8") as f:
        f.write(f"# of the board\n\n  {name}:max<1ns\n{name}:calls>0\n")
    assert check(BASE, "--limits", "limits.txt").returncode == 2, "calls cannot fall short"
    periods = copy.deepcopy(BASE)
    for row in periods["functions"]:
        row["period_min_ticks"], row["period_max_ticks"] = 950, 1040
    assert verdicts(held(periods, f"{name}:period=1ms+-50us", f"{name}:period=1ms+-49us", f"{name}:period<1.05ms", f"{name}:period>950us")) == \
        ["holds", "broken", "holds", "broken"]


@case
def limits_judged_by_the_daemon_count():
    name = MEASURED[0]["name"]

    def judged(found, **more):
        return {**copy.deepcopy(BASE), "limits": [{"limit": f"{name}:rate<3/s", "name": name, "state": found, "worst": None, **more}]}
    for state, status in ("kept", 0), ("waits", 4), ("unknown", 4):
        assert check(judged(state)).returncode == status, state
    broken = check(judged("broken", worst={"value": 4.5}))
    assert broken.returncode == 3 and f"{name} breaks its limit {name}:rate<3/s: it was 4.5/s".encode() in broken.stdout, broken
    once = held(judged("kept"), f"{name}:rate < 3")
    assert (once.returncode, verdicts(once)) == (0, ["holds"]), once
    for damage in {"limit": "x"}, {"limit": None}, {"state": 3}, {"state": "broken"}, {"name": None}:
        assert check(judged("kept", **damage)).returncode == 4, damage


if __name__ == "__main__":
    sys.exit(run_cases())
