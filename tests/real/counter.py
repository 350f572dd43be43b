"""counter.py - counts the calls of an image from QEMU's log, independently of the profiler.

QEMU logs the registers where a hook begins: R0 is the function, R1 its return address, R13 the stack pointer, R14 the hook's return address, XPSR has the number of
the running exception. Calls are paired by the stack pointer: a frame ends at its exit, or when code runs whose stack pointer is above it, as after a
longjmp. Frames are kept for each exception and each task. The kernel reports the running task (mpt_context_switch); that the tasks' stacks do not
overlap confirms it.

Two things cannot be decided. If a function calls itself at one place, jumps to the hook as its last step, and a longjmp leaves several levels at once, the
level of an exit is unknown: the innermost is taken. And a hook that START or STOP interrupts may count or not: `doubtful` has the edges of such hooks, one
for each task and exception."""
import re

from clock import LOGGED, TRACED, Clock, key

# Functions at which QEMU logs the registers. Those of the third line exist only if the kernel has tasks or the agent the tree.
ENTER, EXIT = "__cyg_profile_func_enter", "__cyg_profile_func_exit"
PUT, MARK, THAW = "mpt_ring_put", "mpt_calls_take_mark", "mpt_ring_thaw"
SWITCH, BEGIN, TREE_START, TREE_STOP = "mpt_context_switch", "mpt_context_begin", "mpt_tree_start", "mpt_tree_stop"
POLL, END_POLL, LEAVE = "mpt_poll", "mpt_tree_end_poll", "mpt_tree_leave_context"
KEEP_TIME = "mpt_keep_time"
READERS = ("mpt_room", "mpt_port_read", "mpt_port_write")  # read the counter outside of hooks, or before a hook reads it
NEEDED = (ENTER, EXIT, PUT, MARK, THAW)
KNOWN = (*NEEDED, SWITCH, BEGIN, TREE_START, TREE_STOP, POLL, END_POLL, LEAVE, KEEP_TIME, *READERS)
# A mark is the begin or end of a stream. It is put in the ring (R0: the mark) or, if the ring is empty, taken at once (R0: its low bits).
FIRST_MARK, LAST_MARK, MARK_ON = 0xFFFF3000, 0xFFFF3FFF, 1

# When QEMU stops a block before its first instruction, for an interrupt or the clock, it logs the block again when it runs.
RECORD = re.compile(rb"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/[^\n]*\nR00=([0-9a-f]+) R01=([0-9a-f]+) [^\n]*\n[^\n]*\n[^\n]*\n"
                    rb"R12=[0-9a-f]+ R13=([0-9a-f]+) R14=([0-9a-f]+) [^\n]*\nXPSR=([0-9a-f]+)[^\n]*\n"
                    rb"|(Stopped) execution of TB [^\n]*\n|" + LOGGED)
EXCEPTION = 0x1FF


def log_options(image):
    """Returns QEMU's options for the log that read_log() reads."""
    missing = [name for name in NEEDED if name not in image.functions]
    if missing:
        raise ValueError(f"the image has no {', '.join(missing)}: was it built with the agent, symbols and all?")
    places = ",".join(f"{image.functions[name]:#x}+2" for name in KNOWN if name in image.functions)
    return ["-d", "exec,cpu,nochain", "-dfilter", places, *(option for event in TRACED for option in ("-trace", event))]


class Frame:
    __slots__ = ("function", "sp", "at", "host", "edge", "node")

    def __init__(self, function, sp, at, host, edge, node):
        self.function, self.sp, self.at, self.host, self.edge, self.node = function, sp, at, host, edge, node


