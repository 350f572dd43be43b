#!/usr/bin/env python3
"""Tests checkpoints of the TF-M profiler from the emulated board to the daemon, in each form: counts are exact.

usage: run_tfm.py MINIPROFD FOLDER_OF_IMAGES. Prints TAP."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from board import begin_rounds, functions, running, running_as_shown, wait_for  # noqa: E402
from cases import case, run_cases  # noqa: E402

MINIPROFD, IMAGES = sys.argv[1:]


def image(name):
    return os.path.join(IMAGES, name + ".elf")


def pairs(snapshot):
    return {(row["context"], row["topic"], row["from"], row["to"]): row for row in snapshot["checkpoints"] if row["from"] is not None}


# Consecutive checkpoints of a world and topic, example/main.c: pairs of a round, and those from one round to the next.
WITHIN = [("secure", 0, 1, 2), ("non-secure", 0, 3, 4), ("secure", 1, 0x200, 0x201), ("secure", 1, 0x201, 0x202)]
BETWEEN = [("secure", 0, 2, 1), ("non-secure", 0, 4, 3), ("secure", 1, 0x202, 0x200)]


def counts(rounds):
    return {**{pair: rounds for pair in WITHIN}, **{pair: rounds - 1 for pair in BETWEEN}}


def is_done(rounds):
    return lambda snapshot: {pair: row["count"] for pair, row in pairs(snapshot).items()} == counts(rounds)


def check(snapshot):
    """Checks times: each turn of work() takes the same time; a round's first work has 100 to 107 turns."""
    rows, link = pairs(snapshot), snapshot["link"]
    for figure in ("malformed", "bytes_skipped", "framing_errors", "crc_errors"):
        assert link[figure] == 0, (figure, link)
    assert link["doubt"] is None and snapshot["complete"], snapshot
    for pair in WITHIN:
        row = rows[pair]
        assert 30 < row["min_ticks"] <= row["mean_ticks"] <= row["max_ticks"] < 50000, row
        assert row["min_ticks"] <= row["first_ticks"] <= row["max_ticks"], row
    assert rows[WITHIN[0]]["min_ticks"] < rows[WITHIN[0]]["max_ticks"], "work differs from round to round"


def run(name, rounds, *arguments):
    with running(MINIPROFD, image(name), "--dialect", "tfm", *arguments) as daemon:
        snapshot = wait_for(daemon, is_done(rounds))
        check(snapshot)
        return snapshot


@case
def a_dump_is_exact():
    run("example-tfm-dump", 40)


@case
def a_round_takes_the_sum_of_its_parts():
    whole, parts = "0s1 1s514", ["0s1 0s2", "0s2 0n3", "0n3 0n4", "0n4 1s512", "1s512 1s513", "1s513 1s514"]
    worlds = {"s": "secure", "n": "non-secure"}
    names = {"pairs": [{"name": pair, "topic": int(pair[0]), "world": worlds[pair[1]], "from": int(start[2:]),
                        "to_topic": int(end[0]), "to_world": worlds[end[1]], "to": int(end[2:])}
                       for pair in [whole, *parts] for start, end in [pair.split()]]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(names, file)
        file.flush()
        with running(MINIPROFD, image("example-tfm-dump"), "--dialect", "tfm", "--dialect-opt", "names=" + file.name) as daemon:
            snapshot = wait_for(daemon, lambda s: [row["count"] for row in s["checkpoints"]] == [40] * 7)
    rows = {row["name"]: row for row in snapshot["checkpoints"]}
    assert (rows["0n4 1s512"]["context"], rows["0n4 1s512"]["to_context"], rows["0n4 1s512"]["to_topic"]) == ("non-secure", "secure", 1), rows
    for figure in ("first_ticks", "mean_ticks"):
        assert abs(rows[whole][figure] - sum(rows[part][figure] for part in parts)) < 0.01, (figure, rows)


@case
def a_stream_is_exact_for_counters_up_and_down():
    up, down = run("example-tfm-stream", 200), run("example-tfm-down", 200)
    told = run("example-tfm-down", 200, "--dialect-opt", "counter=down")
    for pair in WITHIN:
        assert pairs(down)[pair]["min_ticks"] == pairs(told)[pair]["min_ticks"], "learnt as if it was said"
        assert abs(pairs(up)[pair]["min_ticks"] - pairs(down)[pair]["min_ticks"]) < 60, (pairs(up)[pair], pairs(down)[pair])


@case
def text_lines_by_topic_and_averages_agree():
    with running(MINIPROFD, image("example-tfm-text"), "--dialect", "tfm") as daemon:
        snapshot = wait_for(daemon, lambda s: sum(row["from"] is None or not row["count"] for row in s["checkpoints"]) == 2)
        check(snapshot)
        assert {pair: row["count"] for pair, row in pairs(snapshot).items() if row["count"]} == counts(40), pairs(snapshot)
        averages = {(row["context"], row["name"]): row["mean_ticks"] for row in snapshot["checkpoints"] if row["name"]}
        for pair, name in ((WITHIN[0], "work"), (WITHIN[1], "call")):
            mean = pairs(snapshot)[pair]["mean_ticks"]
            assert 0 < mean - averages[pair[0], name] < 60, (mean, averages, "the board's own is calibrated")


@case
def a_full_database_drops_and_counts_the_newest():
    with running(MINIPROFD, image("example-tfm-full"), "--dialect", "tfm") as daemon:
        snapshot = wait_for(daemon, lambda s: s["link"]["records_lost"] > 0)
        assert snapshot["link"]["records"] == 128, snapshot["link"]
        assert snapshot["link"]["records_lost"] == 40 * 7 - 128, snapshot["link"]
        assert not snapshot["complete"], snapshot["link"]
        assert pairs(snapshot)[WITHIN[0]]["count"] == 19, "18 whole rounds, and two checkpoints"


@case
def beside_the_agents_calls_both_are_exact():
    for mode in ("stream", "calls", "tree"):
        with running(MINIPROFD, image("example-tfm"), "--mode", mode) as daemon:
            begin_rounds(daemon, mode, 200)
            snapshot = wait_for(daemon, lambda s: is_done(200)(s) and functions(s).get("control_step", {}).get("calls") == 200)
            check(snapshot)
            assert functions(snapshot)["pid_step"]["calls"] == 200, functions(snapshot)["pid_step"]


@case
def commands_of_the_page_work():
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/add-tfm.md")
    with running_as_shown(page, MINIPROFD, IMAGES) as daemon:
        check(wait_for(daemon, is_done(200)))


sys.exit(run_cases())
