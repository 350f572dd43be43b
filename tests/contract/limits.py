#!/usr/bin/env python3
"""limits.py - checks that every list of figures that can have a limit has all rows of daemon/base/bound_figures.h, with their
descriptions.

usage: limits.py MINIPROFD SOURCE_ROOT. Prints TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, ROOT = sys.argv[1:]
VALUES = {"ns": "5us", "count": "5", "per_second": "5/s", "percent": "5%"}


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


class Told:
    """The figures as listed by a daemon, and a profile of it."""

    def __init__(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "run.bin"), "wb") as capture:
                capture.write(b"".join(syst_messages()))
            with Daemon(MINIPROFD, "--dialect", "syst", "--port", "file:" + os.path.join(folder, "run.bin")) as daemon:
                daemon.wait_for_link(lambda link: link["records"] > 0)
                self.snapshot = daemon.snapshot()
                self.snapshot["target"]["ticks_per_second"] = 1000000  # unknown in such a capture
                self.hello = next(data for name, data in daemon.events(20) if name == "hello")
                document = json.loads(daemon.get("/api/v1/openapi.json")[2])
        self.figure = document["components"]["schemas"]["limit"]["properties"]["figure"]
        self.setting = document["paths"]["/api/v1/limits"]["post"]["summary"]
        self.names = self.figure["enum"]
        self.measured = next(row["name"] for row in self.snapshot["functions"] if row["calls"])


TOLD = Told()


def run(*arguments):
    return subprocess.run([MINIPROFD, *arguments], capture_output=True, text=True, timeout=60, check=False)


def rows_of_docs():
    """The table in docs/limits.md: {figure: [meaning, time of judgement, value, whether it takes more than < and <=, whether check judges it]}."""
    found = {}
    for line in read("docs", "limits.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 6:
            found[cells[0].strip("`")] = cells[1:]
    return found


@case
def each_has_an_id_and_a_description():
    assert list(TOLD.figure["x-meaning"]) == TOLD.names
    for name, meaning in TOLD.figure["x-meaning"].items():
        assert meaning and meaning[0].islower() and meaning[-1] != ".", (name, meaning)


@case
def the_table_of_the_document_has_each_figure():
    rows = rows_of_docs()
    for name, meaning in TOLD.figure["x-meaning"].items():
        assert name in rows, f"docs/limits.md has no row for it: | `{name}` | {meaning} | (when) | (value) | (`>` `=`) | (`check`) |"
        assert rows[name][0] == meaning, f"docs/limits.md says of `{name}` {rows[name][0]!r}, bound_figures.h {meaning!r}"
    assert list(rows) == TOLD.names, "in the order of bound_figures.h, and no other"


@case
def the_table_marks_figures_with_lower_limits():
    for name, cells in rows_of_docs().items():
        refused = any("this figure takes < or <=" in run("--limit", f"f:{name}>{value}").stderr for value in VALUES.values())
        assert cells[3] == ("" if refused else "yes"), (name, cells)


@case
def the_table_marks_figures_that_check_judges():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(TOLD.snapshot, file)
        for name, cells in rows_of_docs().items():
            done = next(done for value in VALUES.values()
                        if "cannot be read" not in (done := run("check", "--against", path, "--limit", f"{TOLD.measured}:{name}<={value}")).stderr)
            later = "judged only while a profile is measured" in done.stdout + done.stderr
            assert cells[4] == ("" if later else "yes"), (name, cells, done)


@case
def help_the_api_the_page_and_the_error_name_all_of_them():
    listed = ", ".join(TOLD.names[:-1]) + ", or " + TOLD.names[-1]
    usage = re.sub(r"\s+", " ", run("--help").stdout).replace(" (%)", "")
    assert listed in usage, (listed, usage)
    assert listed in TOLD.setting, TOLD.setting
    assert TOLD.hello["limit_figures"] == TOLD.names, TOLD.hello
    refused = run("--limit", "f:nothing<1us")
    assert refused.returncode == 2 and listed in refused.stderr, refused


@case
def no_other_file_lists_them():
    """Searches the program, the page and the documents for three figures in the order of such a list."""
    again = re.compile(r"\bp50`?, `?p90`?, `?p99`?, `?calls\b|\bmax`?, `?period`?, `?mean\b")
    for top in "daemon", "webroot", "docs":
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for name in files:
                path = os.path.join(folder, name)
                if name.endswith((".c", ".h", ".js", ".md", ".mjs")) and again.search(open(path, encoding="utf-8").read()):
                    raise AssertionError(f"{os.path.relpath(path, ROOT)} lists figures of limits; refer to docs/limits.md, or use bound.h")


if __name__ == "__main__":
    sys.exit(run_cases())
