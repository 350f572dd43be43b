#!/usr/bin/env python3
"""check_board.py - tests a gate without a board as docs/ci.md describes it: the emulator is deterministic, so that only a function with an added
microsecond is named.

usage: check_board.py MINIPROFD ROOT OBJECT...

Both firmwares are the example, linked from its objects except for one function. They send from their main loop, since the time of an interrupt
that sends would count for any function that it interrupts. Prints TAP."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from ports import free_port  # noqa: E402

MINIPROFD, ROOT, *OBJECTS = map(os.path.abspath, sys.argv[1:])
FIRMWARE = os.path.join(ROOT, "firmware-ref")
MOTOR = os.path.join(FIRMWARE, "example/motor.c")
FLAGS = ["-mthumb", "-mcpu=cortex-m4", "-O2", "-g", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-DMPT_RING_RECORDS=1024", "-std=gnu17"]
FLAGS += [f"-I{os.path.join(FIRMWARE, folder)}" for folder in ("", "..", "example", "port/mps2")]
ROUNDS = 20  # that the image runs
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")


def path(name):
    return os.path.join(FOLDER.name, name)


def compiled(source, *flags):
    made = path(f"{len(os.listdir(FOLDER.name))}.o")
    subprocess.run(["arm-none-eabi-gcc", *FLAGS, *flags, "-c", source, "-o", made], check=True)
    return made


def linked(name, motor):
    """Returns the firmware with this source of the motor's functions, which sends from its main loop."""
    replaced = ("example_motor_c", "port_mps2_board_c", "port_mps2_uart_c")
    others = [name for name in OBJECTS if not any(word in name for word in replaced)]
    assert len(others) == len(OBJECTS) - len(replaced), OBJECTS
    own = [compiled(motor, "-finstrument-functions"),
           compiled(os.path.join(FIRMWARE, "port/mps2/board.c"), f"-DEXAMPLE_ROUNDS={ROUNDS}"),
           compiled(os.path.join(ROOT, "tests/firmware/count/polled_uart.c"))]
    subprocess.run(["arm-none-eabi-gcc", *FLAGS, "-nostdlib", "-Wl,--gc-sections", "-T", os.path.join(FIRMWARE, "port/mps2/mps2.ld"), *others, *own,
                    "-lgcc", "-o", path(name)], check=True)
    return path(name)


def slower_source():
    """Returns the source of the motor's functions with a microsecond more in pid_step()."""
    with open(MOTOR, encoding="utf-8") as file:
        source = file.read()
    longer = source.replace("work_us(14);", "work_us(16);")  # a microsecond of it is shorter in the emulator
    assert longer != source, "pid_step() is not as it was"
    with open(path("motor.c"), "w", encoding="utf-8") as file:
        file.write(longer)
    return path("motor.c")


def commands():
    """Returns the commands of the page: start of the emulator, making of a baseline, and check."""
    with open(os.path.join(ROOT, "docs/ci.md"), encoding="utf-8") as file:
        block = re.search(r"^```sh emulated\n(.*?)^```", file.read(), re.S | re.M)[1]
    emulator, baseline, check = block.replace("\\\n", " ").strip().splitlines()
    assert emulator.endswith("&") and baseline.startswith("miniprofd --port") and check.startswith("miniprofd check"), block
    return emulator, baseline, check


def run(command, elf):
    """Runs `elf` in the emulator and the command that measures all rounds; returns the command's result."""
    emulator = commands()[0]
    port = free_port()
    here = [line.replace("build/firmware.elf", elf).replace("127.0.0.1:7700", f"127.0.0.1:{port}").replace("control_cycle=1000", f"control_cycle={ROUNDS}")
            for line in (emulator, command)]
    script = f"{here[0]}\nemulator=$!\n{here[1]}\nstatus=$?\nkill $emulator\nwait $emulator 2>/dev/null\nexit $status\n"
    folder = {**os.environ, "PATH": f"{os.path.dirname(MINIPROFD)}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", script], cwd=FOLDER.name, env=folder, capture_output=True, text=True, timeout=200)


@case
def only_the_function_with_an_added_microsecond_is_named():
    emulator, baseline, check = commands()
    if not shutil.which(emulator.split()[0]):
        raise Skip(f"{emulator.split()[0]} is not installed")
    elf = linked("firmware.elf", MOTOR)
    assert run(baseline, elf).returncode == 0
    same = run(check + " --format json --keep new.json", elf)
    assert same.returncode == 0 and json.loads(same.stdout)["findings"] == [], same
    assert json.loads(same.stdout)["compared"] > 20, same
    other = run(check + " --format json", linked("slower.elf", slower_source()))
    found = json.loads(other.stdout)["findings"]
    assert other.returncode == 3 and [row["name"] for row in found if row["cause"] == "itself"] == ["pid_step"], other
    assert found[0]["name"] == "pid_step" and json.loads(other.stdout)["path"][-1] == "pid_step", other
    assert 900 < found[0]["after_ns"] - found[0]["before_ns"] < 1400, found


if __name__ == "__main__":
    sys.exit(run_cases())
