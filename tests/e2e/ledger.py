#!/usr/bin/env python3
"""ledger.py - shown figures add up to the received data, and losses are reported: small captures of known content, through the program.

usage: ledger.py MINIPROFD. Prints TAP."""
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402
from packets import EXTENSION, PROFILE_DATA, Tree, arc, calls, context, description, framed, metadata, name, node, outside, status, stream  # noqa: E402
from stream_writer import StreamWriter  # noqa: E402

from ledger_captures import MINIPROFD, TWO_CALLS, checked, lacks, ran, rest, rows, run, snapshot  # noqa: E402


@case
def calls_running_at_start_have_time_but_no_count():
    capture = Tree().packet(1000, node(0, 0, 0x100, 0, 900), node(1, 1, 0x100, 5, 50), outside(50))
    told = snapshot(capture)
    assert rows(told) == {"0x00000100": (0, 950, 900), "0x00000200": (5, 50, 50)}, rows(told)
    assert ran(told) == {"main": 1000} and rest(told) == (50, 0), told
    done, (csv,) = run(capture, exports=["csv"])
    main = next(line for line in csv.splitlines() if line.startswith("0x00000100"))
    assert "950" in main and "900" in main, csv


OPEN = "C7 00 80 04 F4 03"  # at depth 0 runs a call of 0x100 since 500 ticks
INNER = "C0 80 04 64 32"  # 100 ticks later it calls 0x200 (0x100 more than the function before), for 50 ticks


@case
def a_call_begun_before_start_keeps_its_time():
    runs = snapshot(stream(OPEN + INNER + "80 32 32", depth=1))
    assert rows(runs)["0x00000100"] == (0, 250, 150), rows(runs)
    over = snapshot(stream(OPEN + INNER + "80 32 32 C3 FF 03 32", depth=1))  # 50 ticks later 0x100 returns
    assert rows(over)["0x00000100"] == (0, 300, 200) and rows(over)["0x00000200"] == (2, 100, 100), rows(over)
    assert ran(over) == {"main": 300}, ran(over)


@case
def a_start_while_it_profiles_keeps_the_time_of_open_calls():
    first = stream("C0 80 04 64 C0 80 04 32 C1 64", time=1000)  # 0x100 calls 0x200 for 100 ticks, and keeps running
    again = stream("C7 00 80 04 00 " + INNER, time=5000, depth=1, run=2)
    told = snapshot(first, again)
    assert rows(told)["0x00000100"] == (0, 150 + 150, 50 + 100) and rows(told)["0x00000200"] == (2, 150, 150), rows(told)


@case
def a_stopped_tree_without_a_row_is_incomplete():
    tree = Tree(room=2)
    begins = tree.packet(100, node(0, 0, 0x100, 1, 60), outside(40))
    outer, inner = (node(0, 0, 0x100, 2, 100), outside(60)), node(1, 1, 0x100, 5, 40)
    told = snapshot(begins, tree.packet(200, *outer, inner, stopped=True))
    assert told["complete"] and told["link"]["ticks_untold"] == 0, told["incomplete_because"]
    told = snapshot(begins, tree.packet(200, *outer, stopped=True))
    assert told["link"]["ticks_untold"] == 40 and not told["complete"], told["link"]
    assert told["incomplete_because"] == ["40 ticks of a call tree that was stopped did not come: calls and times of its functions are too low.",
                                          "1 row of a call tree that was stopped did not come: calls of its functions are missing."]
    outer = node(0, 0, 0x100, 2, 100), outside(100)  # and calls of no length, which lack no tick
    told = snapshot(begins, tree.packet(200, *outer, stopped=True))
    assert told["link"]["ticks_untold"] == 0 and told["link"]["rows_untold"] == 1 and not told["complete"], told["link"]
    outer = node(0, 0, 0x100, 2, 100), outside(60)
    again = Tree(room=2, run=2, start=5000).packet(100, node(0, 0, 0x100, 1, 60), outside(40))
    told = snapshot(begins, tree.packet(200, *outer, stopped=True), again)
    assert told["link"]["ticks_untold"] == 40, "the run after it does not have them"
    told = snapshot(begins, tree.packet(200, *outer))
    assert told["complete"] and told["link"]["ticks_untold"] == 0, "what still runs is sent later"


