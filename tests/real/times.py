"""times.py - compares miniprofd's times with those of clock.py: self and total ticks of each function, and the ticks of each context."""
import itertools


class Sums:
    """Ticks of a call tree: `functions` is {function: [self, total]}, where recursion counts once in the total, `contexts` {context: ticks}, `shares`
    {context: {function: self}}."""

    def __init__(self, nodes):
        """`nodes`: (id, id of the caller's node, context, function, self ticks), callers first; the outermost have no function."""
        self.functions, self.contexts, self.shares = {}, {}, {}
        above = {None: frozenset()}
        for node, parent, context, function, ticks in nodes:
            above[node] = above[parent] | {function} if function is not None else above[parent]
            self.contexts[context] = self.contexts.get(context, 0) + ticks
            if function is None:
                continue
            shares = self.shares.setdefault(context, {})
            shares[function] = shares.get(function, 0) + ticks
            for its in above[node]:
                self.functions.setdefault(its, [0, 0])[1] += ticks
            self.functions[function][0] += ticks


def told(snapshot):
    """Returns the snapshot's sums by address, or by "?" and the name for placeholders. The ticks of contexts are the snapshot's running ticks."""
    functions = {f["id"]: (int(f["address"], 16) & ~1) if f["kind"] == "function" else "?" + f["name"]
                 for f in snapshot["functions"] if f["kind"] not in ("outside", "unknown")}
    tree = snapshot["call_tree"]
    rows = enumerate(zip(tree["parent"], tree["context"], tree["function"], tree["self_ticks"]))
    sums = Sums((row, parent if parent >= 0 else None, context, functions.get(function), ticks or 0) for row, (parent, context, function, ticks) in rows)
    sums.contexts = {context["id"]: context["running_ticks"] or 0 for context in snapshot["contexts"]}
    return sums


def true(clock):
    return Sums((node, node.parent, context, node.function, node.self) for context, node in clock.nodes())


def pairs(said, clocked):
    """Returns pairs (shown context, true context), matched by the functions that ran there, or by ticks if none did. None: no such context."""
    found, left = [], sorted((c for c in clocked.contexts if clocked.contexts[c] or c in clocked.shares), key=clocked.contexts.get)
    for context in sorted(said.contexts, key=lambda c: (c not in said.shares, -said.contexts[c])):
        shares = said.shares.get(context, {})

        def alike(other):
            return (sum(min(shares.get(f, 0), ticks) for f, ticks in clocked.shares.get(other, {}).items()), other not in clocked.shares, clocked.contexts[other])

        other = max(left, key=alike) if left else None
        found.append((context, other))
        left = [c for c in left if c != other]
    return found + [(None, c) for c in left if clocked.contexts[c]]


def move(states, sign):
    for state in states:
        for node, ticks in state.items():
            node.self += sign * ticks


class Times:
    """Compares every shown time with the true one. `wrong` has a sentence for each that differs."""

    def __init__(self, run, is_stream):
        clock = run.counter.clock
        said = told(run.snapshot)
        if is_stream:  # a stream has only times of events; STOP is one only if it begins a packet
            clock.keep_to_hooks(to_stop=clock.first is not None and sum(said.contexts.values()) == clock.ended - clock.first)
        self.clock, self.passed = clock, clock.ended - clock.began
        # The stream names the calls of a running task once a second. A call from before START may end without a name: its time is shown as its caller's.
        older = {node.function for nodes in clock.older.values() for node in nodes} | clock.older_ticks.keys() if is_stream else set()
        self.unnamed = sum(clock.older_ticks.values()) if is_stream else 0
        # A hook that STOP interrupted is in one of several states: all times must match one combination of these.
        tried = []
        for states in itertools.product(*(hook.states() for hook in clock.unfinished)):
            self.compared, self.wrong = [], []
            move(states, 1)
            self._compare_all(run, said, true(clock), older)
            move(states, -1)
            tried.append((len(self.wrong), len(tried), self.compared, self.wrong))
        _, _, self.compared, self.wrong = min(tried)

    def _compare_all(self, run, said, clocked, older):
        for function in {**said.functions, **clocked.functions}:
            is_named = not isinstance(function, str)
            name = run.image.name(function) if is_named else function
            for what, is_told, is_true in zip(("own", "total"), said.functions.get(function, (0, 0)), clocked.functions.get(function, (0, 0))):
                self._compare(f"{name}'s {what} time", is_told, is_true, self.unnamed if function in older or not is_named else 0)
        names = {context["id"]: context["name"] for context in run.snapshot["contexts"]}
        for context, other in pairs(said, clocked):
            name = names.get(context) or f"context {other}"
            self._compare(f"the time of {name}", said.contexts.get(context, 0), clocked.contexts.get(other, 0), 0)

    def _compare(self, what, is_told, is_true, doubt):
        self.compared.append((abs(is_told - is_true), is_true, what))
        if abs(is_told - is_true) > doubt + self.clock.guessed:
            self.wrong.append(f"{what}: {is_told} ticks shown, {is_true} true")

    def figures(self):
        """Returns a text with the worst errors: in percent of all time, and of the true time."""
        off, _, what = max(self.compared)
        most, of, which = max(self.compared, key=lambda each: each[0] / max(each[1], 1))
        return (f"{len(self.compared)} times over {self.passed} ticks: {len([each for each in self.compared if not each[0]])} equal; worst share "
                f"{off / max(self.passed, 1) * 100:.4f} points ({off} ticks, {what}), worst of itself {most / max(of, 1) * 100:.3f} % ({most} ticks, {which}); "
                f"{self.unnamed} ticks of calls that ended without a name, {self.clock.repeated} hooks read again")
