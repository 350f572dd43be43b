"""random_board.py - a board that makes random calls in tasks and interrupts, and its three agents, which send them as packets.

An agent keeps the truth about its run: how often each function was called, and how long it ran. The contents of a packet are kept beside its
bytes, so that the model of the host (host_model.py) need not decode them."""
from collections import Counter

from packets import Tree, TreeRows, calls
from stream_writer import StreamWriter, weigh

START = 1 << 20  # ticks since the board was switched on, at the first START


class Call:
    """One run of a function; `run` is the agent that saw it begin, or None."""

    __slots__ = ("function", "begun", "run", "node")

    def __init__(self, function, begun, run):
        self.function, self.begun, self.run, self.node = function, begun, run, None


class Packet:
    """A packet's bytes and contents: `kind` and the members that it has. `fate` is what the line does to it; with `guard` it is left intact."""

    def __init__(self, kind, data, **says):
        self.kind, self.data, self.fate, self.noise, self.guard = kind, data, "ok", b"", False
        self.__dict__.update(says)

    def __repr__(self):
        says = {k: v for k, v in self.__dict__.items() if k not in ("kind", "data", "fate", "noise", "guard", "says", "agent", "records")}
        return f"{self.kind} {self.fate} {says} {self.data.hex()}"


class Board:
    """Runs random steps and reports them to `agent`, if there is one."""

    def __init__(self, rng, tasks, interrupts, functions):
        self.rng, self.functions = rng, functions
        self.tasks, self.interrupts = tasks, interrupts
        self.time = START + rng.choice((0, 0, (1 << 32) - START - 5000))  # sometimes 32 bits wrap soon
        self.agent = None
        self.pace = rng.choice((10, 100, 3000))
        self.pairs, self.nested = set(), set()  # (caller, callee) that happened; in `nested`, interrupts are callees of what they interrupt
        self.names = {}  # of tasks
        self.renames = 0
        self.restart(self.time)

    def restart(self, time):
        self.time, self.agent = time, None
        self.stacks = {context: [] for context in self.tasks + self.interrupts}
        self.task, self.active = self.tasks[0], []  # interrupts, the innermost last

    @property
    def running(self):
        return self.active[-1] if self.active else self.task

    def pass_time(self, ticks):
        if self.agent:
            self.agent.ran(self.running, self.stacks[self.running], ticks)
        self.time += ticks

    def enter(self, context):
        call = Call(self.rng.choice(self.functions), self.time, self.agent)
        stack = self.stacks[context]
        if stack:
            self.pairs.add((stack[-1].function, call.function))
        below = [c for of in [self.task, *self.active] if of != context for c in self.stacks[of]] if context in self.active else []
        if below:
            self.nested.add((below[-1].function, call.function))
        stack.append(call)
        if self.agent:
            self.agent.enter(context, call, self.time)

    def leave(self, context, level):
        """Returns from the call at `level`; calls above it have ended by a longjmp."""
        stack = self.stacks[context]
        ended = stack[level:]
        del stack[level:]
        if self.agent:
            self.agent.leave(context, ended, self.time)
        if context in self.active and not stack:
            self.active.remove(context)

    def rename(self):
        """Renames a task that does not run. Without running calls this makes it another task."""
        task = self.rng.choice([task for task in self.tasks if task != self.task])
        self.renames += 1
        before, self.names[task] = self.names.get(task), f"job{self.renames}"
        if self.agent:
            self.agent.rename(task, before)

    def step(self, may_jump=False):
        """Makes one random step."""
        rng = self.rng
        self.pass_time(rng.choice((0, 1, 1, 1)) * rng.randrange(self.pace))
        context, stack = self.running, self.stacks[self.running]
        idle = [e for e in self.interrupts if e not in self.active]
        if idle and rng.random() < 0.05:
            self.active.append(rng.choice(idle))
            self.enter(self.active[-1])
        elif not self.active and len(self.tasks) > 1 and rng.random() < 0.06:
            self.task = rng.choice([task for task in self.tasks if task != self.task])
            if self.agent:
                self.agent.switch(self.task, self.time, rng.random() < 0.5)
        elif not stack or (len(stack) < rng.choice((3, 6, 40)) and rng.random() < 0.5):
            self.enter(context)
            if may_jump and rng.random() < 0.05:
                self.jump(context)
        else:
            self.leave(context, len(stack) - 1)

    def jump(self, context):
        """Jumps (longjmp) out of the call that has just begun. The ends of skipped calls are not sent, so no time may pass."""
        stack = self.stacks[context]
        functions = [call.function for call in stack]
        # The exit of a function ends its innermost call, so a jump over another call of the same function cannot be sent; nor one over calls
        # that a host does not know, since it takes an exit as that of one call.
        levels = [level for level in range(len(stack) - 1)
                  if functions[level] not in functions[level + 1:] and all(call.run is self.agent for call in stack[level:])]
        if levels:
            self.leave(context, self.rng.choice(levels))


