#!/usr/bin/env python3
"""torture.py - lets system calls of a live miniprofd fail, one by one, while it answers requests, executes orders, records, starts and ends.

usage: torture.py MINIPROFD NTH_CALL.so EXAMPLE_HOST. Prints TAP. A point is a deed (a request, an order, a start or an end), a kind of call (memory, read,
write, fsync, rename, thread, socket, descriptor, unlink), and the number of the call that fails in the deed. Some 100 points are tried, 300 with
TEST_ALL, N or all with TORTURE=N or TORTURE=all. TEST_SEED=N chooses others, TORTURE_DEED=WORD only deeds with this in their name.

Allowed are the answer that is given without a failure, an error as an answer, and an answer that is visibly cut short in HTTP. The daemon must
continue, and after the failure everything must work again. All sums that it shows must agree (read_exports.py), a viewer's updates must add up to
the snapshot, and a profile that is reported as complete must be that of its recording."""
import collections
import contextlib
import http.client
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon, example  # noqa: E402
from faults import KINDS, Faults  # noqa: E402
from held import Held  # noqa: E402
from read_exports import TEXTS, all_differences  # noqa: E402

MINIPROFD, PRELOAD, EXAMPLE_HOST = (os.path.abspath(path) for path in sys.argv[1:4])
SEED = int(os.environ.get("TEST_SEED", 1))
POINTS = os.environ.get("TORTURE") or ("300" if os.environ.get("TEST_ALL") else "100")
WORD = os.environ.get("TORTURE_DEED", "")
TOLD = {409, 500, 503, 504}  # status of an answer that reports an error
CUT = "cut"
PATIENCE = 20


def chosen(points, share):
    """Returns this share of the points to try, [(deed, kind, number)], with the kinds in turns, since most calls are allocations."""
    points = [point for point in points if WORD in point[0].name]
    if POINTS == "all":
        return points
    rng, of_kind, out = random.Random(SEED), collections.defaultdict(list), []
    for point in points:
        of_kind[point[1]].append(point)
    for some in of_kind.values():
        rng.shuffle(some)
    most = int(int(POINTS) * share)
    while len(out) < most and any(of_kind.values()):
        for kind, some in of_kind.items():
            take = 4 if kind == "allocation" else 1
            out += some[:take]
            del some[:take]
    return sorted(out[:most], key=lambda point: (point[0].name, point[1], point[2]))


class Deed:
    """A request to the daemon. `name` is such as "GET /path"; `again` is True if the answer is the same each time."""

    def __init__(self, method, path, body=None, again=False):
        self.name, self.method, self.path, self.again = f"{method} {path}", method, path, again
        self.body = None if method == "GET" else json.dumps(body or {})

    def do(self, daemon):
        """Returns (status, body), with CUT as the status if the answer was cut short."""
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        try:
            connection.request(self.method, self.path, self.body, {"Content-Type": "application/json"} if self.body else {})
            response = connection.getresponse()
            return response.status, response.read()
        except TimeoutError:
            raise
        except (http.client.HTTPException, OSError):
            return CUT, b""
        finally:
            connection.close()

    def tells_what_is_missing(self, answer):
        """Returns True if an answer with source and instructions gives a reason why one of them is missing."""
        return self.path.endswith("/source") and any(json.loads(answer)["reason"].values())


class Updates(Deed):
    """A request for the first snapshot of the event stream."""

    def __init__(self):
        super().__init__("GET", "/api/v1/events")

    def do(self, daemon):
        try:
            for name, data in daemon.events(PATIENCE):
                if name == "snapshot":
                    return 200, json.dumps(data).encode()
        except (AssertionError, http.client.HTTPException, OSError, ValueError):
            pass
        return CUT, b""


def figures(snapshot):
    return {f["name"]: (f["calls"], f["total_ticks"], f["self_ticks"]) for f in snapshot["functions"] if f["calls"] or f["self_ticks"]}


