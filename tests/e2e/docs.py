#!/usr/bin/env python3
"""docs.py - runs the commands that README.md and docs/ show, in their order, against the example firmware.

usage: docs.py MINIPROFD EXAMPLE_HOST PAGE... Prints TAP. Pictures and pages that a page refers to must be there.
Only blocks that begin with ```sh test are run. The board's port is replaced by the example's, the page's port by a free one, and a command that
runs until it is stopped is stopped once it has printed something."""
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import urllib.request

MINIPROFD, EXAMPLE_HOST, *PAGES = (os.path.abspath(path) for path in sys.argv[1:])
PICTURE_MOST = 200 * 1024  # bytes


def read(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def commands(page):
    for block in re.findall(r"^```sh test\n(.*?)^```", read(page), re.S | re.M):
        for line in block.splitlines():
            if line.split("#")[0].strip():
                yield line.split("#")[0].strip()


def bad_links(page):
    """Returns missing files and headings that the page refers to, and pictures that are too large."""
    text = read(page)
    headings = {re.sub(r"[^\w -]", "", name).strip().lower().replace(" ", "-") for name in re.findall(r"^#+ (.*)$", text, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, part = target.partition("#")
        file = os.path.join(os.path.dirname(page), path)
        if path.startswith("http"):
            continue
        if path and not os.path.exists(file) or not path and part not in headings:
            yield target
        elif path.endswith(".png") and os.path.getsize(file) > PICTURE_MOST:
            yield f"{target} has {os.path.getsize(file)} bytes"


class Place:
    """A folder with fw.elf, a running firmware, and perhaps the daemon that was started last."""

    def __init__(self, folder):
        self.folder = folder
        os.symlink(EXAMPLE_HOST, os.path.join(folder, "fw.elf"))
        os.symlink(MINIPROFD, os.path.join(folder, "miniprofd"))
        self.firmware = subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.port = self.firmware.stdout.readline().strip()
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.address = "127.0.0.1:%d" % server.getsockname()[1]
        self.daemon = None

    def close(self):
        self.stop_daemon()
        self.firmware.kill()
        self.firmware.wait()

    def stop_daemon(self):
        if self.daemon:
            self.daemon.terminate()
            assert self.daemon.wait(120) == 0, "the daemon ended with an error"
            self.daemon = None

    def run(self, line):
        line = line.replace("/dev/ttyACM0", self.port).replace("127.0.0.1:7777", self.address)
        words = shlex.split(line)
        environment = {**os.environ, "PATH": self.folder + ":" + os.environ["PATH"]}
        serves = "--port" in words and "--no-http" not in words and words[1] not in ("device", "doctor", "top")
        if words[0] == "miniprofd" and serves:
            self.stop_daemon()
            self.daemon = subprocess.Popen(words + ["--listen", self.address], cwd=self.folder, env=environment,
                                           stdout=subprocess.PIPE, text=True)
            assert self.daemon.stdout.readline() == f"listening on http://{self.address}/\n"
            self.wait_for_functions()
            return
        if words[0] == "miniprofd" and "--at" not in words:
            self.stop_daemon()
        elif self.daemon is None:
            self.run("miniprofd --port file:run.bin --elf fw.elf")
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, timeout=300)
        # A busy machine slows the firmware down, and calls are lost: the gate may report either.
        expected = (0, 3, 4) if words[:2] == ["miniprofd", "check"] else (0,)
        assert done.returncode in expected, f"status {done.returncode}: " + (done.stderr + done.stdout).decode()
        for made in re.findall(r"--export \w+=(\S+)", line):
            assert os.path.getsize(os.path.join(self.folder, made)) > 0, made

    def wait_for_functions(self):
        """Waits until a call with a duration has ended in the present mode: the device may stay in the mode of the previous daemon for a moment, and a
        running call has a time but no end that a recording would repeat."""
        for line in urllib.request.urlopen(f"http://{self.address}/api/v1/events", timeout=300):
            if not line.startswith(b"data:"):
                continue
            with urllib.request.urlopen(f"http://{self.address}/api/v1/snapshot", timeout=300) as reply:
                snapshot = json.load(reply)
            form = {"auto": "version 2", "stream": "version 2", "tree": "version 3", "calls": ""}[snapshot["target"]["mode_wanted"]]
            is_told = snapshot["source"]["state"] == "ended" or form in (snapshot["link"]["form"] or "")
            if is_told and any(row["kind"] == "function" and row["calls"] and row["self_ticks"] for row in snapshot["functions"]):
                return



def main():
    lines = [line for page in PAGES for line in commands(page)]
    print(f"1..{len(lines) + 2}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        for number, line in enumerate(lines, 1):
            try:
                place.run(line)
                print(f"ok {number} - {line}".replace("#", ""))
            except Exception as problem:  # one failed command does not hide the others
                failed += 1
                print(f"not ok {number} - {line}")
                print("# " + f"{type(problem).__name__}: {problem}".replace("\n", "\n# "))
        place.close()
    enough = len(lines) >= 5
    print(("ok" if enough else "not ok") + f" {len(lines) + 1} - the pages show commands to run")
    bad = [f"{os.path.basename(page)}: {link}" for page in PAGES for link in bad_links(page)]
    print(("not ok" if bad else "ok") + f" {len(lines) + 2} - what the pages refer to is there" + "".join("\n# " + one for one in bad))
    return 1 if failed or bad or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