class Agent:
    """The common part of the three: packets sent, and the truth of the run."""

    def __init__(self, board, hz):
        self.board, self.rng, self.hz = board, board.rng, hz
        self.packets = []
        self.made = Counter()  # calls by function
        self.own, self.total = Counter(), Counter()  # ticks by function
        self.is_stopped = False
        self.start = board.time
        self.began_empty = not any(board.stacks.values())
        board.agent = self

    def ran(self, context, stack, ticks):
        if stack:
            self.own[stack[-1].function] += ticks
        for function in {call.function for call in stack}:
            self.total[function] += ticks

    def switch(self, task, time, is_wait):
        pass

    def rename(self, task, before):
        pass

    def stop(self):
        self.board.agent = None
        self.is_stopped = True


class CallsAgent(Agent):
    """Version 1: each call when it has ended. It has no tasks, but one stack, on which interrupts nest. With `room`, records that do not fit are
    dropped."""

    mode, run = "calls", None

    def __init__(self, board, hz, room=None):
        super().__init__(board, hz)
        self.pending, self.captured, self.overflows, self.room, self.is_full = [], 0, 0, room, False

    def enter(self, context, call, time):
        pass

    def leave(self, context, ended, time):
        stack = [call for of in [self.board.task, *self.board.active] for call in self.board.stacks[of] if call.run is self]
        depth = len(stack)
        call = ended[0]
        if call.run is not self:
            return
        self.made[call.function] += 1
        if self.room is not None and len(self.pending) >= self.room:
            self.overflows += not self.is_full
            self.is_full = True
            return
        self.is_full = False
        self.pending.append((call.function, call.begun & 0xFFFFFFFF, time - call.begun, depth))
        self.captured += 1
        if self.room is None and len(self.pending) >= self.rng.choice((1, 4, 20)):
            self.flush()

    def flush(self):
        if self.pending:
            self.packets.append(Packet("calls", calls(*self.pending), agent=self, records=self.pending))
        self.pending = []

    @property
    def usage(self):
        return min(100, len(self.pending) * 5)

    def tell_rest(self):
        self.flush()