@case
def time_in_no_instrumented_function_is_a_row_of_its_own():
    work = "C0 80 04 0A C1 14"  # 10 ticks later 0x100 runs for 20
    told = snapshot(stream(work + "C4 02 00 05 C0 80 04 05 C1 05 C4 00 00 07", time=1000))  # 0x200 in context 2, for 5
    assert rows(told) == {"0x00000100": (1, 20, 20), "0x00000200": (1, 5, 5)}, rows(told)
    assert ran(told) == {"main": 35, "task 1": 17} and rest(told) == (15 + 12, 0), told["contexts"]
    tree = told["call_tree"]
    outside = next(f["id"] for f in told["functions"] if f["kind"] == "outside")
    own = {tree["context"][at]: tree["self_ticks"][at] for at in range(len(tree["function"])) if tree["function"][at] == outside}
    assert own == {0: 15, 1: 12} and told["functions"][outside]["name"] == "[outside]", own


@case
def time_of_an_unnamed_function_is_not_its_callees():
    told = snapshot(stream(INNER.replace("80 04", "80 08") + "C0 80 04 1E", depth=1))  # below an unknown call 0x200 runs twice
    assert rows(told)["[depth 0 running]"] == (0, 0, 0), rows(told)
    assert rest(told) == (0, 100 + 30) and ran(told) == {"main": 180}, told["functions"]
    named = snapshot(stream(INNER.replace("80 04", "80 08") + "80 1E", depth=1), stream("C7 00 80 04 00" + "C0 80 04 0A", number=3, time=250, depth=2))
    assert rest(named)[1] >= 130 and named["complete"], named["functions"]


@case
def time_of_missing_events_belongs_to_no_function():
    told = snapshot(stream(
        "C0 80 04 0A"  # at 1010 context 0 calls 0x100,
        "C4 02 00 14 C0 80 04 05"  # from 1030 on context 2 runs, and calls 0x200 at 1035;
        "C5 02 00 00 00 00 00 00 64"  # a call is missing between 1035 and 1135;
        "C3 00 0A"  # 0x200 returns at 1145,
        "C4 00 01 05 C3 FF 03 0A", time=1000))  # and 0x100 in context 0, which runs from 1150 on, at 1160
    assert rows(told) == {"0x00000100": (1, 30, 30), "0x00000200": (1, 10, 10)}, rows(told)
    assert ran(told) == {"main": 40, "task 1": 20} and rest(told) == (20, 0), told["contexts"]
    assert not told["complete"] and told["link"]["records_lost"] == 1, told["link"]


@case
def a_limit_on_a_function_that_never_returns_is_judged():
    tree = Tree(longest=True)
    capture = tree.packet(1000000, node(0, 0, 0x100, 0, 900000, 0)) + tree.packet(3000000, node(0, 0, 0x100, 0, 2900000, 0))
    done, _ = run(capture, "--limit", "0x00000100:self<50%")
    assert "not judged" not in done.stderr and "0x00000100" in done.stderr, done.stderr


@case
def time_of_other_without_a_call_counts():
    tree = Tree()
    told = snapshot(tree.packet(111, node(0, 0, 0x100, 1, 10), outside(0, 1, 100)), tree.packet(161, outside(0, 1, 150)))
    assert rows(told) == {"0x00000100": (1, 10, 10), "(other)": (1, 150, 150)}, rows(told)
    assert ran(told) == {"main": 160}


@case
def other_before_the_first_row_is_in_the_tree():
    tree = Tree()
    told = snapshot(tree.packet(100, outside(0, 4, 90)), tree.packet(110, node(0, 0, 0x100, 1, 10)))
    assert rows(told) == {"0x00000100": (1, 10, 10), "(other)": (4, 90, 90)}, rows(told)
    assert sorted(told["call_tree"]["self_ticks"]) == [0, 10, 90], told["call_tree"]


@case
def a_longest_call_without_new_counts_is_shown():
    tree = Tree(longest=True)
    told = snapshot(tree.packet(10, node(0, 0, 0x100, 1, 10, 0)), tree.packet(10, node(0, 0, 0x100, 1, 10, 500)))
    assert [f["max_ticks"] for f in told["functions"]] == [500], told["functions"]


