#!/usr/bin/env python3
"""summary.py - adds up the test runs that meson logged in the given build folders.

usage: summary.py [--flaky-most N] BUILD...
       summary.py --failed BUILD

Prints each skipped case with its reason, each failed case with its command line, its own output and the last lines of its program's log, then the cases that failed and passed in a second run of their program (`meson test --logbase again`), as
`flaky: N`, and one last line `N passed, N failed, N skipped`. Exit status 1 when a case failed, nothing ran, or more
than N cases are flaky.
--failed prints the names of the programs to run a second time, one a line: those that failed without a sanitizer's report."""
import json
import os
import re
import shlex
import sys
import xml.etree.ElementTree as ET

BAD = ("FAIL", "TIMEOUT", "INTERRUPT", "ERROR", "UNEXPECTEDPASS")
FIRST, AGAIN = ("tests", "pages"), ("again",)  # meson's log bases of the first and of the second run
LINES_MOST = 40  # of the log of one failed case


def programs(build, run=FIRST):
    """The log entry of each test program of `run` in `build`, as meson wrote it."""
    for base in run:
        log = os.path.join(build, "meson-logs", base + ".json")
        if os.path.exists(log):
            with open(log) as lines:
                yield from map(json.loads, lines)


def suites(path):
    """The suites of a result file. Meson copies the programs' output into it unchanged, with bytes that XML does not allow."""
    with open(path, encoding="utf-8", errors="replace") as text:
        return ET.fromstring(re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text.read())).iter("testsuite")


def cases(build, run=FIRST):
    """(program, case, result, reason) of each test case of `run` in `build`."""
    failed = set()  # programs with a failed case
    files = [os.path.join(build, "meson-logs", base + ".junit.xml") for base in run]
    for suite in (suite for path in files if os.path.exists(path) for suite in suites(path)):
        _, _, program = suite.get("name").partition(".")  # "project.program", or "project" for programs that print no cases
        for case in suite.iter("testcase"):
            name = (program, case.get("name")) if program else (case.get("name"), "")
            if case.find("failure") is not None or case.find("error") is not None:
                failed.add(name[0])
                yield *name, "failed", ""
            elif case.find("skipped") is not None:
                yield *name, "skipped", (case.findtext("skipped") or "").strip()
            else:
                yield *name, "passed", ""
    for test in programs(build, run):
        if test["result"] in BAD and test["name"] not in failed:
            yield test["name"], "", "failed", test["result"].lower()


def last_results(build):
    """Returns the cases of the first run in `build`; for programs that ran again, those of the second run."""
    again = list(cases(build, AGAIN))
    programs_again = {program for program, *_ in again}
    return [case for case in cases(build) if case[0] not in programs_again] + again


def flaky(build):
    """Returns (program, case or reason) of each case in `build` that failed first and passed in the second run."""
    # Meson does not list the cases of the page's programs; their TAP output does.
    titles = {test["name"]: "; ".join(line.strip() for line in tap_of_failures(test.get("stdout", "")) if line.lstrip().startswith("not ok"))
              for test in programs(build)}
    passed = {case[:2] for case in cases(build, AGAIN) if case[2] != "failed"}
    ran = {program for program, *_ in passed}
    for program, case, result, why in cases(build):
        if result == "failed" and ((program, case) in passed or (not case and program in ran)):
            yield program, case or why or titles.get(program, "")


def tap_of_failures(output):
    """The lines that a program printed about its failed cases, in TAP."""
    lines = output.splitlines()
    kept = []
    for at, line in enumerate(lines):
        failed = re.match(r"( *)not ok\b", line)
        if failed:
            kept.append(line)
            inner = failed[1] + " "
            for more in lines[at + 1:]:
                if not more.startswith((inner, failed[1] + "#")) or re.match(r" *\.\.\.$", more):
                    break
                kept.append(more)
    return kept


def log_of_case(errors, case):
    """What a program of C cases wrote to standard error while `case` ran: it writes "# suite::name" before each."""
    lines = errors.splitlines()
    begin = next((at for at, line in enumerate(lines) if line == "# " + case), None)
    if begin is None:
        return []
    end = next((at for at in range(begin + 1, len(lines)) if re.match(r"# \w+::\w+$", lines[at])), len(lines))
    said = lines[begin:end]
    seeds = [line for line in said[:-LINES_MOST] if "TEST_SEED=" in line]
    return seeds + said[-LINES_MOST:]


def report(build, test):
    """Prints the output that helps to find out why a program failed."""
    output, errors = test.get("stdout", ""), test.get("stderr", "")
    print(f"{build}: {test['name']} failed:", "  command: " + shlex.join(test.get("command", [])), sep="\n")
    lines = tap_of_failures(output) or output.splitlines()[-LINES_MOST:]
    names = [found[1] for line in lines if (found := re.match(r" *not ok \d+ - (\S+::\S+)", line))]
    logs = [line for name in names for line in log_of_case(errors, name)] or errors.splitlines()[-LINES_MOST:]
    for line in [*lines, *logs]:
        print("  " + line)


def failed_programs(build):
    """The names of the programs to run again, as `meson test` accepts them. What a sanitizer reported once is a fault, so it is not
    run again."""
    for test in programs(build):
        if test["result"] in BAD and not re.search("Sanitizer:|runtime error:", test.get("stdout", "") + test.get("stderr", "")):
            yield test["name"].split(" / ")[-1]


def main(builds, flaky_most):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for build in builds:
        for program, case, result, why in last_results(build) or [("did not run", "", "failed", "")]:
            count[result] += 1
            if result != "passed":
                print(f"{result}: {build}: {program} {case}".rstrip() + (f" ({why})" if why else ""))
    for build in builds:
        for test in programs(build):
            if test["result"] in BAD:
                report(build, test)
    again = [f"{build}: {program}: {case}" for build in builds for program, case in flaky(build)]
    if again:
        print(f"flaky: {len(again)}", *again, sep="\n  ")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] or len(again) > flaky_most else 0


if __name__ == "__main__":
    if sys.argv[1] == "--failed":
        for program in failed_programs(sys.argv[2]):
            print(program)
        sys.exit()
    if sys.argv[1] == "--flaky-most":
        sys.exit(main(sys.argv[3:], int(sys.argv[2])))
    sys.exit(main(sys.argv[1:], float("inf")))
