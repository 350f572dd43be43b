#!/usr/bin/env python3
"""real.py - the browser test against the real daemon, which listens to the example firmware as a program of this machine.

Two more read what that firmware does not tell, checkpoints of TF-M and messages of SyS-T, from captures made here; the
tests of these views find them under CHECKPOINTS_URL and MESSAGES_URL.

usage: real.py NODE BROWSER_TEST MINIPROFD EXAMPLE_HOST [VIEW ...]. Exits as the browser test does: 77 when it cannot run here."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import TFM_NAMES, syst_talk, tfm_dump  # noqa: E402
from daemon import Daemon  # noqa: E402


def reader(miniprofd, folder, dialect, capture, *options):
    """A daemon that reads the capture."""
    path = os.path.join(folder, dialect)
    with open(path, "wb") as f:
        f.write(capture)
    return Daemon(miniprofd, "--port", "file:" + path, "--dialect", dialect, *options)


def names(folder):
    """The path of a file with the names of the checkpoints."""
    path = os.path.join(folder, "names.json")
    with open(path, "w") as f:
        f.write(TFM_NAMES)
    return path


def main(node, browser_test, miniprofd, example_host, *views):
    firmware = subprocess.Popen([example_host], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder, \
                Daemon(miniprofd, "--port", port, "--elf", example_host, "--record-dir", folder) as daemon, \
                reader(miniprofd, folder, "tfm", tfm_dump(), "--dialect-opt", "names=" + names(folder)) as checkpoints, \
                reader(miniprofd, folder, "syst", b"".join(syst_talk()), "--dialect-opt", "framing=raw") as messages:
            for one in (daemon, checkpoints, messages):
                one.wait_for_link(lambda link: link["records"] > 0)
            return subprocess.call([node, browser_test, *views], env={
                **os.environ, "BASE_URL": daemon.address, "CHECKPOINTS_URL": checkpoints.address,
                "MESSAGES_URL": messages.address})
    finally:
        firmware.kill()
        firmware.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