@case
def contexts_of_the_flat_form_have_the_time_of_their_functions():
    told = snapshot(Tree(flat=True).packet(
        1000, arc(0, 0, 0x100, 3, 900), arc(1, 0, 0x100, 5, 50), context(2), outside(50, 2, 7), name(2, "idle", is_idle=True)))
    assert ran(told) == {"main": 950, "idle": 57}, told["contexts"]
    assert {n: (calls, own) for n, (calls, _, own) in rows(told).items()} == {
        "0x00000100": (3, 900), "0x00000200": (5, 50), "(other)": (2, 7)}, rows(told)
    assert sum(told["call_tree"]["self_ticks"]) == 957 + 50, told["call_tree"]


@case
def an_unreadable_packet_of_another_version_ends_no_run():
    for payload in (b"\2", b"\3", b"\2" + bytes(range(200, 212)), b"\3" + bytes(range(200, 230))):
        told = snapshot(TWO_CALLS, framed(PROFILE_DATA, payload))
        assert {n: c for n, (c, _, _) in rows(told).items()} == {"0x00000100": 1, "0x00000200": 1}, rows(told)
        assert told["link"]["malformed"] == 1, told["link"]
        lacks(told, "1 packet came damaged")


@case
def an_empty_packet_of_another_version_ends_no_run():
    told = snapshot(TWO_CALLS, stream(""), Tree().packet(0))
    assert len(rows(told)) == 2 and told["link"]["malformed"] == 0 and told["complete"], told["incomplete_because"]


@case
def calls_discarded_by_a_change_of_mode_are_reported():
    told = snapshot(TWO_CALLS, stream("C0 80 04 05 04"))
    assert rows(told) == {"0x00000100": (1, 4, 4)}, rows(told)
    lacks(told, "2 calls had been counted when the target began to send calls in another way")
    tree = Tree()
    told = snapshot(stream("C0 80 04 05 04"), tree.packet(10, node(0, 0, 0x100, 7, 10)))
    assert rows(told) == {"0x00000100": (7, 10, 10)}, rows(told)
    lacks(told, "1 call had been counted")
    again = Tree(run=2)
    told = snapshot(tree.packet(20, node(0, 0, 0x100, 9, 20)), again.packet(5, node(0, 0, 0x100, 1, 5)))
    assert rows(told) == {"0x00000100": (1, 5, 5)}, rows(told)
    lacks(told, "9 calls had been counted")


@case
def discarded_calls_are_reported_until_cleared():
    capture = TWO_CALLS + stream("C0 80 04 05 04") + Tree().packet(10, node(0, 0, 0x100, 7, 10))
    word = "3 calls had been counted when the target began to send calls in another way"
    done, (text, page, scraped) = run(capture, "--strict", exports=("json", "markdown", "prometheus"))
    assert done.returncode == 4 and word in done.stderr and word in page and word in json.loads(text)["incomplete_because"][0], (done, page)
    assert "\nminiprofd_link_calls_discarded_total 3\n" in scraped and "\nminiprofd_profile_complete 0\n" in scraped, scraped
    checks = checked(capture, capture)
    assert checks.returncode == 4 and "30.000 % was lost" in checks.stderr, checks
    with tempfile.NamedTemporaryFile() as file:
        file.write(capture)
        file.flush()
        with Daemon(MINIPROFD, "--port", "file:" + file.name) as daemon:
            told = daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
            assert word in told["incomplete_because"][0] and told["link"]["calls_discarded"] == 3, told["incomplete_because"]
            daemon.request("POST", "/api/v1/profile/clear", "{}")
            told = daemon.wait_until(lambda snapshot: not any(f["calls"] for f in snapshot["functions"]))
            assert told["complete"] and told["link"]["calls_discarded"] == 0, told["incomplete_because"]


