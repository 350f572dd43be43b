/* export_markdown.c - a report of a hundred lines for a person or an assistant, in the Markdown of GitHub and
 * GitLab: where the time went, callers, broken limits, and the health of the link. */
#include "export/export.h"

#include "base/clock.h"
#include "base/markdown.h"
#include "base/text.h"
#include "export/busiest.h"
#include "export/ticks.h"
#include "snapshot/clock_doubt.h"
#include "snapshot/edges.h"
#include "snapshot/elf_files.h"
#include "snapshot/figures.h"
#include "snapshot/slowdown.h"

#include <stdlib.h>
#include <string.h>

enum { CHECKPOINTS_SHOWN = 50, FUNCTIONS_SHOWN = 20, CALLED_SHOWN = 8, NEIGHBOURS_SHOWN = 4 };

/* A dialect with one of these reports functions. */
enum { OF_FUNCTIONS = PROVIDES_TREE | PROVIDES_ARCS | PROVIDES_SAMPLES };

/* Writes a time, in ticks where their length is unknown. */
static void write_time(struct sink *sink, const struct snapshot *snapshot, uint64_t ticks)
{
    char text[32];
    if (!snapshot->target.ticks_per_second) {
        sink_printf(sink, "%llu ticks", (unsigned long long)ticks);
        return;
    }
    bound_write_value(BOUND_MEAN, (double)ticks_nanoseconds(ticks, snapshot->target.ticks_per_second), text,
                      sizeof text);
    sink_text(sink, text);
}

static void write_known_time(struct sink *sink, const struct snapshot *snapshot, bool is_known,
                             uint64_t ticks)
{
    sink_text(sink, " | ");
    if (is_known)
        write_time(sink, snapshot, ticks);
    else
        sink_text(sink, "–");
}

/* The functions that ran, the busiest first, and their sums. */
struct ranking {
    const struct snapshot_function **rows;
    uint32_t n;
    uint64_t self_ticks, samples;
};

static bool rank_functions(const struct snapshot *snapshot, struct ranking *ranking)
{
    *ranking = (struct ranking){.rows = malloc((snapshot->function_count + 1) * sizeof *ranking->rows)};
    for (uint32_t i = 0; ranking->rows && i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        ranking->self_ticks += function->self_ticks;
        ranking->samples += function->samples;
        if (function->calls > 0 || function->self_ticks > 0 || function->samples > 0)
            ranking->rows[ranking->n++] = function;
    }
    if (ranking->n > 0)
        qsort(ranking->rows, ranking->n, sizeof *ranking->rows, busiest_first);
    return ranking->rows != NULL;
}

static void write_share(struct sink *sink, uint64_t part, uint64_t whole)
{
    sink_printf(sink, " | %.1f %%", whole > 0 ? 100.0 * (double)part / (double)whole : 0.0);
}

static void write_place(struct sink *sink, const struct snapshot_function *function)
{
    sink_text(sink, " | ");
    if (function->file) {
        markdown_text(sink, function->file, MARKDOWN_NAME_MOST);
        if (function->line)
            sink_printf(sink, "\\:%u", (unsigned)function->line);
    } else if (function->has_address) {
        sink_printf(sink, "0x%llx", (unsigned long long)function->address);
    }
    sink_text(sink, " |\n");
}

static void write_calls(struct sink *sink, bool is_known, uint64_t calls)
{
    if (is_known)
        sink_printf(sink, " | %llu", (unsigned long long)calls);
    else
        sink_text(sink, " | –");
}

