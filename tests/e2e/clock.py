#!/usr/bin/env python3
"""clock.py - the target's clock against this machine's: one with another rate, or a stopped one, is reported everywhere, a healthy one nowhere; and a
silence longer than a wrap of the timer has its true length.

usage: clock.py MINIPROFD. Prints TAP."""
import contextlib
import json
import os
import pty
import queue
import subprocess
import sys
import tempfile
import threading
import time
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from packets import ACK, NACK, calls, description, framed, metadata, status, stream  # noqa: E402

MINIPROFD = sys.argv[1]
COMMAND, STATUS_ASKED, METADATA_ASKED, DESCRIBE = 12, 3, 5, 7


class Device:
    """A device on a pty, which calls 0x100 (with a call of 0x200 in it) every 20 ms, for this long by its clock, whose time is ticks(seconds since
    its start). It answers all commands; DESCRIBE with that packet, or NACK."""

    def __init__(self, ticks, hz=1000000, described=framed(NACK)):
        self.ticks, self.hz, self.described = ticks, hz, described
        self.calls_begin = threading.Event()
        self.calls_begin.set()

    def __enter__(self):
        self.ours, self.theirs = pty.openpty()
        tty.setraw(self.theirs)
        self.path = os.ttyname(self.theirs)
        self.over, self.begin, self.captured = threading.Event(), time.monotonic(), 0
        self.threads = [threading.Thread(target=self.answer), threading.Thread(target=self.call)]
        for thread in self.threads:
            thread.start()
        return self

    def say(self, packet):
        os.write(self.ours, packet)

    def __exit__(self, *_):
        self.over.set()
        self.calls_begin.set()
        os.write(self.theirs, b"\0" * COMMAND)  # wakes the answering thread
        for thread in self.threads:
            thread.join()
        os.close(self.ours)
        os.close(self.theirs)

    def answer(self):
        heard = b""
        while not self.over.is_set():
            heard += os.read(self.ours, COMMAND)
            while len(heard) >= COMMAND:
                code, heard = heard[1], heard[COMMAND:]
                self.say(metadata(self.hz) if code == METADATA_ASKED else status(captured=self.captured) if code == STATUS_ASKED
                         else self.described if code == DESCRIBE else framed(ACK))

    def call(self):
        self.calls_begin.wait()
        while not self.over.wait(0.02):
            now = int(self.ticks(time.monotonic() - self.begin)) & 0xFFFFFFFF
            passes = self.ticks(1) != self.ticks(2)
            self.say(calls((0x200, now + passes, passes, 1), (0x100, now, 3 * passes, 0)))
            self.captured += 2


class Late(Device):
    """A Device behind a line that is too slow for it, so that data and answers are more and more delayed."""

    def __enter__(self):
        self.line = queue.SimpleQueue()
        self.carrier = threading.Thread(target=self.carry)
        super().__enter__()
        self.carrier.start()
        return self

    def __exit__(self, *what):
        self.over.set()
        self.line.put(None)
        self.carrier.join()
        super().__exit__(*what)

    def say(self, packet):
        self.line.put(packet)

    def carry(self):
        while (packet := self.line.get()) is not None and not self.over.is_set():
            os.write(self.ours, packet)
            time.sleep(0.04)


def tells(served, words):
    """Returns the outputs that contain these words: the JSON, the doctor of the daemon, Markdown, and the log."""
    doctor = json.loads(served.get("/api/v1/doctor")[2])["findings"]
    return {"json": words in (served.snapshot()["target"]["clock_doubt"] or ""),
            "doctor": any(words in one["text"] and one["verdict"] == "warn" for one in doctor),
            "markdown": words in served.get("/api/v1/export/markdown")[2].decode(),
            "log": served.errors.count(words)}


EVERYWHERE = {"json": True, "doctor": True, "markdown": True, "log": 1}


@contextlib.contextmanager
def listening(device, *options):
    with device, Daemon(MINIPROFD, "--port", device.path, *options) as served:
        yield served


@case
def a_clock_at_half_its_stated_rate_is_reported_everywhere():
    with listening(Device(lambda seconds: seconds * 500000)) as served:
        told = served.wait_until(lambda snapshot: snapshot["target"]["clock_doubt"])
        assert 0.45 < told["target"]["clock_ratio"] < 0.55, told["target"]
        assert told["complete"], told["incomplete_because"]
        assert tells(served, "of this machine's clock, so a second is shown as 0.") == EVERYWHERE, (tells(served, "of this machine's clock"), served.errors)


