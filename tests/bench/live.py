#!/usr/bin/env python3
"""live.py - cost and delay of a live stream, also with a hundred viewers.

usage: live.py MINIPROFD BENCH_GENERATE [SECONDS [FIGURE ...]]. Prints figures; all when none is named."""
import binascii
import contextlib
import json
import os
import re
import select
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon  # noqa: E402
from figures import tell, tell_machine  # noqa: E402

MINIPROFD, GENERATE = sys.argv[1:3]
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 10
BAUD_12M, HIGH_SPEED = 1_200_000, 20_000_000  # bytes per second
WARM = 12  # seconds in which new stacks are seen and the timeline allocates memory, at 1.5 times the usual cost


class Target:
    """The other end of tcp:, which sends the bytes given by the test."""

    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.spec = "tcp:127.0.0.1:%d" % self.door.getsockname()[1]

    def daemon(self):
        daemon = Daemon(MINIPROFD, "--port", self.spec, "--no-control")
        self.line, _ = self.door.accept()
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as ser2net and servers of probes do
        return daemon

    def stream(self, bytes_per_second, *options):
        return subprocess.Popen([GENERATE, "--calls", "1e15", "--rate", str(bytes_per_second), *options], stdout=self.line)


def packet(records):
    """Returns PROFILE_DATA of records (address, start, duration, depth)."""
    payload = struct.pack("<BH", 1, len(records)) + b"".join(struct.pack("<IIIH", *r) for r in records)
    body = struct.pack("<BH", 5, len(payload)) + payload
    return b"\xAA\x55" + body + struct.pack("<H", binascii.crc_hqx(b"\xAA\x55" + body, 0xFFFF)) + b"\n"


class Viewer:
    """A viewer that reads events as a browser does, or does not read at all."""

    def __init__(self, port, room=None):
        self.line = socket.socket()
        if room:
            self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.line.connect(("127.0.0.1", port))
        self.line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
        self.rest, self.updates = b"", []  # (time of arrival, bytes, records so far, sequence)

    def read(self):
        self.rest += self.line.recv(1 << 20)
        *events, self.rest = self.rest.split(b"\n\n")
        for event in events:
            found = re.search(rb'"records":(\d+)', event)
            if found:
                sequence = int(re.search(rb'"sequence":(\d+)', event)[1])
                self.updates.append((time.monotonic(), len(event), int(found[1]), sequence))

    def missed(self, since):
        """Number of updates skipped for this late viewer after its update `since`."""
        sequences = [sequence for _, _, _, sequence in self.updates[since:]]
        return sequences[-1] - sequences[0] + 1 - len(sequences)

    def read_for(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.line], [], [], left)[0]:
                self.read()

    def read_until(self, records, seconds=10):
        end = time.monotonic() + seconds
        while not self.updates or self.updates[-1][2] < records:
            if not select.select([self.line], [], [], end - time.monotonic())[0]:
                raise RuntimeError("no update")
            self.read()
        return self.updates[-1]


def processor_seconds(pid):
    """Of the threads that exist so far; a thread that answered a request may end while this reads."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/task/{task}/schedstat", encoding="utf-8") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def memory_of(pid, what="VmRSS"):
    """In MB; VmHWM is the peak."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(what + r":\s+(\d+) kB", file.read())[1]) / 1024


def share_of_core(daemon, spend):
    """In per cent: the median of five intervals; `spend` lasts one of them."""
    shares = []
    for _ in range(5):
        before, began = processor_seconds(daemon.process.pid), time.monotonic()
        spend(SECONDS / 5)
        shares.append(100 * (processor_seconds(daemon.process.pid) - before) / (time.monotonic() - began))
    return statistics.median(shares)


def rates():
    for what, rate, goal in (("12 Mbaud", BAUD_12M, "<= 2 %"), ("20 MB/s", HIGH_SPEED, "-")):
        target = Target()
        with target.daemon() as daemon:
            generator, viewer = target.stream(rate), Viewer(daemon.port)
            viewer.read_for(2)
            first = share_of_core(daemon, viewer.read_for)
            viewer.read_for(max(WARM - SECONDS, 0))
            records, woken, began = viewer.updates[-1][2], wakeups(daemon.process.pid), time.monotonic()
            share = share_of_core(daemon, viewer.read_for)
            seconds = time.monotonic() - began
            got = (viewer.updates[-1][2] - records) * 14.55 / seconds
            woken = (wakeups(daemon.process.pid) - woken) / seconds
            generator.kill()
            generator.wait()
        tell(f"live at {what} ({got / 1e6:.1f} MB/s arrived), one viewer: of a core (in the beginning {first:.1f} %)", f"{share:.1f} %", goal)
        tell(f"live at {what}: wake-ups a second of all threads", f"{woken:.0f}", "-")