class Counter:
    """`edges` is {(caller or None, function): entries from START to STOP}, `ended` the same for calls that have ended; functions are addresses
    without the Thumb bit. `unpaired` counts exits without an entry, `left` frames that ended without an exit. `clock` has the times."""

    def __init__(self, image):
        self.image = image
        self.clock = Clock()
        self.names = {image.functions[name]: name for name in KNOWN if name in image.functions}
        self.edges, self.ended = {}, {}
        self.doubtful = set()
        self.latest = {}  # task or exception: edge of the newest call that began or ended
        self.frames = {}  # task or exception: its frames
        self.stacks = {}  # task: least and greatest stack pointer since START
        self.task = 0
        self.is_on = self.has_polled = False
        self.waits = None  # a logged block that may not have run yet
        self.at_stop = self.at_thaw = None  # the counts when STOP was put in the ring, and when the ring had room again
        self.starts = self.stops = self.events = self.all_events = self.unpaired = self.left = 0

    def happened(self, address, r0, r1, sp, returns_to, xpsr):
        name = self.names.get(address)
        context = key(self.task, xpsr & EXCEPTION)
        if name in (ENTER, EXIT) and not self.image.is_function(r0):
            return  # the agent, which measures its hooks
        if name is ENTER:
            self._enter(r0 & ~1, sp, returns_to, self._running(sp, xpsr))
        elif name is EXIT:
            self._exit(r0 & ~1, sp, returns_to == r1, self._running(sp, xpsr))
        elif name is SWITCH:
            self.task = r0 & 0xFF
            self.clock.switches(key(self.task, xpsr & EXCEPTION), self.task)
        elif name is BEGIN:
            self.frames[r0 & 0xFF] = []
            self.clock.at[r0 & 0xFF] = self.clock.root(r0 & 0xFF)
        elif name in (TREE_START, TREE_STOP) and not self.has_polled:
            return  # the agent, which measures its hooks; orders come by mpt_poll()
        elif name is TREE_START:
            self._start()
            self.clock.wait(context, self.clock.start_tree)
        elif name is TREE_STOP:
            self._stop()
            self.clock.wait(context, self.clock.stop)
        elif name is POLL:
            self.has_polled = True
            self.clock.polls(context)
        elif name is END_POLL:
            self.clock.polled(context)
        elif name is LEAVE:
            self.clock.leaves(context)
        elif name is KEEP_TIME:
            self.clock.keeps_time(context)
        elif name in READERS:
            self.clock.forget(context)
        elif name is PUT and FIRST_MARK <= r0 <= LAST_MARK:
            self._mark(r0, context)
        elif name is THAW and self.at_stop:
            self.at_thaw = self._counted()
        elif name is MARK and self.at_stop:
            # After a full ring fewer events are taken than were put: all later ones were lost, and reported as lost, until it had room again.
            if r0 < FIRST_MARK:
                self.at_stop = self.at_thaw
            self._settle()
        elif name is MARK and r0 < FIRST_MARK:
            self._mark(r0, None)

    def _mark(self, mark, context):
        """`context`: where the mark was put in the ring; None if it was taken."""
        if mark & MARK_ON:
            self._start()
            self.clock.start()
        elif self.is_on and not self.at_stop:
            self._stop()
            if context is None:
                self.clock.stop()
            else:
                self.is_on, self.at_stop = True, self._counted()
                self.clock.wait(context, self.clock.stop)

    def _counted(self):
        return dict(self.edges), dict(self.ended), self.events, self.left

    def _settle(self):
        self.is_on = False
        if self.at_stop:
            self.edges, self.ended, self.events, self.left = self.at_stop
            self.at_stop = None

    def _stop(self):
        self.is_on = False
        self.doubtful |= set(self.latest.values())
        self.stops += 1

    def _start(self):
        self.is_on = True
        self.starts += 1
        self.doubtful = set(self.latest.values())
        self.edges, self.ended, self.stacks, self.events, self.left = {}, {}, {}, 0, 0
        for frames in self.frames.values():
            for frame in frames:
                frame.edge = None  # it began before START

    def _running(self, sp, xpsr):
        """Counts a hook. Returns the frames of the running task or exception."""
        exception = xpsr & EXCEPTION
        self.all_events += 1
        if self.is_on:
            self.events += 1
            if not exception:
                least, most = self.stacks.get(self.task, (sp, sp))
                self.stacks[self.task] = min(least, sp), max(most, sp)
        self.context = key(self.task, exception)
        return self.frames.setdefault(self.context, [])

    def _end(self, frame):
        if frame.edge and self.is_on:
            self.ended[frame.edge] = self.ended.get(frame.edge, 0) + 1

    def _leave(self, frames):
        """Ends the innermost frame without an exit."""
        self._end(frames.pop())
        self.left += 1

    def _enter(self, function, sp, returns_to, frames):
        host = self.image.host(returns_to)
        # A stack frame has several calls if gcc has inlined functions: all are in one host, and each at a different place.
        while frames and (frames[-1].sp < sp or frames[-1].sp == sp and (frames[-1].at == returns_to or frames[-1].host != host)):
            self._leave(frames)
        edge = self.latest[self.context] = (frames[-1].function if frames else None, function)
        if not self.is_on:
            edge = None
        else:
            self.edges[edge] = self.edges.get(edge, 0) + 1
        node = (frames[-1].node if frames else self.clock.root(self.context)).callee(function)
        frames.append(Frame(function, sp, returns_to, host, edge, node))
        self.clock.moves(self.context, node)

    def _exit(self, function, sp, is_jumped_to, frames):
        found = None
        for at in range(len(frames) - 1, -1, -1):
            if frames[at].function != function:
                continue
            # A hook that is jumped to returns to the function's caller, after the function's stack frame was released.
            if frames[at].sp <= sp if is_jumped_to else frames[at].sp >= sp:
                found = at
                break
            found = at if found is None else found
        if found is None:
            self.unpaired += 1
            return
        has_left = len(frames) > found + 1
        while len(frames) > found + 1:
            self._leave(frames)
        self.latest[self.context] = (frames[-2].function if found else None, function)
        ended = frames[-1].node
        self.clock.moves(self.context, ended.parent, ended if has_left else None)
        self._end(frames.pop())

    def end(self):
        """Ends the log."""
        if self.waits:
            self.happened(*self.waits)
        self._settle()

    def has_stopped(self):
        """Returns True if STOP was counted or is the last entry of the log so far."""
        if self.stops or not self.waits:
            return self.stops > 0
        name = self.names.get(self.waits[0])
        return name in (TREE_STOP, MARK) or name is PUT and self.waits[1] >= FIRST_MARK

    def overlapping(self):
        """Returns the pairs of tasks whose used stacks overlap: none if the kernel reported each switch."""
        stacks = sorted((least, most, task) for task, (least, most) in self.stacks.items())
        return [(a[2], b[2]) for a, b in zip(stacks, stacks[1:]) if b[0] <= a[1]]


def read_log(file, counter, size=1 << 20):
    """Reads QEMU's log to its end, also from a pipe. The last block waits for the next entry, which may report that QEMU stopped before it."""
    rest = b""
    while chunk := file.read(size):
        rest += chunk
        end = 0
        for record in RECORD.finditer(rest):
            end = record.end()
            *registers, stopped, systick, timer, begun, ended = record.groups()
            if counter.waits and not stopped:
                counter.happened(*counter.waits)
            counter.waits = [int(register, 16) for register in registers] if registers[0] else None
            if not registers[0] and not stopped:
                counter.clock.logged(systick, timer, begun, ended)
        rest = rest[end:]
    counter.end()
