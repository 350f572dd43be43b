#!/usr/bin/env python3
"""unplug.py - runs miniprofd on a serial port of a Linux guest whose USB adapter is pulled out and plugged in while the device sends.

usage: unplug.py MINIPROFD EXAMPLE_HOST
The environment has GUEST_KERNEL, a kernel package of Debian (scripts/unplug fetches one), and UNPLUGS, how often the adapter is unplugged (200). miniprofd
reads /dev/ttyUSB0 with libserialport as on real hardware. Each time the adapter is away for 50 ms to 8 s. Afterwards miniprofd's counts are compared
with all data that the device has sent: no call may appear that was not sent, and missing calls must be reported.

Prints TAP, with figures as comments."""
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "real"))
from daemon import PATIENCE, Served  # noqa: E402
from board import measured  # noqa: E402

from device import Device  # noqa: E402
from guest import Guest, missing_tools  # noqa: E402

PACE_MS = 10  # between rounds of 111 calls: some 11,000 calls and 40,000 bytes a second
AWAY_S = (0.05, 0.3, 1, 3)
LONG_S, LONG_EVERY = 8, 20
CALLS_BETWEEN = 1000  # calls counted before the adapter is pulled out again
RECONNECT_S = 1  # from the kernel's report of the adapter to miniprofd's first command
SHOWN = 20


class Link:
    """Follows the link's figures in the event stream, as the page does."""

    def __init__(self, served):
        self.served, self.news = served, queue.Queue()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        try:
            for name, data in self.served.events(24 * 3600):
                if name in ("snapshot", "delta"):
                    self.news.put((time.monotonic(), data["link"]))
        except Exception as problem:  # raised where it is waited for
            self.news.put((time.monotonic(), problem))

    def wait_for(self, reached, what):
        """Returns (time, link) of the first figures for which `reached` is true."""
        end = time.monotonic() + PATIENCE
        link = None
        while time.monotonic() < end:
            try:
                when, link = self.news.get(timeout=end - time.monotonic())
            except queue.Empty:
                break
            if isinstance(link, Exception):
                raise AssertionError(f"the events ended with {link!r}")
            if reached(link):
                return when, link
        raise AssertionError(f"waited {PATIENCE} s without success until {what}: {json.dumps(link)}")


def start(guest):
    """Starts miniprofd in the guest. Returns its API."""
    token = "0123456789abcdef0123456789abcdef"
    guest.ask(f"echo {token} >/tmp/token; chmod 600 /tmp/token")
    guest.ask(f"miniprofd --port /dev/ttyUSB0 --baud 921600 --elf /bin/example-host --mode stream --listen 10.0.2.15:7777 --token-file /tmp/token "
              ">/tmp/out 2>/tmp/log & pid=$!")
    guest.ask("until grep -q listening /tmp/out || ! kill -0 $pid; do usleep 20000; done")
    served = Served(f"http://127.0.0.1:{guest.port}/")
    served.headers = {"Authorization": f"Bearer {token}", "Host": "10.0.2.15:7777"}
    return served


def size(guest):
    """Returns miniprofd's (open descriptors, resident KiB)."""
    return tuple(int(line) for line in guest.ask("ls /proc/$pid/fd | wc -l; awk '/VmRSS/ {print $2}' /proc/$pid/status"))


class Reconnects:
    """Times in seconds until the kernel reports the adapter, from then to miniprofd's first command, and from then to the first update with new calls."""

    def __init__(self):
        self.known, self.asked, self.shown, self.names = [], [], [], set()

    def add(self, guest, plugged, device, link, records):
        attached, said = guest.attached.get(timeout=PATIENCE)
        shown, _ = link.wait_for(lambda now: now["records"] > records, "calls come again")
        self.known.append(attached - plugged)
        self.asked.append(device.heard - attached)
        self.shown.append(shown - attached)
        self.names.add(said.split()[-1])

    def figures(self):
        for name, times in (("plugged in to known by the kernel", self.known), ("known to miniprofd's first command", self.asked),
                            ("known to shown again", self.shown)):
            times = sorted(times)
            ranks = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99)]
            yield f"{name}: median {ranks[0]:.3f} s, p99 {ranks[1]:.3f}, worst {times[-1]:.3f}"


def pull_out_and_plug_in(guest, device, link, times):
    draw = random.Random(1)
    reconnects = Reconnects()
    _, now = link.wait_for(lambda now: now["records"] > CALLS_BETWEEN, "calls come")
    for turn in range(times):
        time.sleep(draw.random() * 0.2)  # anywhere in a packet, an answer, an update
        device.unplug()
        guest.unplug()
        time.sleep(LONG_S if turn % LONG_EVERY == LONG_EVERY - 1 else draw.choice(AWAY_S))
        plugged = device.plug(guest)
        _, now = link.wait_for(lambda now: now["reconnects"] > turn, "it is connected again")
        reconnects.add(guest, plugged, device, link, now["records"])
        _, now = link.wait_for(lambda new: new["records"] > now["records"] + CALLS_BETWEEN, "more calls come")
    return reconnects