@case
def only_bytes_between_packets_count_as_skipped():
    hit = bytearray(calls((0x200, 200, 10, 0)))
    hit[1] ^= 1  # changes one of its first two bytes
    told = snapshot(TWO_CALLS, bytes(hit), calls((0x300, 300, 10, 0)))
    assert len(rows(told)) == 3, rows(told)
    lacks(told, f"{len(hit)} bytes between good packets")
    told = snapshot(b"boot: ok\r\n", TWO_CALLS)
    assert told["complete"] and told["link"]["bytes_skipped"] == 10, told["link"]


@case
def a_capture_that_ends_inside_a_packet_is_not_damaged():
    last = Tree().packet(10, node(0, 0, 0x100, 7, 10))
    for left in range(1, len(last)):
        told = snapshot(TWO_CALLS, last[:left])
        link = told["link"]
        assert link["bytes_cut"] == left and told["complete"], (left, link, told["incomplete_because"])
        assert link["framing_errors"] == link["crc_errors"] == link["malformed"] == link["bytes_skipped"] == 0, link


@case
def the_first_packets_of_a_run_after_a_restart_are_missed():
    before = metadata() + stream("C0 80 04 05 04")
    told = snapshot(before, metadata(), stream("C0 80 04 05 04", number=40, time=5000, run=2))
    assert told["link"]["records_lost"] == 20, told["link"]
    lacks(told, "20 records of calls were lost")
    joined = snapshot(metadata(), stream("C0 80 04 05 04", number=40, time=5000, run=2))
    assert joined["complete"], joined["incomplete_because"]


@case
def metadata_of_another_program_is_a_restart():
    told = snapshot(metadata(), metadata(version=b"v2"), stream("C0 80 04 05 04", number=40, run=2))
    assert told["link"]["records_lost"] == 20, told["link"]


@case
def a_duplicate_packet_after_metadata_is_no_restart():
    tree = Tree()
    first = tree.packet(100, node(0, 0, 0x100, 3, 90))
    twice = tree.packet(200, node(2, 1, 0x200, 5, 10))  # it is not shown yet: its caller was not sent
    told = snapshot(metadata(), first, metadata(), twice, twice, tree.packet(300, node(0, 0, 0x100, 4, 190)))
    assert rows(told) == {"0x00000100": (4, 190, 190)} and told["link"]["calls_discarded"] == 0, told["link"]
    assert told["link"]["target_resets"] == 0, told["link"]


@case
def a_window_after_metadata_does_not_continue_the_tree():
    begins = "C6 C0 84 3D C7 00 80 04 00 CA 01 80 04 32 00 00 C0 80 08 05 C1 04"
    before = Tree(run=2)
    first = before.packet(100, node(0, 0, 0x100, 3, 90)) + before.packet(200, node(0, 0, 0x100, 4, 190))
    after = Tree(run=2, start=1100)  # after a restart, whose first packet was lost
    after.packet(50)
    told = snapshot(metadata(), first, metadata(), window(begins, 1), after.packet(100, node(0, 0, 0x200, 7, 100)))
    assert {n: c for n, (c, _, _) in rows(told).items() if c} == {"0x00000100": 4, "0x00000200": 7}, rows(told)
    assert told["link"]["target_resets"] == 1 and told["complete"], (told["link"], told["incomplete_because"])


@case
def a_return_in_the_first_tick_loses_nothing():
    _, (text,) = run(metadata() + stream("C6 C0 84 3D C7 00 80 04 05 C7 01 80 04 05 C3 00 00", depth=2))
    assert json.loads(text)["complete"], text


@case
def an_empty_run_does_not_continue_in_another_context():
    first = stream("C6 C0 84 3D C7 00 80 04 00", depth=1, time=1000, runs=2)  # 0x100 runs, and nothing has happened
    told = snapshot(first, metadata(), stream("C6 C0 84 3D C0 80 08 05 C1 04", time=900000))
    assert rows(told)["0x00000100"][1:] == (0, 0) and rows(told)["0x00000200"] == (1, 4, 4), rows(told)


@case
def a_duplicate_first_packet_after_metadata_is_no_restart():
    gap = stream("C5 02 00 00 00 00 00 00 05", number=24)  # has no call
    told = snapshot(metadata(), gap, gap)
    assert told["link"]["records_lost"] == 1 and told["link"]["target_resets"] == 0, told["link"]


