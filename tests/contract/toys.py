#!/usr/bin/env python3
"""toys.py - a dialect and an exporter are added to a copy of the sources as one file and one word each, and all of the program knows them.

usage: toys.py MESON NINJA SOURCE. Prints TAP. The copy is compiled as fast as can be: nothing of it is measured."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import case, run_cases  # noqa: E402

MESON, NINJA, SOURCE = sys.argv[1:4]
NEEDED = ("meson.build", "meson_options.txt", "daemon", "firmware-ref", "protocol", "webroot")

# Each byte takes a tick; a capital letter enters the function of that name, a small one leaves it.
DIALECT = r"""
#include "dialect/dialect.h"

#include <ctype.h>

struct toy {
    struct dialect_health health;
    uint64_t now;
    char name;
};

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct toy *toy = state;
    for (size_t i = 0; i < n; i++, toy->now++) {
        if (!isalpha(bytes[i])) {
            toy->health.bytes_skipped++;
            continue;
        }
        toy->name = (char)toupper(bytes[i]);
        toy->health.records++;
        out->batch(out->user,
                   &(struct event){.kind = isupper(bytes[i]) ? EVENT_ENTER : EVENT_EXIT,
                                   .flags = EVENT_BY_NAME,
                                   .ticks = toy->now,
                                   .named = {.name = &toy->name, .n = 1}},
                   1);
    }
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct toy *)state)->health;
}

static int probe(const uint8_t *bytes, size_t n)
{
    return 0;
}

const struct dialect dialect_toy = {
    .id = "toy",
    .title = "Toy letters",
    .summary = "letters that enter and leave",
    .framing = DIALECT_RAW,
    .provides = PROVIDES_TREE,
    .ticks_per_second = 1000,
    .state_size = sizeof(struct toy),
    .decode = decode,
    .health = health,
    .probe = probe,
};
"""

EXPORTER = r"""
#include "export/export.h"

static void write_toy(const struct snapshot *snapshot, struct sink *sink)
{
    for (uint32_t id = 0; id < snapshot->function_count; id++)
        if (snapshot->functions[id].calls > 0)
            sink_printf(sink, "%s was called %llu times\n", snapshot->functions[id].name,
                        (unsigned long long)snapshot->functions[id].calls);
}

const struct exporter exporter_toytext = {
    .id = "toytext",
    .title = "Toy text",
    .summary = "a line per function",
    .media_type = "text/plain",
    .extension = "toy",
    .needs = PROVIDES_TREE,
    .write = write_toy,
};
"""

folder = tempfile.mkdtemp(prefix="miniprofd-toys-")
MINIPROFD = os.path.join(folder, "build", "daemon", "miniprofd")
CAPTURE = os.path.join(folder, "capture")


def add(room, names, word, text, path):
    """Adds a file to a room of the copy, and its word to the list `names` of the room's meson.build."""
    home = os.path.join(folder, "daemon", room)
    file = os.path.join(home, path)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "x", encoding="utf-8") as new:
        new.write(text)
    build = os.path.join(home, "meson.build")
    with open(build, encoding="utf-8") as old:
        lines, words = re.subn(rf"^({names} = \[[^\]]*)\]", rf"\1, '{word}']", old.read(), flags=re.MULTILINE)
    assert words == 1, f"{build} has no list {names}"
    with open(build, "w", encoding="utf-8") as new:
        new.write(lines)


def run(*arguments):
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def exported(format_id):
    return run(MINIPROFD, "--port", "file:" + CAPTURE, "--dialect", "toy", "--no-http", "--export", format_id + "=-")


@case
def one_file_and_one_word_each_build_a_program():
    for name in NEEDED:
        (shutil.copytree if os.path.isdir(os.path.join(SOURCE, name)) else shutil.copy)(
            os.path.join(SOURCE, name), os.path.join(folder, name))
    in_folders = os.path.isdir(os.path.join(SOURCE, "daemon", "dialect", "miniprof"))
    add("dialect", "dialects", "toy", DIALECT, "toy/toy.c" if in_folders else "toy.c")
    add("export", "exporters", "toytext", EXPORTER, "toytext.c")
    build = os.path.join(folder, "build")
    run(MESON, "setup", build, folder, "-Dtests=false", "--buildtype=plain", "-Dwarning_level=0")
    run(NINJA, "-C", build, "daemon/miniprofd")
    with open(CAPTURE, "wb") as capture:
        capture.write(b"ABbBba")


@case
def help_names_both():
    said = run(MINIPROFD, "--help")
    assert re.search(r"\btoy\b.*letters that enter and leave", said) and re.search(r"\btoytext\b.*a line per function", said), said


@case
def the_dialect_is_decoded():
    snapshot = json.loads(exported("json"))
    figures = {row["name"]: (row["calls"], row["total_ticks"], row["self_ticks"]) for row in snapshot["functions"] if row["calls"]}
    assert figures == {"A": (1, 5, 3), "B": (2, 2, 2)}, figures
    assert snapshot["link"]["records"] == 6, snapshot["link"]


@case
def the_exporter_writes():
    assert sorted(exported("toytext").splitlines()) == ["A was called 1 times", "B was called 2 times"]


if __name__ == "__main__":
    try:
        sys.exit(run_cases())
    finally:
        shutil.rmtree(folder)
