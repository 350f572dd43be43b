#!/usr/bin/env python3
"""The vectors of protocol/SPEC.md are right, by the definitions that it gives in words.
usage: check_spec.py SPEC.md"""
import re, sys


def crc16(crc, data):
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def compact(payload):
    """The events of a payload of version 2, by section 10 and nothing else, as that section writes them."""
    at, clock, told = 10, int.from_bytes(payload[6:10], "little"), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            at += 1
            value |= (payload[at - 1] & 127) << shift
            shift += 7
            if payload[at - 1] < 128:
                return value

    def signed():
        value = varint()
        return value >> 1 if value % 2 == 0 else -(value >> 1) - 1

    def function():
        nonlocal told
        told = (told + signed()) % 2**32
        return told << shift_of_code

    def time():
        nonlocal at
        at += 1
        byte = payload[at - 1]
        if byte == 255:
            return varint()
        if byte >= 224:
            at += 1
            return 224 + (byte - 224) * 256 + payload[at - 1]
        return byte

    slots_in_all, shift_of_code = 8 << (payload[1] & 3), payload[1] >> 4 & 3
    run_number = int.from_bytes(payload[2:6], "little")
    context, depth = varint(), varint()
    events = [f"run {run_number >> 28}, number {run_number % 2**28}, time {clock}, context {context}, depth {depth}"]
    slots, predictions, latest, known, waiting, given, running = [], {}, None, [], [], 0, context

    def give(address):
        nonlocal given
        slot = given % slots_in_all
        given += 1
        slots[slot:slot + 1] = [address]
        predictions[slot, "+"] = predictions[slot, "-"] = "exit"
        return slot

    while at < len(payload) and payload[at] != 255:
        first = payload[at]
        at += 1
        if first < 0x80:
            if first == 0x7F:
                passed = varint()
            elif first >= 0x78:
                passed, at = 120 + 256 * (first - 0x78) + payload[at], at + 1
            else:
                passed = first
            slot = predictions[latest]
            sign = "-" if slot == "exit" else "+"
            slot = known.pop() if slot == "exit" else slot
        elif first <= 0xC0:
            slot = give(function()) if first == 0xC0 else first - 0x80
            sign, passed = "+", time()
            if latest:
                predictions[latest] = slot
        elif first <= 0xC3:
            sign = "-"
            if latest:
                predictions[latest] = "exit"
            if first == 0xC1:
                slot = known.pop()
            else:
                if first == 0xC2:
                    slot, at = payload[at], at + 1
                    address = slots[slot]
                else:
                    address = function()
                while known and slots[known.pop()] != address:
                    pass
                if first == 0xC3:
                    slot = give(address)
            passed = time()
        else:
            if first in (0xC4, 0xC8):
                context, depth = varint(), varint()
                clock += time()
                if any(waiter[0] == context for waiter in waiting):
                    while waiting[-1][0] != context:
                        waiting.pop()
                    _, known, latest = waiting.pop()
                else:
                    waiting.append((running, known, latest))
                    known, latest = [], None
                events.append(f"context {context} {depth} {clock}" + (" blocked" if first == 0xC8 else ""))
            elif first == 0xC5:
                lost, net, low = varint(), signed(), varint()
                check, at = int.from_bytes(payload[at:at + 4], "little"), at + 4
                clock += time()
                waiting, known, latest = [], [], None
                events.append(f"gap {lost} {net} {-low} {check:X} {clock}")
            elif first == 0xC6:
                events.append(f"clock {varint()}")
            elif first == 0xCA:
                assert payload[1] & 4
                kind, at = payload[at], at + 1
                events.append(f"window {kind} {function():X} {varint()} {varint()} {varint()}")
            elif first == 0xCB:
                assert payload[1] & 4
                events.append("over")
            elif first == 0xC9:
                named, flags, n = varint(), payload[at], payload[at + 1]
                at += 2 + n
                events.append(f"{'idle' if flags & 1 else 'name'} {named} {payload[at - n:at].decode()}")
            else:
                events.append(f"open {varint()} {function():X} {varint()}")
            running = context
            continue
        running = context
        clock += passed
        if sign == "+":
            known.append(slot)
        latest = slot, sign
        events.append(f"{sign}{slots[slot]:X} {clock}")
    return events


def tree(payload):
    """The records of a payload of version 3, by section 12 and nothing else: a row as node, parent or caller, function, context,
    calls, ticks and the longest."""
    at, form, number = 10, payload[1], int.from_bytes(payload[2:6], "little")

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            at += 1
            value |= (payload[at - 1] & 127) << shift
            shift += 7
            if payload[at - 1] < 128:
                return value

    def function():
        nonlocal told
        step = varint()
        told = (told + (step >> 1 if step % 2 == 0 else -(step >> 1) - 1)) % 2**32
        return f"{told << (form >> 4 & 3):X}"

    elapsed, hz, nodes, room = varint(), varint(), varint(), varint()
    node = told = context = 0
    records = [f"run {number >> 28}, number {number % 2**28}, time {int.from_bytes(payload[6:10], 'little')}, elapsed {elapsed}, clock {hz}, "
               f"{nodes} of {room} nodes"]
    while at < len(payload) and payload[at] != 255:
        first, at = payload[at], at + 1
        if first < 0x80:
            node += first
            if form & 1:
                from_where = function()
            else:
                up = varint()
                from_where = str(node - up) if up else "-"
            row = [str(node), from_where, function(), str(context)]
            records.append(" ".join(row + [str(varint()) for _ in range(3 if form & 2 else 2)]))
        elif first == 0xC0:
            node = varint()
        elif first == 0xC4:
            context = varint()
        elif first == 0xC8:
            records.append(" ".join(["sums", str(context)] + [str(varint()) for _ in range(4)]))
        elif first == 0xC9:
            named, flags, n = varint(), payload[at], payload[at + 1]
            records.append(f"name {named} {'idle ' * (flags & 1)}{payload[at + 2:at + 2 + n].decode()}")
            at += 2 + n
        else:
            assert first == 0xCA
            records.append(f"runs {varint()} {varint() - 1}".replace(" -1", " -"))
    return records


