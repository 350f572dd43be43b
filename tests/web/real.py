#!/usr/bin/env python3
"""real.py - runs the browser tests with real daemons. The first one profiles the example firmware, run as a program of this machine, in mode calls.

STREAM_URL is a daemon in mode stream, which distinguishes tasks and interrupts. Others read captures of data that the firmware does not send: many calls with a damaged stretch
(GENERATED_URL), checkpoints of TF-M (CHECKPOINTS_URL), messages of SyS-T (MESSAGES_URL), and samples of gprof (SAMPLES_URL). The last one serves the page's separate
files from webroot/.

usage: real.py NODE BROWSER_TEST MINIPROFD EXAMPLE_HOST BENCH_GENERATE [VIEW ...]. Exits with the status of the browser tests: 77 if they cannot run here."""
import contextlib
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import TFM_NAMES, gprof_records, syst_talk, tfm_dump  # noqa: E402
from daemon import Daemon  # noqa: E402

WEBROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "webroot")


def reader(miniprofd, folder, dialect, capture, *options):
    """Returns a daemon that reads the capture."""
    path = os.path.join(folder, dialect)
    with open(path, "wb") as f:
        f.write(capture)
    return Daemon(miniprofd, "--port", "file:" + path, "--dialect", dialect, *options)


def names(folder):
    """Writes a file with the names of the checkpoints. Returns its path."""
    path = os.path.join(folder, "names.json")
    with open(path, "w") as f:
        f.write(TFM_NAMES)
    return path


def generated(bench_generate, folder):
    """Generates a capture of 200,000 calls without a stretch in the middle, and its ELF. Returns their paths."""
    capture, elf = (os.path.join(folder, name) for name in ("generated.bin", "generated.elf"))
    subprocess.run([bench_generate, "--calls", "200000", "--output", capture, "--elf", elf], check=True)
    with open(capture, "rb") as f:
        whole = f.read()
    half = len(whole) // 2
    with open(capture, "wb") as f:
        f.write(whole[:half] + whole[half + 3000:])
    return capture, elf


def main(node, browser_test, miniprofd, example_host, bench_generate, *views):
    firmwares = [subprocess.Popen([example_host], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) for _ in range(2)]
    try:
        port, port_of_stream = (firmware.stdout.readline().strip() for firmware in firmwares)
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            capture, elf = generated(bench_generate, folder)
            daemons = {
                "BASE_URL": Daemon(miniprofd, "--port", port, "--elf", example_host, "--record-dir", folder, "--mode", "calls"),
                "STREAM_URL": Daemon(miniprofd, "--port", port_of_stream, "--elf", example_host),
                "GENERATED_URL": Daemon(miniprofd, "--port", "file:" + capture, "--elf", elf),
                "CHECKPOINTS_URL": reader(miniprofd, folder, "tfm", tfm_dump(), "--dialect-opt", "names=" + names(folder)),
                "MESSAGES_URL": reader(miniprofd, folder, "syst", b"".join(syst_talk()), "--dialect-opt", "framing=raw"),
                "SAMPLES_URL": reader(miniprofd, folder, "gprof", b"".join(gprof_records()), "--dialect-opt", "hz=250", "--webroot", WEBROOT),
            }
            for daemon in daemons.values():
                stack.enter_context(daemon)
            for daemon in daemons.values():
                daemon.wait_for_link(lambda link: link["records"] > 0)
            return subprocess.call([node, "--test-reporter", "tap", browser_test, *views], env={
                **os.environ, **{name: daemon.address for name, daemon in daemons.items()}})
    finally:
        for firmware in firmwares:
            firmware.kill()
            firmware.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
