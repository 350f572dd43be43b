#!/usr/bin/env python3
"""ledger_says.py - a profile's notes: that nothing was measured, the settings used, limits that cannot be judged; and the exit status.usage: ledger_says.py MINIPROFD. Prints TAP."""
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from captures_made import gprof_records, tfm_dump  # noqa: E402
from cases import case, run_cases  # noqa: E402
from packets import PROFILE_DATA, Tree, arc, calls, description, framed, metadata, node, outside, status, stream  # noqa: E402

from ledger_captures import MINIPROFD, TWO_CALLS, checked, run, snapshot  # noqa: E402


@case
def an_empty_measurement_is_reported():
    for capture in (metadata() + status(), metadata() + stream(""), metadata() + Tree().packet(1000, outside(0))):
        done, (text,) = run(capture)
        assert done.returncode == 1 and "Nothing was measured" in done.stderr, (done.returncode, done.stderr)
        assert json.loads(text)["functions"] == [], text
    assert run(metadata() + Tree().packet(1000, node(0, 0, 0x100, 0, 900)))[0].returncode == 0, "time without a call"


def gmon(*records, bins=8):
    """Returns a gmon.out in GNU form, 64 bits, with a histogram of zeros, followed by records."""
    head = b"gmon" + struct.pack("<I", 1) + bytes(12)
    return head + b"\0" + struct.pack("<QQII", 0x1000, 0x2000, bins, 100) + b"seconds".ljust(15, b"\0") + b"s" + bytes(2 * bins) + b"".join(records)


@case
def a_valid_empty_input_succeeds_with_a_warning():
    gnu_head = gmon()[:20]
    for capture, dialect, word in ((gmon(), "gprof", "gmon.out is valid"), (gmon(), "auto", "gmon.out is valid"), (gnu_head, "gprof", "gmon.out"),
                                   (bytes(8 * 64), "tfm", "no checkpoint"), (b"\xff" * 8 * 64, "tfm", "no checkpoint"),
                                   (bytes(8 * 64), "fprime", "no event"), (b"\xff" * 8 + bytes(8 * 63), "fprime", "no event")):
        done, (text,) = run(capture, dialect=dialect)
        assert done.returncode == 0 and word in done.stderr and "Nothing was measured" not in done.stderr, (dialect, done.returncode, done.stderr)
        assert json.loads(text)["functions"] == [], text


@case
def an_invalid_empty_input_fails():
    arc_of_none = b"\1" + struct.pack("<QQI", 0x1010, 0x1800, 0)  # with a count of 0
    for capture, dialect in ((gmon()[:-1], "gprof"), (gmon() + b"\7", "gprof"), (bytes(8 * 64 - 1), "tfm"), (bytes(8 * 64 - 1), "fprime"),
                             (bytes(256) + b"\1" + bytes(255), "tfm"), (bytes(512), "miniprof"), (bytes(512), "syst"), (b"\x55" * 512, "tfm"), (b"", "gprof")):
        done, _ = run(capture, dialect=dialect, exports=())
        assert done.returncode == 1 and done.stderr, (capture[:8], len(capture), dialect, done.returncode, done.stderr)
    assert run(gmon(arc_of_none), dialect="gprof")[0].returncode == 0, "an arc of no calls is none"
    done, _ = run(gmon(b"\1" + struct.pack("<QQI", 0x1010, 0x1800, 5)), dialect="gprof")
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


def settings(shortest=0, depth=32, window=0, *others):
    return description(("packet", "records", 1, 255, 20), ("shortest", "us", 0, 1000, shortest), ("depth", "calls", 1, 32, depth),
                       ("baud", "Bd", 9600, 921600, 115200), ("window-ticks", "ticks", 0, 1000, 7), ("window", "", 0, 3, window), *others)


PACKET = {"name": "packet", "unit": "records", "value": 20, "default": None, "throughout": True}


def measured_with(*packets):
    """Returns the rows of measured_with except the packet size, which has no known default."""
    told = snapshot(*packets)["measured_with"]
    assert told[0] == PACKET, told
    return [(row["name"], row["value"], row["default"], row["throughout"]) for row in told[1:]]


@case
def a_profile_has_the_settings_of_its_measurement():
    assert snapshot(TWO_CALLS)["measured_with"] is None, "the device described nothing"
    assert measured_with(metadata(), settings(), TWO_CALLS) == []
    assert measured_with(metadata(), settings(50, 8), TWO_CALLS) == [("shortest", 50, 0, True), ("depth", 8, 32, True)]
    assert measured_with(TWO_CALLS, settings(50)) == [("shortest", 50, 0, True)], "what was before the first description is not known"
    assert measured_with(metadata(), settings(50), settings(), TWO_CALLS) == [], "nothing was measured in between"
    assert measured_with(metadata(), settings(50), TWO_CALLS, settings()) == [("shortest", 50, 0, False)]
    assert measured_with(metadata(), settings(), TWO_CALLS, settings(50)) == [("shortest", 50, 0, False)]
    assert measured_with(metadata(), settings(50), TWO_CALLS, settings(60)) == [("shortest", 60, 0, False)]


