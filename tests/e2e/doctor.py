#!/usr/bin/env python3
"""doctor.py - `miniprofd doctor`: each prerequisite of a profile is found, or reported missing with advice.

usage: doctor.py MINIPROFD EXAMPLE_HOST. Prints TAP."""
import contextlib
import fcntl
import json
import os
import pty
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import fprime_events, gprof_records, syst_talk, tfm_dump  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from packets import Tree, chains, node, outside  # noqa: E402
from wire import write_whole  # noqa: E402

MINIPROFD, EXAMPLE_HOST = sys.argv[1:3]
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
QUICK = "--seconds", "3"  # a device beside 8 busy processes answers within one


def path(name):
    return os.path.join(FOLDER.name, name)


def doctor(*arguments):
    """Returns (exit status, [(verdict, sentence)]), and checks the form of each line, and that each that is not ok has advice."""
    done = subprocess.run([MINIPROFD, "doctor", *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1) and done.stderr == "", (done.returncode, done.stderr)
    lines = [tuple(line.split(": ", 1)) for line in done.stdout.splitlines()]
    assert lines and {verdict for verdict, _ in lines} <= {"ok", "warn", "fail"}, done.stdout
    assert done.returncode == any(verdict == "fail" for verdict, _ in lines), done.stdout
    return done.returncode, lines


def expect(lines, verdict, words):
    assert any(v == verdict and words in s for v, s in lines), (verdict, words, lines)


def only_fails(lines, words):
    assert [words in s for v, s in lines if v == "fail"] == [True], (words, lines)


@contextlib.contextmanager
def example(*options):
    firmware = subprocess.Popen([EXAMPLE_HOST, *options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        yield firmware.stdout.readline().strip()
    finally:
        firmware.kill()
        firmware.wait()


@contextlib.contextmanager
def line(data=b""):
    """Yields the path of a pty that sends `data` repeatedly, and never answers."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    stop = threading.Event()

    def talk():
        while not stop.wait(0.02):
            write_whole(ours, data, stop)

    os.set_blocking(ours, False)
    talker = threading.Thread(target=talk)
    if data:
        talker.start()
    try:
        yield os.ttyname(theirs)
    finally:
        stop.set()
        if data:
            talker.join()
        os.close(ours)
        os.close(theirs)


@case
def a_device_that_is_well_has_an_ok_for_each_thing():
    with example("--uart", "115200") as port:
        status, lines = doctor("--port", port, "--elf", EXAMPLE_HOST, *QUICK)
    assert status == 0 and {verdict for verdict, _ in lines} == {"ok"}, lines
    for words in ("symbols of", "source lines of", "__cyg_profile_func_enter", "is there, may be used", "they are miniprof", "at 115200 baud, so that",
                  "The device answers, and waits", "motor-demo 1.0", "modes calls, stream, tree", "settings are packet=", "is the program that runs",
                  "The line is used to"):
        expect(lines, "ok", words)


def take_answers(port):
    """Reads what the device on the pty has said, up to its METADATA."""
    fd = os.open(port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    how = termios.tcgetattr(fd)
    how[4] = how[5] = termios.B115200
    termios.tcsetattr(fd, termios.TCSANOW, how)
    os.write(fd, bytes.fromhex("55 05 00 00 00 00 00 00 00 00 00 5A"))  # GET_METADATA
    said = b""
    while b"\xaa\x55\x03" not in said or len(said) < said.index(b"\xaa\x55\x03") + 36:
        said += os.read(fd, 4096)
    os.close(fd)


@case
def another_baud_rate_is_found():
    with example("--uart", "115200") as port:
        doctor("--port", port, *QUICK)  # reads what it sent at its start, before the line had a rate
        take_answers(port)  # one may arrive after doctor has ended
        _, lines = doctor("--port", port, "--baud", "9600", *QUICK)
    only_fails(lines, "at 115200 baud it does; use --baud 115200")


@case
def the_size_that_a_full_tree_needs_is_reported():
    for empty, nodes in (240, "about 1,500 nodes, 40 KB: build the agent with -DMPT_TREE_NODES=1500."), (1024, None):
        tree = Tree(room=1)
        with open(path("small-tree"), "wb") as file:
            file.write(tree.packet(900, outside(100, 50, 400), node(0, 0, 0x100, 4, 400), chains(1024, empty, 27)))
        _, lines = doctor("--port", "file:" + path("small-tree"))
        expect(lines, "warn", f"The call tree needs {nodes}" if nodes else "Build the agent with more MPT_TREE_NODES.")
        profile = subprocess.run([MINIPROFD, "--port", "file:" + path("small-tree"), "--no-http", "--export", "json=-"], capture_output=True, text=True)
        told = json.loads(profile.stdout)["target"]["tree"]
        assert told == (nodes and {"nodes": 1, "needed": 1486, "needs_more": False, "node_bytes": 27, "evictions": 0,
                                   "chain_lacks_ticks": 0, "doubt": None}), told


@case
def an_elf_of_another_program_does_not_fit():
    subprocess.run(["gcc", "-g", "-x", "c", "-", "-o", path("other")], input=b"int main(void) { return 0; }", check=True)
    with example() as port:
        _, lines = doctor("--port", port, "--elf", path("other"), *QUICK)
    only_fails(lines, "is not the program that runs")
    expect(lines, "warn", "neither __cyg_profile_func_enter nor mcount")


@case
def an_elf_without_lines_or_symbols_is_reported():
    subprocess.run(["strip", "-g", "-o", path("no-lines"), EXAMPLE_HOST], check=True)
    status, lines = doctor("--elf", path("no-lines"))
    assert status == 0, lines
    expect(lines, "warn", "has no line information")
    subprocess.run(["gcc", "-s", "-static", "-nostdlib", "-x", "c", "-", "-o", path("no-symbols")], input=b"void _start(void) { for (;;) ; }", check=True)
    only_fails(doctor("--elf", path("no-symbols"))[1], "has no symbols")
    only_fails(doctor("--elf", path("nowhere"))[1], "nowhere")
    with open(path("no-elf"), "wb") as file:
        file.write(random.Random(1).randbytes(5000))
    only_fails(doctor("--elf", path("no-elf"))[1], "no-elf")


@case
def arm_code_without_hooks_is_reported():
    if not shutil.which("arm-none-eabi-gcc"):
        raise Skip("arm-none-eabi-gcc is not installed")
    code = (b"__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *a, void *b) {}\n"
            b"__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *a, void *b) {}\n"
            b"void f(void) {}\nvoid _start(void) { f(); }\n")
    for name, option in ("plain", "-g"), ("instrumented", "-finstrument-functions"):
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-nostdlib", "-g", option, "-x", "c", "-", "-o", path(name)], input=code, check=True)
    only_fails(doctor("--elf", path("plain"))[1], "compile the code that you want to see with -finstrument-functions")
    expect(doctor("--elf", path("instrumented"))[1], "ok", "calls __cyg_profile_func_enter from 2 places")


@case
def a_missing_or_busy_port_is_reported():
    only_fails(doctor("--port", "/dev/ttyNONE0")[1], "There is no /dev/ttyNONE0")
    only_fails(doctor("--port", "nonsense")[1], "is no source")
    # A session leader would get the line as its controlling terminal, and SIGHUP when it closes.
    with line() as port, open(os.open(port, os.O_RDONLY | os.O_NOCTTY), "rb", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        only_fails(doctor("--port", port)[1], "Another program has")


@case
def a_quiet_line_or_another_dialect_is_reported():
    with line() as port:
        _, lines = doctor("--port", port, "--no-control", *QUICK)
    only_fails(lines, "Not one byte came")
    with line(b"".join(gprof_records())) as port:
        only_fails(doctor("--port", port, "--no-control", *QUICK)[1], "start miniprofd with --dialect gprof")
        only_fails(doctor("--port", port, "--no-control", "--dialect", "fprime", *QUICK)[1], "--dialect gprof")
        expect(doctor("--port", port, "--no-control", "--dialect", "gprof", *QUICK)[1], "ok", "they are gprof")


@case
def recordings_are_examined():
    with example("--rounds", "20") as port:
        subprocess.run([MINIPROFD, "--port", port, "--no-http", "--duration", "1", "--record", path("run.bin")], capture_output=True, check=True, timeout=120)
    status, lines = doctor("--port", "file:" + path("run.bin"), "--elf", EXAMPLE_HOST)
    assert status == 0 and {verdict for verdict, _ in lines} == {"ok"}, lines
    for words in "can be read", "they are miniprof", "motor-demo 1.0", "is the program that runs":
        expect(lines, "ok", words)
    with open(path("run.bin"), "rb") as whole, open(path("damaged.bin"), "wb") as damaged:
        data = bytearray(whole.read())
        data[len(data) // 2] ^= 0x55
        damaged.write(data)
    expect(doctor("--port", "file:" + path("damaged.bin"))[1], "warn", "came damaged")
    with open(path("noise.bin"), "wb") as file:
        file.write(random.Random(2).randbytes(20000))
    only_fails(doctor("--port", "file:" + path("noise.bin"))[1], "20000 bytes came")
    open(path("empty.bin"), "wb").close()
    only_fails(doctor("--port", "file:" + path("empty.bin"))[1], "is empty")
    only_fails(doctor("--port", "file:" + path("nowhere.bin"))[1], "nowhere.bin")


def healthy_captures():
    """Writes a healthy capture of each other dialect to path(DIALECT + ".bin"); yields the dialects."""
    captures = {"gprof": b"".join(gprof_records()), "tfm": tfm_dump(), "syst": b"".join(syst_talk()), "fprime": fprime_events()}
    for dialect, capture in captures.items():
        with open(path(dialect + ".bin"), "wb") as file:
            file.write(capture)
        yield dialect


@case
def a_healthy_recording_of_any_dialect_is_well():
    for dialect in healthy_captures():
        status, lines = doctor("--port", "file:" + path(dialect + ".bin"), "--dialect", dialect)
        wrong = [sentence for verdict, sentence in lines if verdict != "ok" and not sentence.startswith("No ELF was given")]
        assert status == 0 and not wrong, (dialect, lines)
        expect(lines, "ok", "they are " + dialect)


@case
def healthy_recordings_get_no_advice_on_the_page():
    with example("--rounds", "20") as port:
        subprocess.run([MINIPROFD, "--port", port, "--no-http", "--duration", "1", "--record", path("miniprof.bin")], capture_output=True, check=True, timeout=120)
    for dialect in "miniprof", *healthy_captures():
        with Daemon(MINIPROFD, "--port", "file:" + path(dialect + ".bin"), "--dialect", dialect) as daemon:
            snapshot = next(snapshot for _ in daemon.events(120) if (snapshot := daemon.snapshot())["source"]["state"] == "ended")
            status, _, body = daemon.get("/api/v1/doctor")
        findings = json.loads(body)["findings"]
        wrong = [one["text"] for one in findings if one["verdict"] != "ok" and not one["text"].startswith("No ELF was given")]
        assert status == 200 and findings and not wrong, (dialect, wrong)
        source = snapshot["source"]
        spoken = snapshot["incomplete_because"], source["detail"], source.get("looks_like"), snapshot["target"].get("clock_doubt")
        assert not any(spoken), (dialect, spoken)


@case
def a_recording_of_another_dialect_fails():
    expect(doctor("--port", "file:" + path("gprof.bin"))[1], "ok", "they are gprof")
    only_fails(doctor("--port", "file:" + path("gprof.bin"), "--dialect", "fprime")[1], "3200 bytes")


@case
def without_a_port_all_ports_are_examined():
    assert doctor()[0] == 0


@case
def wrong_usage_exits_with_2():
    for arguments in ["--sideways"], ["--baud", "0"], ["--baud"], ["--seconds", "x"], ["--dialect", "klingon"], ["port"]:
        done = subprocess.run([MINIPROFD, "doctor", *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and "miniprofd doctor --help" in done.stderr and done.stdout == "", (arguments, done)
    told = subprocess.run([MINIPROFD, "doctor", "--help"], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "exit status: 0 nothing fails" in told.stdout, told


sys.exit(run_cases())
