"""stream_writer.py - writes packets of version 2 of PROFILE_DATA from events (protocol/SPEC.md 10.2 to 10.4), independently of the C code."""
import struct

from packets import PROFILE_DATA, framed, signed, varint

CALLS_MOST, WAITING_MOST = 32, 4
EXIT = "exit"  # a prediction
WEIGHT = 0x9E3779B1


def weigh(function, level):
    """Returns the part of a gap's check of an entry before which the difference is `level`."""
    return function * pow(WEIGHT, level, 1 << 32) & 0xFFFFFFFF


class StreamWriter:
    """One packet: events in their order, then `packet()`. `number` is that of the next event, `size` the bytes of tokens so far. `short` is
    called at each predicted event; false has the event written in full."""

    def __init__(self, number, time, context, depth, run, slots_log=0, short=lambda: True):
        head = struct.pack("<BBII", 2, slots_log, run << 28 | number & 0xFFFFFFF, time & 0xFFFFFFFF)
        self.head = head + varint(context) + varint(depth)
        self.number, self.time, self.context, self.short = number, time, context, short
        self.room = 8 << slots_log
        self.slots, self.oldest = [], 0  # functions; the slot that is reused next
        self.next = {}  # the event that followed: (slot, is an exit) -> slot or EXIT
        self.latest = None  # (slot, is an exit)
        self.calls, self.base = [], 0  # slots of known calls; those from `base` on belong to the running context
        self.waiting = []  # (context, base, latest)
        self.told = 0
        self.tokens = b""

    @property
    def size(self):
        return len(self.tokens)

    def packet(self):
        return framed(PROFILE_DATA, self.head + self.tokens)

    # ---- parts of tokens

    def _passed(self, time):
        passed, self.time = time - self.time, time
        return passed

    def _time(self, time):
        passed = self._passed(time)
        if passed < 224:
            return bytes([passed])
        if passed < 8160:
            return bytes([224 + (passed - 224) // 256, (passed - 224) % 256])
        return b"\xff" + varint(passed)

    def _predicted(self, time):
        passed = self._passed(time)
        if passed < 0x78:
            return bytes([passed])
        if passed < 120 + 256 * 7:
            return bytes([0x78 + (passed - 120) // 256, (passed - 120) % 256])
        return b"\x7f" + varint(passed)

    def _function(self, function):
        step, self.told = (function - self.told) & 0xFFFFFFFF, function
        return signed(step - (1 << 32) if step >> 31 else step)

    # ---- what both ends remember

    def _forget(self, n):
        """Forgets the outermost n known calls."""
        self.calls = self.calls[n:]
        self.base = max(0, self.base - n)
        self.waiting = [(context, max(0, base - n), latest) for context, base, latest in self.waiting]

    def _give_out(self, function):
        if len(self.slots) < self.room:
            slot = len(self.slots)
            self.slots.append(function)
        else:
            slot, self.oldest = self.oldest, (self.oldest + 1) % self.room
            if slot in self.calls:
                self._forget(len(self.calls) - self.calls[::-1].index(slot))
            self.waiting = [(context, base, None if latest and latest[0] == slot else latest) for context, base, latest in self.waiting]
            self.slots[slot] = function
        self.next[slot, False] = self.next[slot, True] = EXIT
        return slot

    def _happened(self, what):
        if self.latest is not None:
            self.next[self.latest] = what

    # ---- events

    def enter(self, function, time):
        expected = self.next.get(self.latest)
        if expected not in (None, EXIT) and self.slots[expected] == function and self.short():
            slot = expected
            self.tokens += self._predicted(time)
        elif function in self.slots:
            slot = self.slots.index(function)
            self._happened(slot)
            self.tokens += bytes([0x80 + slot]) + self._time(time)
        else:
            told = self._function(function)
            slot = self._give_out(function)
            self._happened(slot)
            self.tokens += b"\xc0" + told + self._time(time)
        if len(self.calls) == CALLS_MOST:
            self._forget(1)
        self.calls.append(slot)
        self.latest = slot, False
        self.number += 1

    def exit(self, function, time):
        if len(self.calls) > self.base and self.slots[self.calls[-1]] == function:
            if self.next.get(self.latest) == EXIT and self.short():
                self.tokens += self._predicted(time)
            else:
                self._happened(EXIT)
                self.tokens += b"\xc1" + self._time(time)
            slot = self.calls.pop()
        else:
            self._happened(EXIT)
            while len(self.calls) > self.base and self.slots[self.calls.pop()] != function:
                pass
            if function in self.slots:
                slot = self.slots.index(function)
                self.tokens += b"\xc2" + bytes([slot]) + self._time(time)
            else:
                told = self._function(function)
                slot = self._give_out(function)
                self.tokens += b"\xc3" + told + self._time(time)
        self.latest = slot, True
        self.number += 1

    def switch(self, context, depth, time, blocked=False):
        self.tokens += (b"\xc8" if blocked else b"\xc4") + varint(context) + varint(depth) + self._time(time)
        for at, (waits, base, latest) in enumerate(self.waiting):
            if waits == context:
                above = self.waiting[at + 1][1] if at + 1 < len(self.waiting) else self.base
                self.calls, self.base, self.latest = self.calls[:above], base, latest
                self.waiting = self.waiting[:at]
                self.context = context
                return
        if len(self.waiting) == WAITING_MOST:
            self.waiting, self.calls = [], []
        else:
            self.waiting.append((self.context, self.base, self.latest))
        self.base, self.latest, self.context = len(self.calls), None, context

    def gap(self, lost, net, low, check, time):
        """`lost` events until `time` in the running context; `low` is 0 or less."""
        self.tokens += b"\xc5" + varint(lost) + signed(net) + varint(-low) + struct.pack("<I", check & 0xFFFFFFFF) + self._time(time)
        self.calls, self.base, self.waiting, self.latest = [], 0, [], None
        self.number += lost

    def clock(self, hz):
        self.tokens += b"\xc6" + varint(hz)

    def open(self, depth, function, age):
        self.tokens += b"\xc7" + varint(depth) + self._function(function) + varint(age)

    def name(self, context, text, is_idle=False):
        self.tokens += b"\xc9" + varint(context) + bytes([is_idle, len(text)]) + text.encode()

    def window(self, function, ticks, since, missed):
        """Writes the reason of a window: a call of the function took too long."""
        self.tokens += b"\xca\x01" + self._function(function) + varint(ticks) + varint(since) + varint(missed)

    def window_end(self):
        self.tokens += b"\xcb"
