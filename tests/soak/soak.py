#!/usr/bin/env python3
"""soak.py - checks that the memory, descriptors and threads of a heavily used miniprofd do not grow after warm-up.

usage: soak.py MINIPROFD EXAMPLE_HOST SECONDS [SEED]
The example firmware is behind a line that damages data and is unplugged every few seconds, sometimes with a reset of the board. 20 viewers connect and
leave; some read slowly, some not at all. Exports are fetched, orders sent, requests broken off, and the ELF is replaced. Prints a line a minute, and
the result as TAP. Exit status 1 if something grows or fails, 130 after Ctrl-C."""
import os
import random
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import PATIENCE, Daemon  # noqa: E402
from flat import growth, sample, what_grows  # noqa: E402
from line import Line  # noqa: E402
from visitors import Requests, Viewers  # noqa: E402

VIEWERS, SAMPLES = 20, 240  # SAMPLES: the number of all samples, taken at equal intervals
AT_REST = "descriptors", "threads", "processes"
RANGE = "from=0&to=9000000000"
FETCHED = [("GET", "/api/v1/export/" + name, None) for name in ("json", "collapsed", "csv", "speedscope", "chrome", "perfetto", "pprof", "callgrind", "gmon", "svg",
                                                              "html", "systcsv", "prometheus")] + [
    ("GET", path, None) for path in ("/", "/metrics", "/api/v1/snapshot", "/api/v1/snapshot?" + RANGE, "/api/v1/timeline?max=1000", "/api/v1/windows",
                                     "/api/v1/functions/3", "/api/v1/functions/3/source", "/api/v1/functions/5/source", "/api/v1/openapi.json",
                                     "/api/v1/export/collapsed?" + RANGE, "/debug/pprof/profile?seconds=1", "/no/such/file")]
ORDERS = [("POST", "/api/v1/" + path, {}) for path in ("device/start", "device/stop", "device/start", "device/reset", "device/status", "device/metadata",
                                                       "device/start", "profile/clear", "record/start", "record/stop", "record/stop")] + [
    ("POST", "/api/v1/device/mode", {"mode": mode}) for mode in ("auto", "stream", "tree", "tree", "calls")] + [
    ("POST", "/api/v1/device/config", {"name": name, "value": value}) for name, value in (("shortest", 0), ("shortest", 10), ("depth", 8), ("depth", 32))] + [
    ("POST", "/api/v1/device/trigger", wish) for wish in ({"when": "control_cycle>500us"}, {"now": True}, {"when": None})]


def own(chance):
    """One generator per thread, so that a seed repeats the actions of each; their times are not repeated."""
    return random.Random(chance.randrange(1 << 32))