def limits():
    """The same stream without limits, with four on each of the ten busiest functions, and with one that most calls exceed."""
    target = Target()
    with target.daemon() as daemon:
        generator, viewer = target.stream(BAUD_12M), Viewer(daemon.port)
        viewer.read_for(WARM)
        without = share_of_core(daemon, viewer.read_for)
        busiest = sorted((row for row in daemon.snapshot()["functions"] if row["calls"]), key=lambda row: -row["calls"])[:10]
        for row in busiest:
            for limit in ("max<1s", "period<10s", "rate<1000000", "p99<1s"):
                set_limit(daemon, f"{row['address']}:{limit}")
        kept = share_of_core(daemon, viewer.read_for)
        set_limit(daemon, f"{busiest[0]['address']}:max<1us")
        broken = share_of_core(daemon, viewer.read_for)
        breaches = daemon.snapshot()["limits"][-1]["breaches"] / SECONDS
        generator.kill()
        generator.wait()
    tell("live at 12 Mbaud, one viewer, 40 limits: of a core (without %.1f %%)" % without, f"{kept:.1f} %", "<= 2.5 %")
    tell(f"with one more that some {breaches:.0f} calls a second break: of a core", f"{broken:.1f} %", "-")


def set_limit(daemon, limit):
    status, *_ = daemon.request("POST", "/api/v1/limits", json.dumps({"limit": limit}))
    assert status == 200, (limit, status)


def idle():
    target = Target()
    with target.daemon() as daemon:
        viewer = Viewer(daemon.port)
        viewer.read_for(1)
        switches = [wakeups(daemon.process.pid)]
        viewer.read_for(SECONDS)
        switches.append(wakeups(daemon.process.pid))
        tell("nothing comes, one viewer: wake-ups a second", f"{(switches[1] - switches[0]) / SECONDS:.1f}", "heartbeat only")


def wakeups(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="utf-8") as file:
            total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.M)[1])
    return total


def latency():
    """From the last byte of a packet to the end of its event, at independent times."""
    target, waits = Target(), []
    with target.daemon() as daemon:
        viewer = Viewer(daemon.port)
        for n in range(1, 101):
            viewer.read_for(0.11 + 0.037 * (n % 7))
            sent = time.monotonic()
            target.line.sendall(packet([(0x1000, 10 * n, 5, 0)]))
            waits.append(viewer.read_until(n)[0] - sent)
    tell_waits("after a pause", waits)


def steady_latency():
    """The same while packets arrive continuously, so that updates have their usual rate."""
    target, sent = Target(), []
    with target.daemon() as daemon:
        viewer = Viewer(daemon.port)
        for n in range(1, 501):
            viewer.read_for(0.003 + 0.0047 * (n * 7 % 11))
            sent.append(time.monotonic())
            target.line.sendall(packet([(0x1000, 10 * n, 5, 0)]))
        viewer.read_until(len(sent))
        came = [next(update[0] for update in viewer.updates if update[2] >= n) for n in range(1, len(sent) + 1)]
    tell_waits("at ten updates a second", [end - begin for begin, end in zip(sent, came)])


