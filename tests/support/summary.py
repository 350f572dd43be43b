#!/usr/bin/env python3
"""summary.py - adds up what meson's test runs in the given build folders found.

usage: summary.py BUILD...
       summary.py --failed BUILD
Names every skipped and failed case and every one that needed a second try, prints what the failed ones said, then one line
`N passed, N failed, N skipped`; exits 1 when any failed or when nothing ran. A program that was run again (`meson test --logbase again`)
counts as it came out then; what failed in its first run is named as tried again.
--failed: the names of the programs that failed and may be run again, one a line, as `meson test` takes them, and nothing else."""
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

BAD = ("FAIL", "TIMEOUT", "INTERRUPT", "ERROR", "UNEXPECTEDPASS")
FIRST, AGAIN = "testlog", "again"  # the log bases of a run and of its second tries
SAID_LINES = 40  # of what a failed program said: its failed cases in TAP, else its end


def programs(build, run=FIRST):
    """What meson logged of each test program of `run` in `build`."""
    log = os.path.join(build, "meson-logs", run + ".json")
    if os.path.exists(log):
        with open(log) as lines:
            yield from map(json.loads, lines)


def said(output):
    """The lines of a failed program's output that say why."""
    lines = output.splitlines()
    told = []
    for at, line in enumerate(lines):
        failed = re.match(r"( *)not ok\b", line)
        if failed:
            told.append(line)
            inner = failed[1] + " "
            for more in lines[at + 1:]:
                if not more.startswith((inner, failed[1] + "#")) or re.match(r" *\.\.\.$", more):
                    break
                told.append(more)
    return told[:SAID_LINES] or lines[-SAID_LINES:]


def results(path):
    """The suites of a result file. Meson copies what programs print into it as it is, terminal colours too, which XML has no place for."""
    with open(path, encoding="utf-8", errors="replace") as text:
        return ET.fromstring(re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text.read())).iter("testsuite")


def cases(build, run=FIRST):
    """(program, case, result, why) of each test case of `run` in `build`."""
    found = os.path.join(build, "meson-logs", run + ".junit.xml")
    if not os.path.exists(found):
        return
    told = set()  # test programs of which some case is known to have failed
    for suite in results(found):
        _, _, program = suite.get("name").partition(".")  # the project before it, alone where programs print no cases
        for case in suite.iter("testcase"):
            name = (program, case.get("name")) if program else (case.get("name"), "")
            if case.find("failure") is not None or case.find("error") is not None:
                told.add(name[0])
                yield *name, "failed", ""
            elif case.find("skipped") is not None:
                yield *name, "skipped", (case.findtext("skipped") or "").strip()
            else:
                yield *name, "passed", ""
    for test in programs(build, run):
        if test["result"] in BAD and test["name"] not in told:
            yield test["name"], "", "failed", test["result"].lower()


def judged(build):
    """The cases of the last run in `build`; of programs that were run again those of that run."""
    again = list(cases(build, AGAIN))
    programs_again = {program for program, *_ in again}
    return [case for case in cases(build) if case[0] not in programs_again] + again


def programs_judged(build):
    return {test["name"]: test for run in (FIRST, AGAIN) for test in programs(build, run)}.values()


def name_of(build, program, case):
    return f"{build}: {program} {case}".rstrip()


def tried_again(build):
    """The cases in `build` that failed and passed when their program was run again."""
    passed = {case[:2] for case in cases(build, AGAIN) if case[2] != "failed"}
    ran = {program for program, *_ in passed}
    for program, case, result, why in cases(build):
        if result == "failed" and ((program, case) in passed or (not case and program in ran)):
            yield program, case, why


def failed_programs(build):
    """As `meson test` takes their names: what it logs is `project:suite / name`. What a sanitizer found is there whether it is found twice
    or not, so it is left out."""
    for test in programs(build):
        if test["result"] in BAD and not re.search("Sanitizer:|runtime error:", test.get("stdout", "") + test.get("stderr", "")):
            yield test["name"].split(" / ")[-1]


def main(builds):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for build in builds:
        found = judged(build) or [("did not run", "", "failed", "")]
        for program, case, result, why in found:
            count[result] += 1
            if result != "passed":
                print(f"{result}: {name_of(build, program, case)}" + (f" ({why})" if why else ""))
    for build in builds:
        for program, case, why in tried_again(build):
            print(f"{build}: {program}: tried again: {case or why}")
        for test in programs(build):
            if test["result"] in BAD:
                print(f"{build}: {test['name']} said:", *said(test.get("stdout", "")), *test.get("stderr", "").splitlines()[-SAID_LINES:], sep="\n  ")
        for test in programs_judged(build):
            for again in re.findall(r"^ *# (tried again: .*)$", test.get("stdout", ""), re.MULTILINE):
                print(f"{build}: {test['name']}: {again}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    if sys.argv[1] == "--failed":
        for program in failed_programs(sys.argv[2]):
            print(program)
        sys.exit()
    sys.exit(main(sys.argv[1:]))
