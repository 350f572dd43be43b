#!/usr/bin/env python3
"""summary.py - adds up what meson's test runs in the given build folders found.

usage: summary.py BUILD...
Names every skipped and failed case, then prints one line `N passed, N failed, N skipped`; exits 1 when any failed or
when nothing ran."""
import json
import os
import sys
import xml.etree.ElementTree as ET

BAD = ("FAIL", "TIMEOUT", "INTERRUPT", "ERROR", "UNEXPECTEDPASS")


def cases(build):
    """(name, result, why) of each test case of the last run in `build`."""
    logs = os.path.join(build, "meson-logs")
    if not os.path.exists(os.path.join(logs, "testlog.junit.xml")):
        yield build, "failed", "did not run"
        return
    told = set()  # test programs of which some case is known to have failed
    for suite in ET.parse(os.path.join(logs, "testlog.junit.xml")).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            name = f"{build}: {suite.get('name')} {case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                told.update((suite.get("name"), case.get("name")))
                yield name, "failed", ""
            elif case.find("skipped") is not None:
                yield name, "skipped", (case.findtext("skipped") or "").strip()
            else:
                yield name, "passed", ""
    with open(os.path.join(logs, "testlog.json")) as log:
        for line in log:
            test = json.loads(line)
            if test["result"] in BAD and not any(test["name"] in name for name in told):
                yield f"{build}: {test['name']}", "failed", test["result"].lower()


def main(builds):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for build in builds:
        for name, result, why in cases(build):
            count[result] += 1
            if result != "passed":
                print(f"{result}: {name}" + (f" ({why})" if why else ""))
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