def tell_waits(when, waits):
    waits.sort()
    for percent in (50, 99):
        wait = waits[len(waits) * percent // 100 - 1]
        tell(f"last byte of a packet -> its update has come, {when}: p{percent}", f"{1000 * wait:.1f} ms",
             "<= 110 ms" if percent == 99 else "-")


def bytes_of_an_update():
    target = Target()
    with target.daemon() as daemon:
        viewer = Viewer(daemon.port)
        for n in range(5000):
            target.line.sendall(packet([(0x1000 + 16 * n, 10 * n, 5, 0)]))
        viewer.read_until(5000)
        viewer.read_for(1)
        viewer.updates.clear()
        for n in range(5001, 5021):
            target.line.sendall(packet([(0x1000, 10 * n, 5, 0)]))
            viewer.read_until(n)
        tell("one function of 5,000 changes: bytes of the update", f"{max(update[1] for update in viewer.updates)}", "<= 2048")


def viewers():
    target = Target()
    with target.daemon() as daemon:
        # The program is small, since one process reads for all viewers and must keep up.
        generator, alone = target.stream(BAUD_12M, "--functions", "50", "--nodes", "300"), Viewer(daemon.port)
        alone.read_for(2)
        few = share_of_core(daemon, alone.read_for)
        stuck = [Viewer(daemon.port, room=4096) for _ in range(10)]
        readers = [alone] + [Viewer(daemon.port) for _ in range(89)]
        stop = threading.Event()

        def read_all():
            lines = {viewer.line: viewer for viewer in readers}
            while not stop.is_set():
                for line in select.select(list(lines), [], [], 0.2)[0]:
                    lines[line].read()

        thread = threading.Thread(target=read_all)
        thread.start()
        time.sleep(2)
        counts, records = [len(v.updates) for v in readers], alone.updates[-1][2]
        many = share_of_core(daemon, time.sleep)
        seen = [len(v.updates) - before for v, before in zip(readers, counts)]
        missed = [v.missed(before) for v, before in zip(readers, counts)]
        arrived = (alone.updates[-1][2] - records) * 14.55 / SECONDS
        memory = memory_of(daemon.process.pid)
        stop.set()
        thread.join()
        generator.kill()
        generator.wait()
        for viewer in stuck + readers:
            viewer.line.close()
    tell("100 viewers, 10 stuck: updates that the others saw", f"{min(seen)} to {max(seen)}", f"{10 * SECONDS:.0f}")
    tell("100 viewers, 10 stuck: updates that one of the others missed", f"{max(missed)}", "0")
    tell("100 viewers, 10 stuck: arrived of 1.2 MB/s", f"{arrived / 1e6:.2f} MB/s", ">= 1.14")
    tell("100 viewers, 10 stuck: of a core (one viewer: %.1f %%)" % few, f"{many:.1f} %", "-")
    tell("100 viewers, 10 stuck: memory", f"{memory:.0f} MB", "bounded")


def large_exports():
    """Checks that viewers lose nothing while large files are fetched."""
    target = Target()
    with target.daemon() as daemon:
        generator, viewer = target.stream(BAUD_12M, "--functions", "5000", "--nodes", "100000"), Viewer(daemon.port)
        while viewer.updates[-1:] == [] or viewer.updates[-1][2] < 2_000_000:
            viewer.read_for(1)
        for format in ("speedscope", "chrome"):
            first, fetched, before = len(viewer.updates), [], memory_of(daemon.process.pid)

            def fetch():
                for _ in range(3):
                    began = time.monotonic()
                    size = download(daemon.port, "/api/v1/export/" + format)
                    fetched.append((time.monotonic() - began, size))

            thread = threading.Thread(target=fetch)
            thread.start()
            while thread.is_alive():
                viewer.read_for(0.5)
            gaps = [b[0] - a[0] for a, b in zip(viewer.updates[first:], viewer.updates[first + 1:])]
            seconds, size = statistics.median(fetched)
            tell(f"{format} fetched ({size / 1e6:.0f} MB in {seconds:.1f} s): updates missed", f"{viewer.missed(first)}", "0")
            tell(f"{format} fetched: longest time between two updates", f"{1000 * max(gaps):.0f} ms", "-")
            tell(f"{format} fetched: memory before, and most", f"{before:.0f}, {memory_of(daemon.process.pid, 'VmHWM'):.0f} MB", "-")
        generator.kill()
        generator.wait()


def download(port, path):
    """Bytes of the answer, fetched by a separate process."""
    fetch = "import sys, urllib.request; print(len(urllib.request.urlopen(sys.argv[1]).read()))"
    command = [sys.executable, "-c", fetch, f"http://127.0.0.1:{port}{path}"]
    return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


FIGURES = (rates, limits, idle, latency, steady_latency, bytes_of_an_update, viewers, large_exports)
tell_machine()
for figure in FIGURES:
    if figure.__name__ in sys.argv[4:] or not sys.argv[4:]:
        figure()