static void write_counted(struct sink *sink, const struct snapshot *snapshot,
                          const struct snapshot_function *function, uint64_t whole)
{
    bool is_each = function->known & FUNCTION_EACH && function->calls > 0;
    sink_text(sink, "| ");
    markdown_text(sink, function->name, MARKDOWN_NAME_MOST);
    write_share(sink, function->self_ticks, whole);
    write_known_time(sink, snapshot, function->known & (FUNCTION_TIMES | FUNCTION_SELF | FUNCTION_RUNNING),
                     function->self_ticks);
    write_known_time(sink, snapshot, function->known & (FUNCTION_TIMES | FUNCTION_RUNNING),
                     function->total_ticks);
    write_calls(sink, function->kind == KIND_FUNCTION, function->calls);
    write_known_time(sink, snapshot, is_each,
                     function->calls ? (function->sum_ticks + function->calls / 2) / function->calls : 0);
    write_known_time(sink, snapshot, is_each, function->p99_ticks);
    write_known_time(sink, snapshot, is_each, function->max_ticks);
    write_place(sink, function);
}

static void write_functions(const struct snapshot *snapshot, const struct ranking *ranking, struct sink *sink)
{
    bool is_sampled = ranking->self_ticks == 0 && ranking->samples > 0;
    if (ranking->n == 0 && (!(snapshot->source.provides & OF_FUNCTIONS) || snapshot->message_count > 0))
        return;
    sink_text(sink, "\n## Functions\n\n");
    if (ranking->n == 0) {
        sink_text(sink, "None has returned yet.\n");
        return;
    }
    if (is_sampled)
        sink_text(sink, "| function | share | samples | calls | where |\n|---|--:|--:|--:|---|\n");
    else
        sink_text(sink, "| function | share | self | total | calls | mean | p99 | max | where |\n"
                        "|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (uint32_t i = 0; i < ranking->n && i < FUNCTIONS_SHOWN; i++) {
        const struct snapshot_function *function = ranking->rows[i];
        if (!is_sampled) {
            write_counted(sink, snapshot, function, ranking->self_ticks);
            continue;
        }
        sink_text(sink, "| ");
        markdown_text(sink, function->name, MARKDOWN_NAME_MOST);
        write_share(sink, function->samples, ranking->samples);
        sink_printf(sink, " | %llu", (unsigned long long)function->samples);
        write_calls(sink, function->known & FUNCTION_CALLS, function->calls);
        write_place(sink, function);
    }
    if (ranking->n > FUNCTIONS_SHOWN)
        sink_printf(sink, "\n%u more have %s.\n", (unsigned)(ranking->n - FUNCTIONS_SHOWN),
                    is_sampled ? "fewer samples" : "less time of their own");
}

/* The end of a pair: its name or its number. */
static void write_end(struct sink *sink, const char *name, uint32_t number)
{
    if (name)
        markdown_text(sink, name, MARKDOWN_NAME_MOST);
    else
        sink_printf(sink, "%u", (unsigned)number);
}

static void write_checkpoint(struct sink *sink, const struct snapshot *snapshot,
                             const struct snapshot_checkpoint *row)
{
    bool is_measured = row->has_pair && row->count > 0;
    sink_text(sink, "| ");
    if (row->name)
        markdown_text(sink, row->name, MARKDOWN_NAME_MOST);
    else
        write_end(sink, row->from_name, row->from);
    if (!row->name) {
        sink_text(sink, " → ");
        write_end(sink, row->to_name, row->to);
    }
    sink_text(sink, " | ");
    markdown_text(sink, row->context ? row->context : "", MARKDOWN_NAME_MOST);
    write_calls(sink, row->has_pair, row->count);
    write_known_time(sink, snapshot, is_measured, row->min_ticks);
    write_known_time(sink, snapshot, is_measured || !row->has_pair, (uint64_t)(row->mean_ticks + 0.5));
    write_known_time(sink, snapshot, is_measured, row->max_ticks);
    sink_text(sink, " |\n");
}

