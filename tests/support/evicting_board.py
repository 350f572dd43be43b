"""evicting_board.py - an agent for random_board.py that evicts nodes of its call tree (protocol/SPEC.md 12.9), sessions of it as captures, and the
truth about each chain of callers."""
import random
import struct
from collections import Counter

from packets import ACK, METADATA, PROFILE_DATA, context, framed, outside, signed, varint
from random_board import Agent, Board, Packet

GENERATIONS = 1 << 16
LOOKED_AT = 8  # leaves, the lightest of which is evicted


class Node:
    __slots__ = ("place", "generation", "context", "parent", "function", "calls", "own", "below", "inherited", "callees", "running")

    def __init__(self, place, generation, of, parent, function, inherited):
        self.place, self.generation, self.context, self.parent, self.function, self.inherited = place, generation, of, parent, function, inherited
        self.calls = self.own = self.below = self.callees = self.running = 0

    @property
    def chain(self):
        return (self.parent.chain if self.parent else (self.context,)) + (self.function,)


class EvictingAgent(Agent):
    """Version 3 with eviction. `chains` is the truth {(context, function, ...): self ticks}; `bound` is the most that a chain may lack."""

    mode = "tree"

    def __init__(self, board, hz, run, places, refresh):
        super().__init__(board, hz)
        self.run, self.places, self.refresh = run, places, refresh
        self.nodes, self.gone, self.below, self.outside = [], {}, Counter(), {}
        self.chains = Counter()
        self.bound = self.evictions = self.refused = 0
        self.number = -1
        self.first = self.whole = 0
        self.items, self.told, self.index, self.round = None, {}, {}, 0
        self.items_most = self.rng.choice((3, 20, 200))
        for of, stack in board.stacks.items():
            for level, call in enumerate(stack):
                call.node = self._node(of, stack[:level], call.function)
                self._begin(call)

    # ---- the tree

    def _begin(self, call):
        if call.node:
            call.node.running += 1

    def _node(self, of, callers, function):
        parent = callers[-1].node if callers else None
        if callers and parent is None:
            return None
        for node in self.nodes:
            if node.context == of and node.parent is parent and node.function == function:
                return node
        place, generation = len(self.nodes), self.rng.choice((0, 0, GENERATIONS - 1))
        if place == self.places:
            victim = self._victim(parent)
            if victim is None:
                return None
            self._evict(victim)
            place, generation = victim.place, (victim.generation + 1) % GENERATIONS
        node = Node(place, generation, of, parent, function, self.bound)
        self.nodes[place:place + 1] = [node]
        if parent:
            parent.callees += 1
        return node

    def _victim(self, parent):
        at = self.rng.randrange(self.places)
        leaves = [node for node in self.nodes[at:] + self.nodes[:at] if not node.callees and not node.running and node is not parent][:LOOKED_AT]
        return min(leaves, key=self._weight, default=None)

    @staticmethod
    def _weight(node):
        return node.own + node.below + node.inherited

    def _evict(self, node):
        self.bound = max(self.bound, self._weight(node))
        self.evictions += 1
        gone = self.gone.setdefault(node.function, [0, 0])
        gone[0] += node.calls
        gone[1] += node.own
        if node.parent:
            node.parent.below += node.own + node.below
            node.parent.callees -= 1
        else:
            self.below[node.context] += node.own + node.below

    # ---- what happens

    def _sums(self, of):
        return self.outside.setdefault(of, [0, 0, 0])

    def ran(self, context, stack, ticks):
        super().ran(context, stack, ticks)
        if not stack:
            self._sums(context)[0] += ticks
        elif stack[-1].node is None:
            self._sums(context)[2] += ticks
        else:
            stack[-1].node.own += ticks
        if stack:
            self.chains[(context, *(call.function for call in stack))] += ticks

    def enter(self, context, call, time):
        self.made[call.function] += 1
        call.node = self._node(context, self.board.stacks[context][:-1], call.function)
        self._begin(call)
        if call.node is None:
            self._sums(context)[1] += 1
            self.refused += 1
        else:
            call.node.calls += 1

    def leave(self, context, ended, time):
        for call in ended:
            if call.node:
                call.node.running -= 1

    @property
    def elapsed(self):
        return (self.stopped_at if self.is_stopped else self.board.time) - self.start

    def stop(self):
        super().stop()
        self.stopped_at = self.board.time
        self.items, self.told, self.whole = None, {}, 0

    # ---- what is sent

    def _is_due(self, item, value):
        at = self.index.setdefault(item, len(self.index))
        if self.told.get(item) == value and (self.round + at) % self.refresh:
            return False
        self.told[item] = value
        return True

    def _begin_round(self):
        self.round += 1
        self.first = self.number + 1
        self.items = [("gone", f) for f in [*self.gone, *(f for f in self.board.functions if f not in self.gone)]]
        self.items += [("outer", of) for of in self.board.stacks] + [("below", n) for n in range(self.places)]
        self.items += [("sums", of) for of in self.board.stacks] + [("row", n) for n in range(self.places)]

    def flush(self):
        """Sends the next packet of the round. True when it was the last."""
        if self.items is None:
            self._begin_round()
        self.records, self.at, self.address, self.of = b"", 0, 0, 0
        taken, self.items = self.items[:self.items_most], self.items[self.items_most:]
        for item in taken:
            getattr(self, "_tell_" + item[0])(item, item[1])
        is_last = not self.items
        if is_last:
            self.whole = min(self.whole + 1, self.refresh)
            self.records += b"\xce" + varint(self.first) + varint(self.whole)
            self.items = None
        self._send(is_last and self.is_stopped)
        return is_last

    def _send(self, closes):
        self.number += 1
        flags = 0x40 | self.is_stopped << 2 | closes << 3
        head = struct.pack("<BBII", 3, flags, self.run << 28 | self.number, self.board.time & 0xFFFFFFFF)
        head += b"".join(map(varint, (self.elapsed, self.hz, len(self.nodes), self.places, self.bound, self.evictions)))
        self.packets.append(Packet("tree", framed(PROFILE_DATA, head + self.records), agent=self))

    def _of(self, of):
        if self.of != of:
            self.records += context(of)
            self.of = of

    def _function(self, address):
        step = (address - self.address) & 0xFFFFFFFF
        self.address = address
        return signed(step - (1 << 32) if step >> 31 else step)

    def _tell_gone(self, item, function):
        if function in self.gone and self._is_due(item, tuple(self.gone[function])):
            calls, ticks = self.gone[function]
            self.records += b"\xcc" + self._function(function) + varint(calls) + varint(ticks)

    def _tell_outer(self, item, of):
        if self.below[of] and self._is_due(item, self.below[of]):
            self._of(of)
            self.records += b"\xcd\x00" + varint(self.below[of])

    def _tell_below(self, item, place):
        node = self.nodes[place] if place < len(self.nodes) else None
        if node and node.below and self._is_due(item, (node.generation, node.below)):
            self._of(node.context)
            self.records += b"\xcd" + varint(place + 1) + varint(node.generation) + varint(node.below)

    def _tell_sums(self, item, of):
        if of in self.outside and self._is_due(item, tuple(self.outside[of])):
            self._of(of)
            self.records += outside(*self.outside[of])

    def _tell_row(self, item, place):
        node = self.nodes[place] if place < len(self.nodes) else None
        if not node or not self._is_due(item, (node.generation, node.calls, node.own)):
            return
        self._of(node.context)
        step = place - self.at
        if not 0 <= step < 0x80:
            self.records += b"\xc0" + varint(place)
            step = 0
        self.at = place
        self.records += bytes([step]) + signed(place - node.parent.place if node.parent else 0) + varint(node.generation)
        self.records += varint(node.parent.generation) if node.parent else b""
        self.records += self._function(node.function) + varint(node.calls) + varint(node.own)

    def tell_rest(self):
        while not self.flush():
            pass


