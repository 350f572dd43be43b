#!/usr/bin/env python3
"""escape.py - tests that code in the confined daemon can do no harm: each dangerous act is refused, or docs/security.md says why it is allowed.

usage: escape.py MINIPROFD ESCAPE.so SECURITY.md. Prints TAP."""
import ctypes
import os
import pty
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, ESCAPE, SECURITY = (os.path.abspath(path) for path in sys.argv[1:4])

ALWAYS = {"read a file of the user", "create a file in the record folder", "truncate a file in the record folder", "listen at a TCP port"}
# Acts that only Landlock refuses, with the first version that does.
LANDLOCK = {
    "open a file of the user for writing": 1, "create a file elsewhere": 1, "rename a file of the user": 1, "remove a file of the user": 1,
    "open another terminal for writing": 1, "read another terminal": 1, "listen at another TCP port": 4}
# Landlock 1 refuses these; without Landlock they depend on the user and the kernel's settings.
DEPENDS = {"write core_pattern", "open the memory of another process", "read the environment of another process"}


def landlock_version():
    """Returns the kernel's Landlock version; 0 or less without Landlock."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


def acts(*arguments, confined="seccomp", **environment):
    """Returns the result of each act by name, in a daemon with these arguments, a record folder and HTTP. `arguments` may contain the
    environment's names that escape.c lists, such as {PORT}."""
    # Not TMPDIR: that may be below /dev, where a daemon with a serial port may open files.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, socket.create_server(("127.0.0.1", 0)) as tcp, \
            socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as other, tempfile.TemporaryFile("r+") as told:
        controller, terminal = pty.openpty()
        names = {"VICTIM": folder + "/victim", "PLACE": folder + "/records", "TERMINAL": os.ttyname(terminal),
                 "PORT": str(tcp.getsockname()[1]), "ABSTRACT": "miniprofd-escape-" + str(os.getpid()), "SOCKET": folder + "/other"}
        abstract.bind("\0" + names["ABSTRACT"])
        other.bind(names["SOCKET"])
        abstract.listen()
        other.listen()
        os.mkdir(names["PLACE"])
        with open(names["VICTIM"], "w", encoding="utf-8") as file:
            file.write("precious")
        with open(folder + "/empty.bin", "wb"):
            pass
        environment = {**os.environ, **environment, **{"ESCAPE_" + name: value for name, value in names.items()}, "ESCAPE_TO": str(told.fileno()),
                       "LD_PRELOAD": ESCAPE}
        options = [word.format(folder=folder, **names) for word in arguments]
        try:
            with Daemon(MINIPROFD, "--record-dir", names["PLACE"], "--log-level", "debug", *options, stdin=subprocess.DEVNULL,
                        pass_fds=[told.fileno()], env=environment) as daemon:
                assert daemon.get("/healthz")[0] == 200
                told.seek(0)
                lines = [line.rstrip("\n").split("\t") for line in told]
                assert f"Confined by: {confined}" in daemon.errors, daemon.errors
        finally:
            os.close(controller)
            os.close(terminal)
    assert len(lines) > 80, lines
    return dict(lines)


def check(done, allowed):
    """Checks that exactly these acts were allowed."""
    found = {name for name, how in done.items() if how == "allowed"}
    assert found == allowed, ("allowed", sorted(found - allowed), "refused", sorted(allowed - found))


def version_needed(least):
    if landlock_version() < least:
        raise Skip(f"this kernel has no Landlock {least}")


@case
def a_replay_can_write_to_its_folder_and_do_nothing_else():
    version_needed(4)
    check(acts("--port", "file:{folder}/empty.bin"), ALWAYS)


@case
def a_daemon_with_a_port_cannot_connect():
    version_needed(4)
    check(acts("--port", "serial:{TERMINAL}"), ALWAYS | {"open another terminal for writing", "read another terminal"})


@case
def the_rivals_process_has_its_own_seccomp_filter():
    controller, terminal = pty.openpty()
    with Daemon(MINIPROFD, "--port", os.ttyname(terminal), "--no-control", stdin=subprocess.DEVNULL) as daemon:
        with open(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children", encoding="ascii") as file:
            (child,) = file.read().split()
        with open(f"/proc/{child}/status", encoding="utf-8") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        assert (status["Name"], status["Seccomp"], status["NoNewPrivs"]) == ("mp-rivals", "2", "1"), status
        may = 1 << 19 | 1 << 2  # CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH
        assert int(status["CapEff"], 16) & ~may == 0, status
        until = time.monotonic() + 60  # it has folders open during a search
        while sorted(os.listdir(f"/proc/{child}/fd")) != ["0", "1", "2", "3", "4"]:
            assert time.monotonic() < until, "what the daemon has is not for it"
    os.close(controller)
    os.close(terminal)


@case
def a_daemon_with_a_server_connects_to_its_port_only():
    version_needed(4)
    check(acts("--port", "tcp:127.0.0.1:1"), ALWAYS)
    check(acts("--port", "tcp:127.0.0.1:{PORT}"), ALWAYS | {"connect to another TCP port"})


@case
def a_server_name_allows_name_resolution():
    version_needed(4)
    check(acts("--port", "rfc2217:no-such-host.invalid:1"),
          ALWAYS | {"make a UDP socket", "make a netlink socket", "connect to a socket of the user"})


@case
def a_daemon_with_a_unix_socket_connects_only_by_path():
    version_needed(6)
    check(acts("--port", "unix:{folder}/none"), ALWAYS | {"connect to a socket of the user"})


@case
def each_landlock_version_denies_what_it_supports():
    version_needed(1)
    for version in range(0, landlock_version() + 1):
        confined = f"seccomp, Landlock {version}." if version else "seccomp."
        done = acts("--port", "file:{folder}/empty.bin", confined=confined, ESCAPE_LANDLOCK=str(version))
        if not version:
            done = {name: how for name, how in done.items() if name not in DEPENDS}
        check(done, ALWAYS | {name for name, least in LANDLOCK.items() if least > version})


@case
def without_seccomp_landlock_still_protects_files():
    version_needed(3)
    done = acts("--port", "file:{folder}/empty.bin", confined="Landlock", ESCAPE_SECCOMP="0")
    for name in (*(name for name, least in LANDLOCK.items() if least < 4), "truncate", "truncate by opening for reading"):
        assert done[name] != "allowed", name


@case
def every_allowed_action_has_a_documented_reason():
    with open(SECURITY, encoding="utf-8") as file:
        reasons = set(re.findall(r"^\| ([^|]+?) +\| ", file.read(), re.M))
    for name in (*ALWAYS, "open another terminal for writing", "read another terminal", "connect to a socket of the user", "make a UDP socket",
                 "make a netlink socket"):
        assert name in reasons, name


if __name__ == "__main__":
    sys.exit(run_cases())
