#!/usr/bin/env python3
"""portable.py - builds the daemon without the system calls that only Linux has (-Dlinux_calls=false), as macOS and BSD would: it must
import none of them but those named here, and must replay, serve and end.

usage: portable.py MESON NINJA SOURCES
Prints TAP."""
import os
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402

MESON, NINJA, ROOT = sys.argv[1:4]
FOLDER = None
LINUX_ONLY = {"epoll_create1", "epoll_ctl", "epoll_wait", "eventfd", "timerfd_create", "timerfd_settime", "signalfd", "prctl", "syscall",
              "renameat2", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "memfd_create", "pidfd_open"}
STILL_USED = {"epoll_create1", "epoll_ctl", "epoll_wait", "eventfd", "timerfd_create", "timerfd_settime"}  # only in server/connections.c
REPLAY = ["--dialect", "syst", "--dialect-opt", "clock_hz=1000000"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout, done.stderr


def program():
    return os.path.join(FOLDER, "build/daemon/miniprofd")


def capture():
    path = os.path.join(FOLDER, "capture")
    with open(path, "wb") as file:
        file.write(b"".join(syst_messages()))
    return "file:" + path


@case
def it_is_built_without_linux_calls():
    build = os.path.join(FOLDER, "build")
    run(MESON, "setup", build, ROOT, "--buildtype=debug", "-Dwerror=true", "-Dtests=false", "-Dfirmware=false", "-Dlinux_calls=false")
    run(NINJA, "-C", build, "daemon/miniprofd")
    imported = {line.split()[-1].split("@")[0] for line in run("nm", "-D", "--undefined-only", program())[0].splitlines()}
    assert "poll" in imported or "__poll_chk" in imported, "the list can be read"
    assert imported & LINUX_ONLY == STILL_USED, imported & LINUX_ONLY ^ STILL_USED


@case
def it_replays_and_reports_that_it_is_not_confined():
    rows, log = run(program(), "--port", capture(), *REPLAY, "--no-http", "--verbose", "--export", "csv=-")
    assert any(row.startswith("inner,") and ",10," in row for row in rows.splitlines()), rows
    assert "Confined by: nothing." in log, log


@case
def it_serves_until_it_is_stopped():
    with subprocess.Popen([program(), "--port", capture(), *REPLAY, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        try:
            address = process.stdout.readline().removeprefix("listening on ").strip()
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert b"<title>" in answer.read()
        finally:
            process.terminate()
        assert process.wait(60) == 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_cases())