@case
def another_stack_depth_after_metadata_is_a_restart():
    open_calls = stream("C7 00 80 04 00 C7 01 80 04 00", depth=2)
    told = snapshot(metadata(), open_calls, metadata(), stream("C0 80 06 05 04", time=900000))
    assert told["link"]["target_resets"] == 1 and {name: own for name, (_, _, own) in rows(told).items() if own} == {"0x00000180": 4}, rows(told)
    goes_on = snapshot(metadata(), open_calls, metadata(), stream("C0 80 06 05 04", time=900000, depth=2))
    assert goes_on["link"]["target_resets"] == 0 and rows(goes_on)["0x00000200"][2] > 900000, rows(goes_on)


@case
def calls_before_the_first_sums_are_not_lost():
    counts = status(captured=0) + status(captured=7) + status(captured=7)
    told = snapshot(counts, Tree().packet(100, node(0, 0, 0x100, 7, 90)))
    assert told["link"]["records_lost"] == 0, told["link"]
    assert snapshot(TWO_CALLS, counts, Tree().packet(100, node(0, 0, 0x100, 7, 90)))["link"]["records_lost"] == 0
    assert snapshot(counts, TWO_CALLS, status(captured=7), status(captured=7))["link"]["records_lost"] == 5
    _, (text,) = run(counts)
    assert json.loads(text)["link"]["records_lost"] == 7, "none of them came"


@case
def calls_after_a_new_clock_count_despite_unnamed_callers():
    capture = [stream("C6 C0 84 3D"), stream("C0 80 04 05 C0 80 02 05", number=2, time=100, depth=2),
               stream("C6 80 89 7A C0 80 04 05 C1 05", number=4, time=200, depth=4)]
    told = snapshot(*capture)
    assert rows(told)["0x00000100"][0] == 1 and told["link"]["over_limit"] == 0, rows(told)


@case
def flat_calls_without_time_are_in_the_tree():
    told = snapshot(Tree(flat=True).packet(0, arc(0, 0, 0x100, 1, 0)))
    assert sum(told["call_tree"]["calls"]) == 1 and not told["call_tree_estimated"], told["call_tree"]


def window(tokens, run, number=0, time=1500, depth=1, ends=True):
    """A packet of a window beside the tree (SPEC 13)."""
    head = struct.pack("<BBII", 2, 4, run << 28 | number, time)
    return framed(PROFILE_DATA, head + b"\0" + bytes([depth]) + bytes.fromhex(tokens) + b"\xcb" * ends)


@case
def lost_windows_are_counted_and_lose_no_calls():
    begins, calls_more = "C6 C0 84 3D C7 00 80 04 00 CA 01 80 04 32 00 00", "C0 80 08 05 C1 04"
    tree = Tree()
    sums = metadata() + tree.packet(1000, node(0, 0, 0x100, 5, 1000))
    first, whole = window(begins, 1), window(begins + calls_more, 2)
    last = window(begins + calls_more, 4, time=1800)
    told = snapshot(sums, first, whole, window(begins, 3, time=1700), last)
    assert told["complete"] and told["link"]["windows_lost"] == 0 and told["link"]["windows"] == 4, told["incomplete_because"]
    for lost, captured in ((1, (first, whole, last)), (2, (first, last)), (0, (whole,)),
                           (2, (first, window(begins + calls_more, 2, ends=False), last)),  # without the end of one, and the third
                           (2, (first, window(calls_more, 3, number=4), last)),  # without the second, and the begin of the third
                           (1, (window(begins + calls_more, 1, ends=False), window(calls_more, 1, number=4, time=1600)))):
        told = snapshot(sums, *captured)
        assert told["link"]["records_lost"] == 0 and told["link"]["windows_lost"] == lost, (lost, told["link"])
        assert {name: calls for name, (calls, _, _) in rows(told).items() if calls} == {"0x00000100": 5}, rows(told)
        if lost:
            lacks(told, f"{lost} window")


