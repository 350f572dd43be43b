#!/usr/bin/env python3
"""selfcheck.py - one recording gives the same figures by every way of reading it; a damaged copy never shows more, and reports the loss.

usage: selfcheck.py MINIPROFD. Prints TAP. SELFCHECK=FILE is the recording, SELFCHECK_ELF=FILE its firmware, SELFCHECK_OPTIONS its other options
("--dialect miniprof --dialect-opt time_unit=ticks"); without these, built-in captures, one of each version of PROFILE_DATA and
of each other dialect. TEST_SEED=N cuts
and damages at other places."""
import contextlib
import json
import os
import pty
import random
import shlex
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import fprime_events, gprof_records, syst_talk, tfm_dump  # noqa: E402
from cases import Skip, case, run_cases  # noqa: E402
from daemon import PATIENCE, Daemon  # noqa: E402
from held import Held, first_difference  # noqa: E402
from packets import PROFILE_DATA, split  # noqa: E402
from random_program import Program  # noqa: E402
from read_exports import TEXTS, all_differences  # noqa: E402

MINIPROFD = sys.argv[1]
SEED = int(os.environ.get("TEST_SEED", 1))
IS_LONG = "TEST_ALL" in os.environ and "TEST_SHORT" not in os.environ  # as in tests/support/effort.h
SPOILT = 10 if IS_LONG or "SELFCHECK" in os.environ else 2  # damaged copies of each recording, by each method
# Figures that depend on the moment, on the way the bytes arrived, or on the end of a file.
OF_THE_WAY = "bytes_per_second", "calls_per_second", "line_use_percent", "bytes_cut", "reconnects", "header_order", "crc_init"


def recordings():
    """Yields (name, bytes, options) of each recording."""
    if "SELFCHECK" in os.environ:
        with open(os.environ["SELFCHECK"], "rb") as f:
            elf = ["--elf", os.environ["SELFCHECK_ELF"]] if os.environ.get("SELFCHECK_ELF") else []
            yield "SELFCHECK", f.read(), [*shlex.split(os.environ.get("SELFCHECK_OPTIONS", "")), *elf]
        return
    for mode in ("calls", "stream", "tree", "flat"):
        seed = next(seed for seed in range(SEED, SEED + 100000) if _is_plain(Program(seed), mode))
        yield f"{mode}, seed {seed}", Program(seed).capture, ["--dialect", "miniprof", "--dialect-opt", "time_unit=ticks"]
    others = {"fprime": fprime_events(), "gprof": b"".join(gprof_records()), "syst": b"".join(syst_talk()), "tfm": tfm_dump()}
    for dialect, capture in others.items():
        yield dialect, capture, ["--dialect", dialect]


def _is_plain(program, mode):
    return program.acts == [f"{mode}, end"] and not program.is_spoilt and not program.has_gap and program.made.total() > 40


RECORDINGS = list(recordings())


def each(function):
    """Marks a case that is run on each recording, and names the one at which it failed."""
    def of_all():
        for name, capture, options in RECORDINGS:
            try:
                function(capture, options)
            except AssertionError as problem:
                raise AssertionError(f"{name}: {problem}") from problem
    of_all.__name__ = function.__name__
    return case(of_all)


def batch(capture, options, texts=("json",)):
    """Returns {format: bytes} of a batch run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recording")
        with open(path, "wb") as f:
            f.write(capture)
        command = [MINIPROFD, "--port", "file:" + path, "--no-http", *options]
        for text in texts:
            command += ["--export", f"{text}={path}.{text}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        wrote = {}
        for text in texts:
            if os.path.exists(f"{path}.{text}"):
                with open(f"{path}.{text}", "rb") as f:
                    wrote[text] = f.read()
        assert "json" in wrote or done.returncode == 1, done.stderr
        return wrote


def told(capture, options):
    text = batch(capture, options).get("json")
    return json.loads(text) if text else None


@contextlib.contextmanager
def sender(pieces):
    """A server: its address, and a function that has it send the pieces to the client that came. Then it keeps the line open."""
    server = socket.create_server(("127.0.0.1", 0))
    over, begins = threading.Event(), threading.Event()

    def send():
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begins.wait(PATIENCE)
        for piece in pieces:
            connection.sendall(piece)
        over.wait(PATIENCE)
        connection.close()

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield "tcp:127.0.0.1:%d" % server.getsockname()[1], begins.set
    finally:
        begins.set()
        over.set()
        with contextlib.suppress(OSError):  # without a client
            socket.create_connection(server.getsockname(), timeout=1).close()
        thread.join()
        server.close()


@contextlib.contextmanager
def terminal(pieces):
    """As sender(), at a pseudo terminal, which stands for a serial port."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    port, begins = os.ttyname(theirs), threading.Event()

    def send():
        begins.wait(PATIENCE)
        for piece in pieces:
            while piece:
                piece = piece[os.write(ours, piece):]

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield port, begins.set
    finally:
        begins.set()
        os.set_blocking(ours, False)  # without a reader
        with contextlib.suppress(OSError):
            termios.tcflush(theirs, termios.TCIOFLUSH)
        thread.join()
        os.close(theirs)
        os.close(ours)