@case
def unknown_settings_are_shown_and_names_are_escaped():
    told = snapshot(metadata(), settings(0, 32, 0, ("<b>\n|*", "", 0, 9, 3)), TWO_CALLS)["measured_with"]
    assert len(told) == 2 and told[1]["value"] == 3 and told[1]["default"] is None, told
    for twice in ("shortest", "packet"):  # of two settings with one name the first counts
        assert measured_with(metadata(), settings(7, 32, 0, (twice, "us", 0, 1000, 9)), TWO_CALLS) == [("shortest", 7, 0, True)]
    many = [(f"setting {i}", "", 0, 9, 3) for i in range(40)]
    assert len(snapshot(metadata(), description(*many), TWO_CALLS)["measured_with"]) == 32
    others = [(f"other {i}", "", 0, 9, 3) for i in range(40)]
    assert len(snapshot(metadata(), description(*many), TWO_CALLS, description(*others))["measured_with"]) == 32
    assert len(snapshot(metadata(), description(*many), description(*others), TWO_CALLS)["measured_with"]) == 32
    _, (page, text) = run(metadata() + settings(50, 32, 0, ("|<i>*`", "", 0, 9, 3)) + TWO_CALLS, exports=("markdown", "json"))
    assert "\nMeasured with shortest 50 us (default 0).\n" in page.replace("\\", ""), page


@case
def an_armed_trigger_is_a_setting_in_mode_tree():
    row = Tree().packet(1000, node(0, 0, 0x100, 5, 900))
    assert measured_with(metadata(), settings(0, 32, 1), row) == [("window", 1, 0, True)]
    assert measured_with(metadata(), settings(0, 32, 1), row, settings(0, 32, 0)) == [("window", 1, 0, False)]
    # A window kept for a slow call (SPEC 13.4) proves a trigger even without a description.
    kept = framed(PROFILE_DATA, bytes.fromhex("0217000000 30E803000000 01C6C0F0F50BCA01800AAC02C00202C700FF0100C080021478B4CB"))
    told = snapshot(metadata(), row, kept)["measured_with"]
    assert told == [{"name": "window", "unit": "", "value": 1, "default": 0, "throughout": False}], told


@case
def profiles_are_only_compared_with_equal_settings():
    tree = Tree(longest=True).packet(1000, node(0, 0, 0x100, 5, 900, 300))
    for settled in (settings(), settings(50, 8), settings(0, 32, 1)):
        assert checked(metadata() + settled + tree, metadata() + settled + tree).returncode == 0
    for other, word in ((settings(50), "shortest"), (settings(0, 8), "depth"), (settings(0, 32, 1), "trigger")):
        done = checked(metadata() + settings() + tree, metadata() + other + tree)
        assert done.returncode == 4 and word in done.stderr, (word, done)


EACH = ("max<1s", "mean<1s", "p50<1s", "p99<1s", "calls<1000", "period<1s", "rate<1000/s", "load<100%", "self<100%")


def judged(capture, function, dialect="miniprof", *options):
    """Returns the figures whose limits were judged, and the messages."""
    limits = [f"--limit={function}:{figure}" for figure in EACH]
    done, _ = run(capture, *options, *limits, exports=(), dialect=dialect)
    told = {figure.partition("<")[0] for figure in EACH if f"The limit {function}:{figure} was not judged: " not in done.stderr}
    assert done.returncode == 1, done
    return told, done.stderr


@case
def a_limit_that_cannot_be_judged_fails():
    two = metadata() + calls((0x100, 100, 10, 0)) + calls((0x100, 200, 10, 0))
    tree = metadata() + Tree(longest=True).packet(1000, node(0, 0, 0x100, 5, 900, 300))
    bare = metadata() + Tree().packet(1000, node(0, 0, 0x100, 5, 900))
    flat = metadata() + Tree(flat=True).packet(1000, arc(0, 0, 0x100, 5, 900))
    arcs = b"".join(gprof_records())
    forms = ((two, "miniprof"), (tree, "miniprof"), (flat, "miniprof"), (stream("C0 80 04 05 04"), "miniprof"), (arcs, "gprof"), (tfm_dump(), "tfm"))
    for capture, dialect in forms:  # a function that is misspelt, or was never called
        told, said = judged(capture, "misspelt", dialect)
        assert told == set() and "No call of it" in said, (dialect, told, said)
    for capture, figures in ((two, {"max", "mean", "p50", "p99", "calls", "period"}), (tree, {"max", "mean", "calls"}), (bare, {"mean", "calls"}), (flat, {"calls"}),
                             (stream("C0 80 04 05 04"), {"max", "mean", "p50", "p99", "calls"}), (stream("C0 80 04 05"), set())):
        told, said = judged(capture, "0x00000100")
        assert told == figures, (told, figures, said)
    told, said = judged(arcs, "0x00000a06", "gprof")
    assert told == {"calls"} and "does not report that" in said, (told, said)
    done, _ = run(two, "--limit", "0x00000100:max<1s", "--limit", "0x00000100:calls<9", exports=())
    assert done.returncode == 0, "those that are judged and kept"


@case
def a_function_never_called_keeps_no_limit():
    for name, word in (("main", "No call of it has been received yet"), ("mian", "no function of that name; the nearest is")):
        told, said = judged(TWO_CALLS, name, "miniprof", "--elf", MINIPROFD)
        assert told == set() and word in said, (name, told, said)


@case
def a_strict_run_ends_with_4_where_something_is_missing():
    assert run(TWO_CALLS, "--strict", exports=())[0].returncode == 0
    done, _ = run(TWO_CALLS + framed(PROFILE_DATA, b"\2"), "--strict", exports=())
    assert done.returncode == 4 and "The profile is incomplete: 1 packet" in done.stderr, (done.returncode, done.stderr)
    assert run(TWO_CALLS + framed(PROFILE_DATA, b"\2"), exports=())[0].returncode == 0


if __name__ == "__main__":
    sys.exit(run_cases())
