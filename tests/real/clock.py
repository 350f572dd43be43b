"""clock.py - computes the duration of an image's calls from QEMU's log of counter reads by the hooks, independently of the profiler.

A hook's time is its first read: a call runs from the time of its entry to that of its exit. The time between two reads belongs to the innermost call of the
running task or exception. An interrupt runs from the read of its outermost entry to that of its exit; its time before and after is invisible to hooks and belongs
to the interrupted code. A task runs from the read in mpt_context_switch() on. QEMU logs the begin and end of exceptions, so the context of each read is known.

In mode tree, an interrupt without hooks that calls mpt_poll() runs from the first read of that to its end.

An interrupted hook may read again because its first value is stale: then the new read is its time, and it is counted in `repeated`. In mode tree a task switch always
reads twice, the second time without effect: there the second of three reads replaces the first, which is a guess. It is also unknown whether an interrupted hook has
already reported to the tree which call runs. If the tree is stopped in that interrupt, or the period of its counter ends there, the ticks since the read belong to either
call. `guessed` counts those ticks at the end of a period; when the tree is stopped, all times must match one of Hook.states()."""
# Groups: the value of SysTick (24 bits), the value of the board's timer (32 bits), the number of an exception that begins, of one that ends.
TRACED = ("systick_read", "cmsdk_apb_timer_read", "nvic_acknowledge_irq", "nvic_complete_irq")
LOGGED = (rb"systick_read [^\n]*addr 0x8 data 0x([0-9a-f]+) [^\n]*\n|cmsdk_apb_timer_read [^\n]*offset 0x4 data 0x([0-9a-f]+) [^\n]*\n"
          rb"|nvic_acknowledge_irq [^\n]*IRQ: (\d+) now[^\n]*\n|nvic_complete_irq [^\n]*IRQ (\d+) [^\n]*\n")
SYSTICK, TIMER = range(2)
BITS = 24, 32
HOOK_TICKS = 400  # the most that a hook takes after its read


def key(task, exception):
    """Returns the key of a context: tasks are 0 and up, exceptions below 0."""
    return exception - 512 if exception else task


class Node:
    """A function as called along one chain in one context, with its self ticks. The root of a context has no function."""

    __slots__ = ("parent", "function", "callees", "self")

    def __init__(self, parent, function):
        self.parent, self.function, self.callees, self.self = parent, function, {}, 0

    def callee(self, function):
        node = self.callees.get(function)
        if node is None:
            node = self.callees[function] = Node(self, function)
        return node

    def all(self):
        """Returns itself and all nodes below, callers first."""
        nodes = [self]
        for node in nodes:
            nodes += node.callees.values()
        return nodes


class Hook:
    """A hook that waits for its read, which calls act(). `reads_twice`: it does so even if not interrupted."""

    __slots__ = ("act", "reads_twice", "reads", "is_interrupted", "before", "after", "mark", "stale", "previous")

    def __init__(self, act, reads_twice):
        self.act, self.reads_twice, self.reads, self.is_interrupted, self.stale, self.after = act, reads_twice, 0, False, None, None

    def states(self):
        """Returns the possible states of a tree that was stopped within this hook, as {node: ticks} that differ from a completed hook: none; the ticks after
        its read still belong to the node before; or, in addition, the ticks that it has read are not added yet."""
        after = self.after.self - self.mark
        added = {self.after: -after, self.before: after}
        if not self.previous or self.previous.after is not self.before:
            return {}, added
        return {}, added, {**added, self.before: after - (self.before.self - self.previous.mark)}


