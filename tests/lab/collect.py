#!/usr/bin/env python3
"""collect.py - collects metrics of four daemons with Prometheus, then with VictoriaMetrics and vmalert. 200 more entries lead to the same daemons under other labels.

usage: collect.py MINIPROFD EXAMPLE_HOST LAB. On demand (ninja lab): takes two minutes. Prints TAP and the time and memory needed. One daemon ends, and must no
longer be collected from; one is killed, and must be reported as missing."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from ports import free_port  # noqa: E402

MINIPROFD, EXAMPLE_HOST, LAB = (os.path.abspath(path) for path in sys.argv[1:4])
PATIENCE, REAL, MORE = 120, 4, 200


def wait_for(what, told):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"not in {PATIENCE} s: {told}")


def cpu_and_memory(process):
    """Returns the processor time in seconds and the resident memory in MiB."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Collector:
    """The processes of a collector. The first one collects and answers queries at `port`."""

    def __init__(self, folder, config_name, *programs):
        with open(os.path.join(LAB, config_name), encoding="utf-8") as file:
            config = file.read().replace("15s", "2s").replace("[boards.json]", "[boards.json, more.json]")
        with open(os.path.join(LAB, "rules.yml"), encoding="utf-8") as file:
            rules = file.read().replace("for: 1m", "for: 1s")
        for name, text in ((config_name, config), ("rules.yml", rules)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.port = free_port()
        self.processes = [subprocess.Popen([word.format(folder=folder, port=self.port, free=free_port()) for word in program], cwd=folder,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for program in programs]

    def ask(self, query):
        """Returns the rows of an instant query, or None while the collector does not answer yet."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?query={quote(query)}", timeout=PATIENCE) as answer:
                return [(row["metric"], float(row["value"][1])) for row in json.load(answer)["data"]["result"]]
        except (urllib.error.URLError, ConnectionError):
            return None

    def figure(self, query):
        rows = self.ask(query)
        return rows[0][1] if rows else None


PROMETHEUS = "prometheus.yml", ["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path={folder}/data", "--log.level=error",
                                "--web.listen-address=127.0.0.1:{port}"]
# Samples can be queried at once, and alerts are stored as Prometheus stores them.
VICTORIA = ("victoriametrics.yml", ["victoria-metrics", "-promscrape.config=victoriametrics.yml", "-storageDataPath={folder}/data", "-httpListenAddr=127.0.0.1:{port}",
                                    "-search.latencyOffset=0s", "-promscrape.fileSDCheckInterval=2s", "-search.disableCache"],
            ["vmalert", "-rule=rules.yml", "-datasource.url=http://127.0.0.1:{port}", "-notifier.url=http://127.0.0.1:{free}", "-remoteWrite.url=http://127.0.0.1:{port}",
             "-remoteWrite.flushInterval=1s", "-evaluationInterval=2s", "-httpListenAddr=127.0.0.1:{free}"])


def collect(folder, started, what):
    path = os.path.join(folder, "boards.json")
    daemons = []
    for i in range(REAL):
        target = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, text=True)
        started.append(target)
        daemon = subprocess.Popen([MINIPROFD, "--port", target.stdout.readline().strip(), "--elf", EXAMPLE_HOST, "--listen", "127.0.0.1:0", "--announce", path,
                                   "--board", f"bench-{i}", "--log-level", "error"], stdout=subprocess.PIPE, text=True)
        started.append(daemon)
        assert daemon.stdout.readline().startswith("listening on "), "a daemon does not serve"
        daemons.append(daemon)
    with open(path, encoding="utf-8") as file:
        addresses = [entry["targets"][0] for entry in json.load(file)]
    assert len(addresses) == REAL
    with open(os.path.join(folder, "more.json"), "w", encoding="utf-8") as file:
        json.dump([{"targets": [addresses[i % 2]], "labels": {"board": f"board-{i}"}} for i in range(MORE)], file)
    collector = Collector(folder, *what)
    started.extend(collector.processes)
    wait_for(lambda: collector.figure("count(up == 1)") == REAL + MORE, "all are collected from")
    wait_for(lambda: collector.figure("count(count by (board) (miniprofd_function_calls_total))") == REAL + MORE, "all have functions")
    before, begun = [cpu_and_memory(one)[0] for one in (collector.processes[0], daemons[0])], time.monotonic()
    time.sleep(20)  # measure this long
    passed = time.monotonic() - begun
    after = [cpu_and_memory(one)[0] for one in (collector.processes[0], daemons[0])]
    name = what[1][0]
    print(f"# {REAL + MORE} boards every 2 s: {collector.figure('sum(scrape_samples_scraped)'):.0f} samples, a scrape takes "
          f"{1000 * collector.figure('avg(scrape_duration_seconds)'):.1f} ms; of a core {name} takes {100 * (after[0] - before[0]) / passed:.1f} %, "
          f"a daemon that is asked {1 + MORE // 2} times {100 * (after[1] - before[1]) / passed:.1f} %; {name} has {cpu_and_memory(collector.processes[0])[1]:.0f} MiB")
    daemons[2].terminate()
    assert daemons[2].wait(PATIENCE) == 0
    daemons[3].send_signal(signal.SIGKILL)
    daemons[3].wait(PATIENCE)
    wait_for(lambda: [row[0]["board"] for row in collector.ask('ALERTS{alertname="BoardNotServed",alertstate="firing"}') or []] == ["bench-3"], "the killed one is missed")
    wait_for(lambda: collector.figure("count(up)") == REAL + MORE - 1, "the one that ended is left out")


def main():
    suites = {"prometheus": PROMETHEUS, "victoria-metrics": VICTORIA}
    failed = 0
    print(f"1..{len(suites)}")
    for number, (name, what) in enumerate(suites.items(), 1):
        if not all(shutil.which(program[0]) for program in what[1:]):
            print(f"ok {number} - {name} # SKIP {name} is not installed (Debian package {name})")
            continue
        started = []
        try:
            with tempfile.TemporaryDirectory(prefix="miniprofd-test-") as folder:
                try:
                    collect(folder, started, what)
                finally:
                    for process in reversed(started):
                        process.kill()
                        process.wait()
            print(f"ok {number} - {name}", flush=True)
        except AssertionError as problem:
            failed += 1
            print(f"not ok {number} - {name}\n# {problem}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
