#!/usr/bin/env python3
"""prometheus_scrape.py - a real Prometheus collects from miniprofd, and then has our figures.

usage: prometheus_scrape.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import PATIENCE, Daemon  # noqa: E402
from ports import free_port  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]


def ask(port, query):
    """Returns {function, or "": value} of an instant query; None while Prometheus does not answer yet."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?query={quote(query)}", timeout=PATIENCE) as answer:
            result = json.load(answer)["data"]["result"]
    except (urllib.error.URLError, ConnectionError):
        return None
    return {row["metric"].get("function", ""): float(row["value"][1]) for row in result}


def wait_for(what):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"not in {PATIENCE} s")


def scrape(folder):
    target = subprocess.Popen([EXAMPLE_HOST, "--rounds", "50"], stdout=subprocess.PIPE, text=True)
    try:
        pty = target.stdout.readline().strip()
        with Daemon(MINIPROFD, "--port", pty, "--elf", EXAMPLE_HOST) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            port = free_port()
            config = os.path.join(folder, "prometheus.yml")
            with open(config, "w") as f:
                f.write("scrape_configs:\n- job_name: miniprofd\n  scrape_interval: 1s\n  static_configs:\n"
                        f"  - targets: ['127.0.0.1:{daemon.port}']\n")
            prometheus = subprocess.Popen(
                ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                wait_for(lambda: ask(port, 'up{job="miniprofd"}') == {"": 1.0})

                def same():  # once the run has ended and was scraped again
                    want = {row["name"]: float(row["calls"]) for row in daemon.snapshot()["functions"]
                            if row["kind"] == "function" and row["calls"] is not None}
                    return want and ask(port, "sum by (function) (miniprofd_function_calls_total)") == want

                wait_for(same)
            finally:
                prometheus.terminate()
                prometheus.wait(timeout=PATIENCE)
    finally:
        target.terminate()
        target.wait(timeout=PATIENCE)


def main():
    print("1..1")
    if not shutil.which("prometheus"):
        print("ok 1 - prometheus_collects_our_figures # SKIP prometheus is not installed (Debian package prometheus)")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
            scrape(folder)
        print("ok 1 - prometheus_collects_our_figures")
        return 0
    except AssertionError as problem:
        print("not ok 1 - prometheus_collects_our_figures")
        print("# " + str(problem).replace("\n", "\n# "))
        return 1


if __name__ == "__main__":
    sys.exit(main())
