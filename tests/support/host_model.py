"""host_model.py - models what a host can know from the packets of a board, after protocol/SPEC.md 5, 10.6 and 12. It reads the contents of
random_board.py's packets, not their bytes, and computes which calls are shown, which losses are reported, and what was cleared."""
from collections import Counter


class Frame:
    """A running call as the host sees it: its function, if known, and whether its begin was seen."""

    __slots__ = ("call", "is_known", "is_whole")

    def __init__(self, call, is_known, is_whole):
        self.call, self.is_known, self.is_whole = call, is_known, is_whole


class Follower:
    """Version 2: stacks as far as a host knows them (10.6)."""

    def __init__(self, host):
        self.host = host
        self.told_hz = None
        self.run = None
        self.restart(is_anew=False)

    def restart(self, is_anew=True):
        self.is_begun, self.is_anew = False, is_anew
        self.stacks, self.placed, self.number = {}, set(), 0

    def _forget_all(self):
        self.stacks, self.placed = {}, set()

    def continues(self, packet):
        _, context, stack = packet.says[0]
        missing = (packet.first - self.number) & 0xFFFFFFF
        if context in self.placed:
            is_other_depth = missing == 0 and len(self.stacks.get(context, [])) != len(stack)
        else:  # nothing else distinguishes a run without events from a new one
            is_other_depth = missing == 0 and self.number == 0
        return self.is_begun and packet.run == self.run and missing <= 0x7FFFFFF and not is_other_depth

    def packet(self, packet):
        host = self.host
        is_new = not self.is_begun or packet.run != self.run
        missing = packet.first if is_new else (packet.first - self.number) & 0xFFFFFFF
        if not is_new and missing > 0x7FFFFFF:
            host.late += 1
            return
        if missing or is_new:
            self._forget_all()
        if missing and (self.is_begun or self.is_anew):
            host.lose(packet.agent, (missing + 1) // 2)
        self.is_begun, self.is_anew, self.run, self.number, self.agent = True, False, packet.run, packet.after, packet.agent
        for what, *says in packet.says:
            getattr(self, "_" + what)(*says)

    def _clock(self, hz):
        if self.told_hz and self.told_hz != hz:
            self.host.discard()
            # Running calls began before the counting.
            for stack in self.stacks.values():
                for frame in stack:
                    frame.is_whole = False
        self.told_hz = hz

    def _begin(self, context, stack):
        if context % 2 == 0:
            self.stacks = {of: frames for of, frames in self.stacks.items() if of % 2 == 0}
        if context not in self.placed:
            self.stacks[context] = [Frame(call, False, False) for call in stack]
            self.placed.add(context)

    _switch = _begin

    def _open(self, context, depth, call):
        frames = self.stacks[context]
        if depth < len(frames) and not frames[depth].is_known and all(frame.is_known for frame in frames[:depth]):
            frames[depth].is_known = True

    def _enter(self, context, call):
        self.stacks.setdefault(context, []).append(Frame(call, True, True))

    def _leave(self, context, call):
        frames = self.stacks.get(context, [])
        level = next((i for i, frame in enumerate(frames) if frame.call is call), None)
        if level is None:
            return
        ended = frames[level:]
        del frames[level:]
        if ended[0].is_known:
            for frame in ended:
                if frame.is_whole:
                    self.host.show(frame.call.function)
        elif any(frame.is_known and frame.call.function == call.function for frame in frames):
            self._forget(frames)

    @staticmethod
    def _forget(frames):
        for frame in frames:
            frame.is_known = frame.is_whole = False

    def _gap(self, context, lost, kept, begun):
        self.host.lose(self.agent, (lost + 1) // 2)
        # Interrupts have ended.
        self.stacks = {of: frames for of, frames in self.stacks.items() if of % 2 == 0 or of == context}
        frames = self.stacks.get(context, [])[:kept]
        unknown = [frame for frame in frames if not frame.is_known]
        if unknown:
            self._forget(frames[frames.index(unknown[0]):])
        frames += [Frame(call, False, False) for call in begun]
        self.stacks[context] = frames


class Table:
    """Version 3: sums as they were sent last (12.2 to 12.5)."""

    def __init__(self, host):
        self.host, self.told_hz, self.form = host, None, None
        self.restart()

    def restart(self):
        self.run, self.is_stopped = None, False

    def continues(self, packet):
        return self.run is not None and self._is_of_run(packet) and packet.number > self.number

    def _is_of_run(self, packet):
        return packet.run == self.run and (packet.stopped or self.is_stopped or abs(packet.base - self.base) <= packet.hz // 2 + 16)

    def packet(self, packet):
        host = self.host
        if self.run is not None and self._is_of_run(packet):
            if packet.number <= self.number:
                host.late += 1
                return
        else:
            is_cut = self.run is not None and not self.is_stopped
            if is_cut or self.form not in (None, packet.flat):
                host.discard()
            self.nodes, self.outside, self.shown, self.shown_outside = {}, {}, {}, {}
            self.run, self.base, self.form = packet.run, packet.base, packet.flat
        if self.told_hz and self.told_hz != packet.hz:
            host.discard()
        self.told_hz = packet.hz
        self.number, self.is_stopped, self.head = packet.number, packet.stopped, packet
        self.nodes.update(packet.nodes)
        self.outside.update(packet.outside)
        for context, (ticks, calls, other) in self.outside.items():
            before = self.shown_outside.get(context, (0, 0, 0))
            host.crowd(calls - before[1], other - before[2])
            self.shown_outside[context] = ticks, calls, other
        for number in sorted(self.nodes):
            context, above, function, calls, ticks = self.nodes[number]
            if packet.flat or above is None or above in self.shown:
                before = self.shown.get(number, (0, 0))
                host.show(function, calls - before[0], ticks - before[1])
                self.shown[number] = calls, ticks

    def told_ticks(self):
        return sum(ticks for _, ticks in self.shown.values()) + sum(sums[0] + sums[2] for sums in self.shown_outside.values())


class Loss:
    """Version 1: records that the target counted and that did not arrive. They are known from the first time in a run that the target is idle
    (two equal STATUS with an empty buffer)."""

    def __init__(self):
        self.settled = self.missing = 0
        self.start = self.last = self.agent = None

    def hear(self, agent, captured, usage, came):
        if agent is not self.agent:
            self.restart()
        self.agent = agent
        rests = usage == 0 and captured in (0, self.last)
        self.last = captured
        if rests:
            self.start = self.start or (captured, came)
            self.missing = max(0, captured - self.start[0] - (came - self.start[1]))

    def restart(self):
        self.settled, self.missing, self.start, self.last = self.total, 0, None, None

    @property
    def total(self):
        return self.settled + self.missing


class Host:
    """Reads packets as they arrive. `shown` is calls by function, including "(other)"; `own` is the self ticks of sums."""

    def __init__(self):
        self.shown, self.own = Counter(), Counter()
        self.lost_of = Counter()  # by run of version 2, in calls: two events are one call
        self.cleared = self.discards = 0
        self.crowded = self.late = self.came = self.overflows = 0
        self.version, self.timer_hz, self.program = None, None, None
        self.follower, self.table, self.loss = Follower(self), Table(self), Loss()
        self.is_suspect, self.last_calls, self.heard_overflows = False, None, None
        self.captured = 0

    def lose(self, agent, calls):
        self.lost_of[agent] += calls

    @property
    def lost(self):
        return self.lost_of.total()

    def show(self, function, calls=1, ticks=0):
        self.shown[function] += calls
        self.own[function] += ticks

    def crowd(self, calls, ticks):
        self.crowded += calls
        if calls or ticks:
            self.show("(other)", calls, ticks)

    def discard(self):
        self.cleared += self.shown.total()
        self.discards += 1
        self.crowded = 0
        self.shown.clear()
        self.own.clear()

    def _restart(self):
        self.follower.restart()
        self.table.restart()
        self.last_calls = None

    def hear(self, packet):
        getattr(self, "_" + packet.kind)(packet)

    def _noise(self, packet):
        pass

    def _ack(self, packet):
        pass

    def _description(self, packet):
        pass

    def _window(self, packet):
        pass

    def _metadata(self, packet):
        if self.version == "calls" and self.timer_hz and self.timer_hz != packet.hz:
            self.discard()
        program = packet.data[:9] + packet.data[13:-3]  # another timer rate does not mean another program
        if self.program in (None, program):  # the first one may be an answer
            self.is_suspect = True
        elif packet.is_restart:
            self._restart()
        self.timer_hz, self.program = packet.hz, program

    def _status(self, packet):
        if packet.captured < self.captured and self.table.run is not None and packet.agent is not self.table.head.agent:
            self.table.restart()  # sums begin again; the earlier run is not cut
        self.captured = packet.captured
        if packet.mode == "calls":
            self.loss.hear(packet.agent, packet.captured, packet.usage, self.came)
            if self.heard_overflows is not None and packet.overflows > self.heard_overflows:
                self.overflows += packet.overflows - self.heard_overflows
            self.heard_overflows = packet.overflows

    def _change(self, version):
        if self.version not in (None, version):
            self.discard()
            self.follower.restart()
            self.table.restart()
            self.last_calls = None
        self.version = version

    def _settle(self, continues):
        if self.is_suspect and not continues:
            self._restart()
        self.is_suspect = False

    def _calls(self, packet):
        self._change("calls")
        self.is_suspect = False
        if packet.records == self.last_calls and any(record[2] for record in packet.records):
            self.late += 1
            return
        self.last_calls = packet.records
        self.came += len(packet.records)
        for function, *_ in packet.records:
            self.show(function)

    def _stream(self, packet):
        if self.is_suspect and self.version == "stream":
            self._settle(self.follower.continues(packet) or not self.follower.is_begun)
        self.is_suspect = False
        if self.version not in (None, "stream") and not any(what not in ("begin",) for what, *_ in packet.says):
            return  # it is empty, so no run ends
        self._change("stream")
        self.follower.packet(packet)

    def _tree(self, packet):
        if self.is_suspect and self.version == "tree":
            self._settle(self.table.continues(packet) or self.table.run is None)
        self.is_suspect = False
        if self.version not in (None, "tree") and not packet.nodes and not packet.outside:
            return
        self._change("tree")
        self.table.packet(packet)
