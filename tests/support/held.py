"""held.py - a client of server-sent events, and the comparison of its data with a snapshot."""
from daemon import PATIENCE


def first_difference(one, other):
    if isinstance(one, dict):
        return {k: (one[k], other.get(k)) for k in one if one[k] != other.get(k)}
    return next(((x, y) for x, y in zip(one, other) if x != y), (len(one), len(other)))


class Held:
    """The data of a client that receives server-sent events."""

    def take(self, data, is_whole):
        tree = data["call_tree"]
        if is_whole:
            self.functions, self.nodes, self.contexts = {}, {}, {}
        self.functions.update((f["id"], f) for f in data["functions"])
        self.contexts.update((c["id"], c) for c in data["contexts"])
        for i, index in enumerate(tree["index"]):
            parent = tree["parent"][i]
            node = {key: tree[key][i] for key in ("function", "context", "calls", "total_ticks", "self_ticks")}
            node["parent"] = tree["index"][parent] if is_whole and parent >= 0 else parent
            self.nodes[index] = node
        self.link, self.sequence, self.complete = data["link"], data["sequence"], data["complete"]
        self.reasons = data["incomplete_because"]

    def is_like(self, daemon):
        """Compares it with a snapshot of the same sequence; applies further changes until there is one."""
        snapshot = daemon.snapshot()
        if snapshot["sequence"] != self.sequence:
            for event, data in daemon.events(PATIENCE):  # from a whole snapshot on, as a client that connects later
                self.take(data, is_whole=event == "snapshot") if event in ("snapshot", "delta") else None
                snapshot = daemon.snapshot()
                if event in ("snapshot", "delta") and snapshot["sequence"] == self.sequence:
                    break
        whole = Held()
        whole.take(snapshot, is_whole=True)
        assert self.functions == whole.functions, first_difference(self.functions, whole.functions)
        empty = [index for index, node in self.nodes.items() if index not in whole.nodes]
        assert not any(self.nodes[i][key] for i in empty for key in ("calls", "total_ticks", "self_ticks")), empty
        assert {i: node for i, node in self.nodes.items() if i in whole.nodes} == whole.nodes
        assert self.contexts == whole.contexts and self.reasons == whole.reasons and self.complete == whole.complete