def pieces_of(capture, rng):
    """Yields random pieces, small ones and large ones."""
    at = 0
    while at < len(capture):
        n = rng.choice((1, 7, 100, 4000)) + rng.randrange(20)
        yield capture[at:at + n]
        at += n


def of_rows(snapshot):
    """Returns the figures that must not depend on how the bytes arrived."""
    functions = sorted(json.dumps({k: v for k, v in f.items() if k != "id"}, sort_keys=True) for f in snapshot["functions"])
    names, tree, paths = {f["id"]: f["name"] for f in snapshot["functions"]}, snapshot["call_tree"], []
    for parent, function in zip(tree["parent"], tree["function"]):
        paths.append(paths[parent] + (names[function],) if parent >= 0 else ())
    nodes = sorted(zip(paths, tree["context"], tree["calls"], tree["total_ticks"], tree["self_ticks"]))
    contexts = [{k: v for k, v in c.items() if k not in ("stack_node",)} for c in snapshot["contexts"]]
    return functions, nodes, contexts, {k: v for k, v in snapshot["link"].items() if k not in OF_THE_WAY}


def same(a, b, what):
    parts = "functions", "call tree", "contexts", "link"
    for part, one, other in zip(parts, of_rows(a), of_rows(b)):
        assert one == other, f"{what}: {part} differ: {first_difference(one, other)}"
    assert a["incomplete_because"] == b["incomplete_because"], (what, a["incomplete_because"], b["incomplete_because"])


def is_connected(snapshot):
    return snapshot["source"]["state"] == "connected"


def live(capture, options, line):
    """Returns the exports of a live run over that line, and its recording."""
    with tempfile.TemporaryDirectory() as folder:
        recording, export = os.path.join(folder, "recording"), os.path.join(folder, "json")
        with line(pieces_of(capture, random.Random(SEED))) as (port, begin):
            with Daemon(MINIPROFD, "--port", port, "--no-control", "--record", recording, "--export", "json=" + export, *options) as daemon:
                daemon.wait_until(is_connected)
                begin()
                daemon.wait_until(lambda snapshot: snapshot["link"]["bytes"] == len(capture))
        with open(export) as f, open(recording, "rb") as recorded:
            return json.load(f), recorded.read()


@each
def live_in_pieces_is_what_a_batch_and_a_replay_of_its_recording_show(capture, options):
    want = told(capture, options)
    for line in (sender, terminal):
        shown, recorded = live(capture, options, line)
        same(shown, want, "live and batch")
        assert recorded == capture, (len(recorded), len(capture))
        same(told(recorded, options), want, "replay and batch")


@each
def the_first_snapshot_with_all_changes_is_the_last_snapshot(capture, options):
    with sender(pieces_of(capture, random.Random(SEED))) as (port, begin):
        with Daemon(MINIPROFD, "--port", port, "--no-control", *options) as daemon:
            begin()
            held = Held()
            for event, data in daemon.events(PATIENCE):
                if event in ("snapshot", "delta"):
                    held.take(data, is_whole=event == "snapshot")
                    if held.link["bytes"] == len(capture):
                        break
            held.is_like(daemon)


@each
def parts_of_its_time_add_up_to_the_whole(capture, options):
    rng = random.Random(SEED)
    with tempfile.NamedTemporaryFile() as file:
        file.write(capture)
        file.flush()
        with Daemon(MINIPROFD, "--port", "file:" + file.name, *options) as daemon:
            snapshot = daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
            lanes = json.loads(daemon.get("/api/v1/timeline")[2])
            first, last = lanes["first"], lanes["newest"]
            if not lanes["rows"]["start"] or first is None or last <= first:
                print("# no calls with a time of their own, as in a tree")
                return
            edges = sorted({first, last, *(rng.randrange(first, last) for _ in range(5))})

            def own(since, until):
                status, _, body = daemon.get(f"/api/v1/snapshot?from={since}&to={until}")
                assert status == 200, body
                part = json.loads(body)
                return {f["name"]: (f["self_ticks"] or 0, f["total_ticks"] or 0) for f in part["functions"]}
            whole = own(first, last)
            sums = {name: [0, 0] for name in whole}
            for since, until in zip(edges, edges[1:]):
                for name, (self_ticks, total_ticks) in own(since, until).items():
                    sums[name][0] += self_ticks
                    sums[name][1] += total_ticks
            assert {name: tuple(ticks) for name, ticks in sums.items()} == whole, (edges, sums, whole)
            if lanes["oldest"] <= first and snapshot["complete"]:
                told_whole = {f["name"]: f["self_ticks"] or 0 for f in snapshot["functions"]}
                assert {name: ticks[0] for name, ticks in whole.items()} == told_whole


