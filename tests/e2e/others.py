#!/usr/bin/env python3
"""others.py - input of other systems: names in ELF files, transformed bytes, logs with additional text.

usage: others.py MINIPROFD. Prints TAP."""
import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import gprof_records, syst_message, tfm_items  # noqa: E402
from cases import case, run_cases  # noqa: E402
from elf_made import ABSOLUTE, LOCAL, NOTYPE, WEAK, made, symbol  # noqa: E402
from packets import Tree, calls, context, metadata, name, node, stream  # noqa: E402

MINIPROFD = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory(prefix="miniprofd-test-")
BASE = 0x08000000
HZ = "C6 C0 84 3D"  # 1,000,000


def write(title, content):
    path = os.path.join(FOLDER.name, title)
    with open(path, "wb") as file:
        file.write(content)
    return path


def run(capture, *arguments, dialect=None, status=0):
    options = [] if dialect is None else ["--dialect", dialect]
    done = subprocess.run([MINIPROFD, "--port", "file:" + write("capture", capture), "--no-http", *options, *arguments], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done


def profile(capture, *arguments, **how):
    return json.loads(run(capture, "--export", "json=-", *arguments, **how).stdout)


def names_of(elf, *addresses):
    """Returns {address: function} for a call at each address, by the ELF."""
    capture = metadata() + calls(*[(address, 100 * n, 10, 0) for n, address in enumerate(addresses, 1)])
    rows = csv.DictReader(io.StringIO(run(capture, "--elf", write("fw.elf", elf), "--export", "csv=-").stdout))
    return {int(row["address"], 16): row["function"] for row in rows}


# ---- names ----


@case
def labels_without_size_belong_to_the_covering_function():
    elf = made([symbol("device_init", BASE, 0x20), symbol("$C$L1", BASE + 4, 0), symbol("C$$EXIT", BASE + 0x20, 0),
                symbol("abort_now", BASE + 0x20, 0x10)])
    assert names_of(elf, BASE + 1, BASE + 5, BASE + 0x21) == {BASE: "device_init", BASE + 0x20: "abort_now"}


@case
def functions_have_names_wherever_their_section_is_and_at_absolute_addresses():
    elf = made([symbol("_START", BASE)], flags=3)
    assert names_of(elf, BASE + 1) == {BASE: "_START"}, "a section that is not marked as code"
    elf = made([symbol("boot_crc", 0x08100000, section=ABSOLUTE), ("rom_memcpy", 0x1FFF0101, 0, NOTYPE, 1, ABSOLUTE)])
    assert names_of(elf, 0x08100001, 0x1FFF0101) == {0x08100000: "boot_crc", 0x1FFF0100: "rom_memcpy"}


@case
def weak_aliases_list_all_names():
    others = ["ADC_IRQHandler", "USART1_IRQHandler", "WWDG_IRQHandler"]
    elf = made([symbol("Default_Handler", BASE, 2, NOTYPE, LOCAL)] + [symbol(other, BASE, 2, binding=WEAK) for other in others])
    capture = metadata() + calls((BASE + 1, 100, 10, 0))
    row, = profile(capture, "--elf", write("fw.elf", elf))["functions"]
    assert row["name"] == "Default_Handler" and row["aliases"] == others, row


@case
def equal_names_differ_in_formats_with_names_only():
    elf = made([symbol("init", BASE, binding=LOCAL), symbol("init", BASE + 0x10, binding=LOCAL)])
    capture = metadata() + calls((BASE + 1, 100, 10, 0), (BASE + 0x11, 200, 20, 0))
    lines = run(capture, "--elf", write("fw.elf", elf), "--export", "collapsed=-").stdout.splitlines()
    assert len({line.rsplit(" ", 1)[0] for line in lines}) == len(lines) == 2, lines


@case
def folded_stacks_begin_with_the_context():
    tokens = HZ + "".join((name(number, title) + context(number)).hex() + "00 03 C0 80 04 05 C1 0A" for number, title in ((0, "main"), (2, "worker")))
    lines = run(metadata() + stream(tokens), "--export", "collapsed=-").stdout.splitlines()
    assert {line.split(";")[0] for line in lines} == {"main", "worker"}, lines


@case
def functions_outside_the_elf_are_reported_with_their_share():
    path = write("fw.elf", made([symbol("main", BASE)]))
    capture = metadata() + calls((BASE + 1, 100, 30, 0), (0x20000001, 200, 10, 0))
    told = f"1 of 2 functions, with 25.0 % of own time, are at addresses where {path} has no function"
    assert told in run(capture, "--elf", path, "--export", "csv=-").stderr
    doctor = subprocess.run([MINIPROFD, "doctor", "--port", "file:" + write("capture", capture), "--elf", path], capture_output=True, text=True,
                            timeout=120)
    assert "warn: " + told in doctor.stdout, doctor.stdout
    files = [write(title, json.dumps(profile(capture, "--elf", path)).encode()) for title in ("a.json", "b.json")]
    check = subprocess.run([MINIPROFD, "check", "--baseline", files[0], "--against", files[1]], capture_output=True, text=True, timeout=120)
    assert check.returncode == 0 and f"Of {files[1]} 1 of 2 functions, with 25.0 % of own time, are at addresses of no ELF" in check.stderr, check
    limit = ["--baseline", write("base.json", json.dumps(profile(capture, "--elf", path)).encode())]
    check = subprocess.run([MINIPROFD, "check", *limit, "--port", "file:" + write("capture", capture), "--elf", path], capture_output=True,
                           text=True, timeout=120)
    assert told in check.stdout + check.stderr, (check.stdout, check.stderr)


@case
def an_elf_of_another_processor_is_reported():
    path = write("fw.elf", made([symbol("main", BASE)]))
    told = run(metadata() + calls((0x20000001, 200, 10, 0)), "--elf", path, "--export", "csv=-").stderr
    assert f"1 of 1 functions, with 100.0 % of own time, are at addresses where {path}, a program for Arm, has no function" in told, told


# ---- transformed bytes ----


def packets(n=60):
    """Returns many packets, with bytes of every value in them."""
    return metadata() + b"".join(calls(*[(BASE + 0x10 * (i % 9) + 1, 1000 * i, 10 + i % 250, 0)]) for i in range(1, n))


@case
def a_transformation_of_the_bytes_is_named():
    clean = packets()
    assert profile(clean)["link"]["records"] == 59
    for edited, words in ((clean.replace(b"\n", b"\r\n"), "Each line feed (0A) has a carriage return (0D) before it"),
                          (clean.replace(b"\0", b""), "No byte is zero"),
                          (clean.hex().encode(), "hex digits")):
        path = write("edited", edited)
        done = subprocess.run([MINIPROFD, "--port", "file:" + path, "--no-http"], capture_output=True, text=True, timeout=120)
        assert words in done.stderr, (words, done.stderr)
    assert profile(clean.hex().encode())["link"]["records"] == 59, "hex is read all the same"


# ---- clocks, tasks, the end ----


@case
def a_mismatched_timer_rate_is_reported():
    told = profile(metadata(timer_hz=168000000) + calls((0x101, 0, 1680, 0)))
    assert not told["complete"] and "another rate than the 1,000,000" in told["incomplete_because"][0], told["incomplete_because"]


@case
def ticks_of_two_rates_are_not_added_up():
    options = "--dialect-opt", "time_unit=ticks"
    capture = b"".join(metadata(timer_hz=hz) + calls(*[(0x101, 10000 * i, ticks, 0) for i in range(1, 21)])
                       for hz, ticks in ((168000000, 1680), (84000000, 840)))
    told = profile(capture, *options, dialect="miniprof")
    row, = told["functions"]
    assert (row["calls"], row["min_ticks"], row["max_ticks"]) == (20, 840, 840) and told["target"]["ticks_per_second"] == 84000000, row
    assert not told["complete"], "what was before is not in it"


@case
def a_known_name_is_not_replaced_by_a_number():
    tokens = HZ + (name(2, "worker") + context(2)).hex() + "00 03 C0 80 04 05 C1 64"
    contexts = [c["name"] for c in profile(metadata() + stream(tokens))["contexts"]]
    assert "worker" in contexts and not any(title.startswith("task") for title in contexts), contexts


@case
def a_reused_number_is_another_task():
    capture = metadata() + stream(HZ + name(0, "main").hex())
    for number, title, ticks in ((1, "worker", "64"), (2, "writer", "C8 01")):
        capture += stream((name(2, title) + context(2)).hex() + f"00 03 C0 80 04 05 C1 {ticks}" + context(0).hex() + "00 04", number=4 * number,
                          time=10000 * number)
    rows = {c["name"]: c["id"] for c in profile(capture)["contexts"]}
    assert {"worker", "writer"} <= set(rows) and rows["worker"] != rows["writer"], rows


@case
def overlapping_calls_are_reported():
    told = profile(metadata() + calls((0x101, 0, 100, 0), (0x201, 50, 100, 0)))
    assert not told["complete"] and told["link"]["overlaps"] == 1, told["incomplete_because"]


@case
def a_last_packet_that_the_end_cuts_is_no_damage():
    tree = Tree()
    whole = metadata() + b"".join(tree.packet(1000 * n, context(0), node(0, 0, 0x100, n, 10 * n)) for n in range(1, 4))
    told = profile(whole + tree.packet(4000, context(0), node(0, 0, 0x100, 4, 40))[:-5])
    assert told["complete"] and told["link"]["bytes_cut"] > 0, told["incomplete_because"]


# ---- valid and empty; text in front, prefixes, colours ----


@case
def a_valid_empty_file_is_reported_as_valid():
    gmon = b"gmon" + struct.pack("<I12x", 1) + b"\0" + struct.pack("<IIII15sc", 0x1000, 0x1100, 8, 100, b"seconds", b"s") + bytes(16)
    for capture, dialect in ((gmon, "gprof"), (bytes(64), "tfm"), (bytes(64), "fprime")):
        assert run(capture, dialect=dialect).stderr.count(" valid") == 1, dialect


def dressed(text):
    """Yields the lines of a text as in logs: plain, coloured, with a time before each, with CR LF, and all of these."""
    lines = text.splitlines()
    yield "\n".join(lines) + "\n"
    yield "".join(f"\x1b[0;32m{line}\x1b[0m\n" for line in lines)
    yield "".join(f"[12:00:00.{n % 1000:03}] {line}\n" for n, line in enumerate(lines))
    yield "".join(line + "\r\n" for line in lines)
    yield "".join(f"[12:00:00.{n % 1000:03}] \x1b[0;32m{line}\x1b[0m\r\n" for n, line in enumerate(lines))


def figures(told):
    rows = sorted((f["name"], f["calls"], f["total_ticks"], f["samples"]) for f in told["functions"])
    pairs = sorted((c["topic"], c["from"], c["to"], c["context"], c["count"], c["mean_ticks"]) for c in told["checkpoints"])
    return rows, pairs, [message["text"] for message in told["messages"] if message["origin"] != "console"], sum(a["calls"] for a in told["arcs"])


@case
def logs_are_read_with_colours_and_times_before_each_line():
    self_test = "TF-M profiler Self-Test starts:\n" + "".join(
        f"tag: {tag:#x}, type: 0x1, cali_idx: {tag >> 6 & 3:#x}\ntopic_id: {tag >> 8 & 0xFF:#x}, checkpoint_id: {tag >> 16:#x}\n"
        f"Test data correct @ {n}, expect: {count}, actual: {count}\n" for n, (tag, count) in enumerate(tfm_items()))
    fprime = "".join(f"P:{BASE + 0x40 * (n % 4):x},{end},{0xFFF000 - 100 * n - 37 * end:X}\n" for n in range(20) for end in (0, 1))
    syst = "".join(f"SYS-T RAW DATA: {syst_message(2, 11, 100 * n, b'value %d' + bytes([0]) + struct.pack('<i', n)).hex()}\n" for n in range(4))
    for dialect, text in (("tfm", self_test), ("fprime", fprime), ("syst", syst)):
        told = [figures(profile(log.encode(), dialect=dialect)) for log in dressed(text)]
        assert any(told[0]) and all(one == told[0] for one in told), (dialect, told[0], [one == told[0] for one in told])
    spaced = "".join(f"SYS-T RAW DATA: {syst_message(2, 11, 100 * n, b'value %d' + bytes([0]) + struct.pack('<i', n)).hex(' ')}\n" for n in range(4))
    assert figures(profile(spaced.encode(), dialect="syst")) == figures(profile(syst.encode(), dialect="syst"))


@case
def a_boot_line_before_hex_digits_costs_only_itself():
    digits = b"".join(gprof_records()).hex().encode()
    plain = figures(profile(digits, dialect="gprof"))
    for line in (b"*** Booting ***\r\n", b"Hello from board\n"):
        assert figures(profile(line + digits, dialect="gprof")) == plain and plain[3] == 400, line


# ---- undamaged input of other writers ----


@case
def counters_that_run_down_are_no_damage():
    entries = [(0x10301, 2947951074), (0x10101, 2947950960), (0x10301, 2947950317), (0x10101, 2947949916), (0x10301, 2947949245)]
    told = profile(b"".join(struct.pack("<II", *entry) for entry in entries), dialect="tfm")
    assert told["complete"] and told["link"]["records"] == 5, told["incomplete_because"]
    assert {c["topic"]: c["count"] for c in told["checkpoints"]} == {1: 1, 3: 2}, told["checkpoints"]


@case
def a_deviating_reload_is_a_warning_and_no_damage():
    reload, time, events = 99999, 0, b""
    for n in range(200):
        time += 1777 + 311 * (n % 7)
        function = 0x10000201 + 0x40 * (n // 2 % 5)
        events += struct.pack("<II", function | (n & 1) << 31, reload - time % (reload + 1))
    exact = profile(events, "--dialect-opt", f"reload={reload}", dialect="fprime")
    assert exact["complete"] and exact["link"]["records"] == 200
    assert sum(f["total_ticks"] for f in exact["functions"]) == sum(1777 + 311 * (n % 7) for n in range(1, 200, 2))
    told = profile(events, dialect="fprime")
    assert told["link"]["records"] == 200 and told["link"]["malformed"] == 0, told["link"]
    assert told["complete"] == (figures(told) == figures(exact)), "what is wrong is in doubt"


if __name__ == "__main__":
    sys.exit(run_cases())