class Torture:
    """A daemon whose calls fail, with a firmware that runs endlessly."""

    def __init__(self, daemon, faults, folder):
        self.daemon, self.faults, self.folder = daemon, faults, folder
        self.tried, self.outcomes, self.wrong = 0, collections.Counter(), []

    def good(self, method, path, body=None):
        """Sends a request that must succeed, and returns its answer. After a failure a command may have to wait until the port is open again."""
        until = time.monotonic() + PATIENCE
        status, answer = Deed(method, path, body).do(self.daemon)
        while status in (503, 504) and "/device/" in path and time.monotonic() < until:
            time.sleep(0.05)
            status, answer = Deed(method, path, body).do(self.daemon)
        assert status == 200, (method, path, status, answer[:500])
        return json.loads(answer)

    def counts(self, deed):
        """Returns the number of calls of each kind in the deed."""
        before = self.faults.counts()
        deed.do(self.daemon)
        after = self.faults.counts()
        return {kind: after[kind] - before[kind] for kind in KINDS if kind}

    def points(self, deeds):
        return [(deed, kind, number) for deed in deeds for kind, count in self.counts(deed).items() for number in range(1, count + 1)]

    def strike(self, point, want=None):
        """Does the deed while the call fails; `want` is the answer without a failure. Returns the status."""
        deed, kind, number = point
        how = ("once", "once", "on", "each")[(number + len(deed.name)) % 4]
        what = f"{deed.name} where {kind} {number} fails ({how})"
        self.faults.begin(kind, number, how)
        if kind == "socket" and how != "once":  # a connection that is not accepted waits until the failure ends
            threading.Timer(0.2, self.faults.end).start()
        try:
            status, answer = deed.do(self.daemon)
        except TimeoutError:
            status, answer = "hangs", b""
        failed = self.faults.end()
        self.tried += 1
        self.outcomes[("none" if not failed else "right" if status == 200 else "cut" if status == CUT else "told")] += 1
        if self.daemon.process.poll() is not None:
            raise AssertionError(f"{what}: miniprofd ended with {self.daemon.process.returncode}; {self.daemon.errors[-2000:]}")
        if status not in TOLD | {200, CUT} or status == CUT and not failed:
            self.wrong.append(f"{what}: {status} {answer[:300]}")
        elif status == 200 and want is not None and answer != want and not deed.tells_what_is_missing(answer):
            self.wrong.append(f"{what}: another answer, and no word: {where_they_differ(want, answer)}")
        elif status in TOLD and not json.loads(answer).get("detail"):
            self.wrong.append(f"{what}: {status} without a sentence: {answer[:300]}")
        return status

    def judge(self, when):
        """All sums of one snapshot."""
        pause = self.good("POST", "/api/v1/pauses")["pause"]
        texts = {}
        for name in TEXTS:
            status, texts[name] = Deed("GET", f"/api/v1/export/{name}?pause={pause}").do(self.daemon)
            assert status == 200, (when, name, status, texts[name][:300])
        told = json.loads(texts["json"])
        self.wrong += [f"after {when}: {difference}" for difference in all_differences(texts)]
        if not told["ledger"]["adds_up"]:
            self.wrong.append(f"after {when}: {told['ledger']}")
        self.good("POST", "/api/v1/pauses/end", {"pause": pause})
        return told

    def end(self, tried):
        print(f"# {self.tried} points: " + ", ".join(f"{n} {outcome}" for outcome, n in self.outcomes.most_common()), flush=True)
        assert not self.wrong, f"{len(self.wrong)} of {self.tried} points: " + "\n".join(self.wrong[:20])
        assert self.tried >= tried, "nothing was tried"


def where_they_differ(want, got):
    at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
    return f"{len(want)} and {len(got)} bytes, from {at} on {want[max(at - 60, 0):at + 60]!r} and {got[max(at - 60, 0):at + 160]!r}"


@contextlib.contextmanager
def tortured(*options):
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        faults = Faults(PRELOAD)
        with Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, "--record-dir", folder, *options, env=faults.environment) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 2000)
            yield Torture(daemon, faults, folder)


EXPORTS = ("json", "collapsed", "csv", "speedscope", "chrome", "perfetto", "pprof", "callgrind", "svg", "html", "markdown", "prometheus")


