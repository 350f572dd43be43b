/* incomplete.c - what a profile lacks, in sentences.
 *
 * A figure of a profile with losses is a figure of what arrived. Whoever reads it must know that, wherever it
 * is read. */
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

__attribute__((format(printf, 2, 3))) static void add(struct snapshot_reasons *reasons, const char *format,
                                                      ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reasons->text[reasons->n], sizeof reasons->text[0], format, args);
    va_end(args);
    reasons->n++;
}

static void add_discarded(struct snapshot_reasons *reasons, const struct snapshot_losses *losses)
{
    static const char *const whys[] = {
        [DISCARD_TELLING] =
            "the target began to tell calls in another way, by another clock, or to count from 0 again",
        [DISCARD_ELF] = "the ELF was replaced by one of another build"};
    for (unsigned why = 0; why < DISCARDS; why++)
        if (losses->discarded[why].times)
            add(reasons,
                "%" PRIu64 " call%s had been counted when %s, and are not in here (%" PRIu64 " time%s).",
                losses->discarded[why].calls, plural(losses->discarded[why].calls), whys[why],
                losses->discarded[why].times, plural(losses->discarded[why].times));
}

/* Of a target that counts its calls itself a range is made of windows. */
static void add_windows(struct snapshot_reasons *reasons, const struct snapshot *snapshot)
{
    const struct snapshot_range *range = &snapshot->range;
    uint64_t length = range->to_ticks - range->from_ticks;
    uint64_t told = snapshot_kept_ticks(&snapshot->windows, range->from_ticks, range->to_ticks);
    if (range->is_set && snapshot->windows.are_all && told < length)
        add(reasons,
            "When a call ran is known inside of windows only: these are %.3g %% of this range, and the rest "
            "of it counts nothing.",
            100.0 * (double)told / (double)length);
}

struct snapshot_reasons snapshot_incomplete(const struct snapshot *snapshot)
{
    const struct snapshot_losses *losses = &snapshot->losses;
    struct snapshot_reasons reasons = {0};
    if (losses->overflows)
        add(&reasons,
            "The target's buffer overflowed %" PRIu64 " time%s: nobody knows how many calls that dropped, so "
            "shares and counts may be far off.",
            losses->overflows, plural(losses->overflows));
    if (losses->records)
        add(&reasons, "%" PRIu64 " record%s of calls were lost.", losses->records, plural(losses->records));
    if (losses->packets)
        add(&reasons, "%" PRIu64 " packet%s came damaged, or could not be read.", losses->packets,
            plural(losses->packets));
    if (losses->bytes)
        add(&reasons, "%" PRIu64 " byte%s between good packets belonged to none.", losses->bytes,
            plural(losses->bytes));
    if (losses->backwards)
        add(&reasons,
            "%" PRIu64
            " time%s a call had ended before one told earlier: a packet came late, or the target was "
            "silent for longer than its clock can tell.",
            losses->backwards, plural(losses->backwards));
    if (losses->ends)
        add(&reasons, "%" PRIu64 " begin%s or end%s of functions are missing.", losses->ends,
            plural(losses->ends), plural(losses->ends));
    if (losses->callers)
        add(&reasons, "The caller of %" PRIu64 " call%s is not known.", losses->callers,
            plural(losses->callers));
    if (losses->merged)
        add(&reasons, "%" PRIu64 " row%s beyond a ceiling are summed up as \"(other)\".", losses->merged,
            plural(losses->merged));
    if (losses->crowded)
        add(&reasons,
            "The target had no room to tell %" PRIu64 " call%s apart: they are summed up as \"(other)\".",
            losses->crowded, plural(losses->crowded));
    add_discarded(&reasons, losses);
    if (losses->shortages)
        add(&reasons,
            "This machine had no memory left %" PRIu64 " time%s while this was added up: calls, times and "
            "names may be missing.",
            losses->shortages, plural(losses->shortages));
    add_windows(&reasons, snapshot);
    if (snapshot->target.mode == MODE_CALLS && snapshot->target.description.tasks > 1)
        add(&reasons,
            "The target has room for %" PRIu32
            " tasks, and calls of mode calls do not say whose they are: where one "
            "task ran in the midst of another, callers may be wrong. Mode stream or tree tells.",
            snapshot->target.description.tasks);
    if (snapshot->source.elf_is_partial)
        add(&reasons, "The ELF could not be read as a whole: lines, frames or readable names of functions "
                      "are missing.");
    if (snapshot->link.doubt)
        add(&reasons, "%s", snapshot->link.doubt);
    return reasons;
}