static void write_checkpoints(const struct snapshot *snapshot, struct sink *sink)
{
    if (snapshot->checkpoint_count == 0)
        return;
    sink_text(sink, "\n## Checkpoints\n\n| measured | world | count | min | mean | max |\n"
                    "|---|---|--:|--:|--:|--:|\n");
    for (uint32_t i = 0; i < snapshot->checkpoint_count && i < CHECKPOINTS_SHOWN; i++)
        write_checkpoint(sink, snapshot, &snapshot->checkpoints[i]);
    if (snapshot->checkpoint_count > CHECKPOINTS_SHOWN)
        sink_printf(sink, "\n%u more.\n", (unsigned)(snapshot->checkpoint_count - CHECKPOINTS_SHOWN));
}

static void write_neighbours(struct sink *sink, const struct snapshot *snapshot, const struct edges *edges)
{
    sink_text(sink, " | ");
    for (uint32_t i = 0; i < edges->n && i < NEIGHBOURS_SHOWN; i++) {
        sink_text(sink, i > 0 ? ", " : "");
        markdown_text(sink, snapshot->functions[edges->rows[i].function].name, MARKDOWN_NAME_MOST);
        sink_printf(sink, " %llu ×", (unsigned long long)edges->rows[i].calls);
    }
    if (edges->n > NEIGHBOURS_SHOWN)
        sink_printf(sink, ", %u more", (unsigned)(edges->n - NEIGHBOURS_SHOWN));
}

static void write_called(const struct snapshot *snapshot, const struct ranking *ranking, struct sink *sink)
{
    if (snapshot->node_count < 2 || ranking->n == 0)
        return;
    sink_text(sink, "\n## Who calls them\n\n| function | callers | callees |\n|---|---|---|\n");
    for (uint32_t i = 0; i < ranking->n && i < CALLED_SHOWN; i++) {
        struct edges callers, callees;
        if (edges_find(snapshot, (uint32_t)(ranking->rows[i] - snapshot->functions), &callers, &callees)) {
            sink_text(sink, "| ");
            markdown_text(sink, ranking->rows[i]->name, MARKDOWN_NAME_MOST);
            write_neighbours(sink, snapshot, &callers);
            write_neighbours(sink, snapshot, &callees);
            sink_text(sink, " |\n");
        } else {
            sink->failed = true;
        }
        edges_fini(&callers);
        edges_fini(&callees);
    }
}

static void write_limits(const struct snapshot_bounds *bounds, struct sink *sink)
{
    if (bounds->count == 0)
        return;
    sink_text(sink, "\n## Limits\n\n| limit | | breaches | worst |\n|---|---|--:|--:|\n");
    for (uint32_t i = 0; i < bounds->count; i++) {
        const struct snapshot_bound *row = &bounds->rows[i];
        char text[BOUND_TEXT_SIZE];
        bound_write(&row->bound, text, sizeof text);
        sink_text(sink, "| ");
        markdown_text(sink, text, MARKDOWN_NAME_MOST);
        sink_printf(sink, " | %s | %llu | ", snapshot_bound_state_name(row->state),
                    (unsigned long long)row->breaches);
        bound_write_value(row->bound.figure, row->worst.value, text, sizeof text);
        sink_printf(sink, "%s |\n", row->breaches > 0 ? text : "–");
    }
}

/* Writes what was received, damaged and lost, without zeros. */
static void write_link(const struct snapshot *snapshot, struct sink *sink)
{
    const struct snapshot_link *link = &snapshot->link;
    sink_text(sink, link->bytes > 0 ? "\n## Link\n\n" : "\n## Link\n\nNothing came.\n");
    for (const struct figure *figure = figures_link; figure->key; figure++)
        if (figure->type == FIGURE_U64 && figure->group != GROUP_NONE && figure_link_known(figure, link) &&
            figure_u64(figure, link) > 0)
            sink_printf(sink, "* %s: %llu\n", figure->title, (unsigned long long)figure_u64(figure, link));
    if (snapshot->message_count > 0)
        sink_printf(sink, "* Messages: %llu\n",
                    (unsigned long long)(snapshot->messages_dropped + snapshot->message_count));
}

