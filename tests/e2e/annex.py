#!/usr/bin/env python3
"""annex.py - foreign libraries read the ELF in separate processes: what is shown while these run, and after they have died.

usage: annex.py MINIPROFD EXAMPLE_HOST
Prints TAP."""
import contextlib
import http.client
import json
import os
import select
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().strip()


def annexes_of(daemon):
    """Returns the process that forks the workers, and the spare one."""
    pid = daemon.process.pid
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = file.read().split()
    annexes = [int(child) for child in children if name_of(child) != "mp-rivals"]  # which looks for other programs at the port
    assert len(annexes) == 2, children
    return annexes


def source_of(daemon, name):
    row = next(f for f in daemon.snapshot()["functions"] if f["name"] == name)
    status, _, body = daemon.get(f"/api/v1/functions/{row['id']}/source")
    assert status == 200, (status, body)
    return json.loads(body)


def check_all(source):
    assert source["available"]["disassembly"] and len(source["instructions"]) > 3, source["reason"]
    assert all(row["text"] for row in source["instructions"]), source["instructions"][:5]
    assert source["line"] and any(line["instructions"] for line in source["lines"]), source["lines"][:5]


def run(capture, *options):
    return Daemon(MINIPROFD, "--port", "file:" + capture, "--elf", EXAMPLE_HOST, *options)