class EvictingProgram:
    """The program of a seed: one to three runs, each ended by STOP, with tasks, interrupts and longjmps. `is_whole` is true if the line lost nothing."""

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        functions = [0x08000100 + 4 * n for n in rng.sample(range(1, 2000), rng.choice((3, 8, 20)))]
        self.board = Board(rng, [0, 2, 4][:rng.choice((1, 1, 3))], [31, 33][:rng.choice((0, 1, 2))], functions)
        self.packets, self.agents = [], []
        self.packets.append(Packet("metadata", framed(METADATA, struct.pack("<III", 8000000, 1000000, 0) + b"v1".ljust(16, b"\0"))))
        for _ in range(rng.choice((0, 10))):
            self.board.step()
        for run in range(1, 1 + rng.choice((1, 1, 2, 3))):
            self._run(run)
        self.is_whole = rng.random() < 0.6
        self._spoil()
        self.capture = b"".join(self._bytes_of(packet) for packet in self.packets)

    def _run(self, run):
        rng = self.rng
        agent = EvictingAgent(self.board, 1000000, run, rng.choice((12, 30, 64)), rng.choice((1, 2, 4)))
        self.agents.append(agent)
        for _ in range(rng.choice((30, 300, 1500))):
            self.board.step(may_jump=True)
            if rng.random() < 0.05:
                agent.flush()
        agent.stop()
        agent.tell_rest()
        self.packets += [Packet("ack", framed(ACK)), *agent.packets]

    def _spoil(self):
        for packet in self.packets[1:]:
            if self.rng.random() < 0.1:
                packet.fate = "twice" if self.is_whole or self.rng.random() < 0.3 else "lose"

    @staticmethod
    def _bytes_of(packet):
        return {"ok": packet.data, "twice": packet.data * 2, "lose": b""}[packet.fate]

    @property
    def lost(self):
        return sum(packet.fate == "lose" and packet.kind == "tree" for packet in self.packets)

    def sum(self, what):
        return sum((getattr(agent, what) for agent in self.agents), Counter())
