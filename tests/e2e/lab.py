#!/usr/bin/env python3
"""lab.py - compares docs/lab/ with the program: metrics, columns and rules.

usage: lab.py MINIPROFD EXAMPLE_HOST FOLDER. Prints TAP. Cases that need promtool or python3-yaml are skipped by name if these are not installed."""
import csv
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import PATIENCE, Daemon  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

MINIPROFD, EXAMPLE_HOST, LAB = (os.path.abspath(path) for path in sys.argv[1:4])
USED = re.compile(r"\bminiprofd_\w+")


class Skip(Exception):
    pass


def text_of(name):
    with open(os.path.join(LAB, name), encoding="utf-8") as file:
        return file.read()


def need(program):
    if not shutil.which(program):
        raise Skip(f"{program} is not installed")


def run(*command, **how):
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def profile(folder, name):
    """Returns the example's output: (metrics, path of a CSV file)."""
    paths = {form: os.path.join(folder, f"{name}.{form}") for form in ("prometheus", "csv")}
    target = subprocess.Popen([EXAMPLE_HOST, "--rounds", "20"], stdout=subprocess.PIPE, text=True)
    try:
        with Daemon(MINIPROFD, "--port", target.stdout.readline().strip(), "--elf", EXAMPLE_HOST, "--limit", "control_cycle:max<1us") as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 1000)
            for form, path in paths.items():
                with open(path, "wb") as file:
                    file.write(daemon.get(f"/api/v1/export/{form}")[2])
    finally:
        target.kill()
        target.wait()
    with open(paths["prometheus"], encoding="utf-8") as file:
        return file.read(), paths["csv"]


def series(metrics):
    """Returns {name: labels} of the answer of /metrics."""
    found = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", metrics, re.M):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def metrics_are_there(folder):
    metrics, _ = profile(folder, "one")
    there = series(metrics)
    for name in ("rules.yml", "rules_test.yml", "dashboard.json", "README.md"):
        used = set(USED.findall(text_of(name)))
        assert used, name
        assert used <= set(there), (name, used - set(there))
    # A name in a legend, a grouping or a sentence must be a label of a series beside it, or of the collector.
    own = {"board", "instance", "job"} | set().union(*there.values())
    for name in ("rules.yml", "dashboard.json"):
        named = set(re.findall(r"\$labels\.(\w+)", text_of(name))) | set(re.findall(r"\{\{(\w+)\}\}", text_of(name)))
        for group in re.findall(r"by \(([^)]*)\)", text_of(name)):
            named |= {label.strip() for label in group.split(",")}
        assert named and named <= own, (name, named - own)
    for name in ("function", "limit", "context"):
        assert any(name in labels for labels in there.values()), name


def dashboard_is_whole(folder):
    board = json.loads(text_of("dashboard.json"))
    assert {"title", "uid", "panels", "schemaVersion", "templating"} <= set(board)
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids)) >= 8
    taken = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24 and panel["targets"] and panel["title"], panel
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, f"{panel['title']} lies on another"
        taken |= cells


def rules_hold(folder):
    need("promtool")
    for name in ("prometheus.yml", "rules.yml", "rules_test.yml"):
        shutil.copy(os.path.join(LAB, name), folder)
    with open(os.path.join(folder, "boards.json"), "w", encoding="utf-8") as file:
        file.write('[{"targets": ["127.0.0.1:7777"], "labels": {"board": "a"}}]')
    run("promtool", "check", "config", "prometheus.yml", cwd=folder)
    run("promtool", "test", "rules", "rules_test.yml", cwd=folder)
    tested = set(re.findall(r"alertname: (\w+)", text_of("rules_test.yml")))
    assert tested == set(re.findall(r"- alert: (\w+)", text_of("rules.yml"))), "each alert has a test"


def queries_of_dashboard_are_promql(folder):
    need("promtool")
    rules = [{"record": f"panel:{i}:{n}", "expr": target["expr"].replace("$__rate_interval", "5m").replace("$board", ".+")}
             for i, panel in enumerate(json.loads(text_of("dashboard.json"))["panels"]) for n, target in enumerate(panel["targets"])]
    path = os.path.join(folder, "panels.yml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "panels", "rules": rules}]}, file)  # which is YAML, too
    assert f"{len(rules)} rules found" in run("promtool", "check", "rules", path)


def others_collect_the_same(folder):
    if not yaml:
        raise Skip("python3-yaml is not installed")
    one, other = yaml.safe_load(text_of("prometheus.yml")), yaml.safe_load(text_of("victoriametrics.yml"))
    assert one["scrape_configs"] == other["scrape_configs"]
    parca = yaml.safe_load(text_of("parca.yaml"))
    job = parca["scrape_configs"][0]
    assert set(parca) == {"object_storage", "scrape_configs"} and job["file_sd_configs"] == one["scrape_configs"][0]["file_sd_configs"]
    assert job["profiling_config"]["pprof_config"]["process_cpu"]["path"] == "/debug/pprof/profile" and '"/debug/pprof/profile"' in text_of("config.alloy")
    alloy = re.sub(r'"[^"]*"|//.*', "", text_of("config.alloy"))
    assert alloy.count("{") == alloy.count("}") > 8
    blocks = set(re.findall(r'^([a-z_.]+) "(\w+)" \{', text_of("config.alloy"), re.M))
    used = set(re.findall(r"((?:discovery|prometheus|pyroscope)\.\w+)\.(\w+)\.(?:targets|output|receiver)", text_of("config.alloy")))
    assert used and used <= blocks, used - blocks


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return names, [[None if cell == "" else float(cell) if re.fullmatch(r"-?\d+(\.\d+)?", cell) else cell for cell in row] for row in rows]


def sql_runs(folder):
    _, path = profile(folder, "one")
    names, rows = rows_of(path)
    base = sqlite3.connect(":memory:")
    sql = "\n".join(line for line in text_of("profiles.sql").splitlines() if not line.startswith("--"))
    creates, *queries = re.split(r"(?<=;)\s*(?=SELECT)", sql)
    assert re.findall(r"CREATE TABLE (\w+) AS SELECT \* FROM read_csv\('(\w+)\.csv', nullstr = ''\);", creates) == [("baseline", "baseline"), ("latest", "latest")]
    mean, function = names.index("mean_ticks"), names.index("function")
    slower = [row[:] for row in rows]
    for row in slower:
        if row[function] == "control_cycle":
            row[mean] *= 2
    slower.append([{"function": "added", "calls": 1, "total_ticks": 5}.get(name) for name in names])
    for table, of in (("baseline", rows), ("latest", slower)):
        base.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", of)
    answers = [base.execute(query).fetchall() for query in queries]
    assert len(answers) == 5 and answers[0] and answers[3], answers
    assert [row[0] for row in answers[1]] == ["control_cycle"], answers[1]
    assert [row[0] for row in answers[4]] == ["added"], answers[4]


CASES = [metrics_are_there, dashboard_is_whole, rules_hold, queries_of_dashboard_are_promql, others_collect_the_same, sql_runs]


def main():
    failed = 0
    print(f"1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        try:
            with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
                case(folder)
            print(f"ok {number} - {case.__name__}")
        except Skip as why:
            print(f"ok {number} - {case.__name__} # SKIP {why}")
        except Exception as problem:  # one failed case does not hide the others
            failed += 1
            print(f"not ok {number} - {case.__name__}\n# " + repr(problem).replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