@case
def answers_are_right_or_errors():
    with tortured("--limit", "control_cycle:max<1ns") as torture:
        torture.good("POST", "/api/v1/device/stop")
        of = "pause=%d" % torture.good("POST", "/api/v1/pauses")["pause"]
        told = torture.good("GET", "/api/v1/snapshot?" + of)
        called = next(f["id"] for f in told["functions"] if f["name"] == "control_cycle")
        since = torture.good("GET", "/api/v1/timeline?max=100&" + of)["from"]
        paths = [f"export/{name}?" for name in EXPORTS] + ["snapshot?", f"snapshot?from={since}&to={since + 90000000}&", "timeline?max=300&",
                                                          f"functions/{called}?", f"functions/{called}/over-time?", f"functions/{called}/periods?", "slowest?", "tasks?", "split?context=0&from=0&to=1000000&"]
        deeds = [Deed("GET", "/api/v1/" + path + of, again=True) for path in paths]
        deeds += [Deed("GET", "/" + path, again=True) for path in ("", "api/v1/openapi.json", f"api/v1/functions/{called}/source")]
        deeds += [Deed("GET", "/" + path) for path in ("metrics", "api/v1/status", "api/v1/doctor", "api/v1/link/history", "api/v1/snapshot", "api/v1/limits", "api/v1/windows", "debug/pprof/profile?seconds=1")]
        deeds.append(Updates())
        points, wants = torture.points(deeds), {}
        print(f"# {len(points)} points")
        points = chosen(points, 0.5)
        for number, point in enumerate(points):
            deed = point[0]
            if deed.again and deed not in wants:
                wants[deed] = deed.do(torture.daemon)[1]
            torture.strike(point, wants.get(deed))
            if number % 25 == 24:
                torture.judge(point[0].name)
        for deed in deeds:
            status, answer = deed.do(torture.daemon)
            if status != 200 or wants.get(deed, answer) != answer:
                torture.wrong.append(f"{deed.name} afterwards: {status} {where_they_differ(wants.get(deed, answer), answer)}")
        torture.end(len(points))


class Pair(Deed):
    """An order and its reverse."""

    def __init__(self, one, other):
        super().__init__(one.method, one.path, None)
        self.name, self.one, self.other = f"{one.name} and {other.path}", one, other

    def do(self, daemon):
        status, answer = self.one.do(daemon)
        status_after, answer_after = self.other.do(daemon)
        return (status, answer) if status != 200 else (status_after, answer_after)


def order(path, **body):
    return Deed("POST", "/api/v1/" + path, body)


# Requests that do not change the profile; only arriving records do.
ORDERS = [order("device/status"), order("device/metadata"), order("device/config", name="shortest", value=10), order("device/trigger", now=True),
          Pair(order("device/stop"), order("device/start")), Pair(order("limits", limit="adc_scan:max<1ns"), order("limits/end", id=2)),
          Deed("GET", "/api/v1/snapshot"), Updates(), order("pauses"), Pair(order("device/mode", mode="tree"), order("device/mode", mode="stream"))]


