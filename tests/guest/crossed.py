#!/usr/bin/env python3
"""crossed.py - the daemon for 64-bit ARM, built here according to scripts/packaging/arm64.ini, and run in an emulator.

usage: crossed.py SOURCES
It adds a foreign architecture and installs packages, so run it on a disposable machine: a container or a chroot of Debian, as root, with
INSTALL_HERE=1. Prints TAP."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import syst_messages  # noqa: E402
from cases import case, run_cases  # noqa: E402

ROOT = os.path.abspath(sys.argv[1])
DAEMON = os.path.join(ROOT, "build-arm64/daemon/miniprofd")


def said():
    """The commands in the file: (those for root, those that build)."""
    with open(os.path.join(ROOT, "scripts/packaging/arm64.ini"), encoding="utf-8") as file:
        text = file.read()
    of_root = "\n".join(re.findall(r"^#   +(.*)$", text, re.M)).replace("\\\n", " ")
    return of_root.replace("apt-get install", "apt-get install -y --no-install-recommends"), re.search(r"^# Then: (.*)$", text, re.M)[1]


def run(command):
    done = subprocess.run(["bash", "-ec", command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    assert done.returncode == 0, (command, done.stdout[-3000:])
    return done.stdout


@case
def it_is_built_as_the_file_says():
    of_root, then = said()
    assert "dpkg --add-architecture arm64" in of_root and "meson setup build-arm64" in then
    run(of_root)
    run(then)
    with open(DAEMON, "rb") as file:
        head = file.read(20)
    assert head[:4] == b"\x7fELF" and head[18:20] == b"\xb7\x00", "it is for AArch64"


@case
def it_runs_and_replays():
    assert "0.2" in run(f"qemu-aarch64-static {DAEMON} --version")
    with tempfile.NamedTemporaryFile() as capture:
        capture.write(b"".join(syst_messages()))
        capture.flush()
        rows = run(f"qemu-aarch64-static {DAEMON} --port file:{capture.name} --dialect syst --dialect-opt clock_hz=1000000 --no-http --export csv=- 2>/dev/null")
    counted = {row.split(",")[0]: row for row in rows.splitlines()}
    assert "inner" in counted and "outer" in counted and ",10," in counted["inner"], rows


if __name__ == "__main__":
    if os.environ.get("INSTALL_HERE") != "1" or os.geteuid() != 0:
        print("1..0 # SKIP it changes the machine: run it on one that is thrown away, as root, with INSTALL_HERE=1")
        sys.exit(0)
    sys.exit(run_cases())
