#!/usr/bin/env python3
"""Checks the vectors of protocol/SPEC.md against the definitions in its text.
usage: check_spec.py SPEC.md"""
import re, sys

from spec_reader import compact, tree


def crc16(crc, data):
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


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
if commands != 7 or packets != 6 or len(payloads) != 9 or len(starts) != 6 or len(stops) != 1 or len(settings) != 1:
    wrong.append(f"found {commands} command, {packets} packet, {len(payloads)} payload, {len(starts)} START, {len(stops)} STOP and {len(settings)} SET_CONFIG vectors instead of "
                 "7, 6, 9, 6, 1 and 1: is this script out of date?")
print("\n".join(wrong) or f"{commands + packets + len(payloads) + len(starts) + len(stops) + len(settings)} vectors are right")
sys.exit(bool(wrong))
