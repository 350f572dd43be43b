#!/usr/bin/env python3
"""files.py - lets writing, synchronising, opening, renaming and deleting the daemon's files fail, one call after the other.

usage: files.py MINIPROFD NTH_CALL.so. Prints TAP. Each failure must give one error that names the file and the documented exit status, and leave no
incomplete file: each part of a recording replays, with the times of its own bytes; an export is the earlier one; the targets file is
complete."""
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402
from faults import Faults  # noqa: E402
from packets import METADATA, PROFILE_DATA, framed  # noqa: E402

MINIPROFD, PRELOAD = (os.path.abspath(path) for path in sys.argv[1:3])
STEP = 1 if os.environ.get("TEST_ALL") else 3


def packets(calls):
    """Returns METADATA, then PROFILE_DATA of 13 calls each."""
    out = [framed(METADATA, struct.pack("<III16s", 48000000, 1000000, 0, b"files"))]
    for first in range(0, calls, 13):
        records = [struct.pack("<IIIH", 0x1000, 100 * call, 10, 0) for call in range(first, min(first + 13, calls))]
        out.append(framed(PROFILE_DATA, struct.pack("<BH", 1, len(records)) + b"".join(records)))
    return b"".join(out)


def until(it_is):
    deadline = time.monotonic() + PATIENCE
    while not it_is():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.005)


class Target:
    """A board that sends the bytes given by the test over TCP."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = "tcp:127.0.0.1:%d" % self.server.getsockname()[1]

    @contextlib.contextmanager
    def heard_by(self, faults, *options):
        """Yields a daemon that is connected to this board, and the board's end of the connection."""
        with self.server, Daemon(MINIPROFD, "--port", self.port, "--no-control", "--log-level", "warning", *options, env=faults.environment) as daemon:
            line, _ = self.server.accept()
            with line:
                yield daemon, line


def calls_of(path, *options):
    done = subprocess.run([MINIPROFD, "--port", "file:" + path, "--no-http", "--export", "json=-", *options], capture_output=True, timeout=300, check=False)
    return sum(function["calls"] for function in json.loads(done.stdout)["functions"]) if done.returncode == 0 else None


def ended(daemon, status):
    """Ends the daemon and returns its messages. Checks the exit status here, since the context expects success. `status` may be a function: what
    fails may do so while the daemon ends."""
    daemon.process.terminate()
    daemon.process.communicate(timeout=PATIENCE)
    said, code = daemon.errors.splitlines(), daemon.process.returncode
    daemon.process.returncode = 0
    expected = status() if callable(status) else status
    assert code == expected, (code, said)
    return [line for line in said if "no device" not in line]