def record(folder):
    capture = os.path.join(folder, "run.bin")
    firmware = subprocess.Popen([EXAMPLE_HOST, "--rounds", "20"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        subprocess.run([MINIPROFD, "--port", port, "--mode", "stream", "--record", capture, "--no-http", "--duration", "1"],
                       stderr=subprocess.DEVNULL, check=True, timeout=120)
    finally:
        firmware.kill()
        firmware.wait()
    return capture


@case
def source_and_disassembly_are_shown_confined_or_not():
    with tempfile.TemporaryDirectory() as folder:
        capture = record(folder)
        for options in ((), ("--unconfined",)):
            with run(capture, *options) as daemon:
                daemon.wait_for_link(lambda link: link["records"] > 0)
                check_all(source_of(daemon, "adc_scan"))


@case
def a_dead_annex_is_replaced():
    with tempfile.TemporaryDirectory() as folder:
        with run(record(folder)) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            for annex in annexes_of(daemon):  # the second forks a third when it takes over
                os.kill(annex, signal.SIGKILL)
                check_all(source_of(daemon, "adc_scan"))


@case
def without_the_annex_only_disassembly_is_missing():
    with tempfile.TemporaryDirectory() as folder:
        capture = record(folder)
        with run(capture) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            before = daemon.snapshot()
            whole = source_of(daemon, "adc_scan")
            for annex in annexes_of(daemon):
                os.kill(annex, signal.SIGKILL)
            source = source_of(daemon, "adc_scan")
            assert not source["available"]["disassembly"] and not source["instructions"], source
            assert "There is no disassembly" in source["reason"]["disassembly"], source["reason"]
            assert source["line"] == whole["line"] and [line["line"] for line in source["lines"]] == [line["line"] for line in whole["lines"]]
            assert daemon.snapshot()["functions"] == before["functions"]


def wait_for_elf(daemon, state):
    for _ in daemon.events(60):
        if daemon.snapshot()["source"]["elf"]["state"] == state:
            return
    raise AssertionError(f"not {state}: {daemon.snapshot()['source']['elf']}")


def replace(path, content):
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.rename(path + ".new", path)


@contextlib.contextmanager
def live():
    """Yields a daemon of a running firmware, the path of its ELF, and that file's bytes."""
    with open(EXAMPLE_HOST, "rb") as file:
        program = file.read()
    with tempfile.TemporaryDirectory() as folder:
        elf = os.path.join(folder, "fw.elf")
        replace(elf, program)
        firmware = subprocess.Popen([EXAMPLE_HOST, "--pace-ms", "5"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            with Daemon(MINIPROFD, "--port", firmware.stdout.readline().strip(), "--elf", elf) as daemon:
                daemon.wait_for_link(lambda link: link["records"] > 0)
                yield daemon, elf, program
        finally:
            firmware.kill()
            firmware.wait()


@case
def a_new_elf_is_read_while_the_daemon_runs_confined():
    with live() as (daemon, elf, program):
        replace(elf, program[:len(program) // 2])
        wait_for_elf(daemon, "unreadable")
        replace(elf, program)
        wait_for_elf(daemon, "ok")
        check_all(source_of(daemon, "adc_scan"))
        for annex in annexes_of(daemon):
            os.kill(annex, signal.SIGKILL)
        replace(elf, program)
        wait_for_elf(daemon, "unreadable")
        assert any(f["name"] == "adc_scan" and f["line"] for f in daemon.snapshot()["functions"]), "what was read stays"
    assert "is truncated" in daemon.errors and "reading symbols failed" in daemon.errors and "start miniprofd again" in daemon.errors, daemon.errors


@case
def an_elf_still_being_read_delays_nothing_and_is_reported():
    """The annex is stopped, so that reading lasts until it is continued."""
    with live() as (daemon, elf, program):
        for annex in annexes_of(daemon):
            os.kill(annex, signal.SIGSTOP)
        replace(elf, program)
        wait_for_elf(daemon, "reading")
        snapshot = daemon.snapshot()
        assert snapshot["target"]["elf_match"] is None and not snapshot["complete"], snapshot["target"]
        assert any("names are those of the program before" in reason for reason in snapshot["incomplete_because"]), snapshot["incomplete_because"]
        before = snapshot["link"]["records"]
        daemon.wait_for_link(lambda link: link["records"] > before + 100)
        assert daemon.snapshot()["source"]["elf"]["state"] == "reading", "records came only when it had been read"
        wait_for_elf(daemon, "unreadable")
        snapshot = daemon.snapshot()
        assert "do not answer" in snapshot["source"]["elf"]["error"] and snapshot["target"]["elf_match"] is None, snapshot["source"]
        findings = json.loads(daemon.get("/api/v1/doctor")[2])["findings"]
        assert any(f["verdict"] == "fail" and "names are those of the program before" in f["text"] for f in findings), findings
        assert not any("has the symbols of" in f["text"] for f in findings), findings


@case
def an_elf_still_being_read_does_not_delay_the_end():
    with open(EXAMPLE_HOST, "rb") as file:
        program = file.read()
    with tempfile.TemporaryDirectory() as folder:
        elf = os.path.join(folder, "fw.elf")
        replace(elf, program)
        with Daemon(MINIPROFD, "--port", "file:" + record(folder), "--elf", elf) as daemon:
            for annex in annexes_of(daemon):
                os.kill(annex, signal.SIGSTOP)
            replace(elf, program)
            wait_for_elf(daemon, "reading")
            daemon.process.send_signal(signal.SIGTERM)
            assert daemon.process.wait(timeout=8) == 0  # reading may take twelve seconds


@case
def the_annex_ends_with_the_daemon():
    with tempfile.TemporaryDirectory() as folder:
        daemon = run(record(folder))
        annexes = [os.pidfd_open(annex) for annex in annexes_of(daemon)]
        os.kill(annexes_of(daemon)[0], signal.SIGSTOP)
        os.kill(daemon.process.pid, signal.SIGKILL)
        daemon.process.communicate(timeout=60)
        for annex in annexes:
            assert select.select([annex], [], [], 60)[0], "it is still there"
            os.close(annex)


@case
def a_stopped_annex_does_not_delay_the_end():
    with tempfile.TemporaryDirectory() as folder:
        with run(record(folder)) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            row = next(f for f in daemon.snapshot()["functions"] if f["name"] == "adc_scan")
            for annex in annexes_of(daemon):
                os.kill(annex, signal.SIGSTOP)
            asked = http.client.HTTPConnection("127.0.0.1", daemon.port)
            asked.request("GET", f"/api/v1/functions/{row['id']}/source")
            daemon.process.send_signal(signal.SIGTERM)
            assert daemon.process.wait(timeout=8) == 0  # a job may take ten seconds
            asked.close()


if __name__ == "__main__":
    sys.exit(run_cases())
