#!/usr/bin/env python3
"""real.py - the browser test against the real daemon, which listens to the example firmware as a program of this machine.

usage: real.py NODE BROWSER_TEST MINIPROFD EXAMPLE_HOST. Exits as the browser test does: 77 when it cannot run here."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon  # noqa: E402


def main(node, browser_test, miniprofd, example_host):
    firmware = subprocess.Popen([example_host], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        port = firmware.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder, \
                Daemon(miniprofd, "--port", port, "--elf", example_host, "--record-dir", folder) as daemon:
            daemon.wait_for_link(lambda link: link["records"] > 0)
            return subprocess.call([node, browser_test], env={**os.environ, "BASE_URL": daemon.address})
    finally:
        firmware.kill()
        firmware.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