def all_parts_are_whole(folder, are_paced=True):
    """Checks that each part replays, and that its pace file has no times of other bytes. A part whose deletion failed may have lost that."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".pace"):
            bytes_there = os.path.getsize(path.removesuffix(".pace"))
            with open(path, encoding="utf-8") as file:
                offsets = [int(line.split()[1]) for line in file if line.endswith("\n") and line[:1].isdigit()]
            assert not offsets or offsets[-1] <= bytes_there, (name, offsets[-1:], bytes_there)
        elif os.path.getsize(path) > 100:
            assert calls_of(path), name
            assert calls_of(path, "--speed", "100000") or not are_paced and not os.path.exists(path + ".pace"), name


def record(kind, at, how, limit=(), path=""):
    """Output and exit status of a daemon whose recording fails this way."""
    stream, faults = packets(13 * 3000 if limit else 1300), Faults(PRELOAD)
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "run.bin")
        with Target().heard_by(faults, "--record", recording, *limit) as (daemon, line):
            faults.begin(kind, at, how, path or recording)
            line.sendall(stream)
            until(lambda: daemon.snapshot()["link"]["bytes"] == len(stream))
            if kind == "write" and not limit:  # the recording is flushed after some time
                until(lambda: daemon.snapshot()["source"]["recording"]["error"])
            shown = daemon.snapshot()["source"]["recording"]
            said, failed = ended(daemon, lambda: 1 if faults.failed or kind == "sync" else 0), faults.failed
        assert failed or not said, (kind, at, said)
        if failed:
            about = [line for line in said if recording in line]
            assert len({line.removeprefix("miniprofd: ").removeprefix("error: ") for line in about}) == 1, (kind, at, said)
            if kind == "write" and not limit:
                assert "ends here, the profile goes on" in about[0], (said, shown)
        all_parts_are_whole(folder, kind != "remove")
        return failed


@case
def a_failed_recording_does_not_stop_the_profile():
    for at, how in ((1, "once"), (2, "once"), (1, "on")):
        assert record("write", at, how)


@case
def a_recording_that_cannot_be_synced_is_reported_at_its_end():
    for at in (1, 2):
        assert record("sync", at, "once")


@case
def a_part_that_cannot_be_created_ends_the_recording():
    tried = 0
    for kind, most in (("rename", 18), ("open", 6), ("remove", 3), ("write", 4)):
        for at in range(1, most + 1, STEP):
            tried += bool(record(kind, at, "once", ("--record-limit", "1M")))
    assert tried >= 20 / STEP, tried


@case
def a_recording_that_cannot_begin_leaves_no_files():
    faults = Faults(PRELOAD)
    with tempfile.TemporaryDirectory() as folder, Target().heard_by(faults, "--record-dir", folder) as (daemon, line):
        line.sendall(packets(130))
        for at in (1, 2):
            faults.begin("open", at, path=folder)
            status, _, body = daemon.request("POST", "/api/v1/record/start", "{}")
            assert status == 500 and folder in json.loads(body)["detail"] and faults.end() == 1, (status, body)
            assert os.listdir(folder) == []
        assert daemon.request("POST", "/api/v1/record/start", "{}")[0] == 200
        assert daemon.request("POST", "/api/v1/record/stop", "{}")[0] == 200


@case
def a_failed_export_leaves_the_old_file():
    for kind in ("open", "write", "sync", "rename"):
        for name in ("json", "html", "pprof"):
            faults = Faults(PRELOAD)
            with tempfile.TemporaryDirectory() as folder:
                out, other = os.path.join(folder, "out"), os.path.join(folder, "other")
                with open(out, "w", encoding="utf-8") as file:
                    file.write("of before")
                with Target().heard_by(faults, "--export", f"{name}={out}", "--export", "csv=" + other) as (daemon, line):
                    line.sendall(packets(130))
                    until(lambda: daemon.snapshot()["link"]["records"] == 130)
                    faults.begin(kind, 1, "on", out)
                    said = ended(daemon, 1)
                assert faults.failed and len(said) == 1 and out in said[0], (kind, name, said)
                with open(out, encoding="utf-8") as file:
                    assert file.read() == "of before", (kind, name)
                assert sorted(os.listdir(folder)) == ["other", "out"], (kind, name, os.listdir(folder))


@case
def a_failed_announcement_leaves_the_list_whole():
    foreign = [{"targets": ["10.0.0.1:7777"], "labels": {"board": "far away"}}]
    for kind in ("open", "write", "sync", "rename"):
        faults = Faults(PRELOAD)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "boards.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(foreign, file)
            faults.begin(kind, 1, "on", path + ".new" if kind != "rename" else path)
            done = subprocess.run([MINIPROFD, "--listen", "127.0.0.1:0", "--port", "file:/dev/null", "--announce", path, "--log-level", "warning"],
                                  capture_output=True, text=True, env=faults.environment, timeout=PATIENCE, check=False)
            said = done.stderr.splitlines()
            assert faults.end() and done.returncode == 1 and len(said) == 1 and path in said[0], (kind, done)
            with Target().heard_by(faults, "--announce", path) as (daemon, line):
                faults.begin(kind, 1, "on", path + ".new" if kind != "rename" else path)
                said = ended(daemon, 0)
                assert faults.end() and len(said) == 1 and path in said[0], (kind, said)
            with open(path, encoding="utf-8") as file:
                there = json.load(file)
            assert there[:1] == foreign and len(there) == 2, there
            assert sorted(os.listdir(folder)) == ["boards.json", "boards.json.lock"], os.listdir(folder)


@case
def a_breach_that_cannot_be_recorded_is_reported():
    stream = packets(13 * 40)
    for kind, at in (("open", 1), ("open", 2), ("write", 1), ("write", 2), ("sync", 1), ("sync", 3)):
        faults = Faults(PRELOAD)
        with tempfile.TemporaryDirectory() as folder:
            with Target().heard_by(faults, "--keep-breaches", folder, "--breach-seconds", "1", "--limit", "0x1000:max<1us", "--dialect-opt", "time_unit=ticks") as (daemon, line):
                faults.begin(kind, at, path=folder)
                line.sendall(stream)
                until(lambda: faults.failed)
                until(lambda: daemon.snapshot()["source"]["keeping"]["error"])
                faults.end()
                sent = [0]

                def is_kept():
                    line.sendall(framed(PROFILE_DATA, struct.pack("<BHIIIH", 1, 1, 0x1000, 100 * (13 * 40 + sent[0]), 10, 0)))
                    sent[0] += 1
                    time.sleep(0.02)
                    keeping = daemon.snapshot()["source"]["keeping"]
                    return not keeping["error"] and keeping["rows"] and keeping["rows"][-1]["bytes"] is None
                until(is_kept)
                said = [text for text in ended(daemon, 0) if folder in text]
            assert len(said) == 1, (kind, at, said)
            all_parts_are_whole(folder)


if __name__ == "__main__":
    sys.exit(run_cases())
