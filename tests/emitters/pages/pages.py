#!/usr/bin/env python3
"""pages.py - follows docs/add-*.md step by step with a board and a program: the code of their blocks is compiled, linked and run.

usage: pages.py MINIPROFD ROOT. Prints TAP. What a page leaves to the reader is the board (board.c), the program (application.c) and where its lines go; a
register of another board is replaced by this one's, which is said here, and must be in the page."""
import contextlib
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from board import emulator, functions, wait_for  # noqa: E402
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

MINIPROFD, ROOT = (os.path.abspath(path) for path in sys.argv[1:])
FIRMWARE = os.path.join(ROOT, "firmware-ref")
GCC = ["arm-none-eabi-gcc", "-mthumb", "-mcpu=cortex-m4", "-O1", "-g", "-ffreestanding", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
       "-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]


class Project:
    """A folder with the reader's files, and the blocks of the page by language, in order."""

    def __init__(self, name, folder):
        self.folder = folder
        with open(os.path.join(ROOT, "docs", f"add-{name}.md"), encoding="utf-8") as file:
            self.page = file.read()
        for source in ("board.h", "board.c", "application.c"):
            shutil.copy(os.path.join(HERE, source), folder)
        shutil.copy(os.path.join(FIRMWARE, "port/nop/mpt_board.h"), folder)  # "one to copy", says each page
        self.sources = []

    def blocks(self, language):
        return [re.sub(r"^   ", "", text, flags=re.M) for text in re.findall(rf"^ *```{language}\n(.*?)^ *```", self.page, re.S | re.M)]

    def write(self, name, *parts):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(parts) + "\n")

    def append(self, name, text):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            self.write(name, file.read(), text)

    def add(self, *patterns):
        """Adds the files that the first step names."""
        for pattern in patterns:
            assert f"`{pattern}`" in self.page, pattern
            found = glob.glob(os.path.join(ROOT, pattern))
            assert found, pattern
            self.sources += found

    def compile(self, *flags, application=(), script=None):
        board = [os.path.join(FIRMWARE, "port/mps2", name) for name in ("startup.c", "runtime.c")]
        includes = ["-I" + self.folder, "-I" + FIRMWARE, "-I" + ROOT, *flags]
        made = []
        for source in [*self.sources, "board.c", "main.c", "application.c", *board]:
            made.append(os.path.join(self.folder, os.path.basename(source) + ".o"))
            own = application if source == "application.c" else []
            subprocess.run([*GCC, *includes, *own, "-c", source, "-o", made[-1]], cwd=self.folder, check=True)
        elf = os.path.join(self.folder, "fw.elf")
        subprocess.run([*GCC, "-nostdlib", "-T", script or os.path.join(FIRMWARE, "port/mps2/mps2.ld"), "-Wl,--defsym=nop_counter=0xE000E018", *made, "-lgcc", "-o", elf],
                       cwd=self.folder, check=True)

    def command(self, beginning):
        """Returns the words of the page's command that begins with these words."""
        found = re.findall(rf"^ *({re.escape(beginning)}.*)$", self.page, re.M)
        assert found, beginning
        return shlex.split(found[0].replace("firmware.", "fw."))

    @contextlib.contextmanager
    def read(self, beginning="miniprofd --port /dev/ttyACM0"):
        words = self.command(beginning)[1:]
        with emulator.running(*emulator.MPS2, "-kernel", os.path.join(self.folder, "fw.elf")) as port, \
                Daemon(MINIPROFD, *[port if word == "/dev/ttyACM0" else word for word in words], cwd=self.folder) as daemon:
            yield daemon


def split(block):
    """Returns (code outside of functions, statements)."""
    outside = re.compile(r"^(#include|#define|static |MPT_SYST_MODULE_NAME|MPT_GPROF_SAMPLER)")
    return ("\n".join(line for line in block.splitlines() if outside.match(line)), "\n".join(line for line in block.splitlines() if not outside.match(line)))


def main_of(*statements):
    return "int main(void)\n{\n    board_start();\n" + "\n".join(statements) + "\n}\n"


@contextlib.contextmanager
def project(name):
    with tempfile.TemporaryDirectory() as folder:
        yield Project(name, folder)


def has_counted(calls):
    def holds(snapshot):
        rows = functions(snapshot)
        return (rows.get("application_step", {}).get("calls") or 0) >= calls and (rows.get("convert", {}).get("calls") or 0) >= 3 * calls
    return holds


