#!/usr/bin/env python3
"""summary.py - adds up what meson's test runs in the given build folders found.

usage: summary.py BUILD...
Names every skipped and failed case and every one that needed a second try, prints what the failed ones said, then one line
`N passed, N failed, N skipped`; exits 1 when any failed or when nothing ran."""
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

BAD = ("FAIL", "TIMEOUT", "INTERRUPT", "ERROR", "UNEXPECTEDPASS")
SAID_LINES = 40  # of what a failed program said: its failed cases in TAP, else its end


def programs(build):
    """What meson logged of each test program of the last run in `build`."""
    log = os.path.join(build, "meson-logs", "testlog.json")
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


def cases(build):
    """(name, result, why) of each test case of the last run in `build`."""
    found = os.path.join(build, "meson-logs", "testlog.junit.xml")
    if not os.path.exists(found):
        yield build, "failed", "did not run"
        return
    told = set()  # test programs of which some case is known to have failed
    for suite in results(found):
        for case in suite.iter("testcase"):
            name = f"{build}: {suite.get('name')} {case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                told.update((suite.get("name"), case.get("name")))
                yield name, "failed", ""
            elif case.find("skipped") is not None:
                yield name, "skipped", (case.findtext("skipped") or "").strip()
            else:
                yield name, "passed", ""
    for test in programs(build):
        if test["result"] in BAD and not any(test["name"] in name for name in told):
            yield f"{build}: {test['name']}", "failed", test["result"].lower()


def main(builds):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for build in builds:
        for name, result, why in cases(build):
            count[result] += 1
            if result != "passed":
                print(f"{result}: {name}" + (f" ({why})" if why else ""))
    for build in builds:
        for test in programs(build):
            output = test.get("stdout", "")
            for again in re.findall(r"^ *# (tried again: .*)$", output, re.MULTILINE):
                print(f"{build}: {test['name']}: {again}")
            if test["result"] in BAD:
                print(f"{build}: {test['name']} said:", *said(output), *test.get("stderr", "").splitlines()[-SAID_LINES:], sep="\n  ")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
