"""times.py - times that miniprofd shows, beside those of clock.py: own and total ticks of each function, own ticks of each in each context, and of contexts."""
import itertools


class Sums:
    """Ticks of a call tree: `functions` is {function: [in it, with what it calls, where it counts once within itself]}, `contexts` {context: ticks}, `shares`
    {context: {function: in it}}."""

    def __init__(self, nodes):
        """`nodes`: (id, id of the caller's node, context, function, own ticks), callers first; the outermost have no function."""
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
    """Sums by addresses, and by names in brackets where a call has none. Contexts are those of the snapshot, their ticks what it says of them."""
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
    """(context shown, true context) by the functions that have run there; those without any in the order of their ticks. None: there is no such."""
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
    """Every time that is shown beside the true one. `wrong` says which are not the same, in sentences."""

    def __init__(self, run, is_stream):
        clock = run.counter.clock
        said = told(run.snapshot)
        if is_stream:  # it has no time but that of events, of which STOP is one that begins a packet or is not sent
            clock.keep_to_hooks(to_stop=clock.first is not None and sum(said.contexts.values()) == clock.ended - clock.first)
        self.clock, self.passed = clock, clock.ended - clock.began
        # The stream names a task's calls when it runs, once a second: one that has run since before START may end nameless, and is shown as its caller's.
        older = {node.function for nodes in clock.older.values() for node in nodes} | clock.older_ticks.keys() if is_stream else set()
        self.unnamed = sum(clock.older_ticks.values()) if is_stream else 0
        # A hook that STOP came into has got so far or so far, and all times have to be as one of these has them.
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
        """Where the time shown is furthest from the true one: in percent of all of the time, and of the true one."""
        off, _, what = max(self.compared)
        most, of, which = max(self.compared, key=lambda each: each[0] / max(each[1], 1))
        return (f"{len(self.compared)} times over {self.passed} ticks: {len([each for each in self.compared if not each[0]])} equal; worst share "
                f"{off / max(self.passed, 1) * 100:.4f} points ({off} ticks, {what}), worst of itself {most / max(of, 1) * 100:.3f} % ({most} ticks, {which}); "
                f"{self.unnamed} ticks of calls that ended without a name, {self.clock.repeated} hooks read again")
