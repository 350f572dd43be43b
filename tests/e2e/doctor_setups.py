#!/usr/bin/env python3
"""doctor_setups.py - `miniprofd doctor` in typical set-ups of users: each has one verdict and one sentence that names the cause.

usage: doctor_setups.py MINIPROFD EXAMPLE_HOST EXAMPLE_HOST_V1 EXAMPLE_HOST_SMALL. Prints TAP."""
import concurrent.futures
import contextlib
import fcntl
import fnmatch
import itertools
import json
import os
import pty
import random
import shutil
import subprocess
import sys
import tempfile
import termios
import threading
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import gprof_records, syst_talk  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402
from packets import calls, metadata, status  # noqa: E402
from wire import write_whole  # noqa: E402

MINIPROFD, HOST, HOST_V1, HOST_SMALL = map(os.path.abspath, sys.argv[1:5])
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
SECONDS = "--seconds", "3"
ARM = shutil.which("arm-none-eabi-gcc")
SETUPS, RESULTS = [], {}
RUNNERS = concurrent.futures.ThreadPoolExecutor(8)  # the doctor waits for answers most of the time
# Calls of two functions, as a profiling board sends them.
ONE_SECOND = b"".join(calls((0x400, 1000 * i + 10, 20, 1), (0x300, 1000 * i, 900, 0)) for i in range(200))
RECORDING = metadata() + status() + ONE_SECOND
HALF = len(ONE_SECOND) // 2


def path(name):
    return os.path.join(FOLDER.name, name)


def file_of(name, data):
    with open(path(name), "wb") as file:
        file.write(data)
    return "file:" + path(name)


