#!/usr/bin/env python3
"""hanging.py - checks that the program ends although one of its threads never returns from a system call.

usage: hanging.py MINIPROFD NTH_CALL EXAMPLE_HOST. Prints TAP."""
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon, example  # noqa: E402
from faults import Faults  # noqa: E402

MINIPROFD, NTH_CALL, EXAMPLE = (os.path.abspath(path) for path in sys.argv[1:4])
MOST = 20  # seconds, under any other load; without load two are promised


def await_hanging(faults):
    until = time.monotonic() + PATIENCE
    while not faults.failed:
        assert time.monotonic() < until, "nothing came to it"
        time.sleep(0.01)


def end(daemon):
    """Sends one SIGTERM. Returns (exit status, seconds)."""
    began = time.monotonic()
    daemon.process.send_signal(signal.SIGTERM)
    status = daemon.process.wait(PATIENCE)
    print(f"# ended with {status} after {time.monotonic() - began:.2f} s", flush=True)
    return status, time.monotonic() - began


@contextlib.contextmanager
def hung(*arguments, env):
    """Yields a daemon, which is killed at the end."""
    daemon = Daemon(MINIPROFD, *arguments, env=env)
    try:
        yield daemon
    finally:
        daemon.process.kill()
        daemon.process.wait()


@case
def a_hung_thread_is_reported_and_not_waited_for():
    faults = Faults(NTH_CALL)
    with example(EXAMPLE) as port, tempfile.TemporaryDirectory() as folder:
        with hung("--port", port, "--elf", EXAMPLE, "--token-file", "auto", env={**faults.environment, "XDG_RUNTIME_DIR": folder}) as daemon:
            token = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
            assert len(token) == 1, token
            faults.begin("allocation", 1, "hang", thread="mp-ingest")
            await_hanging(faults)
            status, seconds = end(daemon)
            assert status == 1 and seconds < MOST, (status, seconds)
            assert "has hung over one piece of work" in daemon.errors, daemon.errors
            assert not os.path.exists(token[0])


@case
def a_measurement_with_a_hung_thread_fails_without_export():
    faults = Faults(NTH_CALL)
    with example(EXAMPLE) as port, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        with hung("--port", port, "--export", f"json={path}", env=faults.environment) as daemon:
            faults.begin("allocation", 1, "hang", thread="mp-ingest")
            await_hanging(faults)
            status, seconds = end(daemon)
            assert status == 1 and seconds < MOST, (status, seconds)
            assert not os.path.exists(path)


@case
def a_hung_disk_with_a_new_elf_delays_nothing():
    faults = Faults(NTH_CALL)
    with example(EXAMPLE) as port, tempfile.TemporaryDirectory() as folder:
        elf = os.path.join(folder, "firmware.elf")
        shutil.copy(EXAMPLE, elf)
        with hung("--port", port, "--elf", elf, env=faults.environment) as daemon:
            daemon.wait_until(lambda snapshot: snapshot["link"]["records"] > 0)
            faults.begin("open", 1, "hang", path="firmware.elf", thread="mp-symbols")
            shutil.copy(EXAMPLE, elf + ".new")
            os.replace(elf + ".new", elf)
            await_hanging(faults)
            records = daemon.snapshot()["link"]["records"]
            daemon.wait_for_link(lambda link: link["records"] > records)
            status, seconds = end(daemon)
            assert status == 0 and seconds < MOST, (status, seconds, daemon.errors)
            assert "Something hangs" in daemon.errors, daemon.errors


if __name__ == "__main__":
    sys.exit(run_cases())