class Soak:
    """The daemon with all its visitors."""

    def __init__(self, miniprofd, example_host, seconds, chance, folder):
        self.seconds, self.samples, self.elf_changes = seconds, [], 0
        self.records = self.records_seen = 0
        self.elf, self.chance, self.example_host = os.path.join(folder, "fw.elf"), chance, example_host
        self.replace_elf()
        self.line = Line(os.path.join(folder, "uart"), [example_host, "--stdio"], own(chance))
        self.log = open(os.path.join(folder, "log"), "w+", encoding="utf-8")
        try:
            # The daemon stops by itself if this program is killed.
            self.daemon = Daemon(miniprofd, "--port", self.line.path, "--elf", self.elf, "--record-dir", folder, "--record-limit", "8M", "--log-level", "error",
                                 "--duration", str(int(seconds) + 2 * PATIENCE), stderr=self.log, start_new_session=True)
        except BaseException:
            self.line.stop()
            raise
        self.viewers = Viewers(self.daemon, own(chance), VIEWERS)
        self.fetching = Requests(self.daemon, own(chance), "exports", FETCHED, abandoned_of=3)
        self.ordering = Requests(self.daemon, own(chance), "orders", ORDERS, abandoned_of=20)
        self.visitors = self.viewers, self.fetching, self.ordering

    def replace_elf(self):
        shutil.copyfile(self.example_host, self.elf + ".new")
        os.replace(self.elf + ".new", self.elf)
        self.elf_changes += 1

    def sample(self):
        """Takes a sample. Also adds up the records, whose count begins again with each profile."""
        self.samples.append(sample(self.daemon.process.pid))
        records = self.daemon.snapshot()["link"]["records"]
        self.records += records - self.records_seen if records >= self.records_seen else records
        self.records_seen = records

    def told(self):
        now = self.samples[-1]
        requests = sum(sum(v.answers.values()) for v in self.visitors[1:])
        return (f"{now['memory'] / 1024:.1f} MB, {now['descriptors']} descriptors, {now['threads']} threads; {self.records:,} records, "
                f"{self.viewers.updates:,} events seen, {self.viewers.came} viewers, {requests:,} requests, "
                f"{sum(v.abandoned for v in self.visitors[1:]):,} broken off, {self.line.replugs} replugs, {self.line.boots} reboots, "
                f"{self.line.strikes:,} faults, {self.elf_changes} ELFs")

    def use(self):
        """Uses the daemon for `seconds` seconds, or until one of the users has a problem."""
        began = time.monotonic()
        self.line.is_clean = False
        next_minute, next_elf = 60, 5
        for visitor in self.visitors:
            visitor.start()
        for number in range(1, SAMPLES + 1):
            while (left := began + number * self.seconds / SAMPLES - time.monotonic()) > 0:
                time.sleep(min(left, 1))
            if self.problems():
                return
            self.sample()
            passed = time.monotonic() - began
            if passed >= next_minute:
                print(f"# {next_minute // 60} min: {self.told()}", flush=True)
                next_minute += 60
            if passed >= next_elf:
                self.replace_elf()
                next_elf = passed + self.chance.uniform(5, 30)

    def problems(self):
        found = [problem for visitor in self.visitors for problem in visitor.problems]
        if not self.line.is_alive() and not self.line.stopping.is_set():
            found.append("line: its thread ended")
        if self.daemon.process.poll() is not None:
            found.append(f"miniprofd ended with {self.daemon.process.returncode}")
        return found

    def rest(self):
        """Problems after all have left and the line is good again: calls must arrive, and no resource of a visitor may remain."""
        self.line.is_clean = True
        for visitor in self.visitors:
            visitor.stop()
        if self.problems():
            return []
        deadline = time.monotonic() + PATIENCE
        self.daemon.request("POST", "/api/v1/record/stop", "{}")  # 409 if there is none
        for order, body in ("mode", '{"mode": "stream"}'), ("start", "{}"):  # the last order may have been "stop"
            while self.daemon.request("POST", "/api/v1/device/" + order, body)[0] != 200:  # after a replug the device may not be connected yet
                if time.monotonic() > deadline:
                    return ["the device does not answer on a good line"]
                time.sleep(0.2)
        before = self.daemon.snapshot()["link"]["records"]
        self.daemon.wait_for_link(lambda link: link["records"] != before)
        while (left := self.left_behind()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left

    def left_behind(self):
        """Resources beyond those of a daemon without visitors."""
        now = sample(self.daemon.process.pid)
        return [f"{now[name]} {name} are left instead of {self.at_rest[name]}: " +
                (", ".join(f"{key.split(': ')[1]} {now[key]}" for key in now if key.startswith(name + ":")) or "made by it")
                for name in AT_REST if now[name] > self.at_rest[name]]

    def settle(self):
        """Waits until calls arrive, and records the resources of a daemon without visitors."""
        self.daemon.wait_for_link(lambda link: link["records"] > 0)
        last, same = None, 0
        while same < 3:  # until the last request's connection is closed as well
            now = sample(self.daemon.process.pid)
            self.at_rest = {name: now[name] for name in AT_REST}
            same = same + 1 if self.at_rest == last else 0
            last = self.at_rest
            time.sleep(0.2)

    def verdict(self):
        """Prints the course of each resource; returns messages about growing ones."""
        for name, unit in ("memory", 1024), ("memory of processes", 1024), ("descriptors", 1), ("threads", 1), ("processes", 1):
            values = [one[name] / unit for one in self.samples]
            first, last, _ = growth(values)
            print(f"# {name}{' in MB' if unit > 1 else ''}: at first {values[0]:.1f}, when warm {first:.1f}, at last {last:.1f}, "
                  f"most {max(values):.1f}; at rest {self.at_rest.get(name, '-')}")
        return what_grows(self.samples, self.seconds)

    def stop(self):
        for visitor in self.visitors:
            visitor.stop()
        self.line.stop()


def run(soak):
    """Messages about errors during use."""
    with soak.daemon:
        try:
            soak.line.start()
            soak.settle()
            soak.use()
            problems = soak.problems() or soak.rest()
        finally:
            soak.stop()
    soak.log.seek(0)
    return problems + [f"miniprofd said: {line}" for line in soak.log.read().splitlines()[:20]]


def main(miniprofd, example_host, seconds, seed=None):
    seed = int(seed) if seed else random.SystemRandom().randrange(1 << 32)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))  # as Ctrl-C: ends all that was started
    print(f"1..2\n# seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(miniprofd, example_host, float(seconds), random.Random(seed), folder)
        with soak.log:
            problems = run(soak)
    print(f"# {soak.told()}")
    grows = soak.verdict() if len(soak.samples) == SAMPLES else ["it was not used to the end"]
    for number, (found, name) in enumerate(((problems, "everybody was served, and left nothing behind"), (grows, "nothing grows")), 1):
        print(("not ok" if found else "ok") + f" {number} - {name}")
        for line in found:
            print("# " + line)
    return 1 if problems or grows else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