@case
def a_healthy_clock_is_not_reported():
    with listening(Device(lambda seconds: seconds * 1000000)) as served:
        told = served.wait_until(lambda snapshot: snapshot["target"]["clock_ratio"])
        assert 0.9 < told["target"]["clock_ratio"] < 1.1 and told["target"]["clock_doubt"] is None and told["complete"], told["target"]
        assert "clock" not in served.errors and "timer" not in served.errors, served.errors
        findings = json.loads(served.get("/api/v1/doctor")[2])["findings"]
        assert [one["verdict"] for one in findings if "of this machine's clock" in one["text"]] == ["ok"], findings


@case
def a_growing_delay_is_not_a_slow_clock():
    with listening(Late(lambda seconds: seconds * 1000000)) as served:
        told = served.wait_until(lambda snapshot: snapshot["link"]["records"] >= 400)  # twice as many records
        assert told["target"]["clock_doubt"] is None and "clock" not in served.errors, (told["target"], served.errors)


@case
def a_stopped_timer_is_reported_everywhere():
    with listening(Device(lambda seconds: 77)) as served:
        told = served.wait_until(lambda snapshot: snapshot["target"]["clock_doubt"])
        assert told["target"]["clock_ratio"] is None and told["link"]["records_without_time"] > 20, (told["target"], told["link"])
        assert not told["complete"] and "timer stood still" in told["incomplete_because"][0], told["incomplete_because"]
        assert tells(served, "The target's timer stands still") == EVERYWHERE, (tells(served, "stands still"), served.errors)


@case
def a_counter_stopped_at_init_is_reported_before_any_call():
    device = Device(lambda seconds: 5 + seconds * 1000000, described=description(hooks=1, run=(0x1234, 0x40, 0)))
    device.calls_begin.clear()
    with listening(device, "--mode", "calls") as served:
        told = served.wait_until(lambda snapshot: snapshot["target"]["clock_doubt"])
        assert told["link"]["records"] == 0 and "has not gone on since mpt_init()" in told["target"]["clock_doubt"], told["target"]
        assert tells(served, "The target's timer stands still") == EVERYWHERE, (tells(served, "stands still"), served.errors)
        device.calls_begin.set()
        told = served.wait_until(lambda snapshot: not snapshot["target"]["clock_doubt"])
        assert told["complete"], "times that go on came, so nothing is in doubt any more"


@case
def an_agents_finding_is_older_than_times_that_came_with_it():
    stands = description(hooks=1, run=(0x1234, 0x40, 1))
    begin = metadata() + status()
    some = calls(*((0x100, 1000 * k, 10, 0) for k in range(20)))
    none = calls(*((0x100, 7, 0, 0) for k in range(20)))
    for pieces, stood in (([begin + stands + some], False), ([begin + some + stands], True), ([begin + stands + none], True),
                          ([begin + stands, some], False), ([begin + some + stands + some + calls((0x100, 90000, 5, 0))], False)):
        for has_pace in (False, True):
            told, _ = replayed([(at, piece) for at, piece in enumerate(pieces)], has_pace=has_pace)
            doubt = told["target"]["clock_doubt"]
            assert (doubt is not None and "stands still" in doubt) == stood, (pieces, has_pace, doubt)


@case
def a_timer_started_later_is_no_longer_reported():
    moves = threading.Event()
    with listening(Device(lambda seconds: 1 + moves.is_set() * seconds * 1000000)) as served:
        served.wait_until(lambda snapshot: snapshot["target"]["clock_doubt"])
        moves.set()
        told = served.wait_until(lambda snapshot: not snapshot["target"]["clock_doubt"])
        assert "timer stood still" in told["incomplete_because"][0], "what came without a time has none"


@case
def ticks_read_as_microseconds_are_reported_everywhere():
    assumed = "that times are read in"
    with listening(Device(lambda seconds: seconds * 84000000, hz=84000000)) as served:
        told = served.wait_until(lambda snapshot: snapshot["target"]["clock_doubt"])
        assert 75 < told["target"]["clock_ratio"] < 93, told["target"]
        assert "--dialect-opt time_unit=ticks" in told["target"]["clock_doubt"], told["target"]
        assert assumed in told["link"]["doubt"] and assumed in told["incomplete_because"][-1], told["incomplete_because"]
        assert served.errors.count(assumed) == 1, served.errors
        findings = json.loads(served.get("/api/v1/doctor")[2])["findings"]
        assert any(assumed in one["text"] and one["verdict"] == "warn" for one in findings), findings


