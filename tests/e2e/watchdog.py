#!/usr/bin/env python3
"""watchdog.py MINIPROFD - what a service manager hears of a daemon, confined as it is: that it is up, that it is well, that it ends."""
import os
import socket
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402

MINIPROFD = os.path.abspath(sys.argv[1])


def heard(manager, until):
    """What was told up to `until`."""
    told = []
    while not told or told[-1] != until:
        told.append(manager.recv(100).decode())
    return told


@case
def the_manager_hears_that_it_is_up_and_well_and_ends():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        path = os.path.join(folder, "manager")
        manager.bind(path)
        manager.settimeout(PATIENCE)
        environment = {**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"}
        with Daemon(MINIPROFD, "--port", os.path.join(folder, "none"), env=environment):
            assert heard(manager, "READY=1") == ["READY=1"]
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
        assert heard(manager, "STOPPING=1") == ["STOPPING=1"], "nobody watches"


if __name__ == "__main__":
    sys.exit(run_cases())
