"""board.py - an emitter's example on the emulated board, with the daemon at the other end of its line."""
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import PATIENCE, Daemon  # noqa: E402

# -icount: time follows the count of instructions, so runs repeat.
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none"]


@contextlib.contextmanager
def running(miniprofd, elf, *arguments, shift=5):
    """A daemon that hears the example, which begins once it is connected."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "line")
        qemu = subprocess.Popen(["timeout", "300", *QEMU, "-icount", f"shift={shift}", "-chardev", f"socket,path={path},server=on,wait=on,id=line",
                                 "-serial", "chardev:line", "-kernel", elf], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            with Daemon(miniprofd, "--port", "unix:" + path, "--elf", elf, *arguments) as daemon:
                yield daemon
        finally:
            qemu.terminate()
            qemu.wait()


def wait_for(daemon, holds):
    """The first snapshot of which `holds` is true."""
    snapshot = daemon.snapshot()
    until = time.monotonic() + PATIENCE
    while not holds(snapshot):
        for _ in daemon.events(PATIENCE):  # the next one that changes something
            snapshot = daemon.snapshot()
            if holds(snapshot) or time.monotonic() > until:
                break
        assert holds(snapshot) or time.monotonic() < until, ("never came", snapshot["functions"], snapshot["checkpoints"], snapshot["link"])
    return snapshot


def begin_rounds(daemon, mode, rounds):
    """Has an example beside the agent run so many, once it profiles as it is to."""
    wait_for(daemon, lambda snapshot: snapshot["target"]["mode"] == mode)
    status, _, body = daemon.request("POST", "/api/v1/device/config", json.dumps({"payload": "80%02x%02x0000" % (rounds & 255, rounds >> 8)}))
    assert status == 200, body


def functions(snapshot):
    return {row["name"]: row for row in snapshot["functions"]}