spec = open(sys.argv[1], encoding="utf-8").read()
wrong, commands, packets = [], 0, 0

for code, vector in re.findall(r"^\| (\d) \| [A-Z_]+ \|.*\| `([0-9A-F ]+)` \|$", spec, re.M):
    data = bytes.fromhex(vector)
    commands += 1
    if len(data) != 12 or data[:2] != bytes([0x55, int(code)]) or data[11] != sum(data[:11]) % 256:
        wrong.append(f"command {code}: {vector}")

body = None
for name, vector, c1, c2 in re.findall(r"^\| (.*?) \| (.*?) ?\| `(.. ..)` \| `(.. ..)` \|$", spec, re.M):
    packets += 1
    if vector:
        body = re.sub(r"` \+ 10 × `00` \+ `", " " + "00 " * 10, vector).strip("`")
        body = bytes.fromhex(re.sub(r"^HH HH | c c 0A$", "", body))
    else:  # "the same with ... bytes `xx`"
        body = body[:3] + bytes.fromhex(re.search(r"`(.*?)`", name)[1]) + body[7:]
    if int.from_bytes(body[1:3], "little") != len(body) - 3:
        wrong.append(f"{name}: length")
    for stored, variants in ((c1, (("AA55", 0xFFFF), ("55AA", 0))), (c2, (("AA55", 0), ("55AA", 0xFFFF)))):
        for header, start in variants:
            if crc16(start, bytes.fromhex(header) + body).to_bytes(2, "little") != bytes.fromhex(stored):
                wrong.append(f"{name}: {stored} is not the checksum from {start:#06x} with {header}")

if (crc16(0xFFFF, b"123456789"), crc16(0, b"123456789")) != tuple(
        int(n, 16) for n in re.search(r"`123456789`: (0x\w+) from 0xFFFF, (0x\w+) from 0x0000", spec).groups()):
    wrong.append("check values")
payloads = re.findall(r"^\| (\d) \| `(0[23] [0-9A-F ]+)` \|$", spec, re.M)
for name, vector in payloads:
    listed = re.search(rf"^{name}: (run .*)$", spec, re.M)[1].split("; ")
    listed = [re.sub(r"^([+-])0+", r"\1", event) for event in listed]
    events = (tree if vector.startswith("03") else compact)(bytes.fromhex(vector))
    wrong += [f"vector {name}: {is_so} is listed as {is_listed}" for is_so, is_listed in zip(events, listed) if is_so != is_listed]
    if len(events) != len(listed):
        wrong.append(f"vector {name}: {len(events)} events, {len(listed)} listed")
starts = re.findall(r"^\| START, (version .*?) \| `(.*?)` \|$", spec, re.M)
for name, vector in starts:
    start = bytes.fromhex(vector)
    if len(start) != 12 or start[:2] != b"\x55\x01" or start[11] != sum(start[:11]) % 256:
        wrong.append(f"START, {name}")
stops = re.findall(r"^\| STOP, closing \| `(.*?)` \|$", spec, re.M)
for vector in stops:
    data = bytes.fromhex(vector)
    if data[:4] != b"\x55\x02\x01\x01" or data[4:11] != bytes(7) or data[11] != sum(data[:11]) % 256:
        wrong.append("STOP, closing")
settings = re.findall(r"^\| SET_CONFIG, ([0-9,]+) baud \| `(.*?)` \|$", spec, re.M)
for rate, vector in settings:
    data = bytes.fromhex(vector)
    if data[:4] != b"\x55\x06\x05\x04" or data[4:11] != int(rate.replace(",", "")).to_bytes(7, "little") or data[11] != sum(data[:11]) % 256:
        wrong.append(f"SET_CONFIG, {rate} baud")
if commands != 7 or packets != 6 or len(payloads) != 7 or len(starts) != 4 or len(stops) != 1 or len(settings) != 1:
    wrong.append(f"found {commands} command, {packets} packet, {len(payloads)} payload, {len(starts)} START, {len(stops)} STOP and {len(settings)} SET_CONFIG vectors instead of "
                 "7, 6, 7, 4, 1 and 1: is this script out of date?")
print("\n".join(wrong) or f"{commands + packets + len(payloads) + len(starts) + len(stops) + len(settings)} vectors are right")
sys.exit(bool(wrong))