def _rank(durations, percent):
    return sorted(durations)[(len(durations) * percent + 99) // 100 - 1]


def _expect_durations(row, durations, what):
    """Checks a row with these calls: extremes are exact, percentiles within the histogram's buckets (a 32nd)."""
    assert (row["calls"], row["min_ticks"], row["max_ticks"]) == (len(durations), min(durations), max(durations)), (what, row, durations)
    for percent in (50, 99):
        got, want = row[f"p{percent}_ticks"], _rank(durations, percent)
        assert abs(got - want) <= want / 32, (what, percent, got, want)


@each
def percentiles_are_those_of_whole_calls_in_all_answers(capture, options):
    rng = random.Random(SEED)
    with tempfile.NamedTemporaryFile() as file:
        file.write(capture)
        file.flush()
        with Daemon(MINIPROFD, "--port", "file:" + file.name, *options) as daemon:
            def ask(path):
                status, _, body = daemon.get("/api/v1/" + path)
                assert status == 200, body
                return json.loads(body)
            whole = daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
            lanes = ask("timeline?max=100000")
            rows, first, last = lanes["rows"], lanes["first"], lanes["newest"]
            if sum(rows["calls"]) != sum(row["calls"] or 0 for row in whole["functions"]):
                print("# calls are not sent one by one")
                return
            calls = list(zip(rows["function"], rows["start"], rows["duration"]))
            assert set(rows["calls"]) == {1} and not any(rows["cut"]), "too many for this test"
            ranges = [(first, last)] + [sorted((rng.randrange(first, last), rng.randrange(first, last))) for _ in range(4)]
            for since, until in ranges:
                part = whole if (since, until) == (first, last) else ask(f"snapshot?from={since}&to={until}")
                for row in part["functions"]:
                    within = [d for f, start, d in calls
                              if f == row["id"] and (start < until and start + d > since or d == 0 and since <= start <= until)]
                    if row["calls"] or within:
                        _expect_durations(row, within, (since, until, row["name"]))
            for row in whole["functions"]:
                if row["calls"]:
                    columns = ask(f"functions/{row['id']}/over-time?columns=1")["rows"]
                    same = [(columns[short][0], row[long]) for short, long in (("p50", "p50_ticks"), ("p99", "p99_ticks"), ("max", "max_ticks"))]
                    assert all(a == b for a, b in same), (row["name"], same)


@each
def its_exports_agree(capture, options):
    texts = batch(capture, options, TEXTS)
    differ = list(all_differences(texts))
    assert not differ, differ


def calls_of(snapshot):
    return {f["name"]: f["calls"] or 0 for f in snapshot["functions"]} if snapshot else {}


def spoilt(capture, options, spoil):
    """Yields the profile of the whole, and of copies of the recording in which `spoil` changed a PROFILE_DATA packet."""
    packets = list(split(capture))
    places = [i for i, (kind, _) in enumerate(packets) if kind == PROFILE_DATA]
    if len(places) < 3 and "SELFCHECK" not in os.environ:
        return  # another dialect's, whose tests damage it
    if len(places) < 3:
        raise Skip("the recording has fewer than three packets of PROFILE_DATA")
    rng, whole = random.Random(SEED), told(capture, options)
    for _ in range(SPOILT):
        place = rng.choice(places[1:-1])  # without the first or last one, the recording would just be shorter
        data = spoil(packets[place][1], rng)
        yield whole, told(b"".join(data if i == place else packet for i, (_, packet) in enumerate(packets)), options), place


@each
def a_packet_that_comes_twice_changes_nothing(capture, options):
    for whole, other, place in spoilt(capture, options, lambda packet, rng: 2 * packet):
        assert of_rows(whole)[:3] == of_rows(other)[:3] and other["complete"] == whole["complete"], place


@each
def a_packet_that_is_cut_or_hit_is_told_and_no_call_is_added(capture, options):
    def spoil(packet, rng):
        if rng.random() < 0.5:
            return packet[:rng.randrange(1, len(packet))]
        at = rng.randrange(len(packet))
        return packet[:at] + bytes([packet[at] ^ 1 << rng.randrange(8)]) + packet[at + 1:]
    for whole, other, place in spoilt(capture, options, spoil):
        assert not other["complete"] and any(any(c.isdigit() for c in reason) for reason in other["incomplete_because"]), place
        adds_none(whole, other, place)


@each
def a_packet_that_is_lost_adds_no_call_and_is_told_where_packets_have_numbers(capture, options):
    for whole, other, place in spoilt(capture, options, lambda packet, rng: b""):
        adds_none(whole, other, place)
        is_less = sum(calls_of(other).values()) < sum(calls_of(whole).values())
        if is_less and whole["target"]["mode"] in ("stream", None) and whole["link"]["form"] == "version 2, entries and exits":
            assert other["link"]["records_lost"] > whole["link"]["records_lost"] and not other["complete"], (place, other["link"])


def adds_none(whole, other, place):
    calls = calls_of(whole)
    more = {name: n for name, n in calls_of(other).items() if n > calls.get(name, 0)}
    assert not more, (place, more)


if __name__ == "__main__":
    sys.exit(run_cases())