/* Writes settings that are known to differ from their defaults. */
static void write_settings(const struct snapshot_measured_with *with, struct sink *sink)
{
    bool is_first = true;
    for (uint32_t i = 0; i < with->count; i++) {
        char words[200];
        if (!with->rows[i].has_usual)
            continue;
        snapshot_measured_words(&with->rows[i], words, sizeof words);
        sink_text(sink, is_first ? "\nMeasured with " : ", ");
        markdown_text(sink, words, MARKDOWN_NAME_MOST);
        sink_text(sink, with->rows[i].is_throughout ? "" : " for a part of the time");
        is_first = false;
    }
    sink_text(sink, is_first ? "" : ".\n");
}

static void write_slowdown(const struct snapshot *snapshot, struct sink *sink)
{
    const struct snapshot_slowdown slowdown = snapshot_slowdown(snapshot);
    char words[SLOWDOWN_SIZE];
    if (!snapshot->target.description.is_known)
        return;
    snapshot_slowdown_words(&slowdown, words);
    sink_char(sink, '\n');
    markdown_text(sink, words, SLOWDOWN_SIZE);
    sink_char(sink, '\n');
}

static void write_head(const struct snapshot *snapshot, struct sink *sink)
{
    const char *elf = snapshot_elf_path(snapshot), *slash = strrchr(elf, '/');
    const struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    char when[CLOCK_ISO8601_SIZE];
    clock_iso8601(snapshot->captured_at_wall_ns, when);
    sink_text(sink, "# Profile of ");
    markdown_text(sink, *elf ? slash ? slash + 1 : elf : "a target", MARKDOWN_NAME_MOST);
    if (*snapshot->target.fw_version) {
        sink_char(sink, ' ');
        markdown_text(sink, snapshot->target.fw_version, MARKDOWN_NAME_MOST);
    }
    sink_text(sink, "\n\nBy miniprofd " MINIPROFD_VERSION " from ");
    markdown_text(sink, snapshot->source.port, MARKDOWN_NAME_MOST);
    sink_printf(sink, ", %s.", when);
    if (reasons.n == 0)
        sink_text(sink, " Nothing of it is known to be missing.");
    sink_char(sink, '\n');
    for (unsigned i = 0; i < reasons.n; i++) {
        sink_text(sink, i > 0 ? "* " : "\n**It is incomplete:**\n\n* ");
        markdown_text(sink, reasons.text[i], LEDGER_SENTENCE);
        sink_char(sink, '\n');
    }
    write_settings(&snapshot->measured_with, sink);
    write_slowdown(snapshot, sink);
    char chains[TREE_DOUBT_SIZE], doubt[CLOCK_DOUBT_SIZE];
    if (snapshot_tree_doubt(&snapshot->target.tree, chains)) {
        sink_char(sink, '\n');
        markdown_text(sink, chains, TREE_DOUBT_SIZE);
        sink_char(sink, '\n');
    }
    if (snapshot_clock_doubt(&snapshot->target, doubt)) {
        sink_text(sink, "\n**Its times may be wrong:** ");
        markdown_text(sink, doubt, CLOCK_DOUBT_SIZE);
        sink_char(sink, '\n');
    }
}

static void write_markdown(const struct snapshot *snapshot, struct sink *sink)
{
    struct ranking ranking;
    if (!rank_functions(snapshot, &ranking)) {
        sink->failed = true;
        return;
    }
    write_head(snapshot, sink);
    write_functions(snapshot, &ranking, sink);
    write_called(snapshot, &ranking, sink);
    write_checkpoints(snapshot, sink);
    write_limits(&snapshot->bounds, sink);
    write_link(snapshot, sink);
    free(ranking.rows);
}

const struct exporter exporter_markdown = {
    .id = "markdown",
    .title = "Markdown",
    .summary =
        "a summary of a hundred lines: the busiest functions, callers, checkpoints, limits, the link; for people, "
        "issues and assistants",
    .media_type = "text/markdown; charset=utf-8",
    .extension = "md",
    .write = write_markdown,
};
