#!/usr/bin/env python3
"""ending.py - a device is started, resumed and stopped without unreported losses: fake devices, the example, the emulator.

usage: ending.py MINIPROFD EXAMPLE_HOST [ELF EMULATOR...]
The emulator serves the socket whose path replaces @SOCKET@ in its command. Prints TAP."""
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402
from packets import ACK, DESCRIPTION, NACK, PROFILE_DATA, Tree, calls, framed, metadata, node, status, stream  # noqa: E402

MINIPROFD, EXAMPLE_HOST, *EMULATOR = sys.argv[1:]
START, STOP, GET_STATUS, GET_METADATA, DESCRIBE = 1, 2, 3, 5, 7
CALLS, STREAM, TREE = 1, 2, 3


class Board:
    """A device at a TCP port. `answer(board, code, payload)` returns the answer to a command."""

    def __init__(self, answer, mode="tree"):
        self.answer, self.mode, self.commands = answer, mode, []  # mode: the requested one
        self.changed = threading.Condition()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.live)

    def live(self):
        while True:
            try:
                line, _ = self.server.accept()
            except OSError:
                return
            with line:
                while len(command := self.receive(line)) == 12:
                    with self.changed:
                        self.commands.append((command[1], command[3:3 + command[2]]))
                        self.changed.notify_all()
                    try:
                        line.sendall(self.answer(self, command[1], command[3:3 + command[2]]) or b"")
                    except OSError:
                        break

    def receive(self, line):
        try:
            return line.recv(12, socket.MSG_WAITALL)
        except OSError:
            return b""

    def await_commands(self, code, times):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.sent(code)) >= times, PATIENCE), self.commands

    def sent(self, code):
        """Returns the payloads of all commands of that code."""
        return [payload for sent, payload in self.commands if sent == code]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        self.thread.join()