class StreamAgent(Agent):
    """Version 2: entries and exits as they happen."""

    mode = "stream"

    def __init__(self, board, hz, run):
        super().__init__(board, hz)
        self.run, self.number, self.captured, self.overflows = run, 0, 0, 0
        self.writer = None
        self.gap = None  # context -> [lost, net, low, check], while the ring is full
        self.slots_log = self.rng.randrange(4)
        self.size = self.rng.choice((20, 60, 300))
        self.context = board.running
        self.names_due = dict(board.names)
        self.ran_as = Counter()  # ticks by contexts' names
        self.clock_due = self.rng.random() < 0.7
        self.shortens = self.rng.random() < 0.9
        self._open(board.time, tells_open=True)

    # ---- a packet

    def _open(self, time, tells_open=False):
        board = self.board
        depths = {context: len(stack) for context, stack in board.stacks.items()}
        self.writer = StreamWriter(self.number, time, self.context, depths[self.context], self.run, self.slots_log, lambda: self.shortens)
        self.says = [("begin", self.context, list(board.stacks[self.context]))]
        if self.clock_due:
            self.writer.clock(self.hz)
            self.says.append(("clock", self.hz))
            self.clock_due = False
        self._tell_names()
        if tells_open:
            self._tell_open(time)

    def _tell_names(self):
        for context, text in self.names_due.items():
            self.writer.name(context, text)
        self.names_due = {}

    def rename(self, task, before):
        """Renames it from the next packet on."""
        if self.writer:
            self.flush()
        self.names_due[task] = self.board.names[task]
        if before is None or self.board.stacks[task]:  # it is the same task
            self.ran_as[task, self.board.names[task]] += self.ran_as.pop((task, before), 0)

    def ran(self, context, stack, ticks):
        super().ran(context, stack, ticks)
        self.ran_as[context, self.board.names.get(context)] += ticks

    def _tell_open(self, time):
        for depth, call in enumerate(self.board.stacks[self.context][:10]):
            self.writer.open(depth, call.function, min(time - call.begun, 0xFFFFFFF))
            self.says.append(("open", self.context, depth, call))

    def flush(self):
        """Sends what was written, at least a packet without events."""
        if self.gap is not None:
            self.end_gap()
        writer, self.writer = self.writer, None
        if writer:
            first, self.number = self.number, writer.number
            self.packets.append(Packet("stream", writer.packet(), agent=self, run=self.run, first=first, after=writer.number, says=self.says))

    def forget(self):
        """Drops what was not sent, as a START does."""
        self.writer = self.gap = None

    def _ready(self, context, stack, time):
        """Returns a packet in which `context` runs; `stack` is its stack before the event."""
        if self.writer and self.writer.size > self.size:
            self.flush()
        if not self.writer:
            self.context = context
            # The head of the packet has the stack before the event.
            writer_depth = len(stack)
            self.writer = StreamWriter(self.number, time, context, writer_depth, self.run, self.slots_log, lambda: self.shortens)
            self.says = [("begin", context, list(stack))]
            if self.clock_due:
                self.writer.clock(self.hz)
                self.says.append(("clock", self.hz))
                self.clock_due = False
            self._tell_names()
        elif context != self.context:
            self._switch(context, stack, time, False)

    def _switch(self, context, stack, time, is_wait):
        self.context = context
        self.writer.switch(context, len(stack), time, is_wait)
        self.says.append(("switch", context, list(stack)))

    # ---- events

    def enter(self, context, call, time):
        if self.gap is not None:
            self._lose(context, call.function, True)
            return
        self._ready(context, self.board.stacks[context][:-1], time)
        self.writer.enter(call.function, time)
        self.says.append(("enter", context, call))

    def leave(self, context, ended, time):
        self.captured += 1
        for call in ended:
            self.made[call.function] += call.run is self
        if self.gap is not None:
            self._lose(context, ended[0].function, False)
            return
        self._ready(context, self.board.stacks[context] + ended, time)
        self.writer.exit(ended[0].function, time)
        self.says.append(("leave", context, ended[0]))

    def switch(self, task, time, is_wait):
        if self.gap is None:
            self._ready(self.context if self.writer else task, self.board.stacks[self.context if self.writer else task], time)
            if self.context != task:
                self._switch(task, self.board.stacks[task], time, is_wait)

    def pulse(self):
        """Sends a packet without events, as a target does in a silence."""
        self.flush()
        self.context = self.board.running
        self._open(self.board.time)
        self.flush()

    def set_clock(self, hz):
        self.hz, self.clock_due = hz, True

    # ---- events that find no room

    def begin_gap(self):
        """Begins dropping events. Call it and end_gap() while no interrupt runs."""
        self.flush()
        self.gap, self.before = {}, {context: list(stack) for context, stack in self.board.stacks.items()}
        self.overflows += 1

    def _lose(self, context, function, is_entry):
        gap = self.gap.setdefault(context, [0, 0, 0, 0])
        gap[0] += 1
        if is_entry:
            gap[3] += weigh(function, gap[1])
            gap[1] += 1
        else:
            gap[1] -= 1
            gap[3] -= weigh(function, gap[1])
        gap[2] = min(gap[2], gap[1])

    def end_gap(self):
        """Sends the gaps. That of the running context comes last, even without losses, since it says what runs."""
        gaps, self.gap = self.gap, None
        time, running = self.board.time, self.board.running
        gaps[running] = gaps.pop(running, (0, 0, 0, 0))
        for context, (lost, net, low, check) in gaps.items():
            self._ready(context, self.before[context], time)
            self.writer.gap(lost, net, low, check, time)
            kept = len(self.before[context]) + low
            self.says.append(("gap", context, lost, kept, self.board.stacks[context][kept:]))

    @property
    def usage(self):
        return 30 if self.writer and self.writer.size else 0

    def tell_rest(self):
        self.flush()


