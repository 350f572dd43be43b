#!/usr/bin/env python3
"""test_names.py - tests which programs and cases `scripts/test NAME` runs, in an artificial build folder."""
import json
import os
import subprocess
import sys
import tempfile

from cases import case, run_cases

NAMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.py")
FILES = {
    "tests/test_keeper.c": "Test(keeper, keeps)\n{\n}\nTest(keeper, drops, .timeout = 3)\n{\n}\nTest(parts, moves)\n{\n}\n",
    "tests/check.py": "@case\ndef a_run_has_no_findings():\n    pass\n\n\n@case_of_all\ndef many_runs_have_none():\n    pass\n\n\ndef not_a_case():\n    pass\n",
    "tests/browser/flame.test.mjs": "test('rows are drawn', async (t) => {\n});\ntestOfAll('so are thousands', async (t) => {\n});\n",
    "tests/browser/timeline.test.mjs": "test(\"it's in the order of time\", needsMock, async (t) => {\n});\n",
}


def found(*names):
    """Returns (exit status, printed lines as lists of words, or the error)."""
    with tempfile.TemporaryDirectory() as top:
        for name, text in FILES.items():
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        page = os.path.join(top, "tests/browser.test.mjs")
        tests = [("session", "session", [top + "/test_session"]), ("e2e/check", "e2e", ["python3", top + "/tests/check.py", "daemon/miniprofd"]),
                 ("web/browser", "web", ["node", page, "but", "timeline"]), ("web/browser-largest", "web", ["node", page, "timeline"]),
                 ("web/real-daemon", "web", ["python3", top + "/tests/real.py", "node", page, "daemon/miniprofd", "but", "timeline"])]
        os.mkdir(os.path.join(top, "meson-info"))
        for what, content in (("tests", [{"name": name, "suite": ["miniprofd:" + suite], "cmd": command} for name, suite, command in tests]),
                              ("targets", [{"type": "executable", "filename": [top + "/test_session"],
                                            "target_sources": [{"sources": [top + "/tests/test_keeper.c"]}]}])):
            with open(os.path.join(top, "meson-info", f"intro-{what}.json"), "w", encoding="utf-8") as file:
                json.dump(content, file)
        done = subprocess.run([sys.executable, NAMES, top, *names], capture_output=True, text=True, check=False)
        return done.returncode, [line.split("\t") for line in done.stdout.splitlines()] or done.stderr.strip()


@case
def a_room_or_a_program_is_run_whole():
    assert found("session") == (0, [["*", "session"]])
    assert found("e2e") == found("e2e/check") == (0, [["*", "e2e/check"]])
    assert found("session", "e2e") == (0, [["*", "session", "e2e/check"]])


@case
def a_group_of_c_cases_is_run_alone():
    assert found("keeper") == (0, [["keeper/*", "session"]])
    assert found("keeper::drops") == found("drops") == (0, [["keeper/drops", "session"]])


@case
def only_decorated_python_functions_are_cases():
    assert found("a_run_has_no_findings") == (0, [["a_run_has_no_findings", "e2e/check"]])
    assert found("not_a_case")[0] == 2


@case
def cases_that_only_a_full_run_has_can_be_named():
    assert found("many_runs_have_none") == (0, [["many_runs_have_none", "e2e/check"]])
    assert found("so are thousands") == (0, [["so are thousands", "web/browser", "web/real-daemon"]])


@case
def a_view_or_a_sentence_leads_to_the_programs_that_have_it():
    assert found("timeline") == (0, [["timeline", "web/browser-largest"]])
    assert found("flame") == (0, [["flame", "web/browser", "web/real-daemon"]])
    assert found("it's in the order of time") == (0, [["it's in the order of time", "web/browser-largest"]])


@case
def an_unknown_name_gets_a_suggestion():
    status, said = found("keper")
    assert status == 2 and said.startswith("No test has the name 'keper'. Did you mean keeper"), said


if __name__ == "__main__":
    sys.exit(run_cases())