class Viewer(threading.Thread):
    """Follows the updates, and reconnects when their stream ends."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.watched, self.held, self.came, self.is_over = daemon, Held(), threading.Condition(), False
        self.held.sequence = 0

    def run(self):
        while not self.is_over:
            with contextlib.suppress(AssertionError, http.client.HTTPException, OSError, ValueError):
                for name, data in self.watched.events(PATIENCE):
                    if self.is_over:
                        return
                    with self.came:
                        if name in ("snapshot", "delta"):
                            self.held.take(data, is_whole=name == "snapshot")
                        self.came.notify()
            time.sleep(0.01)

    def is_like(self, sequence):
        """True when the received deltas add up to the snapshot of that sequence, the newest."""
        with self.came:
            assert self.came.wait_for(lambda: self.held.sequence >= sequence, PATIENCE), "no update came"
            if self.held.sequence == sequence:
                self.held.is_like(self.watched)


class Recorded:
    """A part of a live session, which begins with a clear, and its recording."""

    def __init__(self, torture):
        self.torture = torture
        torture.good("POST", "/api/v1/device/stop")
        torture.good("POST", "/api/v1/profile/clear")
        self.before = self.quiet()
        self.begun = torture.good("POST", "/api/v1/record/start")
        torture.good("POST", "/api/v1/device/start")
        torture.daemon.wait_for_link(lambda link: link["records"] > self.before["link"]["records"] + 500)

    def quiet(self):
        """Waits until no more data arrives, and returns the snapshot."""
        last = self.torture.daemon.snapshot()
        while True:
            time.sleep(0.1)
            now = self.torture.daemon.snapshot()
            if now["link"]["bytes"] == last["link"]["bytes"] and now["sequence"] == last["sequence"]:
                return now
            last = now

    def end(self, what):
        """Compares the profile with that of the recording. Returns True if the profile is reported as complete, False if not, None if they cannot be compared."""
        torture = self.torture
        torture.good("POST", "/api/v1/device/stop")
        told = self.quiet()
        torture.viewer.is_like(told["sequence"])
        status, answer = Deed("POST", "/api/v1/record/stop").do(torture.daemon)
        ended = json.loads(answer)
        if status != 200:  # the recording broke off or could not be ended, which must be reported
            assert status in (409, 500) and ended["detail"], answer
            return None
        recorded = ended["bytes"] - self.begun["bytes"]
        if recorded != told["link"]["bytes"] - self.before["link"]["bytes"]:
            return None  # more data arrived, or the port was opened again
        out = subprocess.run([MINIPROFD, "--port", "file:" + ended["path"], "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=-"], capture_output=True, timeout=300, check=False)
        replayed, shown = figures(json.loads(out.stdout)), figures(told)
        if not told["complete"]:
            more = {name: (shown[name], replayed[name]) for name in shown if name in replayed and shown[name][0] > replayed[name][0]}
            if more or not told["incomplete_because"]:
                torture.wrong.append(f"{what}: more calls than came: {some_of(more)}")
            return False
        differs = {name: (shown.get(name), replayed.get(name)) for name in {*shown, *replayed} if shown.get(name) != replayed.get(name)}
        if differs:
            torture.wrong.append(f"{what}: shown and recorded differ, and it is complete: {some_of(differs)}")
        return True


def some_of(differs):
    return f"{len(differs)}: {dict(list(differs.items())[:4])}"


@case
def a_live_profile_adds_up():
    with tortured("--mode", "stream", "--limit", "control_cycle:max<1ns") as torture:
        torture.viewer = Viewer(torture.daemon)
        torture.viewer.start()
        points = torture.points(ORDERS)
        print(f"# {len(points)} points")
        points = chosen(points, 0.3)
        compared = any(Recorded(torture).end("nothing") for _ in range(3))  # after a failure few profiles are complete
        for first in range(0, len(points), 6):
            stretch, some = Recorded(torture), points[first:first + 6]
            for point in some:
                torture.strike(point)
            what = ", ".join(f"{deed.name} {kind} {number}" for deed, kind, number in some)
            torture.judge(what)
            compared += stretch.end(what) is True
        print(f"# {compared} of {1 + (len(points) + 5) // 6} stretches were compared with their recording")
        torture.viewer.is_over = True
        torture.end(len(points))
        assert compared, "none was compared"


def is_told_and_over(process, what, wrong):
    """Checks that the process ends, with status 0, or 1 or 2 and a message; adds a sentence to `wrong` if not."""
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        wrong.append(f"{what}: it does not end")
        return
    if process.returncode not in (0, 1, 2) or process.returncode and not said.strip():
        wrong.append(f"{what}: exit status {process.returncode}, {said[-300:]!r}")


class Start:
    name = "start"


def numbers_of_a_start(faults, command):
    """[(Start, kind, number)] of calls until it reports its address."""
    process = subprocess.Popen(command, env=faults.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process.stdout.readline()
    counts = faults.counts()
    process.terminate()
    process.communicate(timeout=PATIENCE)
    return [(Start, kind, number) for kind in KINDS if kind for number in range(1, counts[kind] + 1)]


@case
def a_start_succeeds_or_gives_an_error():
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        command = [MINIPROFD, "--listen", "127.0.0.1:0", "--port", port, "--elf", EXAMPLE_HOST, "--record-dir", folder, "--token-file", "auto",
                   "--announce", os.path.join(folder, "boards.json"), "--limit", "control_cycle:max<1ns", "--keep-breaches", folder]
        os.environ["XDG_RUNTIME_DIR"] = folder
        points, wrong, outcomes = numbers_of_a_start(Faults(PRELOAD), command), [], collections.Counter()
        print(f"# {len(points)} points")
        points = chosen(points, 0.12)
        for _, kind, number in points:
            for how in ("once", "on") if number % 3 == 0 else ("once",):
                what, faults = f"a start where {kind} {number} fails ({how})", Faults(PRELOAD)
                faults.begin(kind, number, how)
                process = subprocess.Popen(command, env=faults.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                ready = select.select([process.stdout], [], [], PATIENCE)[0]
                faults.end()
                line = process.stdout.readline() if ready else ""
                outcomes["begun" if line else "told" if ready else "hung"] += 1
                if not ready:
                    wrong.append(f"{what}: it says nothing")
                process.terminate()
                is_told_and_over(process, what, wrong)
                left = [name for name in os.listdir(folder) if name.endswith(("token", ".new", ".part"))]
                if left:
                    wrong.append(f"{what}: it leaves {left}")
        print(f"# {sum(outcomes.values())} starts: {dict(outcomes)}")
        assert not wrong, f"{len(wrong)} of {sum(outcomes.values())}: " + "\n".join(wrong[:20])


if __name__ == "__main__":
    sys.exit(run_cases())
