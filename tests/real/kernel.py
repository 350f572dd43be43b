#!/usr/bin/env python3
"""kernel.py - compares the time of each task in the view Tasks with the count of the image's kernel (FreeRTOS' run-time stats).

usage: kernel.py MINIPROFD. Runs images of the folder REAL_IMAGES in each mode for KERNEL_SECONDS (5), if they have the objects `rtos_stats` (for each task
12 bytes of name and the kernel's count of ticks since START, 32 bits; unused entries have an empty name) and `rtos_stats_ticks` (the ticks of all time). These
are read from the emulator's memory when the device has been stopped and has sent all its data.

A kernel adds the time of an interrupt to the interrupted task; miniprofd does not. So a task has at most the kernel's time, and at least that minus all
interrupts. All tasks and interrupts together have the kernel's time, except for the time between START and STOP and the kernel's reads of its counters. In
a stream that has lost calls, a task has at most the kernel's time. Prints TAP, with figures as comments."""
import os
import re
import socket
import sys
import tempfile
import time

import emulator  # board.py says where that is
from board import Run, tell, wait_until
from image import Image

from daemon import PATIENCE, Daemon  # board.py says where that is

MODES = ("tree", "stream")
TASKS_MOST, WORDS = 8, 4
LOOKS = 0.002  # tolerance, as a share of all time: START and STOP are not at the kernel's reads


class Emulated:
    """A context manager: an image in QEMU's mps2-an386, whose memory can be read."""

    def __init__(self, elf):
        self.folder = tempfile.TemporaryDirectory()
        self.monitor = os.path.join(self.folder.name, "monitor")
        self.qemu, self.port = emulator.start(*emulator.MPS2, "-monitor", f"unix:{self.monitor},server=on,wait=off", "-kernel", elf)

    def words(self, address, count):
        """Returns `count` 32-bit words."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(PATIENCE)
            monitor.connect(self.monitor)
            self._read_prompt(monitor)
            monitor.sendall(f"xp /{count}wx {address:#x}\n".encode())
            said = self._read_prompt(monitor)
        found = [int(word, 16) for line in re.findall(rb": ((?:0x[0-9a-f]{8} ?)+)", said) for word in line.split()]
        assert len(found) == count, said
        return found

    @staticmethod
    def _read_prompt(monitor):
        said = b""
        while not said.rstrip().endswith(b"(qemu)"):
            said += monitor.recv(65536)
        return said

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.qemu.terminate()
        self.qemu.wait()
        self.folder.cleanup()


def kernel_counters(emulated, image):
    """Returns ({task: ticks}, ticks of all time)."""
    words = emulated.words(image.objects["rtos_stats"], TASKS_MOST * WORDS)
    tasks = {}
    for at in range(0, len(words), WORDS):
        name = b"".join(word.to_bytes(4, "little") for word in words[at:at + 3]).split(b"\0")[0].decode()
        if name:
            tasks[name] = words[at + 3]
    return tasks, emulated.words(image.objects["rtos_stats_ticks"], 1)[0]


def look_at(miniprofd, elf, mode, seconds):
    """Returns (errors, figures)."""
    with Emulated(elf) as emulated, Daemon(miniprofd, "--port", emulated.port, "--elf", elf, "--mode", mode) as daemon:
        daemon.wait_until(lambda snapshot: snapshot["target"]["profiling"] and snapshot["link"]["records"] > 0)
        time.sleep(seconds)  # the measured time; no event ends it
        tell(daemon, "stop")
        Run.let_arrive(daemon)
        snapshot = daemon.snapshot()
        kernel, whole = kernel_counters(emulated, Image(elf))
    told = {row["name"]: row["running_ticks"] for row in snapshot["contexts"]}
    interrupts = sum(row["running_ticks"] for row in snapshot["contexts"] if row["kind"] == "isr")
    lost, slack = snapshot["link"]["records_lost"], int(whole * LOOKS)
    wrong = [f"{name} has no row" for name in kernel if name not in told]
    for name, ticks in kernel.items():
        least = 0 if lost else ticks - interrupts - slack
        if not least <= told.get(name, 0) <= ticks + slack:
            wrong.append(f"{name}: {told.get(name)} ticks reported, {ticks} of the kernel's, of which up to {interrupts} were interrupts'")
    total = sum(told.values())
    if not lost and abs(total - whole) > slack:
        wrong.append(f"all contexts have {total} ticks, and {whole} passed")
    names = ", ".join(f"{name} {told.get(name)} of {ticks}" for name, ticks in sorted(kernel.items()))
    return wrong, f"{names}; interrupts {interrupts}; all {total} of {whole}; {lost} calls lost"


def main(miniprofd):
    folder, seconds = os.environ.get("REAL_IMAGES"), float(os.environ.get("KERNEL_SECONDS", "5"))
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".elf")) if folder else []
    elfs = [path for path in paths if {"rtos_stats", "rtos_stats_ticks"} <= Image(path).objects.keys() and "mpt_init" in Image(path).functions]
    if not elfs:
        print("1..0 # SKIP REAL_IMAGES is not set, or has no image whose kernel counts its tasks (tests/real/kernel.py)")
        return 0
    print(f"1..{len(elfs) * len(MODES)}")
    failed = number = 0
    for elf in elfs:
        for mode in MODES:
            number += 1
            wrong, figures = look_at(miniprofd, elf, mode, seconds)
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {number} - {os.path.basename(elf)}, {mode}: each task has the kernel's time")
            for line in [figures, *wrong]:
                print("# " + line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