class TreeAgent(Agent):
    """Version 3: sums, by node of the tree or, flat, by caller and function."""

    mode = "tree"

    def __init__(self, board, hz, run, flat=False, room=64):
        super().__init__(board, hz)
        self.run, self.flat, self.room, self.overflows = run, flat, room, 0
        self.mode = "flat" if flat else "tree"
        self.wire = Tree(hz=hz, run=run, flat=flat, longest=self.rng.random() < 0.3, room=room, start=self.start)
        self.keys, self.nodes = {}, []  # nodes: [context, parent or caller, function, calls, ticks]
        self.outside = {}  # context -> [ticks, other calls, other ticks]
        self.changed, self.touched = {}, {}  # node numbers, and contexts, changed since they were sent
        self.rows_most = self.rng.choice((2, 5, 30))
        self.names_due = dict(board.names)
        self.window, self.windows = None, []  # the window being sent, and the packets of each
        for context, stack in board.stacks.items():
            for level, call in enumerate(stack):
                call.node = self._node(context, stack[:level], call.function)

    def _node(self, context, callers, function):
        """Returns a node number, or None if there is no room."""
        if callers and callers[-1].node is None and not self.flat:
            return None
        caller = callers[-1].function if callers else 0
        above = caller if self.flat else callers[-1].node if callers else None
        key = context, above, function
        if key not in self.keys and len(self.nodes) < self.room:
            self.keys[key] = len(self.nodes)
            self.nodes.append([context, above, function, 0, 0])
            self.changed[self.keys[key]] = True
        return self.keys.get(key)

    def _sums(self, context):
        self.touched[context] = True
        return self.outside.setdefault(context, [0, 0, 0])

    def ran(self, context, stack, ticks):
        super().ran(context, stack, ticks)
        if not stack:
            self._sums(context)[0] += ticks
        elif stack[-1].node is None:
            self._sums(context)[2] += ticks
        else:
            self.nodes[stack[-1].node][4] += ticks
            self.changed[stack[-1].node] = True

    def rename(self, task, before):
        self.names_due[task] = self.board.names[task]

    def enter(self, context, call, time):
        self._in_window(context, "enter", call, time)
        self.made[call.function] += 1
        call.node = self._node(context, self.board.stacks[context][:-1], call.function)
        if call.node is None:
            self._sums(context)[1] += 1
        else:
            self.nodes[call.node][3] += 1
            self.changed[call.node] = True

    def leave(self, context, ended, time):
        self._in_window(context, "leave", ended, time)

    def switch(self, task, time, is_wait):
        if self.window:
            self.window.switch(task, time, is_wait)
            self._take_window()

    def begin_window(self):
        """Sends events beside the sums from now on."""
        self.windows.append([])
        self.window = WindowTeller(self, len(self.windows))

    def _in_window(self, context, what, call, time):
        if not self.window:
            return
        getattr(self.window, what)(context, call, time)
        if self.window.left <= 0:
            self.window.end()
        self._take_window()

    def _take_window(self):
        self.windows[-1] += self.window.packets
        self.packets += self.window.packets
        self.window.packets = []
        if self.window.is_over:
            self.window = None

    @property
    def captured(self):
        return sum(node[3] for node in self.nodes) + sum(sums[1] for sums in self.outside.values())

    @property
    def usage(self):
        return len(self.nodes) * 100 // self.room

    @property
    def elapsed(self):
        return (self.stopped_at if self.is_stopped else self.board.time) - self.start

    def stop(self):
        super().stop()
        self.window = None  # the rest of it is not sent
        self.stopped_at = self.board.time
        self.changed = dict.fromkeys(range(len(self.nodes)), True)
        self.touched = dict.fromkeys(self.outside, True)

    def flush(self):
        """Sends some of the changed sums."""
        rows = TreeRows(self.flat, bool(self.wire.flags & 2))
        numbers = list(self.changed)
        self.rng.shuffle(numbers)
        contexts = list(self.touched)
        says = {"nodes": {}, "outside": {}}
        for context, text in self.names_due.items():
            rows.name(context, text)
        self.names_due = {}
        for context in contexts[:self.rows_most]:
            del self.touched[context]
            ticks, other_calls, other_ticks = self.outside[context]
            rows.sums(context, ticks, other_calls, other_ticks)
            says["outside"][context] = tuple(self.outside[context])
        for number in numbers[:self.rows_most]:
            del self.changed[number]
            context, above, function, count, ticks = self.nodes[number]
            rows.row(context, number, above, function, count, ticks, ticks if count else 0)
            says["nodes"][number] = tuple(self.nodes[number])
        data = self.wire.packet(self.elapsed, rows.records, nodes=len(self.nodes), stopped=self.is_stopped,
                                time=self.board.time)
        says.update(run=self.run, number=self.wire.number, base=self.start, elapsed=self.elapsed, stopped=self.is_stopped, hz=self.wire.hz,
                    flat=self.flat, in_use=len(self.nodes))
        self.packets.append(Packet("tree", data, agent=self, **says))

    def set_clock(self, hz):
        self.window = None
        self.hz = self.wire.hz = hz

    def tell_rest(self):
        while self.changed or self.touched:
            self.flush()