class Clock:
    """`roots` are the contexts' trees; ticks count from START to STOP."""

    def __init__(self):
        self.counter = None  # SYSTICK or TIMER
        self.raw = self.now = 0
        self.task = 0
        self.exceptions = []  # running, outermost first
        self.roots, self.at = {}, {}  # of each context: the root; the running node
        self.runs = [0]  # the running task, and interrupts on top of it
        self.waits = {}  # context: its newest hook
        self.is_on = self.is_tree = False
        self.began = self.ended = self.repeated = self.guessed = 0
        self.idle = 0  # ticks since the newest hook
        self.first = None  # time of the first hook's read after START
        self.lead = {}  # {node: ticks} between START and that
        self.older = {}  # context: nodes of calls that began before START, outermost first
        self.older_ticks = {}  # {function: self ticks of such calls that have ended}
        self.newest = {}  # context: the hook that has read last
        self.unfinished = []  # hooks that STOP may have interrupted

    # ---- what QEMU logs ----

    def logged(self, systick, timer, begun, ended):
        if begun:
            self._begin(int(begun))
        elif ended:
            self._end(int(ended))
        else:
            self._read(TIMER if timer else SYSTICK, int(timer or systick, 16))

    def _begin(self, exception):
        hook = self.waits.get(self._context())
        if hook:
            hook.is_interrupted = True
        self.exceptions.append(exception)
        self.forget(self._context())

    def _end(self, exception):
        if exception in self.exceptions:
            del self.exceptions[self.exceptions.index(exception):]

    def _context(self):
        return key(self.task, self.exceptions[-1] if self.exceptions else 0)

    def _read(self, counter, raw):
        if self.counter is None or counter > self.counter:  # an agent that reads a timer does not count with SysTick
            self.counter, self.raw = counter, raw
        if counter != self.counter:
            return
        passed = (self.raw - raw) % (1 << BITS[counter])  # they count down
        self.raw = raw
        self.now += passed
        if self.is_on:
            running = self.running()
            running.self += passed
            self.idle += passed
            if self.first is None:
                self.lead[running] = self.lead.get(running, 0) + passed
        hook = self.waits.get(self._context())
        if not hook:
            return
        hook.reads += 1
        if hook.reads == 1:
            hook.previous = self.newest.get(self._context())
            self._act(hook)
            self.newest[self._context()] = hook
        elif self.is_on and hook.is_interrupted:
            self._read_again(hook)

    def _act(self, hook):
        hook.before = self.running()
        if self.is_on and self.first is None:
            self.first = self.now
        hook.act()
        self.idle = 0 if self.is_on else self.idle
        hook.after = self.running()
        hook.mark = hook.after.self

    def _read_again(self, hook):
        stale = hook.after.self - hook.mark
        if hook.reads_twice and hook.reads == 2:
            hook.stale = stale
            return
        if hook.reads_twice:
            if hook.reads > 3 or hook.stale is None:
                return
            stale, self.guessed = hook.stale, self.guessed + abs(hook.stale)
        hook.after.self -= stale
        hook.before.self += stale
        hook.mark = hook.after.self
        self.idle = 0
        hook.is_interrupted = False
        self.repeated += 1

    # ---- hooks ----

    def root(self, context):
        node = self.roots.get(context)
        if node is None:
            node = self.roots[context] = self.at[context] = Node(None, None)
        return node

    def running(self):
        self.root(self.runs[-1])
        return self.at[self.runs[-1]]

    def forget(self, context):
        """Further reads in this context belong to no hook. A hook that has not read yet takes effect now."""
        hook = self.waits.pop(context, None)
        if hook and not hook.reads:
            hook.act()

    def wait(self, context, act, reads_twice=False):
        self.forget(context)
        self.waits[context] = Hook(act, reads_twice)

    def moves(self, context, node, caught_by=None):
        """Begins a hook: once it has read the counter, `node` runs in the context. `caught_by` is the node that ends after a longjmp left calls inside it. The time of the
        longjmp is unknown: a tree adds the time since the hook before to the innermost call, a stream to the one that ends."""
        before = self.waits.get(context)
        self.wait(context, lambda: self._move(context, node, caught_by, before))

    def _move(self, context, node, caught_by, before):
        if caught_by and before and before.after and not self.is_tree:
            since = before.after.self - before.mark
            before.after.self -= since
            caught_by.self += since
        if context >= 0:
            self.runs = [context]
        elif context in self.runs:
            del self.runs[self.runs.index(context) + 1:]
        else:
            self.runs.append(context)
        self.root(context)
        self.at[context] = node
        self._ended_older(context, node)
        if context < 0 and not node.parent:
            self.runs.pop()

    def switches(self, context, task):
        """The kernel, in `context`, reports that a task runs."""
        self.task = task
        self.wait(context, lambda: self._switch(task), self.is_tree)

    def _switch(self, task):
        self.runs[0] = task

    def polls(self, context):
        """mpt_poll() begins in this context. In mode tree it makes a context of an interrupt without hooks."""
        if self.is_on and self.is_tree and context < 0 and context not in self.runs:
            self.wait(context, lambda: self._open(context))
        else:
            self.forget(context)

    def _open(self, context):
        self.runs.append(context)
        self.root(context)

    def polled(self, context):
        """mpt_poll() ends."""
        self.forget(context)
        if context in self.runs:
            self.moves(context, self.root(context))

    def leaves(self, context):
        """The hook that ends an interrupt has read the counter. Further reads have no effect."""
        self.forget(context)

    def keeps_time(self, context):
        if self.is_on and self.is_tree and context < 0:
            self.wait(context, self._doubt)
        else:
            self.forget(context)

    def _doubt(self):
        for context in self.runs:
            hook = self.waits.get(context)
            since = hook.after.self - hook.mark if hook and hook.after else 0
            self.guessed += since if 0 < since <= HOOK_TICKS else 0

    def _ended_older(self, context, node):
        older = self.older.get(context)
        while older and older[-1] not in chain(node):
            ended = older.pop()
            self.older_ticks[ended.function] = self.older_ticks.get(ended.function, 0) + ended.self

    def start_tree(self):
        self.start()
        self.is_tree = True

    def start(self):
        for root in self.roots.values():
            for node in root.all():
                node.self = 0
        self.is_on, self.is_tree, self.began, self.repeated, self.guessed, self.first, self.lead = True, False, self.now, 0, 0, None, {}
        self.older = {context: chain(node)[::-1] for context, node in self.at.items()}
        self.older_ticks = {}

    def stop(self):
        if not self.is_on:
            return
        self.is_on, self.ended = False, self.now
        if self.is_tree and self.exceptions:
            hooks = (self.waits.get(context) for context in self.runs)
            self.unfinished = [hook for hook in hooks if hook and hook.reads and hook.is_interrupted and hook.after is not hook.before]

    def keep_to_hooks(self, to_stop):
        """Keeps only the time from the first hook on, and unless `to_stop` only up to the newest hook."""
        for node, ticks in self.lead.items():
            node.self -= ticks
        self.began = self.began if self.first is None else self.first
        if not to_stop:
            self.running().self -= self.idle
            self.ended -= self.idle
        self.idle, self.lead = 0, {}

    def nodes(self):
        """Yields (context, node) of all, callers first."""
        for context, root in self.roots.items():
            for node in root.all():
                yield context, node


def chain(node):
    """Returns the calls from this node outwards."""
    nodes = []
    while node.parent:
        nodes.append(node)
        node = node.parent
    return nodes
