#!/usr/bin/env python3
"""ci_readers.py - runners, editors and readers of JUnit XML parse the output of `miniprofd check` as intended, with any names.

usage: ci_readers.py MINIPROFD. Prints TAP."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_message  # noqa: E402
from cases import case, run_cases  # noqa: E402
from ci_readers import azure_commands, gcc_diagnostics, github_commands, junit_cases  # noqa: E402

MINIPROFD = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
# Names that a reader might take as a command; "crc" and "Biquad::process(int)" are harmless.
NAMES = ["crc", "Biquad::process(int)", "::error::x", "##[error]x", "##vso[task.setvariable variable=a]b", "100%,a:b", "%0A::warning::x", "a\n::notice::b", "a.c:1:1: error: b",
         'q"<&>\'', "]]>", "\x1b[31m", "\u202ex", "operator<<", "steady", "lost"]


def profile(names, file=None):
    """Returns a profile of calls of these functions, each in a file if `file` is set."""
    capture = b"".join(syst_message(2, kind, 1000 * i + later, name.encode() + b"\0") for i in range(60) for n, name in enumerate(names) for kind, later in ((2, 10 * n), (3, 10 * n + 9)))
    with open(os.path.join(FOLDER.name, "capture"), "wb") as f:
        f.write(capture)
    done = subprocess.run([MINIPROFD, "--port", "file:capture", "--dialect", "syst", "--dialect-opt", "clock_hz=1000000", "--no-http", "--export", "json=-"], cwd=FOLDER.name,
                          capture_output=True, check=True, timeout=60)
    made = json.loads(done.stdout)
    for number, function in enumerate(made["functions"]):
        function["file"], function["line"] = file, number + 1
    return made


BEFORE = profile(NAMES, "src/100%,a:b.c")
AFTER = json.loads(json.dumps(BEFORE))
AFTER["functions"] = [function for function in AFTER["functions"] if function["name"] != "lost"]
for changed in AFTER["functions"]:
    if changed["name"] != "steady":
        for key in "total_ticks", "self_ticks", "sum_ticks", "min_ticks", "max_ticks", "p50_ticks", "p90_ticks", "p99_ticks":
            if changed.get(key) is not None:
                changed[key] = 4 * changed[key] + 1000
AFTER["functions"].append({**AFTER["functions"][0], "name": "::set-output name=x::new", "id": 99})
os.makedirs(os.path.join(FOLDER.name, "src"))
for place in ("before.json", BEFORE), ("after.json", AFTER), ("src/100%,a:b.c", None):
    with open(os.path.join(FOLDER.name, place[0]), "w", encoding="utf-8") as written:
        written.write(json.dumps(place[1]) if place[1] else "")


def check(form, *options):
    done = subprocess.run([MINIPROFD, "check", "--baseline", "before.json", "--against", "after.json", "--metric", "self-mean", "--min-delta", "0ns", "--root", FOLDER.name,
                           "--format", form, *options], cwd=FOLDER.name, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and not github_commands(done.stderr) and not azure_commands(done.stderr), done
    return done.stdout


def slower():
    """Returns the names of functions that became slower, as reports write them."""
    found = json.loads(check("json"))["findings"]
    names = [finding["name"] for finding in found if finding.get("verdict", "slower") != "gone"]
    assert {"crc", "Biquad::process(int)", "operator<<"} <= set(names) and "steady" not in names, found
    return names


@case
def github_gets_one_annotation_per_finding():
    found = github_commands(check("github"))
    errors = [(properties, message) for command, properties, message in found if command == "error"]
    assert {command for command, _, _ in found} <= {"error", "warning", "notice"}, found
    assert len(errors) == len(slower()), (len(errors), slower())
    for properties, message in errors:
        assert set(properties) == {"file", "line", "title"} and properties["file"] == "src/100%,a:b.c" and properties["line"].isdecimal(), properties
        assert "became slower" in message and "\n" not in message, message
    assert any(message.startswith("100%,a:b became slower") for _, message in errors), errors
    assert any(message.startswith("%0A::warning::x became slower") for _, message in errors), errors


@case
def no_form_that_is_shown_in_a_log_has_a_command_in_it():
    for form in "text", "gcc", "markdown", "junit", "json", "bmf":
        text = check(form)
        assert "crc" in text and not github_commands(text), (form, github_commands(text))
        assert not azure_commands(text), (form, azure_commands(text))
    assert not azure_commands(check("github"))


@case
def an_editor_opens_the_file_of_each_finding():
    found = gcc_diagnostics(check("gcc"))
    placed = [row for row in found if row[0] != "unknown"]
    assert len(placed) == len(slower()), found
    for file, line, column, severity, message in placed:
        assert os.path.exists(os.path.join(FOLDER.name, file)) and 1 <= line <= len(NAMES) + 1 and (column, severity) == (1, "warning"), (file, line)
        assert "became slower" in message, message


@case
def a_junit_file_is_of_the_schema_and_has_each_case():
    cases = junit_cases(check("junit"))
    assert cases["crc"] == cases["Biquad::process(int)"] == "failure" and cases["steady"] == "passed" and cases["lost"] == "skipped", cases
    assert sum(result == "failure" for result in cases.values()) == len(slower()), cases
    done = subprocess.run([MINIPROFD, "check", "--baseline", "before.json", "--against", "after.json", "--min-calls", "1000000", "--format", "junit"], cwd=FOLDER.name,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and "error" in junit_cases(done.stdout).values(), done


@case
def the_readers_of_this_test_find_commands():
    assert github_commands("::error file=a%2Cb,line=3::50%25%0Aof\nx ::error::y\n  ::notice::z\na ##[group]b") == [
        ("error", {"file": "a,b", "line": "3"}, "50%\nof"), ("notice", {}, "z"), ("group", {}, "b")]
    assert len(azure_commands("a ##vso[task.complete result=Failed;]b\n##[section]c")) == 2
    for wrong in "<testsuite name='a' tests='2'><testcase name='b'/></testsuite>", "<testsuite name='a' tests='1'><testcase/></testsuite>", "<testsuites><case/></testsuites>":
        try:
            junit_cases(wrong)
        except (AssertionError, KeyError):
            continue
        raise AssertionError(wrong)


if __name__ == "__main__":
    sys.exit(run_cases())
