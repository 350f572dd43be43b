#!/usr/bin/env python3
"""new_figure.py - adds a counter of the link (three files) and a figure of functions (four files) to a copy of the sources. Both
must appear in all outputs that are made from the tables of figures.

Run by additions.py. Without node, the cases about the page are skipped by name."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile

from captures_made import syst_messages
from cases import Skip, case
from daemon import Daemon

MOCK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web", "mock-figures.json")

# Prints the page's rows and columns for a daemon's figures and snapshot: [title, help, text] of each.
SHOW = """
import { readFileSync } from 'node:fs';
const [root, told, taken] = process.argv.slice(2);
const { linkCards } = await import(`${root}/js/model/link.js`);
const { columnsFor, functionRows } = await import(`${root}/js/model/table.js`);
const { Profile } = await import(`${root}/js/model/profile.js`);
const { packRows } = await import(`${root}/js/model/calltree.js`);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const figures = read(told);
const snapshot = read(taken);
snapshot.call_tree = packRows(snapshot.call_tree);
const profile = new Profile();
profile.load(snapshot);
const rows = functionRows(profile);
console.log(JSON.stringify({
  link: linkCards(figures).flatMap(({ rows }) => rows.map(({ term, tip, of }) => [term, tip, of(profile)])),
  functions: columnsFor(figures, rows).map((column) => [column.title, column.tip, column.text(rows[0], null)]),
}));
"""


def add_counter(tree):
    """functions_met: the number of rows of functions."""
    tree.insert_before("daemon/snapshot/snapshot.h", "    uint64_t reconnects, target_resets;\n",
                       "    uint64_t functions_met;\n")
    tree.insert_before("daemon/profile/freeze.c", "    link->orphan_exits = ",
                       "    link->functions_met = profile->functions.count;\n")
    tree.insert_before("daemon/snapshot/figures_link.c", "    {TOTAL(orphan_exits)",
                       '    {TOTAL(functions_met), .title = "Functions met", .help = "Rows of functions", '
                       ".group = GROUP_ARRIVED},\n")


def next_number(tree, path, word):
    """The first number that no row of the table has as its .csv or .column."""
    with open(os.path.join(tree.root, path), encoding="utf-8") as file:
        return 1 + max(int(number) for number in re.findall(rf"\.{word} = (\d+)", file.read()))


def add_figure(tree):
    """last_ticks: duration of the newest call of a function, also of the newest inside a range."""
    tree.insert_before("daemon/snapshot/snapshot.h", "    uint64_t sum_ticks; ", "    uint64_t last_ticks;\n")
    tree.insert_before("daemon/profile/functions.c", "    if (duration < row->min_ticks)\n",
                       "    row->last_ticks = duration;\n")
    tree.insert_before("daemon/snapshot/recount.c", "    if (duration_ticks < row->min_ticks)\n",
                       "    row->last_ticks = duration_ticks;\n")
    path = "daemon/snapshot/figures_function.c"
    tree.insert_before(path, '    {.key = "samples"',
                       '    {OF_A_CALL(last_ticks), .title = "Last", .help = "Newest call", .metric = "function_last", '
                       f".csv = {next_number(tree, path, 'csv')}, .column = {next_number(tree, path, 'column')}}},\n")


class Counter:
    WHAT = "a counter of the link"

    def add(self, tree):
        add_counter(tree)

    def look(self, miniprofd, tree):
        pass


class Changed:
    """The output for a capture of the daemon with both additions."""
    WHAT = "a figure of functions"

    def add(self, tree):
        add_figure(tree)

    def look(self, miniprofd, tree):
        webroot = os.path.join(tree.root, "webroot")
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)

            with open(path("run.bin"), "wb") as capture:
                capture.write(b"".join(syst_messages()))
            with Daemon(miniprofd, "--dialect", "syst", "--port", "file:" + path("run.bin")) as daemon:
                daemon.wait_for_link(lambda link: link["records"] > 0)
                self.snapshot = daemon.snapshot()
                self.figures = next(data for name, data in daemon.events(20) if name == "hello")["figures"]
                self.metrics = daemon.get("/metrics")[2].decode()
                self.csv = daemon.get("/api/v1/export/csv")[2].decode()
                self.html = daemon.get("/api/v1/export/html")[2].decode()
                self.ranged = json.loads(daemon.get("/api/v1/snapshot?from=0")[2])
                self.schemas = json.loads(daemon.get("/api/v1/openapi.json")[2])["components"]["schemas"]
            for name, value in (("figures.json", self.figures), ("run.json", self.snapshot)):
                with open(path(name), "w", encoding="utf-8") as file:
                    json.dump(value, file)
            with open(path("show.mjs"), "w", encoding="utf-8") as file:
                file.write(SHOW)
            node = shutil.which("node")
            self.page = node and json.loads(subprocess.run(
                [node, path("show.mjs"), webroot, path("figures.json"), path("run.json")], stdout=subprocess.PIPE, check=True).stdout)


CHANGED = Changed()
ADDITIONS = [Counter(), CHANGED]


def timed(snapshot):
    return [function for function in snapshot["functions"] if function["last_ticks"] is not None]


@case
def both_are_in_the_json():
    assert CHANGED.snapshot["link"]["functions_met"] == len(CHANGED.snapshot["functions"])
    assert timed(CHANGED.snapshot)
    for function in timed(CHANGED.snapshot):
        assert function["min_ticks"] <= function["last_ticks"] <= function["max_ticks"], function


@case
def a_range_has_the_figure_of_its_own_calls():
    assert CHANGED.ranged["range"]
    assert {f["name"]: f["last_ticks"] for f in timed(CHANGED.ranged)} == {f["name"]: f["last_ticks"] for f in timed(CHANGED.snapshot)}


@case
def the_figure_is_a_column_of_the_csv():
    rows = {row["function"]: row["last_ticks"] for row in csv.DictReader(io.StringIO(CHANGED.csv, newline=""))}
    for function in timed(CHANGED.snapshot):
        assert rows[function["name"]] == str(function["last_ticks"]), rows


@case
def both_are_metrics():
    assert f"\nminiprofd_link_functions_met_total {len(CHANGED.snapshot['functions'])}\n" in CHANGED.metrics, CHANGED.metrics
    assert "# HELP miniprofd_function_last_ticks Newest call.\n# TYPE miniprofd_function_last_ticks gauge\n" in CHANGED.metrics
    for function in timed(CHANGED.snapshot):
        line = f'\nminiprofd_function_last_ticks{{function="{function["name"]}"}} {function["last_ticks"]}\n'
        assert line in CHANGED.metrics, (line, CHANGED.metrics)


@case
def both_are_in_the_openapi_document():
    assert CHANGED.schemas["link"]["properties"]["functions_met"]["description"] == "Rows of functions"
    assert CHANGED.schemas["function"]["properties"]["last_ticks"]["type"] == ["integer", "null"]


@case
def the_page_shows_both():
    if CHANGED.page is None:
        raise Skip("node is not installed (Debian package nodejs)")
    assert ["Functions met", "Rows of functions", str(len(CHANGED.snapshot["functions"]))] in CHANGED.page["link"], CHANGED.page
    title, tip, text = CHANGED.page["functions"][-1]
    if title == "Source":
        title, tip, text = CHANGED.page["functions"][-2]
    assert (title, tip) == ("Last", "Newest call") and text.isdigit(), CHANGED.page


@case
def the_html_report_has_the_table_for_its_views():
    for key in ("functions_met", "last_ticks"):
        assert f'"key":"{key}"' in CHANGED.html, key


@case
def the_mock_of_the_page_tests_has_the_figures_of_the_daemon():
    with open(MOCK, encoding="utf-8") as file:
        mock = json.load(file)
    for table, figures in mock.items():
        told = {figure["key"]: figure for figure in CHANGED.figures[table]}
        for figure in figures:
            assert told.get(figure["key"]) == figure, (table, figure, told.get(figure["key"]))