def replayed(pieces, *options, has_pace=True):
    """Returns the snapshot of a recording made of (arrival in seconds, bytes)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "capture")
        offset, lines = 0, "miniprofd-pace 1\n"
        with open(path, "wb") as capture:
            for when, piece in pieces:
                capture.write(piece)
                offset += len(piece)
                lines += f"{round(when * 1000000)} {offset}\n"
        if has_pace:
            with open(path + ".pace", "w") as pace:
                pace.write(lines)
        done = subprocess.run([MINIPROFD, "--port", "file:" + path, "--dialect", "miniprof", "--no-http", "--export", f"json={folder}/json", *options],
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        with open(folder + "/json") as f:
            return json.load(f), done.stderr


def period(told):
    """Returns the ticks from the start of the first call to that of the last, of the function called twice."""
    (row,) = [f for f in told["functions"] if f["calls"] == 2]
    return row["period_max_ticks"]


MINUTE = 60 * 1000000


def call_at(minutes):
    return minutes * 60, calls((0x100, round(minutes * MINUTE) & 0xFFFFFFFF, 100, 0))


@case
def a_silence_longer_than_the_timer_is_timed_exactly():
    for minutes in (0.01, 20, 34, 36, 40, 70, 71, 72, 100, 143, 1000, 20000):
        told, _ = replayed([(0, metadata()), call_at(0.001), call_at(0.001 + minutes)])
        assert told["complete"] and told["link"]["out_of_order"] == 0, (minutes, told["incomplete_because"])
        assert period(told) == round((0.001 + minutes) * MINUTE) - round(0.001 * MINUTE), (minutes, period(told))
    told, _ = replayed([(0, metadata()), call_at(0.001), call_at(40.001)], has_pace=False)
    assert told["link"]["out_of_order"] == 1, "its time of arrival is unknown"


@case
def calls_buffered_during_a_silence_keep_their_time():
    late = calls((0x200, 2000, 100, 0)), calls((0x100, 40 * MINUTE, 100, 0))
    told, _ = replayed([(0, metadata()), call_at(0.00001), (2400.1, b"".join(late))])
    assert told["complete"] and period(told) == 40 * MINUTE - 600, (told["incomplete_because"], told["functions"])


@case
def a_silence_in_the_stream_ends_no_call():
    hz = "C6 C0 84 3D"  # 1,000,000
    outer = stream(hz + "C0 80 08 05 C0 FF 03 05 C1 04")  # 0x200 calls 0x100, and keeps running
    for minutes in (1, 36, 40, 71, 72, 100):
        after = stream("C0 80 04 05 C1 04", number=3, time=minutes * MINUTE & 0xFFFFFFFF, depth=1)
        told, _ = replayed([(0, metadata() + outer), (minutes * 60, after)])
        ran = {f["name"]: (f["calls"], f["total_ticks"]) for f in told["functions"]}
        assert ran["0x00000100"] == (2, 8) and ran["0x00000200"][1] == minutes * MINUTE + 4, (minutes, ran)
        assert told["complete"], (minutes, told["incomplete_because"])


@case
def the_clock_of_a_recording_is_judged_by_its_own_times():
    for ratio in (0.5, 1, 3):
        pieces = [(0, metadata() + status())] + [(at / 10, calls((0x100, round(at * 100000 * ratio), 10, 0))) for at in range(1, 400)]
        told, errors = replayed(pieces)
        assert abs(told["target"]["clock_ratio"] / ratio - 1) < 0.01, (ratio, told["target"])
        assert (told["target"]["clock_doubt"] is not None) == ("of this machine's clock" in errors) == (ratio != 1), (told["target"], errors)
        assert told["complete"], told["incomplete_because"]
        fast, _ = replayed(pieces, "--speed", "100")
        assert fast["target"]["clock_ratio"] is not None and abs(fast["target"]["clock_ratio"] / ratio - 1) < 0.01, fast["target"]
        nobody, errors = replayed(pieces, has_pace=False)
        assert nobody["target"]["clock_ratio"] is None and "clock" not in errors, (nobody["target"], errors)


@case
def a_stopped_timer_is_reported_for_recordings_without_times():
    hz = "C6 C0 84 3D"  # 1,000,000
    for packets, stands in ((400, True), (40, False)):
        told, errors = replayed([(0, metadata() + stream(hz) + b"".join(
            stream("C0 80 04 00 C1 00" * 4, number=8 * n) for n in range(packets)))], has_pace=False)
        doubt = told["target"]["clock_doubt"]
        assert (doubt is not None and "stands still" in doubt) == ("stands still" in errors) == stands, (packets, doubt, errors)
        assert told["complete"] != stands, (packets, told["incomplete_because"])


if __name__ == "__main__":
    sys.exit(run_cases())
