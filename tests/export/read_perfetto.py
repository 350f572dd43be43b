#!/usr/bin/env python3
"""read_perfetto.py - protoc reads our Perfetto traces by the published field numbers, and they hold the calls that trace events do.

usage: read_perfetto.py SPECIMENS. Prints TAP."""
import gzip
import json
import os
import re
import subprocess

from readers import Specimen, case, main, need

HERE = os.path.dirname(os.path.abspath(__file__))
LINE = re.compile(r"^ *(?:(\w+) \{|(\w+): (.*)|(\}))$")
TIMED = "plain", "threads", "nasty", "huge"


def value(text):
    if not text.startswith('"'):
        return int(text) if text.lstrip("-").isdigit() else text
    whole = text[1:-1].encode()
    return re.sub(rb"\\([0-7]{3}|.)", lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(m[1], m[1]),
                  whole).decode()


def packets(specimen):
    """Returns the packets as dictionaries; a field that the .proto does not define is an error."""
    done = subprocess.run([need("protoc", "protobuf-compiler"), "--proto_path=" + HERE, "--decode=Trace", "perfetto.proto"],
                          capture_output=True, timeout=300, input=gzip.decompress(specimen.read("perfetto")))
    assert done.returncode == 0, done.stderr
    stack = [{"packet": []}]
    for line in done.stdout.decode().split("\n")[:-1]:
        opens, key, text, closes = LINE.match(line).groups()
        if opens:
            inner = {}
            if opens == "packet":
                stack[-1]["packet"].append(inner)
            else:
                stack[-1][opens] = inner
            stack.append(inner)
        elif closes:
            stack.pop()
        else:
            assert not key.isdigit(), (specimen.name, line)
            stack[-1][key] = value(text)
    return stack[0]["packet"]


def slices(found):
    """Returns {track: [(name, from, to)]} as Perfetto builds them: sorted by time, equal times in the order of the file."""
    names = {p["interned_data"]["event_names"]["iid"]: p["interned_data"]["event_names"]["name"] for p in found if "interned_data" in p}
    events = sorted((p for p in found if "track_event" in p), key=lambda p: p["timestamp"])
    running, out = {}, {}
    for packet in events:
        event = packet["track_event"]
        stack = running.setdefault(event["track_uuid"], [])
        if event["type"] == "TYPE_SLICE_BEGIN":
            stack.append((event.get("name") or names[event["name_iid"]], packet["timestamp"]))
        elif event["type"] == "TYPE_SLICE_END":
            name, start = stack.pop()
            out.setdefault(event["track_uuid"], []).append((name, start, packet["timestamp"], len(stack)))
    assert not any(running.values()), "what begins ends"
    return out


@case
def every_call_of_the_trace_events_is_a_slice_of_its_context(specimens):
    for specimen in (specimens[name] for name in TIMED):
        want = {}
        trace = json.loads(specimen.read("chrome"))
        base = trace["otherData"]["start_ticks"]
        in_ns = (lambda ticks: ticks * 10**9 // specimen.rate) if specimen.rate else (lambda ticks: min(ticks * 1000, 2**63 - 1))
        for event in trace["traceEvents"]:
            if event["ph"] == "X":
                start = event["args"]["start_ticks"] - base
                want.setdefault(event["tid"] + 1, []).append((event["name"], in_ns(start), in_ns(start + event["args"]["ticks"])))
        found = {track: sorted(s[:3] for s in rows) for track, rows in slices(packets(specimen)).items()}
        assert want and found == {track: sorted(rows) for track, rows in want.items()}, specimen.name


@case
def each_context_has_a_track_below_the_process(specimens):
    for specimen in (specimens[name] for name in TIMED):
        tracks = [p["track_descriptor"] for p in packets(specimen) if "track_descriptor" in p]
        process = [t for t in tracks if "process" in t]
        assert len(process) == 1 and process[0]["process"]["process_name"].startswith(specimen.json["source"]["port"]), process
        assert process[0]["process"]["process_name"].endswith(" (incomplete)") == (not specimen.json["complete"])
        contexts = [t["name"] for t in tracks if t.get("parent_uuid") == process[0]["uuid"] and "counter" not in t]
        assert contexts == [c["name"] for c in specimen.json["contexts"]], contexts
        assert len({t["uuid"] for t in tracks}) == len(tracks)


@case
def the_first_packet_begins_the_names_and_all_need_them(specimens):
    for specimen in (specimens[name] for name in TIMED):
        found = packets(specimen)
        assert [p["sequence_flags"] for p in found] == [3] + [2] * (len(found) - 1)
        assert {p["trusted_packet_sequence_id"] for p in found} == {1}
        known = set()
        for packet in found:
            if "interned_data" in packet:
                known.add(packet["interned_data"]["event_names"]["iid"])
            assert packet.get("track_event", {}).get("name_iid") in known | {None}
            assert "timestamp" in packet or "track_event" not in packet


@case
def a_counter_track_has_the_load_of_each_context(specimens):
    found = packets(Specimen(specimens["plain"].folder, "turns"))
    loads = {t["uuid"]: t for t in (p["track_descriptor"] for p in found if "track_descriptor" in p) if "counter" in t}
    assert len(loads) == 2 and all(t["counter"]["unit_name"] == "%" for t in loads.values()), loads
    first, second = ({p["timestamp"]: p["track_event"]["counter_value"] for p in found if p.get("track_event", {}).get("track_uuid") == uuid}
                     for uuid in sorted(loads))
    assert len(first) > 400 and first.keys() == second.keys() and min(first) == 0 and max(first) < 4000000
    for at in first:
        if not 2990000 < at < 3010000:  # the column of the switch has some of both
            assert (first[at], second[at]) == ((100, 0) if at < 3000000 else (0, 100)), at


@case
def a_window_track_shows_where_calls_are_known(specimens):
    found = packets(Specimen(specimens["plain"].folder, "windows"))
    track = next(p["track_descriptor"]["uuid"] for p in found if p.get("track_descriptor", {}).get("name", "").startswith("windows: "))
    made = slices(found)
    (calls,) = (rows for at, rows in made.items() if at != track)
    assert [row[0] for row in made[track]] == ["window"] * 2
    assert [(a[1], a[2]) for a in calls] == [(0, 50000), (4000000, 4050000)], calls
    assert all(w[1] <= c[1] and c[2] <= w[2] for w, c in zip(made[track], calls)), made


@case
def a_million_calls_take_15_megabytes_at_most(specimens):
    specimen = specimens["plain"]
    calls = sum(len(rows) for rows in slices(packets(specimen)).values())
    assert calls >= 1000 and len(specimen.read("perfetto")) <= 15 * calls, (calls, len(specimen.read("perfetto")))


main()
