"""random_program.py - a random session of a board with a host, as a capture: runs in all three versions of PROFILE_DATA, acts between them
(STOP, START, a restart, another mode, another clock, silences), and faults of the line."""
import random
import struct
from collections import Counter

from host_model import Host
from packets import ACK, METADATA, description, framed, status
from random_board import Board, CallsAgent, Packet, StreamAgent, TreeAgent

MODES = ("calls", "stream", "tree", "flat")
ACTS = ("stop", "again", "restart", "mode", "clock")
FAULTS = ("lose", "twice", "cut", "damage", "noise")
NOISE = b"boot: ok\r\n"


class Program:
    """The program of a seed. `capture` is its bytes, `packets` their contents, `agents` the truth of each run, `host` what a host can know."""

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        self.packets, self.agents, self.acts = [], [], []
        modes = rng.sample(MODES, rng.choice((1, 1, 1, 2, 3)))
        tasks = [2 * task for task in range(rng.choice((1, 1, 1, 2, 3) if "calls" in modes else (1, 1, 2, 4)))]
        interrupts = [31, 33, 101][:rng.choice((0, 1, 3))]
        self.board = Board(rng, tasks, interrupts, self._functions())
        self.hz = rng.choice((1000000, 1000000, 25000000, 168000000))
        self.run, self.firmware, self.silence = 0, 1, 0
        self.is_guarded = False  # the first packet of the next run is not lost: its number was used by an earlier run
        self.allows = {name: rng.random() < 0.4 for name in ("gaps", "silences", "status", "asks", "clock", "small", "names", "windows")}
        self.allows["jumps"] = not self.allows["gaps"] and "calls" not in modes and rng.random() < 0.3
        self.is_cut_off = rng.random() < 0.15
        self._write(modes)
        self._spoil()
        self.capture = b"".join(map(_bytes_of, self.packets))
        self.host = self._heard()

    def _functions(self):
        rng = self.rng
        base = rng.choice((0x100, 0x08000100, 0xFFFF0000))
        return [base + 4 * n for n in rng.sample(range(1, 2000), rng.choice((2, 5, 12, 100)))]

    # ---- the session

    def _write(self, modes):
        rng, board = self.rng, self.board
        if rng.random() < 0.9:
            self._metadata()
        for _ in range(rng.choice((0, 0, 10))):
            board.step()
        mode = rng.choice(modes)
        sections = rng.choice((1, 1, 1, 2, 3, 5))
        for section in range(sections):
            agent = self._start(mode)
            self._run(agent)
            act = rng.choice(ACTS) if section < sections - 1 else rng.choice(("end", "end", "break"))
            self.acts.append(f"{mode}, {act}")
            if act == "mode":
                mode = rng.choice(modes)
            getattr(self, "_" + act)(agent)

    def _start(self, mode):
        """A START."""
        board, rng = self.board, self.rng
        self.run = self.run % 15 + 1
        if mode == "calls":
            agent = CallsAgent(board, self.hz, room=rng.choice((3, 30)) if self.allows["gaps"] else None)
        elif mode == "stream":
            agent = StreamAgent(board, self.hz, self.run)
        else:
            agent = TreeAgent(board, self.hz, self.run, flat=mode == "flat", room=rng.choice((3, 16, 256)) if self.allows["small"] else 1024)
        agent.guards = self.is_guarded
        self.is_guarded = False
        self.agents.append(agent)
        if self.has_tasks_as_one:
            self.packets.append(Packet("description", description(tasks=len(board.tasks)), guard=True))
        if rng.random() < 0.5:
            self.packets.append(Packet("ack", framed(ACK)))
        if mode == "calls" and rng.random() < 0.8 or self.allows["status"]:
            self._status(agent)
        return agent

    def _run(self, agent):
        rng, board = self.rng, self.board
        for _ in range(rng.choice((0, 3, 30, 120, 300))):
            board.step(self.allows["jumps"])
            chance = rng.random()
            if chance < 0.1 and (agent.mode in ("tree", "flat") or agent.mode == "calls" and agent.room):
                agent.flush()
            elif chance < 0.12 and self.allows["gaps"] and agent.mode == "stream" and not board.active:
                agent.end_gap() if agent.gap is not None else agent.begin_gap()
            elif chance < 0.13 and self.allows["status"]:
                self._status(agent)
            elif chance < 0.14 and self.allows["silences"]:
                self._silence(agent)
            elif chance < 0.145 and self.allows["asks"]:
                self._take(agent)
                self._metadata()
            elif chance < 0.155 and chance >= 0.147 and self.allows["names"] and len(board.tasks) > 1 and getattr(agent, "gap", None) is None:
                board.rename()
            elif chance < 0.18 and chance >= 0.155 and self.allows["windows"] and agent.mode in ("tree", "flat"):
                self._take(agent)
                if agent.wire.number >= 0 and not agent.window:
                    agent.begin_window()
            elif chance < 0.147 and self.allows["clock"] and agent.mode != "calls":
                self._other_clock()
                agent.set_clock(self.hz)
            self._take(agent)
        while agent.mode == "stream" and agent.gap is not None and board.active:
            board.step()
        self._take(agent)

    def _silence(self, agent):
        ticks = self.rng.choice((5 * self.hz, 1 << 29))
        self.silence += ticks
        if self.silence >= 1 << 31:  # a call of more than 32 bits of ticks cannot be sent in version 1
            return
        self.board.pass_time(ticks)
        if agent.mode == "stream" and agent.gap is None and self.board.time - (agent.writer or agent.board).time > 1 << 30:
            agent.pulse()

    def _take(self, agent):
        for packet in agent.packets:
            packet.guard = agent.guards
            agent.guards = False
        self.packets += agent.packets
        agent.packets = []

    def _metadata(self, is_restart=False):
        data = framed(METADATA, struct.pack("<III", 8000000, self.hz, 0) + (b"v%d" % self.firmware).ljust(16, b"\0"))
        self.packets.append(Packet("metadata", data, hz=self.hz, is_restart=is_restart, guard=True))

    def _status(self, agent):
        self._take(agent)
        data = status(agent.overflows, agent.captured, agent.usage, not agent.is_stopped)
        self.packets.append(Packet("status", data, mode=agent.mode, captured=agent.captured, usage=agent.usage, overflows=agent.overflows,
                                   agent=agent))

    def _other_clock(self):
        self.hz = self.rng.choice([hz for hz in (1000000, 25000000, 168000000) if hz != self.hz])

    # ---- acts

    def _stop(self, agent):
        """Sends STOP: everything is sent, and the target is idle."""
        agent.stop()
        agent.tell_rest()
        self._take(agent)
        self.packets.append(Packet("ack", framed(ACK)))
        if agent.mode == "calls" or self.allows["status"]:
            self._status(agent)
            self._status(agent)
        for _ in range(self.rng.choice((0, 5))):
            self.board.step()

    def _mode(self, agent):
        if self.rng.random() < 0.8:
            self._stop(agent)

    def _again(self, agent):
        """Sends START while it profiles, which drops what was not sent."""
        if self.rng.random() < 0.5:
            agent.tell_rest()
            self._take(agent)
        elif agent.mode == "stream":
            agent.forget()

    def _clock(self, agent):
        self._stop(agent)
        self._other_clock()
        if self.rng.random() < 0.9 or agent.mode == "calls":
            self._metadata()

    def _restart(self, agent):
        """Restarts the board, which drops what was not sent."""
        rng = self.rng
        if agent.mode == "stream":
            agent.forget()
        self.board.restart(rng.randrange(1 << 21, 1 << 22))
        if rng.random() < 0.5:
            self.run, self.is_guarded = 0, True
        self.firmware += rng.random() < 0.3
        self._metadata(is_restart=True)

    def _end(self, agent):
        self._stop(agent)

    def _break(self, agent):
        """Ends the capture in the middle."""
        if agent.mode == "stream" and self.rng.random() < 0.5:
            agent.tell_rest()
            self._take(agent)

    # ---- the line

    def _spoil(self):
        rng = self.rng
        possible = ("twice", "noise") if self.allows["jumps"] else FAULTS
        faults = [fault for fault in possible if rng.random() < 0.35] if rng.random() < 0.55 else []
        share = rng.choice((0.02, 0.1, 0.5))
        for packet in self.packets:
            if not packet.guard and rng.random() < share and faults:
                fault = rng.choice(faults)
                if fault == "noise":
                    packet.noise = NOISE[:rng.randrange(1, len(NOISE))]
                elif fault != "twice" or _may_come_twice(packet):
                    packet.fate = fault
                    packet.at = rng.randrange(1, len(packet.data)), 1 << rng.randrange(8)
        if self.is_cut_off and not self.allows["jumps"] and self.packets and self.packets[-1].fate == "ok":
            self.packets[-1].fate = "cut"
            self.packets[-1].at = rng.randrange(1, len(self.packets[-1].data)), 0

    def _heard(self):
        host = Host()
        for packet in self.packets:
            for _ in range({"ok": 1, "twice": 2}.get(packet.fate, 0)):
                host.hear(packet)
        return host

    # ---- what is true

    @property
    def has_tasks_as_one(self):
        """True when a run of version 1 sent several tasks as one stack."""
        return len(self.board.tasks) > 1 and any(agent.mode == "calls" for agent in self.agents)

    @property
    def lost_windows(self):
        """True when a lost packet of a window of the only run can be noticed: parts of an earlier and of a later one arrived."""
        if len(self.agents) != 1 or self.agents[0].mode not in ("tree", "flat"):
            return False
        windows = [[packet.fate in ("ok", "twice") for packet in window] for window in self.agents[0].windows]
        came = [i for i, window in enumerate(windows) if any(window)]
        return bool(came) and any(not all(window) for window in windows[came[0] + 1:came[-1]])

    @property
    def made(self):
        return sum((agent.made for agent in self.agents), Counter())

    @property
    def own(self):
        return sum((agent.own for agent in self.agents), Counter())

    @property
    def total(self):
        return sum((agent.total for agent in self.agents), Counter())

    @property
    def missing(self):
        """Returns the calls that were made, but are neither shown nor cleared: they were lost on the line or not sent."""
        return self.made.total() - self.host.shown.total() - self.host.cleared

    def _good(self):
        return [i for i, packet in enumerate(self.packets) if packet.fate in ("ok", "twice")]

    @property
    def has_gap(self):
        return any(agent.mode == "stream" and agent.overflows for agent in self.agents)

    @property
    def is_damage_seen(self):
        """True when bytes between two good packets are damaged."""
        good = self._good()
        return bool(good) and any(packet.fate in ("cut", "damage") or packet.noise and i > good[0]
                                  for i, packet in enumerate(self.packets[:good[-1] + 1]) if i > good[0])

    @property
    def is_spoilt(self):
        return any(packet.fate not in ("ok", "twice") or packet.noise for packet in self.packets)

    @property
    def lost_most(self):
        """Returns the calls lost in streams: for each run the number from its packets, or more if its STATUS counts missing exits."""
        came = Counter()
        for packet in self.packets:
            if packet.kind == "stream" and packet.fate in ("ok", "twice"):
                came[packet.agent] += sum(what == "leave" for what, *_ in packet.says)
        return sum(max(self.host.lost_of[agent], agent.captured - came[agent]) for agent in self.agents if agent.mode == "stream")

    @property
    def are_losses_known(self):
        """True when all losses of version 1 were reported: each run reported a count of zero at its begin and the run before a larger one, so that
        the two are distinguished."""
        told, last = {}, None
        for packet in self.packets:
            if packet.kind != "status" or packet.mode != "calls":
                continue
            if packet.fate != "ok" or packet.agent not in told and (packet.captured > 0 or last == 0):
                return False
            told[packet.agent] = last = packet.captured
        return all(agent in told for agent in self.agents if agent.mode == "calls")

    @property
    def callers_may_be_unknown(self):
        """True when callers of version 1 may be unknown: a caller that ran at an act was not sent; and the caller of a call without length, in the
        tick in which that caller began, is known only without losses."""
        return any(agent.mode == "calls" for agent in self.agents) and (self.acts != ["calls, end"] or not self.are_losses_known)

    def listing(self):
        return "\n".join(f"{i:4} {packet!r}" for i, packet in enumerate(self.packets))


def _may_come_twice(packet):
    """True when the line may repeat the packet. Not with calls without length only, which a host would count twice."""
    return packet.kind in ("stream", "tree") or packet.kind == "calls" and any(record[2] for record in packet.records)


def _bytes_of(packet):
    data = packet.data
    if packet.fate == "lose":
        data = b""
    elif packet.fate == "twice":
        data *= 2
    elif packet.fate == "cut":
        data = data[:packet.at[0]]
    elif packet.fate == "damage":
        at, bit = packet.at
        data = data[:at] + bytes([data[at] ^ bit]) + data[at + 1:]
    return packet.noise + data