@case
def calls_of_a_target_with_tasks_in_version_1_are_a_doubt():
    told = snapshot(metadata(), description(tasks=4), calls((0x100, 100, 10, 0)), calls((0x200, 200, 10, 0)))
    lacks(told, "2 calls came without the task that made them")
    assert snapshot(metadata(), description(tasks=4), stream("C0 80 04 05 C1 04"))["complete"]
    assert snapshot(metadata(), description(tasks=1), TWO_CALLS)["complete"]


@case
def calls_of_another_clock_are_not_added_up():
    ticks = ("--dialect-opt", "time_unit=ticks")
    capture = metadata(84000000) + calls((0x100, 100, 840, 0)) + metadata(168000000) + calls((0x100, 2000, 1680, 0))
    _, (text,) = run(capture, *ticks)
    told = json.loads(text)
    assert rows(told) == {"0x00000100": (1, 1680, 1680)} and told["target"]["ticks_per_second"] == 168000000, rows(told)
    lacks(told, "1 call had been counted when the target began to send calls in another way, by another clock")
    assert "10 us of own time" in told["incomplete_because"][0], told["incomplete_because"]
    hz = "C6 C0 84 3D"  # 1,000,000
    told = snapshot(stream(hz + "C0 80 04 05 04"), stream("C6 80 89 7A C0 80 04 05 04", time=100, run=2))
    assert rows(told) == {"0x00000100": (1, 4, 4)} and told["target"]["ticks_per_second"] == 2000000, rows(told)
    lacks(told, "1 call had been counted")
    joined = snapshot(metadata(), stream("C0 80 04 05 04"), stream("C6 80 89 7A C0 80 04 05 04", number=2, time=100))
    assert rows(joined) == {"0x00000100": (2, 8, 8)} and joined["complete"], "the rate was unknown before"


@case
def another_timer_rate_than_documented_is_a_warning():
    lacks(snapshot(metadata(168000000), calls((0x100, 100, 1680, 0))), "time_unit=ticks")
    _, (text,) = run(metadata(168000000) + calls((0x100, 100, 1680, 0)), "--dialect-opt", "time_unit=ticks")
    assert json.loads(text)["complete"], text


@case
def a_silence_beyond_the_clock_is_a_warning():
    told = snapshot(metadata(), calls((0x100, 0, 100, 0)), calls((0x100, 2400000000, 100, 0)))
    lacks(told, "1 time a call had ended before one received earlier")


@case
def calls_that_gprof_and_the_tree_both_count_count_once():
    for flat, callee, order in ((flat, callee, order) for flat in (False, True) for callee in (0x100, 0x109) for order in (0, 1)):
        arcs = framed(EXTENSION, b"\2" + (b"A" + (0xC10).to_bytes(3, "big") + callee.to_bytes(3, "big")) * 5)
        row = arc(0, 0, 0x100, 5, 90) if flat else node(0, 0, 0x100, 5, 90)
        packets = [arcs, Tree(flat=flat).packet(100, row)]
        told = snapshot(metadata(), packets[order], packets[1 - order])
        assert {n: c for n, (c, _, _) in rows(told).items() if c} == {"0x00000100": 5}, (flat, callee, order, rows(told))


def named(number, text, is_idle=0):
    return f"C9 {number:02X} {is_idle:02X} {len(text):02X} {text.encode().hex()}"


@case
def long_packets_are_not_taken_for_another_dialect():
    for addresses in ((0x40, 0x80), (0x08000040, 0x08000080), (0x41414140, 0x50505050)):
        capture, number = b"", 0
        for first in range(0, 6000, 2000):
            writer = StreamWriter(number, first, 0, 0, 1, short=lambda: False)
            for call in range(200):
                writer.enter(addresses[call % 2], first + 10 * call)
                writer.exit(addresses[call % 2], first + 10 * call + 4)
            capture, number = capture + writer.packet(), writer.number
        done, (text,) = run(capture, dialect="auto")
        told = json.loads(text)
        assert done.returncode == 0 and told["source"]["dialect"] == "miniprof" and told["complete"], (addresses, done, told["source"])
        assert {calls for calls, _, _ in rows(told).values()} == {300}, rows(told)


