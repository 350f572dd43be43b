"""board.py - runs an emitter's example on the emulated board, with the daemon at the other end of its line."""
import contextlib
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import emulator  # noqa: E402
from daemon import Daemon  # noqa: E402
from ports import free_port  # noqa: E402


@contextlib.contextmanager
def running(miniprofd, elf, *arguments, shift=5):
    """Yields a daemon that is connected to the example, which begins after that."""
    with emulator.running(*emulator.MPS2, "-icount", f"shift={shift}", "-kernel", elf) as port, \
            Daemon(miniprofd, "--port", port, "--elf", elf, *arguments) as daemon:
        yield daemon


@contextlib.contextmanager
def running_as_shown(page, miniprofd, images):
    """Yields a daemon started by the last commands of the page, with this build's paths and another port."""
    with open(page, encoding="utf-8") as file:
        block = re.findall(r"^```sh\n(.*?)^```", file.read(), re.S | re.M)[-1]
    block = re.sub(r"build/firmware-ref/\w+/", lambda _: images + "/", block).replace("\\\n", " ").replace("127.0.0.1:7700", f"127.0.0.1:{free_port()}")
    board, program = (shlex.split(line.rstrip(" &")) for line in block.strip().splitlines())
    assert board[0] == "qemu-system-arm" and program[0] == "miniprofd", block
    qemu = subprocess.Popen(["timeout", "300", *board], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        with Daemon(miniprofd, *program[1:]) as daemon:
            yield daemon
    finally:
        qemu.terminate()
        qemu.wait()


def wait_for(daemon, holds):
    """Returns the first snapshot for which `holds` is true."""
    return daemon.wait_until(holds)


def begin_rounds(daemon, mode, rounds):
    """Lets an example beside the agent run this many rounds, once it profiles in the wanted mode."""
    wait_for(daemon, lambda snapshot: snapshot["target"]["mode"] == mode)
    status, _, body = daemon.request("POST", "/api/v1/device/config", json.dumps({"payload": "80%02x%02x0000" % (rounds & 255, rounds >> 8)}))
    assert status == 200, body


def functions(snapshot):
    return {row["name"]: row for row in snapshot["functions"]}
