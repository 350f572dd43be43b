#!/usr/bin/env python3
"""gaps.py - the longest time a serial line at 12 Mbaud stays unread, under several loads.

usage: gaps.py MINIPROFD BENCH_GENERATE READ_GAP [SECONDS [SCENE ...]]. Needs a C compiler and objcopy for the large ELF. Prints a line for each scene; read_gap.c
describes the figures. Time in which other programs have the processor is left out; time in which the reader waits for another thread of the daemon that
such a program delays is included."""
import contextlib
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from daemon import Daemon  # noqa: E402
from figures import tell, tell_machine  # noqa: E402

MINIPROFD, GENERATE, READ_GAP = (os.path.abspath(path) for path in sys.argv[1:4])
SECONDS = float(sys.argv[4]) if len(sys.argv) > 4 else 15
BYTES_PER_S_AT_12M, WARM, FUNCTIONS, COPIES, VIEWERS = 1_200_000, 4, 4000, 100, 100


def large_elf(folder):
    """Builds a program of 400,000 functions with debug information. Returns its path."""
    source, one = os.path.join(folder, "one.c"), os.path.join(folder, "one.o")
    with open(source, "w", encoding="utf-8") as file:
        for i in range(FUNCTIONS):
            file.write(f"struct s{i} {{ int first_{i}; long second_{i}; char name_{i}[{i + 1}]; }};\n"
                       f"int function_{i}(struct s{i} *argument_{i}, int other_{i}) {{ return argument_{i}->first_{i} + other_{i}; }}\n")
    subprocess.run(["cc", "-g", "-O0", "-c", source, "-o", one], check=True)
    copies = []
    for i in range(COPIES):
        copies.append(os.path.join(folder, f"copy{i}.o"))
        subprocess.run(["objcopy", f"--prefix-symbols=c{i}_", one, copies[-1]], check=True)
    elf = os.path.join(folder, "large.elf")
    subprocess.run(["cc", "-nostdlib", "-static", "-Wl,-e,0", "-o", elf, *copies], check=True)
    return elf


def children_of(pid):
    """Returns the daemon's child processes: the annex, its spare, and the watcher for rivals."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(child) for child in file.read().split()]


def hurry(pid):
    """Gives the daemon's reader thread real-time priority, so that the load of other programs is not measured."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/comm", encoding="utf-8") as file:
            if file.read().strip() == "mp-reader":
                os.sched_setscheduler(int(task), os.SCHED_FIFO, os.sched_param(50))


def viewer(daemon, stop):
    with contextlib.suppress(OSError, ValueError):
        for _ in daemon.events(SECONDS + 60):
            if stop.is_set():
                return


class Scene:
    """A daemon on a line that is always busy; `during` is called every 2 s."""

    def __init__(self, folder, elf, during=None, record=False, viewers=0):
        self.folder, self.elf, self.during, self.record, self.viewers = folder, elf, during, record, viewers

    def swap(self, _=None):
        copy = os.path.join(self.folder, "new.elf")
        shutil.copy(self.elf, copy)
        os.replace(copy, os.path.join(self.folder, "used.elf"))

    def run(self, name):
        used, recording = os.path.join(self.folder, "used.elf"), os.path.join(self.folder, "line.rec")
        shutil.copy(self.elf, used)
        for path in (recording, recording + ".pace"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        master, slave = pty.openpty()
        tty.setraw(master)
        environment = {**os.environ, "LD_PRELOAD": READ_GAP, "GAP_FROM": str(WARM), "STALL": "line.rec" if self.record else "/none"}
        options = ["--record", recording] if self.record else []
        with Daemon(MINIPROFD, "--unconfined", "--port", os.ttyname(slave), "--no-control", "--elf", used, *options, env=environment) as daemon:
            hurry(daemon.process.pid)
            generator = subprocess.Popen([GENERATE, "--calls", "1e15", "--rate", str(BYTES_PER_S_AT_12M)], stdout=master)
            stop = threading.Event()
            readers = [threading.Thread(target=viewer, args=(daemon, stop)) for _ in range(self.viewers)]
            for reader in readers:
                reader.start()
            until = time.monotonic() + WARM + SECONDS
            while time.monotonic() < until:
                if self.during:
                    self.during(self, daemon)
                time.sleep(2)
            stop.set()
            link = daemon.snapshot()["link"]
            for child in children_of(daemon.process.pid):
                os.kill(child, signal.SIGCONT)
        generator.kill()
        generator.wait()
        for reader in readers:
            reader.join()
        os.close(master)
        os.close(slave)
        found = re.search(r"read-gap: (\d+) reads, worst ([\d.]+) ms, own ([\d.]+) ms, own over 20 ms: (\d+), timer late ([\d.]+) ms, stalled: (\d)", daemon.errors)
        reads, worst, own, late, timer, stalled = found.groups()
        assert stalled == str(int(self.record)), "no write took five seconds"
        tell(f"{name}: {reads} reads, {link['bytes'] / 1e6:.1f} MB, worst {worst} ms, a timer late by {timer} ms, own above 20 ms: {late}", f"own {own} ms", "<= 20 ms")


def stop_children(scene, daemon):
    for child in children_of(daemon.process.pid):
        os.kill(child, signal.SIGSTOP)
    scene.swap()


def main():
    tell_machine()
    with tempfile.TemporaryDirectory() as folder:
        elf = large_elf(folder)
        size = os.path.getsize(elf) / 1e6
        scenes = {"nothing else": Scene(folder, elf), "a disk that stalls for 5 s": Scene(folder, elf, record=True),
                  f"a new ELF of {size:.0f} MB": Scene(folder, elf, Scene.swap),
                  "... and the annex stopped": Scene(folder, elf, stop_children), f"{VIEWERS} viewers": Scene(folder, elf, viewers=VIEWERS)}
        for name, scene in scenes.items():
            if len(sys.argv) < 6 or any(word in name for word in sys.argv[5:]):
                scene.run(name)


if __name__ == "__main__":
    main()
