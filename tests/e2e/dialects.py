#!/usr/bin/env python3
"""dialects.py - captures of each dialect, made here byte by byte, through the program to the snapshot.

usage: dialects.py MINIPROFD. Prints TAP."""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from packets import EXTENSION, framed  # noqa: E402
from captures_made import TFM_NAMES, gprof_records, syst_message, syst_messages, tfm_dump, tfm_items  # noqa: E402

MINIPROFD = sys.argv[1]
def snapshot(capture, dialect, *options, files=None):
    """Returns the snapshot of a capture; {NAME} in an option is the path of files[NAME]."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {"capture": os.path.join(folder, "capture")}
        with open(paths["capture"], "wb") as f:
            f.write(capture)
        for name, text in (files or {}).items():
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "w") as f:
                f.write(text)
        command = [MINIPROFD, "--port", "file:" + paths["capture"], "--dialect", dialect, "--no-http", "--export", "json=-"]
        for option in options:
            command += ["--dialect-opt", option.format(**paths)]
        done = subprocess.run(command, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)


def by_name(snapshot_):
    return {f["name"]: f for f in snapshot_["functions"]}


PERIOD = 0xFFFFFF


def fprime_events():
    """Returns (exit, address, ticks since start): 40 rounds of a(b, b), over wraps of the counter."""
    now = 0
    for _ in range(40):
        yield 0, 0x1001, now
        for _ in range(2):
            now += 1000
            yield 0, 0x2001, now
            now += 500000
            yield 1, 0x2001, now
        now += 2000
        yield 1, 0x1001, now
        now += 100


def check_fprime(result):
    functions = by_name(result)
    assert functions["0x00001000"]["calls"] == 40
    assert functions["0x00001000"]["self_ticks"] == 40 * 4000
    assert functions["0x00002000"]["calls"] == 80
    assert functions["0x00002000"]["min_ticks"] == functions["0x00002000"]["max_ticks"] == 500000
    assert result["target"]["ticks_per_second"] == 100000000


@case
def an_fprime_dump_counts_every_call_over_wraps_of_its_counter():
    dump = b"".join(struct.pack("<II", e << 31 | a, 0xFFFFFE - t % PERIOD) for e, a, t in fprime_events())
    check_fprime(snapshot(dump + b"\xff" * 8 + dump[:64], "fprime", "clock_hz=100000000"))


@case
def fprime_text_lines_mean_the_same_as_the_dump():
    text = "boot\n" + "".join(f"P: {a & ~1:x}, {e}, {0xFFFFFE - t % PERIOD:x}\n" for e, a, t in fprime_events())
    check_fprime(snapshot(text.encode(), "fprime", "clock_hz=100000000"))


def check_gprof(result):
    assert sum(f["samples"] or 0 for f in result["functions"]) == result["samples"]["total"] == 100
    assert sum(arc["calls"] for arc in result["arcs"]) == 400
    assert result["samples"]["hz"] == 250
    assert result["call_tree_estimated"] is True
    assert result["link"]["bytes_skipped"] == 0


@case
def gprof_records_are_read_as_bytes_and_as_hex_digits():
    capture = b"".join(gprof_records())
    check_gprof(snapshot(capture, "gprof", "hz=250"))
    check_gprof(snapshot(capture.hex().upper().encode(), "gprof", "hz=250"))
    check_gprof(snapshot(capture.hex(" ").encode() + b"\n", "gprof", "hz=250"))


@case
def a_gmon_out_is_read_too():
    bins = [0] * 64
    bins[3], bins[9] = 7, 5
    head = b"gmon" + struct.pack("<I12x", 1)
    histogram = b"\0" + struct.pack("<IIII15sc", 0x1000, 0x1100, len(bins), 100, b"seconds", b"s")
    histogram += struct.pack(f"<{len(bins)}H", *bins)
    arcs = b"".join(b"\1" + struct.pack("<III", 0x1010, 0x1080, n) for n in (3, 4))
    result = snapshot(head + histogram + arcs, "gprof")
    assert result["samples"] == {"hz": 100, "total": 12}
    assert sum(arc["calls"] for arc in result["arcs"]) == 7


def check_tfm(result):
    rows = {row["context"]: row for row in result["checkpoints"]}
    for world, cost, calibration in (("secure", 100, 10), ("non-secure", 300, 20)):
        row = rows[world]
        assert row["name"] == "hash" and row["count"] == 30, row
        assert row["first_ticks"] == row["min_ticks"] == cost - calibration, row
        assert row["max_ticks"] == cost + 29 - calibration, row
    assert result["target"]["ticks_per_second"] == 50000000


@case
def a_tfm_dump_and_its_text_lines_give_the_same_checkpoints():
    check_tfm(snapshot(tfm_dump(), "tfm", "names={names}",
                       files={"names": TFM_NAMES}))
    text = "log\r\n" + "".join(f"{tag:#010x},{count:#x}\r\n" for tag, count in tfm_items())
    check_tfm(snapshot(text.encode(), "tfm", "names={names}", files={"names": TFM_NAMES}))


@case
def a_tfm_pair_may_be_of_two_topics_and_two_worlds_and_names_are_data():
    words = '<i>"A\u202e&\u0001'
    names = {"calibration": {"0": 10, "3": 20}, "topics": {"4": "client", "5": words}, "checkpoints": {"5/7": words},
             "pairs": [{"name": words, "topic": 4, "from": 1, "to_topic": 5, "to": 7, "world": "non-secure", "to_world": "secure"},
                       {"topic": 4, "from": 1, "to_topic": 5, "to": 7}]}
    count, text = 0xFFFFF000, ""
    for i in range(40):  # the client's request, the work of the secure side, the client's answer
        for world, topic, checkpoint in ((3, 4, 1), (0, 5, 7), (3, 5, 7)):
            text += f"{1 | world << 6 | topic << 8 | checkpoint << 16:08X},{count:08X}\n"
            count = count + 100 + i & 0xFFFFFFFF
    rows = snapshot(text.encode(), "tfm", "names={names}", files={"names": json.dumps(names)})["checkpoints"]
    told = [tuple(row[key] for key in ("name", "context", "to_context", "topic", "to_topic", "count", "min_ticks", "max_ticks")) for row in rows]
    name = rows[0]["name"]
    assert told == [(name, "non-secure", "secure", 4, 5, 40, 90, 129), (None, "non-secure", "non-secure", 4, 5, 40, 180, 258)], told
    assert name.startswith('<i>"A') and name == rows[0]["to_topic_name"] == rows[1]["to_name"] and rows[0]["topic_name"] == "client", rows


def check_syst(result):
    functions = by_name(result)
    assert functions["outer"]["calls"] == functions["inner"]["calls"] == 10, functions
    assert functions["outer"]["self_ticks"] == 10 * 700
    assert functions["inner"]["max_ticks"] == 200
    texts = [m["text"] for m in result["messages"] if "value" in m["text"]]
    assert texts == [f"value {-i} of ten" for i in range(10)], texts


@case
def syst_messages_are_read_from_hex_lines_in_a_log_and_from_raw_bytes():
    lines = "".join(f"12:00 SYS-T RAW DATA: {m.hex().upper()}\r\n" for m in syst_messages())
    check_syst(snapshot(("banner\r\n" + lines).encode(), "syst"))
    check_syst(snapshot(b"".join(syst_messages()), "syst", "framing=raw"))


@case
def other_dialects_travel_inside_protected_packets():
    stream = b""
    capture = b"".join(gprof_records())
    for at in range(0, len(capture), 57):
        stream += framed(EXTENSION, b"\x02" + capture[at:at + 57])
    result = snapshot(stream, "miniprof")
    assert result["samples"]["total"] == 100
    assert sum(arc["calls"] for arc in result["arcs"]) == 400


@case
def a_carried_dialect_has_its_own_options():
    stream = b"".join(framed(EXTENSION, b"\x03" + tfm_dump()[at:at + 60]) for at in range(0, len(tfm_dump()), 60))
    stream += framed(EXTENSION, b"\x04" + syst_message(3, 1, 5, struct.pack("<Ii", 77, -4)))
    collateral = '''<syst:Collateral xmlns:syst="http://www.mipi.org/1.0/sys-t"><syst:Client Name="client">
        <syst:Guids><syst:Guid ID="{00000000-0000-0000-0000-000000000000}" Mask="{00000000-0000-0000-0000-000000000000}"/></syst:Guids>
        <syst:Modules><syst:Module ID="5"><![CDATA[pump]]></syst:Module></syst:Modules>
        <syst:Catalog32><syst:Format ID="77"><![CDATA[value %d]]></syst:Format></syst:Catalog32></syst:Client></syst:Collateral>'''
    result = snapshot(stream, "miniprof", "tfm.names={names}", "syst.collateral={xml}", "syst.framing=raw", files={"names": TFM_NAMES, "xml": collateral})
    check_tfm(result)
    message, = result["messages"]
    assert message["text"] == "value -4" and message["origin_name"] == "pump", message


def one_of_each():
    """Returns {dialect: (capture, its form in `link`)}."""
    events = [(e, a, 0xFFFFFE - t % PERIOD) for e, a, t in fprime_events()]
    calls = b"".join(struct.pack("<IIIH", 0x1000, 100 * i, 50, 0) for i in range(20))
    return {
        "miniprof": (framed(5, b"\x01" + struct.pack("<H", 20) + calls) * 3, None),
        "gprof": (b"".join(gprof_records()).hex().encode(), "hex digits"),
        "fprime": ("".join(f"P: {a & ~1:x}, {e}, {t:x}\n" for e, a, t in events).encode(), "text"),
        "tfm": (tfm_dump(), None),
        "syst": (b"".join(b"12:00 SYS-T RAW DATA: " + m.hex().encode() + b"\n" for m in syst_messages()), None),
    }


def run(port, *arguments, **more):
    """Returns (snapshot, standard error) of a capture read without a web server."""
    done = subprocess.run([MINIPROFD, "--port", port, "--no-http", "--export", "json=-", *arguments], capture_output=True,
                          timeout=60, **more)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout), done.stderr.decode()


def run_in_vain(port, *arguments, **more):
    """Returns the standard error of an unreadable capture."""
    done = subprocess.run([MINIPROFD, "--port", port, "--no-http", "--export", "json=-", *arguments], capture_output=True,
                          timeout=60, **more)
    assert done.returncode == 1 and not done.stdout, done
    return done.stderr.decode()


@case
def the_dialect_of_a_capture_is_detected():
    for dialect, (capture, form) in one_of_each().items():
        with tempfile.NamedTemporaryFile() as f:
            f.write(capture)
            f.flush()
            port = "file:" + f.name
            named, _ = run(port, "--dialect", dialect)
            for result, said in (run(port), run(port, "--dialect", "auto"), run("-", input=capture)):
                assert result["source"]["dialect"] == dialect, (dialect, said)
                assert result["source"]["dialect_provides"] == named["source"]["dialect_provides"], dialect
                assert result["source"]["looks_like"] is None, dialect
                assert f"speaks {dialect}," in said, said
                assert result["link"] == named["link"], dialect
                assert result["link"]["form"] == form, dialect
                assert result["functions"] == named["functions"] and result["target"] == named["target"], dialect


@case
def noise_is_reported_as_no_dialect():
    said = run_in_vain("-", input=random.Random(5).randbytes(40000))
    assert "look like no dialect" in said and "--dialect NAME" in said, said
    assert "makes sense as miniprof" in said, said


@case
def a_wrong_dialect_is_reported_in_batch_mode():
    captures = one_of_each()
    for dialect, (capture, _) in captures.items():
        wrong = "gprof" if dialect == "miniprof" else "miniprof"
        said = run_in_vain("-", "--dialect", wrong, input=capture)
        assert f"makes no sense as {wrong} but looks like {dialect}; use --dialect {dialect}." in said, said
        right, said = run("-", "--dialect", dialect, input=capture)
        assert right["source"]["looks_like"] is None and "looks like" not in said, said


@case
def a_wrong_dialect_is_reported_on_the_page():
    with tempfile.NamedTemporaryFile() as f:
        f.write(one_of_each()["syst"][0])
        f.flush()
        with Daemon(MINIPROFD, "--port", "file:" + f.name, "--dialect", "miniprof") as daemon:
            for name, data in daemon.events(60):
                if name in ("snapshot", "delta") and data["source"]["state"] == "ended":
                    break
            source = daemon.snapshot()["source"]
            assert source["looks_like"] == "syst", source
            assert "start miniprofd with --dialect syst" in source["detail"], source


@case
def standard_input_is_decided_before_it_ends():
    packets = one_of_each()["miniprof"][0]
    ours, theirs = os.pipe()
    with open(theirs, "wb", buffering=0) as pipe:
        process = subprocess.Popen([MINIPROFD, "--port", "-", "--listen", "127.0.0.1:0"], stdin=ours, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        os.close(ours)
        pipe.write(packets[:-1])
        said = ""
        while "speaks miniprof," not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0


@case
def options_are_of_a_dialect_that_is_named():
    for arguments in (["--dialect-opt", "hz=100"], ["--dialect", "auto", "--dialect-opt", "hz=100"]):
        done = subprocess.run([MINIPROFD, "--port", "-", "--no-http", *arguments], input=b"", capture_output=True, timeout=60)
        assert done.returncode == 2 and b"--dialect gprof" in done.stderr, done.stderr
    result, said = run("-", "--dialect-opt", "time_unit=ticks", input=one_of_each()["miniprof"][0])
    assert result["source"]["dialect"] == "miniprof" and "speaks" not in said, said


if __name__ == "__main__":
    sys.exit(run_cases())
