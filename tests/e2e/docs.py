#!/usr/bin/env python3
"""docs.py - runs the commands that README.md shows, in their order, against the example firmware.

usage: docs.py MINIPROFD EXAMPLE_HOST README. Prints TAP.
Only blocks that begin with ```sh test are run. The board's port becomes the example's, the page's port a free one, and a command that would
run until it is stopped is stopped once it has shown something."""
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import urllib.request

MINIPROFD, EXAMPLE_HOST, README = (os.path.abspath(path) for path in sys.argv[1:4])


def commands():
    with open(README, encoding="utf-8") as page:
        for block in re.findall(r"^```sh test\n(.*?)^```", page.read(), re.S | re.M):
            for line in block.splitlines():
                if line.split("#")[0].strip():
                    yield line.split("#")[0].strip()


class Place:
    """A folder with fw.elf in it, a firmware that runs, and perhaps a daemon that was started last."""

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
            assert self.daemon.wait(20) == 0, "the daemon ended with an error"
            self.daemon = None

    def run(self, line):
        line = line.replace("/dev/ttyACM0", self.port).replace("127.0.0.1:7777", self.address)
        words = shlex.split(line)
        environment = {**os.environ, "PATH": self.folder + ":" + os.environ["PATH"]}
        if words[0] == "miniprofd" and "--port" in words and "--no-http" not in words:
            self.stop_daemon()
            self.daemon = subprocess.Popen(words + ["--listen", self.address], cwd=self.folder, env=environment,
                                           stdout=subprocess.PIPE, text=True)
            assert self.daemon.stdout.readline() == f"listening on http://{self.address}/\n"
            self.wait_for_records()
            return
        if words[0] == "miniprofd":
            self.stop_daemon()
        elif self.daemon is None:
            self.run("miniprofd --port file:run.bin --elf fw.elf")
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        for made in re.findall(r"--export \w+=(\S+)", line):
            assert os.path.getsize(os.path.join(self.folder, made)) > 0, made

    def wait_for_records(self):
        for line in urllib.request.urlopen(f"http://{self.address}/api/v1/events", timeout=30):
            if re.search(rb'"records":[1-9]', line):
                return


def main():
    lines = list(commands())
    print(f"1..{len(lines) + 1}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        for number, line in enumerate(lines, 1):
            try:
                place.run(line)
                print(f"ok {number} - {line}".replace("#", ""))
            except Exception as problem:  # one bad command does not hide the others
                failed += 1
                print(f"not ok {number} - {line}")
                print("# " + f"{type(problem).__name__}: {problem}".replace("\n", "\n# "))
        place.close()
    enough = len(lines) >= 5
    print(("ok" if enough else "not ok") + f" {len(lines) + 1} - the page shows commands to run")
    return 1 if failed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