def let_arrive(served):
    """Stops the device. Returns the snapshot when only its answers arrive."""
    before = None
    end = time.monotonic() + PATIENCE
    served.request("POST", "/api/v1/device/stop", "")
    while time.monotonic() < end:
        served.request("POST", "/api/v1/device/status", "")
        now = served.snapshot()
        if before and not now["target"]["profiling"] and now["link"]["records"] == before:
            return now
        before = now["link"]["records"]
        time.sleep(0.5)
    raise AssertionError("the device goes on sending after STOP")


def replayed(miniprofd, elf, kept):
    """Returns the snapshot of all data that the device has sent."""
    subprocess.run([miniprofd, "--port", "file:" + kept, "--elf", elf, "--no-http", "--export", f"json={kept}.json", "--log-level", "error"], check=True)
    with open(kept + ".json", encoding="utf-8") as file:
        return json.load(file)


def compare(live, truth):
    """Returns (problems, figures)."""
    edges, calls = measured(live)
    true_edges, true_calls = measured(truth)
    problems = [f"{key}: {n} calls, of {true_edges.get(key, 0)} that were sent" for key, n in edges.items()
                if key[0] is not None and not str(key[0]).startswith("?") and n > true_edges.get(key, 0)]
    problems += [f"{key}: {n} calls in all, of {true_calls.get(key, 0)} that were sent" for key, n in calls.items() if n > true_calls.get(key, 0)]
    link, missing = live["link"], sum(true_calls.values()) - sum(calls.values())
    figures = [f"{sum(true_calls.values())} calls sent, {sum(calls.values())} counted, {missing} missing; reported: {link['records_lost']} lost and "
               f"{link['losses_of_unknown_size']} times an unknown number; {link['packets']} packets, {link['crc_errors']} CRC errors, "
               f"{link['framing_errors']} framing errors, {link['malformed']} malformed"]
    # A loss is reported in calls, rounded from events, two a call.
    if abs(missing - link["records_lost"]) > 2 * (link["reconnects"] + 1) and not link["losses_of_unknown_size"]:
        problems.append(f"{missing} calls are missing, and {link['records_lost']} were reported as lost")
    return problems[:SHOWN], figures


def run(miniprofd, elf, package, times):
    problems = []
    with tempfile.TemporaryDirectory() as folder, Guest(package, {"/bin/miniprofd": miniprofd, "/bin/example-host": elf}) as guest:
        kept = os.path.join(folder, "sent")
        with Device(elf, PACE_MS, kept) as device:
            device.plug(guest)
            guest.attached.get(timeout=PATIENCE)
            served = start(guest)
            link = Link(served)
            link.wait_for(lambda now: now["records"] > 0, "calls come")
            before = size(guest)
            try:
                reconnects = pull_out_and_plug_in(guest, device, link, times)
            except AssertionError:
                print("# " + "\n# ".join(guest.ask("ls /dev/ttyUSB*; ls -l /proc/$pid/fd | grep tty; tail -n 20 /tmp/log; dmesg | tail -n 20")))
                raise
            live, after = let_arrive(served), size(guest)
            ended = guest.ask("kill $pid; wait $pid; echo $?; tail -n 5 /tmp/log")
        truth = replayed(miniprofd, elf, kept)
    wrong, figures = compare(live, truth)
    problems += wrong
    figures = list(reconnects.figures()) + figures + [
        f"the device sent {device.sent} bytes, {device.lost} of them to nobody; ports {sorted(reconnects.names)}",
        f"miniprofd had {before[0]} descriptors and {before[1]} KiB before, {after[0]} and {after[1]} KiB after"]
    if ended[0] != "0":
        problems.append(f"miniprofd ended with {' | '.join(ended)}")
    if live["link"]["reconnects"] != times:
        problems.append(f"{live['link']['reconnects']} reconnects were counted")
    if max(reconnects.asked) > RECONNECT_S:
        problems.append(f"{sum(t > RECONNECT_S for t in reconnects.asked)} reconnects took longer than {RECONNECT_S} s")
    if after[0] > before[0]:
        problems.append(f"{after[0] - before[0]} descriptors were left open")
    return problems, figures


def main(miniprofd, elf):
    package, times = os.environ.get("GUEST_KERNEL"), int(os.environ.get("UNPLUGS", "200"))
    missing = missing_tools() if package else "GUEST_KERNEL is not set: a Debian package of a kernel (scripts/unplug fetches one)"
    if missing:
        print("1..0 # SKIP " + missing)
        return 0
    problems, figures = run(miniprofd, elf, package, times)
    print("1..1")
    print(f"{'not ok' if problems else 'ok'} 1 - {times} times pulled out and plugged in")
    for line in figures + problems:
        print("# " + line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
