#!/usr/bin/env python3
"""test_summary.py - tests the closing lines of a test run, from logs as meson writes them."""
import json
import os
import subprocess
import sys
import tempfile

from cases import case, run_cases

SUMMARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "summary.py")


def write_log(build, base, tests):
    # A program that prints no TAP is a case of the project's own suite; `ran` is then the XML in that suite.
    suites = "".join(
        f'<testsuite name="project"><testcase name="{name}">{ran}</testcase></testsuite>' if isinstance(ran, str) else
        f'<testsuite name="project.{name}">' + "".join(f'<testcase name="{one}">{inner}</testcase>' for one, inner in ran.items()) +
        "</testsuite>" for name, _, _, ran in tests)
    with open(os.path.join(build, "meson-logs", base + ".junit.xml"), "w") as xml:
        xml.write(f"<testsuites>{suites}</testsuites>")
    with open(os.path.join(build, "meson-logs", base + ".json"), "w") as log:
        for name, result, output, _ in tests:
            output, errors = output if isinstance(output, tuple) else (output, "")
            log.write(json.dumps({"name": name, "result": result, "stdout": output, "stderr": errors, "command": ["run", name, "a b"]}) + "\n")


def told(*tests, again=(), option=()):
    """Returns exit status and lines of summary.py for test programs, each (name, result, stdout or (stdout, stderr), {case: XML in it})."""
    with tempfile.TemporaryDirectory() as build:
        os.mkdir(os.path.join(build, "meson-logs"))
        write_log(build, "tests", tests[:-1])
        write_log(build, "pages", tests[-1:])
        if again:
            write_log(build, "again", again)
        command = [sys.executable, SUMMARY, *option, build]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        return run.returncode, run.stdout.replace(build, "BUILD").splitlines()


@case
def passed_cases_are_counted():
    assert told(("a", "OK", "", {"x": "", "y": ""})) == (0, ["2 passed, 0 failed, 0 skipped"])


@case
def skipped_cases_are_named_with_a_reason():
    status, lines = told(("a", "OK", "", {"x": "", "y": "<skipped>no such tool</skipped>"}))
    assert (status, lines) == (0, ["skipped: BUILD: a y (no such tool)", "1 passed, 0 failed, 1 skipped"])


@case
def failed_cases_are_named_with_their_output():
    output = "ok 1 - x\n# of x\nnot ok 2 - y\n  ---\n  error: no y\n  ...\nok 3 - z\nnot ok 4 - w\n# w is gone\nok 5 - v\n"
    status, lines = told(("a", "FAIL", output, {"x": "", "y": "<failure/>"}))
    assert status == 1
    assert lines == ["failed: BUILD: a y", "BUILD: a failed:", "  command: run a 'a b'", "  not ok 2 - y", "    ---", "    error: no y", "  not ok 4 - w",
                     "  # w is gone", "1 passed, 1 failed, 0 skipped"], lines


@case
def a_failed_case_of_c_is_reported_with_its_own_log_and_seed():
    errors = "# s::x\nx: TEST_SEED=1\n# s::y\ny: TEST_SEED=7\n" + "".join(f"{i}\n" for i in range(60)) + "t.c:3: does not hold\n# s::z\nlate\n"
    _, lines = told(("a", "FAIL", ("ok 1 - s::x\nnot ok 2 - s::y\nok 3 - s::z\n", errors), {"s::x": "", "s::y": "<failure/>"}))
    assert lines[3] == "  not ok 2 - s::y" and lines[4:6] == ["  y: TEST_SEED=7", "  21"] and lines[-2] == "  t.c:3: does not hold", lines
    assert "  late" not in lines and "  x: TEST_SEED=1" not in lines, lines


@case
def a_program_failing_without_a_case_shows_its_last_lines():
    status, lines = told(("a", "TIMEOUT", "".join(f"{i}\n" for i in range(100)), {"x": ""}))
    assert status == 1
    assert lines[0] == "failed: BUILD: a (timeout)" and lines[3] == "  60" and lines[-2] == "  99", lines
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"


FAILED = ("a", "FAIL", "not ok 2 - y\n# 1 is not 2\n", {"x": "", "y": "<failure/>"})
OTHER = ("b", "OK", "", {"z": ""})


@case
def the_second_run_of_a_failed_program_counts():
    status, lines = told(FAILED, OTHER, again=[("a", "OK", "", {"x": "", "y": ""})])
    assert status == 0
    assert lines == ["BUILD: a failed:", "  command: run a 'a b'", "  not ok 2 - y", "  # 1 is not 2", "flaky: 1", "  BUILD: a: y",
                     "3 passed, 0 failed, 0 skipped"], lines


@case
def more_flaky_cases_than_allowed_fail_the_run():
    again = [("a", "OK", "", {"x": "", "y": ""})]
    status, lines = told(FAILED, OTHER, again=again, option=["--flaky-most", "0"])
    assert status == 1 and "flaky: 1" in lines and lines[-1] == "3 passed, 0 failed, 0 skipped", lines
    assert told(FAILED, OTHER, again=again, option=["--flaky-most", "1"])[0] == 0
    assert told(OTHER, option=["--flaky-most", "0"])[0] == 0


@case
def a_case_that_fails_twice_has_failed():
    status, lines = told(FAILED, OTHER, again=[FAILED])
    assert status == 1
    assert lines[0] == "failed: BUILD: a y" and lines[-1] == "2 passed, 1 failed, 0 skipped", lines
    assert not any("flaky" in line for line in lines), lines


@case
def a_program_that_ran_out_of_time_once_is_flaky():
    status, lines = told(("a", "TIMEOUT", "", {"x": ""}), OTHER, again=[("a", "OK", "", {"x": "", "y": ""})])
    assert (status, lines[-3:]) == (0, ["flaky: 1", "  BUILD: a: timeout", "3 passed, 0 failed, 0 skipped"]), lines


@case
def a_flaky_case_unknown_to_meson_is_named_by_its_tap():
    failed = ("web / page", "FAIL", "ok 1 - x\nnot ok 2 - the rows are drawn\n  ---\n  error: no\n", "<failure/>")
    status, lines = told(OTHER, failed, again=[("web / page", "OK", "", "")])
    assert (status, lines[-3:]) == (0, ["flaky: 1", "  BUILD: web / page: not ok 2 - the rows are drawn", "2 passed, 0 failed, 0 skipped"]), lines


@case
def programs_that_failed_are_named_for_the_second_run():
    assert told(FAILED, OTHER, ("project:s / c", "TIMEOUT", "", {}), option=["--failed"]) == (0, ["a", "c"])


@case
def sanitizer_findings_are_not_retried():
    assert told(("a", "FAIL", "==7==ERROR: AddressSanitizer: heap-use-after-free", {"x": "<failure/>"}), option=["--failed"]) == (0, [])


@case
def characters_invalid_in_xml_are_skipped():
    assert told(("a", "OK", "", {"x": "<system-out>\x1b[2m grey \x00</system-out>", "y": "<failure/>"}))[1][-1] == "1 passed, 1 failed, 0 skipped"


@case
def nothing_run_is_a_failure():
    assert told()[0] == 1


if __name__ == "__main__":
    sys.exit(run_cases())
