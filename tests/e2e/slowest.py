#!/usr/bin/env python3
"""slowest.py - the split of the slowest call by a stream of switches; there is none if switches may be lost.

usage: slowest.py MINIPROFD. Prints TAP."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from packets import metadata, signed, stream, varint  # noqa: E402

MINIPROFD = sys.argv[1]
FUNCTION = 0x100
MAIN, OTHER = 0, 2


class Board:
    """Writes a packet for each event, at its own time; each may be damaged."""

    def __init__(self):
        self.sent, self.number, self.runs, self.time, self.depth = [metadata()], 0, MAIN, 1000, {MAIN: 0, OTHER: 0}

    def say(self, tokens, damaged):
        packet = bytearray(stream(tokens, number=self.number, time=self.time, runs=self.runs, depth=self.depth[self.runs]))
        packet[-4] ^= 0x55 if damaged else 0
        self.sent.append(bytes(packet))

    def enter(self):
        self.say("C0" + signed(FUNCTION).hex() + "00", False)
        self.number += 1
        self.depth[self.runs] += 1

    def exit(self):
        self.say("C3" + signed(FUNCTION).hex() + "00", False)
        self.number += 1
        self.depth[self.runs] -= 1

    def switch(self, to, waits=False, damaged=False):
        self.say(("C8" if waits else "C4") + varint(to).hex() + varint(self.depth[to]).hex() + "00", damaged)
        self.runs = to

    def call(self, ticks):
        self.enter()
        self.time += ticks
        self.exit()
        self.time += 10


def slowest(damaged=(), early=False):
    """Returns the slowest call of a board, which waits for 300 ticks and runs for 50; some of the two switches are damaged."""
    board = Board()
    board.switch(OTHER)
    board.time += 5
    board.switch(MAIN)
    if early:
        board.switch(MAIN, damaged=True)
    for _ in range(20):
        board.call(50)
    board.enter()
    board.time += 30
    board.switch(OTHER, waits=True, damaged=0 in damaged)
    board.time += 300
    board.switch(MAIN, damaged=1 in damaged)
    board.time += 20
    board.exit()
    board.time += 10
    for _ in range(3):
        board.call(50)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "capture")
        with open(path, "wb") as capture:
            capture.write(b"".join(board.sent))
        offset = 0
        with open(path + ".pace", "w") as pace:  # a separate read for each packet
            pace.write("miniprofd-pace 1\n")
            for number, packet in enumerate(board.sent):
                offset += len(packet)
                pace.write(f"{number * 2000000} {offset}\n")
        with Daemon(MINIPROFD, "--port", "file:" + path, "--dialect", "miniprof") as served:
            served.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
            (call,) = json.loads(served.get("/api/v1/slowest")[2])["calls"]
            return call


@case
def a_wait_names_the_last_running_function():
    call = slowest()
    assert (call["ran_ticks"], call["preempted_ticks"], call["blocked_ticks"]) == (50, 0, 300), call
    assert call["wait"]["duration"] == 300 and call["wait"]["function"] == call["function"] and call["wait"]["ran_last"] is not None, call


@case
def a_call_with_a_possible_lost_switch_has_no_split():
    for damaged in ((0,), (1,), (0, 1)):
        call = slowest(damaged)
        assert [call[what] for what in ("ran_ticks", "preempted_ticks", "blocked_ticks", "by", "wait")] == [None] * 5, (damaged, call)


@case
def damage_before_the_call_does_not_matter():
    call = slowest(early=True)
    assert (call["ran_ticks"], call["blocked_ticks"]) == (50, 300), call


if __name__ == "__main__":
    sys.exit(run_cases())