def doctor(*arguments):
    """Returns (exit status, [(verdict, sentence)]), and checks the sums of the JSON against its findings."""
    done = subprocess.run([MINIPROFD, "doctor", "--json", *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1) and done.stderr == "", (done.returncode, done.stderr)
    told = json.loads(done.stdout)
    lines = [(finding["verdict"], finding["text"]) for finding in told["findings"]]
    verdicts = [verdict for verdict, _ in lines]
    assert set(told) == {"findings", "verdict", "fails", "warns", "measured"} and set(verdicts) <= {"ok", "warn", "fail"}, told
    assert (told["fails"], told["warns"]) == (verdicts.count("fail"), verdicts.count("warn")) and type(told["measured"]) is bool, told
    assert told["verdict"] == ("fail" if told["fails"] else "warn" if told["warns"] else "ok") and done.returncode == (told["fails"] > 0), told
    # "Nothing is wrong" requires that a call was received.
    assert "Nothing wrong was found." not in [s for _, s in lines] or (told["measured"] and told["verdict"] == "ok"), told
    return done.returncode, lines


@contextlib.contextmanager
def board(program, *options):
    firmware = subprocess.Popen([program, *options], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        yield firmware.stdout.readline().strip()
    finally:
        firmware.kill()
        firmware.wait()


@contextlib.contextmanager
def wire(pieces=(), answer=None):
    """Yields the path of a pty, at which the items of `pieces` are written one after the other, and bytes received are answered by `answer`."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    stop, one_at_a_time = threading.Event(), threading.Lock()

    def talk():
        for piece in pieces:
            with one_at_a_time:
                write_whole(ours, piece, stop)
            if stop.wait(0.02):
                return

    def listen():
        while not stop.wait(0.005):
            with contextlib.suppress(BlockingIOError, OSError):
                came = os.read(ours, 100)
                if answer and answer(came):
                    with one_at_a_time:
                        write_whole(ours, answer(came), stop)

    threads = [threading.Thread(target=work) for work in (talk, listen)]
    for thread in threads:
        thread.start()
    try:
        yield os.ttyname(theirs)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        os.close(ours)
        os.close(theirs)


def set_rate(port, rate):
    """Sets a pty's rate and discards what the board has sent at another one, which would be readable."""
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    attributes = termios.tcgetattr(line)
    attributes[4] = attributes[5] = rate
    termios.tcsetattr(line, termios.TCSANOW, attributes)
    termios.tcflush(line, termios.TCIFLUSH)
    os.close(line)


def again_and_again(data):
    while True:
        yield data


def setup(function):
    """A set-up: a function that yields the doctor's arguments within a `with`, and whose expectations are its default arguments."""
    def run():
        with contextlib.ExitStack() as stack:
            return doctor(*function(stack))

    def one():
        check(*RESULTS[function.__name__].result(), *function.__defaults__)
    SETUPS.append(run)
    RESULTS[function.__name__] = RUNNERS.submit(run) if fnmatch.fnmatch(function.__name__, os.environ.get("TEST_FILTER", "*")) else None
    one.__name__ = function.__name__
    case(one)
    return function


def check(code, lines, wanted_code, wanted, never=()):
    """Checks the output: each (verdict, words) of `wanted` is in one line, no words of `never` are in any, and nothing else fails."""
    assert code == wanted_code, (code, lines)
    for verdict, words in wanted:
        assert any(v == verdict and words in s for v, s in lines), (verdict, words, lines)
    fails = [s for v, s in lines if v == "fail"]
    assert all(any(v == "fail" and words in s for v, words in wanted) for s in fails), ("fails", lines)
    for words in never:
        assert not any(words in s for _, s in lines), (words, lines)


# ---- the board ----

@setup
def a_healthy_board(stack, code=0, wanted=[("ok", "is the program that runs"), ("ok", "at 115200 baud"), ("ok", "modes calls, stream, tree")], never=["--no-control"]):
    return "--port", stack.enter_context(board(HOST, "--uart", "115200")), "--elf", HOST, *SECONDS


@setup
def another_baud_rate(stack, code=1, wanted=[("fail", "use --baud 115200")]):
    port = stack.enter_context(board(HOST, "--uart", "115200"))
    set_rate(port, termios.B57600)
    return "--port", port, "--baud", "57600", "--elf", HOST, *SECONDS


@setup
def an_agent_of_version_1(stack, code=0, wanted=[("warn", "does not describe itself"), ("warn", "update the agent")]):
    return "--port", stack.enter_context(board(HOST_V1)), "--elf", HOST_V1, *SECONDS


@setup
def the_small_agent(stack, code=0, wanted=[("ok", "the modes stream"), ("warn", "names no build id")]):
    return "--port", stack.enter_context(board(HOST_SMALL)), "--elf", HOST_SMALL, *SECONDS


@setup
def settings_left_on_the_device(stack, code=0, wanted=[("warn", "shortest"), ("warn", "miniprofd device --port")]):
    port = stack.enter_context(board(HOST))
    subprocess.run([MINIPROFD, "device", "--port", port, "config", "shortest=50"], check=True, capture_output=True, timeout=60)
    return "--port", port, "--elf", HOST, *SECONDS


@setup
def a_board_that_receives_nothing(stack, code=0, wanted=[("warn", "check the wire to its RX")]):
    return "--port", stack.enter_context(wire([metadata()])), *SECONDS


@setup
def a_board_that_only_sends(stack, code=0, wanted=[("warn", "check the wire to its RX")]):
    return "--port", stack.enter_context(wire(again_and_again(RECORDING[len(metadata() + status()):2000]))), *SECONDS


# ---- the wire ----

@setup
def a_dead_wire(stack, code=1, wanted=[("fail", "RX and TX")]):
    return "--port", stack.enter_context(wire()), *SECONDS


@setup
def a_dead_wire_that_is_only_listened_to(stack, code=1, wanted=[("fail", "leave --no-control out")]):
    return "--port", stack.enter_context(wire()), "--no-control", *SECONDS


@setup
def a_wire_that_echoes(stack, code=1, wanted=[("fail", "echo")]):
    return "--port", stack.enter_context(wire(answer=lambda came: came)), *SECONDS


@setup
def noise(stack, code=1, wanted=[("fail", "make sense")]):
    chance = random.Random(4)
    return "--port", stack.enter_context(wire(chance.randbytes(60) for _ in range(10000))), *SECONDS


@setup
def the_console_instead_of_the_agent(stack, code=1, wanted=[("fail", "plain text")], never=["rates were tried"]):
    return "--port", stack.enter_context(wire(b"[00:00:%02d] <inf> main: hello, temperature %d\r\n" % (i % 60, i % 7) for i in range(10000))), *SECONDS


@setup
def a_port_that_is_taken(stack, code=1, wanted=[("fail", "Another program has")]):
    port = stack.enter_context(wire())
    taken = stack.enter_context(open(os.open(port, os.O_RDONLY | os.O_NOCTTY), "rb", buffering=0))
    fcntl.flock(taken, fcntl.LOCK_EX)
    return "--port", port


@setup
def a_port_and_an_elf_that_are_not_there(stack, code=1, wanted=[("fail", "There is no /dev/ttyNONE0"), ("fail", "nope.elf")]):
    return "--port", "/dev/ttyNONE0", "--elf", path("nope.elf")


# ---- the dialect ----

@setup
def gprof_named_where_the_agent_speaks(stack, code=1, wanted=[("fail", "--dialect miniprof")], never=["--no-control"]):
    return "--port", stack.enter_context(board(HOST)), "--elf", HOST, "--dialect", "gprof", *SECONDS


@setup
def gprof_as_a_recording(stack, code=0, wanted=[("ok", "they are gprof"), ("warn", "No ELF was given")]):
    return "--port", file_of("gprof.bin", b"".join(gprof_records()))


@setup
def syst_as_a_recording(stack, code=0, wanted=[("ok", "they are syst"), ("ok", "Nothing wrong was found.")]):
    return "--port", file_of("syst.bin", b"".join(syst_talk()))


# ---- recordings ----

@setup
def a_recording_that_is_cut(stack, code=0, wanted=[("warn", "ends within a packet")], never=["ground", "wiring"]):
    return "--port", file_of("cut.bin", RECORDING[:-9])


@setup
def a_recording_with_losses(stack, code=0, wanted=[("warn", "--baud-max"), ("ok", "can be read")], never=["ground"]):
    return "--port", file_of("lost.bin", metadata() + status() + ONE_SECOND[:HALF] + status(overflows=17) + ONE_SECOND[HALF:])


@setup
def an_empty_recording(stack, code=1, wanted=[("fail", "is empty")]):
    return "--port", file_of("empty.bin", b"")


# ---- the ELF ----

@setup
def no_elf(stack, code=0, wanted=[("warn", "--elf")]):
    return "--port", file_of("noelf.bin", RECORDING)


@setup
def an_elf_of_another_program(stack, code=1, wanted=[("fail", "is not the program that runs"), ("warn", "neither __cyg_profile_func_enter nor mcount")]):
    subprocess.run(["gcc", "-g", "-x", "c", "-", "-o", path("other")], input=b"int main(void) { return 0; }", check=True)
    return "--port", stack.enter_context(board(HOST)), "--elf", path("other"), *SECONDS


@setup
def a_stripped_elf(stack, code=1, wanted=[("fail", "strip")], never=[" places, in "]):
    subprocess.run(["strip", "-o", path("stripped"), HOST], check=True)
    return "--port", file_of("run.bin", RECORDING), "--elf", path("stripped")


@setup
def an_elf_whose_code_calls_no_hook(stack, code=1, wanted=[("fail", "-finstrument-functions")]):
    if not ARM:
        raise Skip("arm-none-eabi-gcc is not installed")
    # Like the agent, it calls its own hooks to measure their cost, and does not count as instrumented code.
    sources = {"mpt_hook_ticks.c": "void __cyg_profile_func_enter(void *a, void *b) {}\nvoid __cyg_profile_func_exit(void *a, void *b) {}\n"
                                   "void mpt_hook_ticks(void) { __cyg_profile_func_enter(0, 0); __cyg_profile_func_exit(0, 0); }\n",
               "program.c": "void mpt_hook_ticks(void);\nint f(int a) { return 3 * a; }\nvoid _start(void) { f(3); mpt_hook_ticks(); }\n"}
    for name, code in sources.items():
        with open(path(name), "w", encoding="utf-8") as file:
            file.write(code)
    subprocess.run([ARM, "-mcpu=cortex-m4", "-mthumb", "-O0", "-nostdlib", "-g", *map(path, sources), "-o", path("missing.elf")], check=True)
    return "--elf", path("missing.elf"), "--port", file_of("run2.bin", RECORDING)


@case
def without_data_nothing_is_called_right():
    _, lines = doctor("--port", file_of("none.bin", metadata() + status()), "--elf", HOST)
    assert any(v == "warn" and "no call, sample, checkpoint or message came" in s for v, s in lines), lines
    _, lines = doctor("--port", file_of("some.bin", b"".join(syst_talk())))
    assert lines[-1] == ("ok", "Nothing wrong was found."), lines


@case
def code_without_hooks_and_unreadable_code_are_distinguished():
    if not ARM:
        raise Skip("arm-none-eabi-gcc is not installed")
    source = b"void __cyg_profile_func_enter(void *a, void *b) {}\nvoid __cyg_profile_func_exit(void *a, void *b) {}\nvoid _start(void) {}\n"
    hook = "-finstrument-functions-exclude-function-list=__cyg"
    for name, options, verdict, words in (("instrumented", ["-finstrument-functions", hook], "ok", "from 1 place, in 1 of 3 functions"),
                                          ("far", ["-finstrument-functions", hook, "-mlong-calls"], "ok", "from 1 place, in 1 of 3 functions"),
                                          ("plain", [], "fail", "no function outside the agent calls it")):
        elf = path(name + ".elf")
        subprocess.run([ARM, "-mcpu=cortex-m4", "-mthumb", "-O0", "-nostdlib", "-g", *options, "-x", "c", "-", "-o", elf], input=source, check=True)
        _, lines = doctor("--elf", elf)
        assert any(v == verdict and words in s for v, s in lines), (name, lines)
    subprocess.run(["arm-none-eabi-objcopy", "--only-keep-debug", elf, path("debug.elf")], check=True)
    code, lines = doctor("--elf", path("debug.elf"))
    assert code == 0 and any("which code compiled with" in s for _, s in lines), lines


@case
def unsolicited_packets_are_no_answers():
    with wire(itertools.chain([metadata() + status()], again_and_again(RECORDING[len(metadata() + status()):2000]))) as port:
        code, lines = doctor("--port", port, *SECONDS)
    check(code, lines, 0, [("warn", "check the wire to its RX")], ["The device answers"])


@case
def there_are_as_many_setups_as_are_promised():
    assert len(SETUPS) == 24, len(SETUPS)


sys.exit(run_cases())
