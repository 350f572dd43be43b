#!/usr/bin/env python3
"""recording.py - recordings begun and ended over HTTP, and abnormal ends.

usage: recording.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon, Served, example  # noqa: E402
from packets import METADATA, PROFILE_DATA, framed  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]


def run(*arguments):
    result = subprocess.run([MINIPROFD, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    return result.returncode, result.stderr.decode().strip().splitlines(), result.stdout


def order(daemon, what):
    status, _, body = daemon.request("POST", "/api/v1/record/" + what, "{}")
    return status, json.loads(body)


@case
def a_recording_made_in_the_middle_of_a_session_replays():
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        with Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, "--record-dir", folder) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            assert order(daemon, "stop")[0] == 409
            status, begun = order(daemon, "start")
            assert status == 200, begun
            name = re.fullmatch(re.escape(os.path.realpath(folder)) + r"/miniprofd-\d{8}-\d{6}\.bin", begun["path"])
            assert name and begun["error"] is None, begun
            status, problem = order(daemon, "start")
            assert status == 409 and begun["path"] in problem["detail"], problem
            for event, data in daemon.events(20):
                recording = data["source"]["recording"] if event in ("snapshot", "delta") else None
                if recording and recording["bytes"] > 20000:
                    assert recording["path"] == begun["path"] and recording["since"] == begun["since"], recording
                    break
            else:
                raise AssertionError("the recording was not shown")
            status, ended = order(daemon, "stop")
            assert status == 200 and ended["bytes"] > 20000, ended
            assert os.path.getsize(ended["path"]) == ended["bytes"]
        status, said, out = run("--port", "file:" + ended["path"], "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=-")
        assert status == 0, said
        replayed = json.loads(out)
        assert replayed["target"]["ticks_per_second"] and replayed["target"]["fw_version"], replayed["target"]
        assert replayed["link"]["records"] > 100 and replayed["link"]["target_resets"] == 0, replayed["link"]
        assert replayed["link"]["bytes"] == ended["bytes"]
        assert any(f["name"] == "control_cycle" and f["calls"] for f in replayed["functions"])


@case
def a_capture_is_not_recorded_again_over_http():
    with tempfile.TemporaryDirectory() as folder:
        capture = os.path.join(folder, "empty.bin")
        with open(capture, "wb"), Daemon(MINIPROFD, "--port", "file:" + capture, "--record-dir", folder) as daemon:
            status, problem = order(daemon, "start")
            assert status == 409 and capture in problem["detail"], problem
        assert os.listdir(folder) == ["empty.bin"]


@case
def a_failed_recording_exits_with_1_but_exports():
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        recording, out = os.path.join(folder, "run.bin"), os.path.join(folder, "out.json")
        os.symlink("/dev/full", recording)
        status, said, _ = run("--port", port, "--record", recording, "--no-http", "--duration", "1.5", "--export", "json=" + out)
        assert status == 1 and recording in said[-1] and "the profile goes on" in said[-1], (status, said)
        with open(out) as f:
            assert json.load(f)["link"]["records"] > 0


def packets(calls):
    """Returns METADATA, then PROFILE_DATA of 13 calls each."""
    records = [struct.pack("<IIIH", 0x1000, 100 * call, 10, 0) for call in range(calls)]
    out = [framed(METADATA, struct.pack("<III16s", 48000000, 1000000, 0, b"e2e"))]
    for first in range(0, calls, 13):
        some = records[first:first + 13]
        out.append(framed(PROFILE_DATA, struct.pack("<BH", 1, len(some)) + b"".join(some)))
    return b"".join(out)


def wait_until(it_is):
    deadline = time.monotonic() + 120
    while not it_is():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


@contextlib.contextmanager
def recorded_from(server, *arguments, before=None):
    """Yields a miniprofd that records the bytes of a server, and the connection."""
    program = subprocess.Popen([MINIPROFD, "--port", "tcp:127.0.0.1:%d" % server.getsockname()[1], "--no-control", "--no-http",
                                *arguments], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=before)
    try:
        line, _ = server.accept()
        with line:
            yield program, line
    finally:
        program.kill()
        program.communicate()


def calls_of(*arguments):
    status, said, out = run("--no-http", "--export", "json=-", *arguments)
    assert status == 0, said
    profile = json.loads(out)
    assert profile["target"]["fw_version"] == "e2e", profile["target"]
    return sum(function["calls"] for function in profile["functions"])


@case
def a_killed_daemon_leaves_a_readable_recording():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        for limit in ([], ["--record-limit", "1M"]):
            recording, stream = os.path.join(folder, "run%d.bin" % len(limit)), packets(1300)
            with recorded_from(server, "--record", recording, *limit) as (program, line):
                line.sendall(stream)
                wait_until(lambda: os.path.exists(recording) and os.path.getsize(recording) == len(stream))
                line.sendall(stream[:1000])  # not flushed yet, or only in part
                program.send_signal(signal.SIGKILL)
                program.wait()
            with open(recording, "rb") as file:
                kept = file.read()
            assert (stream + stream[:1000]).startswith(kept), "a true beginning"
            for speed in ([], ["--speed", "1000"]):
                assert calls_of("--port", "file:" + recording, *speed) >= 1300


@case
def a_full_disk_leaves_the_bytes_before():
    room = 70001  # a limit on the size of files stands for the disk

    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        recording, stream = os.path.join(folder, "run.bin"), packets(13000)
        with recorded_from(server, "--record", recording, before=before) as (program, line):
            line.sendall(stream)
            wait_until(lambda: os.path.exists(recording) and os.path.getsize(recording) == room)
            said = program.stderr.readline()
            while "ends here" not in said:
                assert said, "the end of standard error"
                said = program.stderr.readline()
            assert recording in said and "the profile goes on" in said, said
            program.send_signal(signal.SIGTERM)
            _, rest = program.communicate(timeout=120)
            assert program.returncode == 1 and recording in rest.splitlines()[-1], (program.returncode, rest)
        with open(recording, "rb") as file:
            assert file.read() == stream[:room]
        for speed in ([], ["--speed", "1000"]):
            assert calls_of("--port", "file:" + recording, *speed) > 4000


@case
def a_limit_keeps_the_newest_and_each_part_replays():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        recording, calls = os.path.join(folder, "run.bin"), 100000
        with recorded_from(server, "--record", recording, "--record-limit", "1024K") as (program, line):
            line.sendall(packets(calls))
            wait_until(lambda: os.path.exists(recording + ".7"))
            program.send_signal(signal.SIGTERM)
            _, said = program.communicate(timeout=120)
            assert program.returncode == 0, said
        names = os.listdir(folder)
        assert len(names) == 16, names
        assert sum(os.path.getsize(os.path.join(folder, name)) for name in names) <= 1 << 20
        replayed = [calls_of("--port", "file:" + recording + number) for number in ("", ".1", ".7")]
        assert min(replayed[1:]) > 4000, replayed
        status, said, _ = run("--port", "tcp:127.0.0.1:1", "--no-http", "--record", recording + "2", "--record-limit", "10")
        assert status == 2 and "--record-limit" in said[0] and "1M" in said[0], said
        status, said, _ = run("--port", "tcp:127.0.0.1:1", "--no-http", "--record", recording, "--record-limit", "1G")
        assert status == 1 and recording in said[0] and "there already" in said[0], said


@case
def a_stalled_disk_delays_neither_calls_nor_end():
    """A pipe without a reader stands for the disk."""
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        path = os.path.join(folder, "pipe")
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        program = subprocess.Popen([MINIPROFD, "--port", port, "--listen", "127.0.0.1:0", "--record-dir", folder, "--record", path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            first = program.stdout.readline()
            assert first.startswith("listening on "), program.communicate(timeout=60)
            daemon = Served(first.split()[-1])
            daemon.wait_for_link(lambda link: link["bytes"] > 400_000)  # pipe and buffer have room for a third of it
            before = time.monotonic()
            program.send_signal(signal.SIGTERM)
            _, said = program.communicate(timeout=60)
            took = time.monotonic() - before
        finally:
            program.kill()
            os.close(reader)
        lost = re.search(r"The recording \S+ lacks its last (\d+) bytes", said)
        assert program.returncode == 1 and lost and int(lost[1]) > 200_000, (program.returncode, said)
        assert took < 30, took
        print(f"# SIGTERM took {took:.2f} s")


@case
def recordings_of_a_run_are_opened_beside_the_live_session():
    """Tests ordered recordings, current ones, and those around broken limits."""
    with tempfile.TemporaryDirectory() as folder, example(EXAMPLE_HOST) as port:
        with Daemon(MINIPROFD, "--port", port, "--elf", EXAMPLE_HOST, "--record-dir", folder, "--keep-breaches", folder, "--breach-seconds", "1",
                    "--limit", "control_cycle:max<1us") as daemon:
            def ask(path, body=None):
                status, _, text = daemon.request("GET" if body is None else "POST", "/api/v1/" + path, body and json.dumps(body))
                return status, json.loads(text)

            order(daemon, "start")
            daemon.wait_until(lambda now: any(not row["open"] for row in ask("recordings")[1]["recordings"])
                              and now["source"]["recording"]["bytes"] > 5000)
            assert order(daemon, "stop")[0] == 200
            order(daemon, "start")
            daemon.wait_until(lambda now: (now["source"]["recording"] or {"bytes": 0})["bytes"] > 5000)
            rows = ask("recordings")[1]["recordings"]
            assert [(row["limit"], row["open"]) for row in rows[:2]] == [(None, True), (None, False)], rows
            kept = [row for row in rows if row["limit"] is not None and not row["open"]]
            assert kept and kept[-1]["bytes"] == os.path.getsize(kept[-1]["path"]), rows
            for row in rows[1], kept[-1]:
                status, opened = ask("recordings/open", {"path": row["path"]})
                assert status == 200 and opened["sequence"] == 0, opened
                mine = ask(f"snapshot?pause={opened['pause']}")[1]
                assert mine["source"]["port"] == "file:" + row["path"] and mine["source"]["recording"] is None, mine["source"]
                _, _, out = run("--port", "file:" + row["path"], "--elf", EXAMPLE_HOST, "--no-http", "--export", "json=-")
                alone = json.loads(out)
                assert [(f["name"], f["calls"], f["total_ticks"]) for f in mine["functions"]] == \
                    [(f["name"], f["calls"], f["total_ticks"]) for f in alone["functions"]]
                assert mine["limits"][0]["breaches"] > 0, mine["limits"]
            live = daemon.snapshot()
            assert live["sequence"] > 0 and live["source"]["port"] == port, live["source"]
            for wrong, status in ({"path": "/etc/passwd"}, 404), ({"path": kept[-1]["path"] + "/../x"}, 404), ({}, 400), ({"path": 1}, 400):
                assert ask("recordings/open", wrong)[0] == status, wrong
            os.remove(kept[-1]["path"])
            status, problem = ask("recordings/open", {"path": kept[-1]["path"]})
            assert status == 500 and "No such file" in problem["detail"], problem
            assert "file:" not in daemon.errors, daemon.errors


@case
def a_missing_folder_for_recordings_is_reported_at_start():
    status, said, _ = run("--port", "unix:/no/such/socket", "--no-http", "--record-dir", "/no/such/folder")
    assert status == 1 and "/no/such/folder" in said[-1], said


@case
def a_missing_or_silent_device_writes_no_profile():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as silent:
        out = os.path.join(folder, "out.json")
        with open(out, "w") as f:
            f.write("of before")
        for port in ("unix:" + os.path.join(folder, "none"), "tcp:127.0.0.1:%d" % silent.getsockname()[1]):
            status, said, _ = run("--port", port, "--no-http", "--duration", "0.3", "--export", "json=" + out)
            assert status == 1 and port in said[-1] and "no profile" in said[-1], (status, said)
        with open(out) as f:
            assert f.read() == "of before"


@case
def an_unwritable_export_is_reported_before_the_first_byte():
    with tempfile.TemporaryDirectory() as folder:
        for path in ("/no/such/folder/x", folder, "/dev/null/x"):
            status, said, _ = run("--port", "unix:" + os.path.join(folder, "none"), "--no-http", "--export", "csv=" + path)
            assert status == 1 and path in said[-1], (status, said)
            assert len(said) == 1, said
        assert os.listdir(folder) == []



if __name__ == "__main__":
    sys.exit(run_cases())