class WindowTeller(StreamAgent):
    """The events that a target in mode tree sends around a slow call (section 13): a separate stream, which is not counted."""

    def __init__(self, tree, number):
        Agent.__init__(self, tree.board, tree.hz)
        tree.board.agent = tree
        self.tree, self.run, self.number, self.captured, self.gap, self.writer = tree, number % 16, 0, 0, None, None
        self.slots_log, self.size = self.rng.randrange(4), self.rng.choice((150, 300))
        self.context, self.clock_due, self.shortens, self.names_due = tree.board.running, True, True, {}
        self.left, self.is_over = self.rng.choice((0, 3, 20)), False
        self._open(tree.board.time, tells_open=True)
        self.writer.window(self.rng.choice(tree.board.functions), 50, 0, self.rng.choice((0, 0, 3)))

    def enter(self, context, call, time):
        super().enter(context, call, time)
        self.left -= 1

    def leave(self, context, ended, time):
        super().leave(context, ended, time)
        self.left -= 1

    def end(self):
        if not self.writer:
            self.context = self.board.running
            self._open(self.board.time)
        self.writer.window_end()
        self.flush()
        self.is_over = True

    def flush(self):
        writer, self.writer = self.writer, None
        writer.head = bytes([writer.head[0], writer.head[1] | 4]) + writer.head[2:]
        self.number = writer.number
        self.packets.append(Packet("window", writer.packet(), agent=self.tree))