@case
def gprof():
    with project("gprof") as own:
        own.add("firmware-ref/gprof/mpt_gprof*.c")
        sampler, loop = own.blocks("c")[:2]
        for theirs, ours in (("TIM6->SR = 0", "*(volatile uint32_t *)0x4000000C = 1"), ("TIM6_IRQHandler", "TIMER0_IRQHandler")):
            assert theirs in sampler
            sampler = sampler.replace(theirs, ours)
        own.write("main.c", '#include "board.h"', sampler, main_of(loop))
        own.compile("-I" + os.path.join(FIRMWARE, "gprof"), application=["-pg"])
        with own.read() as daemon:
            snapshot = wait_for(daemon, has_counted(100))
            assert sum(row.get("samples") or 0 for row in snapshot["functions"]) > 0, "no sample"


@case
def fprime():
    with project("fprime") as own:
        own.add("firmware-ref/fprime/mpt_fprime.c")
        counter, loop = own.blocks("c")
        own.append("mpt_board.h", counter)
        includes, statements = split(loop)
        own.write("main.c", '#include "board.h"', includes, main_of(statements))
        own.compile("-DMPT_FPRIME_EVENTS=512", application=["-finstrument-functions"])
        with own.read() as daemon:
            wait_for(daemon, has_counted(100))


@case
def tfm():
    with project("tfm") as own:
        own.add("firmware-ref/tfm/mpt_tfm.c")
        counter, places, ways = own.blocks("c")
        assert "0xE0001004u" in counter  # the emulator has no DWT
        own.append("mpt_board.h", counter.replace("0xE0001004u", "0x40001004u") + "\n#define MPT_TFM_COUNTS_DOWN 1")
        includes, statements = split(places)
        calibrate, passed = statements.split(";", 1)
        text, binary = ways.split("\n", 1)[1], ways.splitlines()[0]
        assert ") ..." in text
        own.write("main.c", '#include "board.h"', includes,
                  "static uint8_t bytes[64]; static uint8_t line[64]; static size_t n; static struct mpt_tfm_item item;",
                  "void by_other_ways(void);\nvoid by_other_ways(void)\n{\n" + text.replace(") ...", ")\n    ;") + "\n}",
                  main_of(calibrate + ";", "for (;;) {", passed, binary, "uart_send(bytes, n);", "}"))
        own.write("names.json", own.blocks("json")[0])
        own.compile("-DMPT_TFM_ITEMS=256")
        with own.read() as daemon:
            snapshot = wait_for(daemon, lambda snapshot: any(pair["name"] == "request" and pair["count"] >= 100 for pair in snapshot["checkpoints"]))
            assert snapshot["link"]["doubt"] is None and snapshot["checkpoints"][0]["max_ticks"] < 100000, snapshot["checkpoints"]


@case
def syst():
    with project("syst") as own:
        own.add("firmware-ref/syst/mpt_syst*.c")
        says, sends = own.blocks("c")
        outside, statements = split(says)
        (line,) = re.findall(r"^ *```\n *(\.mpt_syst .*)\n *```$", own.page, re.M)
        with open(os.path.join(FIRMWARE, "port/mps2/mps2.ld"), encoding="utf-8") as file:
            theirs = [text for text in file.read().splitlines() if ".mpt_syst" not in text]
        own.write("board.ld", "\n".join(theirs).replace("SECTIONS\n{", "SECTIONS\n{\n" + line, 1))
        own.write("main.c", '#include "board.h"', outside, main_of("mpt_syst_frame(MPT_SYST_AS_RAW);", "for (;;) {", statements, "application_step();",
                                                                  "mpt_syst_exit(&motor, MPT_SYST_DEBUG, __func__);", sends, "}"))
        own.compile("-I" + os.path.join(FIRMWARE, "syst"), script=os.path.join(own.folder, "board.ld"))
        collateral = own.command("scripts/syst-collateral")
        subprocess.run([os.path.join(ROOT, collateral[0]), *collateral[1:]], cwd=own.folder, check=True)
        with own.read() as daemon:
            said = {"started", "5 of three", "value 5 of three", "here"}
            snapshot = wait_for(daemon, lambda snapshot: said <= {message["text"] for message in snapshot["messages"]})
            assert any("motor" in str(message) for message in snapshot["messages"]), "the module has no name"


if __name__ == "__main__":
    sys.exit(run_cases())