@case
def a_name_that_was_reported_before_its_task_ran_stays():
    # The task runs (C4) after names were sent; without a name it has its number only.
    told = snapshot(stream(named(2, "worker") + named(4, "") + named(6, "rest", is_idle=1) +
                           "C4 02 00 05 C0 80 04 05 C1 04 C4 04 00 05 C4 06 00 05"))
    assert [(c["name"], c["kind"]) for c in told["contexts"]] == [
        ("main", "thread"), ("worker", "thread"), ("task 2", "thread"), ("rest", "idle")], told["contexts"]


@case
def a_reused_task_number_makes_a_new_context():
    call = "C0 80 04 05 C1 04"  # of 0x100, 5 ticks later, for 4 ticks
    first = stream(named(2, "worker") + "C4 02 00 05" + call, number=0)
    second = stream(named(2, "writer") + call + "C4 00 00 05", number=2, time=14, runs=2)
    third = stream(named(2, "worker") + "C4 02 00 05" + call, number=4, time=28)
    told = snapshot(first, second, third)
    assert [(c["name"], c["running_ticks"]) for c in told["contexts"]] == [
        ("main", 10), ("worker", 9), ("writer", 14), ("worker", 9)], told["contexts"]
    tree = told["call_tree"]
    assert [(tree["context"][at], tree["calls"][at]) for at in range(1, len(tree["calls"])) if tree["calls"][at]] == [(1, 1), (2, 1), (3, 1)], tree
    assert told["complete"], told["incomplete_because"]


@case
def tasks_sharing_a_number_in_a_tree_are_merged_until_cleared():
    tree = Tree()

    def row(task, calls):
        return context(2), name(2, task), node(0, 0, 0x100, calls, 10 * calls)
    capture = metadata() + tree.packet(50, *row("worker", 5)) + tree.packet(70, *row("writer", 7))
    with tempfile.NamedTemporaryFile() as file:
        file.write(capture)
        file.flush()
        with Daemon(MINIPROFD, "--port", "file:" + file.name) as daemon:
            told = daemon.wait_until(lambda snapshot: snapshot["source"]["state"] == "ended")
            assert [c["name"] for c in told["contexts"]] == ["(several tasks)"], told["contexts"]
            daemon.request("POST", "/api/v1/profile/clear", "{}")
            told = daemon.wait_until(lambda snapshot: not any(f["calls"] for f in snapshot["functions"]))
            assert [c["name"] for c in told["contexts"]] == ["writer"], told["contexts"]


@case
def ended_tasks_beyond_the_ceiling_are_merged():
    call = "C0 80 04 05 C1 04"  # 9 ticks
    capture = stream("C4 02 00 00" + call, time=0)
    for job in range(700):
        capture += stream(named(2, f"job{job}") + call, number=2 + 2 * job, time=9 + 9 * job, runs=2)
    told = snapshot(metadata(), capture)
    times = {c["name"]: c["running_ticks"] for c in told["contexts"]}
    assert times["job0"] == 9 + 9 and times["job511"] == 9 and "job699" not in times and times["(several tasks)"] == 9 * (701 - 513), times
    lacks(told, "beyond a ceiling")


@case
def a_task_renamed_in_a_call_stays_the_same():
    begins = stream(named(2, "worker") + "C4 02 00 05 C0 80 04 05")  # 0x100 runs
    same = stream(named(2, "writer") + "C3 80 04 04", number=1, time=10, runs=2, depth=1)  # 0x100 returns
    told = snapshot(begins, same)
    assert [(c["name"], c["running_ticks"]) for c in told["contexts"]] == [("main", 5), ("writer", 9)], told["contexts"]
    assert rows(told)["0x00000100"] == (1, 4, 4) and told["complete"], rows(told)
    # It ended within its call: a gap without losses ends that call.
    ended = stream(named(2, "writer") + "C4 00 00 04 C4 02 00 05 C5 00 01 01 00 FF FF FF 00 C0 80 08 05 C1 04", number=1, time=10, runs=2, depth=1)
    told = snapshot(begins, ended)
    assert [c["name"] for c in told["contexts"]] == ["main", "worker", "writer"], told["contexts"]
    assert rows(told)["0x00000100"][0] == 0 and rows(told)["0x00000200"] == (1, 4, 4), rows(told)


if __name__ == "__main__":
    sys.exit(run_cases())