def measure(board, *options, awaits=(GET_STATUS, 2)):
    """Returns (process, JSON) of a batch run that is ended once the device has received a command this many times."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "json")
        command = [MINIPROFD, "--port", "tcp:127.0.0.1:%d" % board.server.getsockname()[1], "--dialect", "miniprof", "--no-http",
                   "--export", "json=" + out, "--mode", board.mode, *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            board.await_commands(*awaits)
        finally:
            process.send_signal(signal.SIGTERM)
            process.stdout_text, process.stderr_text = process.communicate(timeout=PATIENCE)
        with open(out) as file:
            return process, json.load(file)


def description(versions=1 << TREE, boot=None, run=0, is_on=False, version=0):
    text = struct.pack("<BBIHHBHB", 1, versions, 1000000, 64, 32, 1, 500, 0)
    if boot is not None:
        text += struct.pack("<HIBB", 0, boot, run | is_on << 4, version)
    return framed(DESCRIPTION, text)


class TreeTarget:
    """A device that counts a tree of one function. `last(number of the STOP)` returns the packets that it sends at the end."""

    def __init__(self, boot=77, last=None):
        self.boot, self.last = boot, last or (lambda target, _: target.all(closes=True))
        self.run, self.is_on, self.tree, self.stops = 0, False, Tree(room=1), 0

    def all(self, ticks=1000, closes=False):
        return self.tree.packet(1000, node(0, 0, 0x100, 5, ticks), stopped=True, closes=closes)

    def start(self):
        self.run, self.is_on = self.run + 1, True
        self.tree = Tree(run=self.run, room=1)
        return framed(ACK) + self.tree.packet(900, node(0, 0, 0x100, 4, 900))

    def __call__(self, board, code, payload):
        if code == GET_METADATA:
            return metadata()
        if code == DESCRIBE:
            return description(boot=self.boot, run=self.run, is_on=self.is_on, version=TREE if self.run else 0)
        if code == GET_STATUS:
            return status(captured=5, profiling=self.is_on)
        if code == START and self.is_on and len(payload) > 1 and payload[1] & 2:
            return framed(ACK)
        if code == START:
            return self.start()
        if code == STOP:
            self.is_on, self.stops = False, self.stops + 1
            return framed(ACK) + self.last(self, self.stops)
        return framed(NACK)


def counted(told):
    return {f["name"]: (f["calls"], f["self_ticks"]) for f in told["functions"] if f["kind"] == "function"}


WHOLE = {"0x00000100": (5, 1000)}


@case
def a_closing_packet_ends_a_run_that_is_whole():
    with Board(TreeTarget()) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and told["complete"], (process.stderr_text, told["incomplete_because"])
    assert counted(told) == WHOLE, told["functions"]
    assert board.sent(STOP) == [b"\1"], board.commands


@case
def sums_that_were_lost_at_the_end_are_asked_for_again():
    def last(target, stops):
        return target.tree.packet(1000, stopped=True, closes=True) if stops == 1 else target.all(closes=True)
    with Board(TreeTarget(last=last)) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == WHOLE, (process.stderr_text, told["functions"])
    assert board.sent(STOP) == [b"\1"] * 2, board.commands


@case
def a_missing_closing_packet_is_requested_three_times():
    for boot in (77, 0):
        with Board(TreeTarget(boot=boot, last=lambda target, _: target.all())) as board:
            process, told = measure(board, "--strict")
        assert process.returncode == 4 and not told["complete"], process.stderr_text
        assert ["did not confirm at the end that it had sent everything" in reason for reason in told["incomplete_because"]] == [True], told["incomplete_because"]
        assert counted(told) == WHOLE and board.sent(STOP) == [b"\1"] * 3, (told["functions"], board.commands)


@case
def an_older_agent_ignores_the_question_and_ends_by_silence():
    with Board(TreeTarget(boot=None, last=lambda target, _: target.all())) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == WHOLE, (process.stderr_text, told["functions"])
    assert board.sent(STOP) == [b"\1"], board.commands


@case
def a_device_without_description_gets_a_plain_stop():
    def answer(board, code, payload):
        return {GET_METADATA: metadata(), GET_STATUS: status(), START: framed(ACK) + calls((0x100, 100, 10, 0)),
                STOP: framed(ACK) + calls() + calls((0x200, 200, 10, 0))}.get(code, framed(NACK))
    with Board(answer, mode="calls") as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and set(counted(told)) == {"0x00000100", "0x00000200"}, (process.stderr_text, told["functions"])
    assert board.sent(STOP) == [b""], board.commands


@case
def the_last_packets_of_a_stream_that_were_lost_are_missed():
    def answer(board, code, payload):
        return {GET_METADATA: metadata(), GET_STATUS: status(), DESCRIBE: description(1 << STREAM, boot=5), START: framed(ACK) + stream("C0 80 04 05 C1 04"),
                STOP: framed(ACK) + stream("", number=42, time=900, closes=True)}.get(code, framed(NACK))
    with Board(answer, mode="stream") as board:
        process, told = measure(board)
    assert process.returncode == 0 and counted(told) == {"0x00000100": (1, 4)}, (process.stderr_text, told["functions"])
    assert told["link"]["records_lost"] == 20 and not told["complete"], told["link"]


@case
def an_unanswered_start_is_repeated_within_the_run():
    class Mute(TreeTarget):
        def start(self):
            return b"" if self.run else super().start()[len(framed(ACK)):]

    target = Mute()
    with Board(target) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == WHOLE, (process.stderr_text, told["functions"])
    assert board.sent(START) == [b"\3\14", b"\3\16"] and target.run == 1, board.commands


@case
def only_the_requested_mode_is_started():
    class Slow(TreeTarget):
        def __call__(self, board, code, payload):
            return None if code == DESCRIBE and len(board.sent(DESCRIBE)) < 5 else super().__call__(board, code, payload)
    with Board(Slow()) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == WHOLE, (process.stderr_text, told["functions"])
    assert board.sent(START) == [b"\3\14"], board.commands
    assert "does not say which modes it has" in process.stderr_text, process.stderr_text


@case
def a_slow_device_is_not_started_in_another_mode_first():
    def answer(board, code, payload):
        if code == DESCRIBE and len(board.sent(GET_METADATA)) < 2:
            return None  # it is busy, and answers later, in order
        describes = description(1 << CALLS | 1 << STREAM, boot=5)
        return {GET_METADATA: describes * len(board.sent(DESCRIBE)) + metadata(), GET_STATUS: status(), DESCRIBE: describes,
                START: framed(ACK) + stream("C0 80 04 05 C1 04"), STOP: framed(ACK) + stream("", number=2, time=900, closes=True)}.get(code, framed(NACK))
    with Board(answer, mode="auto") as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == {"0x00000100": (1, 4)}, (process.stderr_text, told["functions"])
    assert board.sent(START) == [b"\2"], board.commands


@case
def a_profiling_device_continues():
    target = TreeTarget()
    target.run, target.is_on, target.tree = 3, True, Tree(run=3, room=1)
    with Board(target) as board:
        port = "tcp:127.0.0.1:%d" % board.server.getsockname()[1]
        with Daemon(MINIPROFD, "--port", port, "--dialect", "miniprof", "--mode", "tree") as daemon:
            daemon.wait_until(lambda snapshot: snapshot["target"]["joined"])
    assert not board.sent(START), board.commands


@case
def a_session_that_measures_has_a_run_of_its_own():
    target = TreeTarget()
    target.run, target.is_on, target.tree = 3, True, Tree(run=3, room=1)
    with Board(target) as board:
        process, told = measure(board, "--strict")
    assert process.returncode == 0 and counted(told) == WHOLE and not told["target"]["joined"], (process.stderr_text, told["functions"])
    assert board.sent(START) == [b"\3\14"], board.commands


@case
def a_start_by_the_user_while_it_profiles_costs_no_call():
    with Board(TreeTarget()) as board, tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "json")
        port = "tcp:127.0.0.1:%d" % board.server.getsockname()[1]
        with Daemon(MINIPROFD, "--port", port, "--dialect", "miniprof", "--mode", "tree", "--export", "json=" + out) as daemon:
            board.await_commands(GET_STATUS, 1)
            assert daemon.request("POST", "/api/v1/device/start", "{}")[0] == 200
        with open(out) as file:
            told = json.load(file)
    assert counted(told) == WHOLE and told["complete"] and told["link"]["calls_discarded"] == 0, (told["functions"], told["incomplete_because"])
    assert board.sent(START) == [b"\3\14", b"\3\16"], board.commands


@case
def a_device_without_description_gets_no_other_mode():
    class Silent(TreeTarget):
        def __call__(self, board, code, payload):
            return None if code == DESCRIBE else super().__call__(board, code, payload)
    with Board(Silent()) as board:
        process, told = measure(board, awaits=(DESCRIBE, 4))
    assert process.returncode == 1 and not board.sent(START) and not told["functions"], (process.stderr_text, board.commands)


@case
def a_device_that_falls_silent_fails_the_run():
    """With any agent, the device answers up to the second GET_STATUS, and then nothing."""
    for boot in (77, None):
        class Silent(TreeTarget):
            def __call__(self, board, code, payload):
                return None if len(board.sent(GET_STATUS)) > 2 else super().__call__(board, code, payload)
        with Board(Silent(boot=boot)) as board:
            process, told = measure(board, awaits=(GET_STATUS, 5))
        assert process.returncode == 1 and "answered nothing at the end, and had sent nothing for" in process.stderr_text, process.stderr_text
        assert ["answered nothing at the end" in reason for reason in told["incomplete_because"]] == [True], told["incomplete_because"]
        assert counted(told) == {"0x00000100": (4, 900)}, told["functions"]


@case
def a_silence_is_no_end_and_no_restart():
    """The device answers nothing for a while, and then continues."""
    class Pauses(TreeTarget):
        def __call__(self, board, code, payload):
            is_silent = 2 < len(board.sent(GET_STATUS)) < 6 and len(board.sent(GET_METADATA)) < 2
            return None if is_silent else super().__call__(board, code, payload)
    with Board(Pauses()) as board:
        process, told = measure(board, "--strict", awaits=(GET_STATUS, 7))
    assert process.returncode == 0 and told["complete"] and counted(told) == WHOLE, (process.stderr_text, told["incomplete_because"])
    assert board.sent(START) == [b"\3\14"] and told["link"]["target_resets"] == 0, board.commands


@case
def an_unsteady_boot_number_discards_nothing():
    class Liar(TreeTarget):
        def __call__(self, board, code, payload):
            self.boot += 1
            return super().__call__(board, code, payload)
    target = Liar()
    with Board(target) as board:
        process, told = measure(board, "--strict", awaits=(GET_STATUS, 3))
    assert process.returncode == 0 and told["complete"], (process.stderr_text, told["incomplete_because"])
    assert counted(told) == WHOLE and len(board.sent(START)) == 1, (told["functions"], board.commands)
    assert "another start of its program" in process.stderr_text, process.stderr_text


def closing_packets(path):
    """Returns the closing packets of version 3 in the recording."""
    with open(path, "rb") as file:
        told = file.read()
    at, found = 0, 0
    while (at := told.find(b"\xaa\x55" + bytes([PROFILE_DATA]), at)) >= 0:
        found += told[at + 5] == TREE and bool(told[at + 6] & 8)
        at += 3
    return found


def ends_well(source, *options):
    with tempfile.TemporaryDirectory() as folder:
        out, recording = os.path.join(folder, "json"), os.path.join(folder, "recording")
        with Daemon(MINIPROFD, "--port", source, "--mode", "tree", "--export", "json=" + out, "--record", recording, *options) as daemon:
            daemon.wait_for_link(lambda link: link["records"] >= 300)
        with open(out) as file:
            told = json.load(file)
        assert told["complete"], told["incomplete_because"]
        assert closing_packets(recording) == 1
        assert told["target"]["mode"] == "tree" and told["functions"], told["target"]


@case
def the_example_closes_its_tree():
    with subprocess.Popen([EXAMPLE_HOST], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as firmware:
        try:
            ends_well(firmware.stdout.readline().strip())
        finally:
            firmware.kill()


@case
def the_emulated_example_closes_its_tree():
    if not EMULATOR:
        raise Skip("there is no ARM compiler")
    elf, *command = EMULATOR
    with tempfile.TemporaryDirectory() as folder:
        line = os.path.join(folder, "uart")
        with subprocess.Popen([part.replace("@SOCKET@", line) for part in command], stdin=subprocess.DEVNULL) as emulator:
            try:
                ends_well("unix:" + line, "--elf", elf)
            finally:
                emulator.terminate()


if __name__ == "__main__":
    sys.exit(run_cases())
