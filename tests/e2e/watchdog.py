#!/usr/bin/env python3
"""watchdog.py MINIPROFD - the messages of a confined daemon to a service manager: that it is ready, works and ends."""
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402

MINIPROFD = os.path.abspath(sys.argv[1])


def heard(manager, until):
    """Returns the messages up to `until`."""
    told = []
    while not told or not (told[-1] == until or (until[-1] == "=" and told[-1].startswith(until))):
        told.append(manager.recv(100).decode())
    return told


@case
def the_manager_is_notified_of_start_health_and_end():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        path = os.path.join(folder, "manager")
        manager.bind(path)
        manager.settimeout(PATIENCE)
        environment = {**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"}
        with Daemon(MINIPROFD, "--port", os.path.join(folder, "none"), env=environment) as daemon:
            assert heard(manager, "READY=1") == ["READY=1"]
            assert heard(manager, "STATUS=")[-1].rstrip("/") == "STATUS=Listening on " + daemon.address.rstrip("/")
            assert heard(manager, "WATCHDOG=1") and heard(manager, "WATCHDOG=1"), "and again"
        assert set(heard(manager, "STOPPING=1")[:-1]) <= {"WATCHDOG=1"}


@case
def an_abstract_name_is_a_socket_as_well():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"miniprofd-test-{os.getpid()}"
        manager.bind("\0" + name)
        manager.settimeout(PATIENCE)
        with Daemon(MINIPROFD, "--port", os.path.join(folder, "none"), env={**os.environ, "NOTIFY_SOCKET": "@" + name}):
            assert heard(manager, "READY=1") == ["READY=1"]
            heard(manager, "STATUS=")
        assert heard(manager, "STOPPING=1") == ["STOPPING=1"], "nobody watches"


@case
def sighup_ends_only_a_daemon_with_a_terminal():
    """The first child of a new session has no terminal; forkpty() gives one."""
    command = [MINIPROFD, "--port", "/nowhere/tty", "--listen", "127.0.0.1:0"]
    service = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    with service:
        address = service.stdout.readline().split()[-1]
        service.send_signal(signal.SIGHUP)
        with urllib.request.urlopen(address + "api/v1/status", timeout=PATIENCE) as answer:
            assert answer.status == 200
        assert service.poll() is None
        service.terminate()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(MINIPROFD, command)
    said = b""
    while b"listening on" not in said:
        said += os.read(terminal, 4096)
    os.kill(pid, signal.SIGHUP)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)


if __name__ == "__main__":
    sys.exit(run_cases())
