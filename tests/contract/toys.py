"""toys.py - adds a dialect and an exporter to a copy of the sources, with one file and one word each. The whole program must support them.

Run by additions.py."""
import json
import os
import re
import subprocess

from cases import case

# Each byte takes a tick; a capital letter enters the function of that name, a small one leaves it.
DIALECT = r"""
#include "dialect/dialect.h"

#include <ctype.h>

struct toy {
    struct dialect_health health;
    uint64_t now;
    char name;
};

static void decode_letters(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
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

static const struct dialect_health *toy_health(const void *state)
{
    return &((const struct toy *)state)->health;
}

static int probe_letters(const uint8_t *bytes, size_t n)
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
    .decode = decode_letters,
    .health = toy_health,
    .probe = probe_letters,
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


class ToyDialect:
    """The program with both additions, and a capture for it."""
    WHAT = "a dialect"

    def add(self, tree):
        tree.add("daemon/dialect/toy/toy.c", DIALECT)
        tree.add_word("daemon/dialect/meson.build", "dialects", "toy")

    def look(self, miniprofd, tree):
        self.program = miniprofd
        self.capture = os.path.join(tree.folder, "capture")
        with open(self.capture, "wb") as capture:
            capture.write(b"ABbBba")


class ToyExporter:
    WHAT = "an exporter"

    def add(self, tree):
        tree.add("daemon/export/export_toytext.c", EXPORTER)
        tree.add_word("daemon/export/meson.build", "exporters", "toytext")

    def look(self, miniprofd, tree):
        pass


TOYS = ToyDialect()
ADDITIONS = [TOYS, ToyExporter()]


def run(*arguments):
    done = subprocess.run([TOYS.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def exported(format_id):
    return run("--port", "file:" + TOYS.capture, "--dialect", "toy", "--no-http", "--export", format_id + "=-")


@case
def a_program_with_each_toy_addition_builds():
    assert run("--version")


@case
def help_names_both():
    said = run("--help")
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
