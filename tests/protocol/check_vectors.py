#!/usr/bin/env python3
"""Checks that the calls and losses listed in protocol/vectors.txt follow from its packets by section 10.6 of protocol/SPEC.md.
usage: check_vectors.py VECTORS"""
import re
import sys

from spec_reader import compact

WEIGHT = 0x9E3779B1
IS_INTERRUPT = 1  # bit 0 of a context's number (10.2)


class Stack:
    """The running calls of one context: `low` known ones, then `unknown` ones, then `high` known ones. `check` is the sum of function * W^depth of the
    unknown ones."""

    def __init__(self):
        self.low, self.high, self.unknown, self.check = [], [], 0, 0
        self.is_placed, self.since = False, 0

    def depth(self):
        return len(self.low) + self.unknown + len(self.high)

    def forget(self, depth, time):
        self.low, self.high, self.unknown, self.check, self.since = [], [], depth, 0, time

    def join(self):
        """Merges both layers if no call is unknown."""
        if not self.unknown:
            self.low, self.high, self.check = [], self.low + self.high, 0

    def bury(self):
        """Makes known calls above unknown ones unknown."""
        for function, _ in self.high:
            self.check += function * pow(WEIGHT, len(self.low) + self.unknown, 2**32)
            self.unknown += 1
        self.high = []

    def gap(self, net, low, check, time):
        depth, begun = self.depth(), net - low
        check *= pow(WEIGHT, depth, 2**32)
        if not self.unknown:
            self.low, self.high = self.low + self.high, []
        for over in range(depth - 1, depth - 1 + low, -1):
            if over < 0:
                break
            if self.high:
                check += self.high.pop()[0] * pow(WEIGHT, over, 2**32)
            elif self.unknown:
                self.unknown -= 1
            else:
                check += self.low.pop()[0] * pow(WEIGHT, over, 2**32)
        if self.unknown:
            self.bury()
        else:
            self.low, self.high = self.low + self.high, []
        self.check = (self.check + check) % 2**32
        self.unknown += begun
        is_more_over = -low > depth
        if is_more_over or (not self.unknown and self.check):
            self.forget(self.depth(), time)
        self.join()
        self.since = time

    def leave(self, function, time):
        """Returns start and depth of the call that ends, or None if it is unknown."""
        while self.high:
            known, start = self.high.pop()
            if known == function:
                return start, self.depth()
        if self.unknown:
            is_doubtful = any(known == function for known, _ in self.low)
            self.unknown -= 1
            self.check = (self.check - function * pow(WEIGHT, self.depth(), 2**32)) % 2**32
            if is_doubtful or (not self.unknown and self.check):
                self.forget(self.depth(), time)
            self.join()
        self.since = time
        return None


class Follower:
    def __init__(self):
        self.stacks, self.run, self.number, self.time, self.told = {}, None, 0, 0, []

    def stack(self, context):
        return self.stacks.setdefault(context, Stack())

    def packet(self, payload):
        self.told = []
        events = compact(payload)
        run, number, time, context, depth = map(int, re.fullmatch(r"run (\d+), number (\d+), time (\d+), context (\d+), depth (\d+)", events[0]).groups())
        is_new = run != self.run
        missing = number if is_new else (number - self.number) % 2**28
        if not is_new and missing > 2**27:
            return
        begin = self.time
        ahead = (time - self.time) % 2**32
        self.time += ahead if is_new or ahead < 2**31 else ahead - 2**32
        if is_new or missing:
            for stack in self.stacks.values():
                if stack.depth():
                    stack.since = self.time
                stack.forget(0, stack.since)
                stack.is_placed = False
            if (missing or is_new) and self.run is not None:
                self.told.append(f"lost {missing} {begin} {self.time}")
            self.heard = self.time
            self.running = None
        self.run, self.number = run, number
        self.runs(context, depth, self.is_gap_next(events[1:]))
        for at, event in enumerate(events[1:], 1):
            self.take(event, events[at + 1:])

    def is_gap_next(self, events):
        """True if the next event is a gap with the time of the last one. Not for a gap without losses that ends calls: there another task has the number."""
        timed = next((event.split() for event in events if event.startswith(("+", "-", "context", "gap"))), ["none"])
        return timed[0] == "gap" and int(timed[5]) == self.time % 2**32 and (timed[1] != "0" or timed[3] == "0")

    def runs(self, context, depth, is_before_gap):
        if not context & IS_INTERRUPT:
            self.end_interrupts(None)
        stack = self.stack(context)
        if self.running != context and not is_before_gap:
            self.heard = self.time
        self.running = context
        if not stack.is_placed:
            if stack.depth() or depth:
                stack.forget(depth, self.time)
            stack.is_placed = True

    def end_interrupts(self, but):
        for context, stack in self.stacks.items():
            if context & IS_INTERRUPT and context != but and stack.depth():
                stack.forget(0, self.time)

    def ticks(self, low):
        self.time += (int(low) - self.time) % 2**32

    def take(self, event, after):
        words = event.split()
        stack = self.stack(self.running)
        if words[0] == "context":
            self.ticks(words[3])
            is_before_gap = self.running != int(words[1]) and self.is_gap_next(after)
            self.runs(int(words[1]), int(words[2]), is_before_gap)
            if not is_before_gap:
                self.heard = self.time
        elif words[0] == "gap":
            lost, net, low, check = int(words[1]), int(words[2]), int(words[3]), int(words[4], 16)
            self.ticks(words[5])
            self.end_interrupts(self.running)
            stack.gap(net, low, check, self.time)
            self.told.append(f"lost {lost} {self.heard} {self.time} in {self.running}")
            self.number += lost if lost else bool(net or low or check)
            self.heard = self.time
        elif words[0] == "open":
            depth, function, age = int(words[1]), int(words[2], 16), int(words[3])
            if stack.unknown and not stack.high and depth == len(stack.low):
                stack.low.append((function, max(self.time - age, 0)))
                stack.check = (stack.check - function * pow(WEIGHT, depth, 2**32)) % 2**32
                stack.unknown -= 1
                stack.join()
        elif words[0][0] in "+-":
            function = int(words[0][1:], 16)
            self.ticks(words[1])
            self.number += 1
            self.heard = self.time
            if words[0][0] == "+":
                stack.high.append((function, self.time))
                return
            ended = stack.leave(function, self.time)
            if ended:
                start, depth = ended
                kind = "whole" if start >= stack.since else "part"
                self.told.append(f"call {self.running} {function:X} {start} {self.time} {depth} {kind}")


def read(path):
    """Yields (payload, lines listed for it)."""
    packets = []
    with open(path, encoding="ascii") as file:
        for line in file.read().splitlines():
            if line.startswith(("call ", "lost ")):
                packets[-1][1].append(line)
            elif not line.startswith("#"):
                packets.append((bytes.fromhex(line), []))
    return packets


follower, wrong = Follower(), []
packets = read(sys.argv[1])
for number, (payload, listed) in enumerate(packets):
    follower.packet(payload)
    if follower.told != listed:
        wrong.append(f"packet {number}:\n  read   {follower.told}\n  listed {listed}")
print("\n".join(wrong[:5]))
print(f"{len(packets)} packets, {sum(len(listed) for _, listed in packets)} lines, {len(wrong)} packets wrong")
sys.exit(1 if wrong or len(packets) < 100 else 0)
