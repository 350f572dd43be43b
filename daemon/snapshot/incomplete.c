/* incomplete.c - lists, as sentences, what a profile lacks.
 *
 * After losses, figures only cover what arrived, and every export must state that. The ledger reports what
 * was counted and is missing. This file adds other reasons to doubt figures. */
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static void add(struct snapshot_reasons *reasons, const char *format,
                                                      ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reasons->text[reasons->n], sizeof reasons->text[0], format, args);
    va_end(args);
    reasons->n++;
}

/* When the target counts its calls itself, a range only has the calls inside windows. */
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
    struct snapshot_reasons reasons;
    reasons.n = ledger_reasons(&snapshot->ledger, reasons.text, LEDGER_REASONS_MAX);
    if (snapshot->target.mute_ms)
        add(&reasons,
            "The device answered nothing at the end, and had sent nothing for %.1f s: what it counted since "
            "is "
            "missing.",
            (double)snapshot->target.mute_ms / 1000);
    else if (snapshot->target.is_deaf)
        add(&reasons,
            "The device takes no commands any more, though it sends: it was not stopped, and what it had not "
            "sent yet is missing. Check the wire to its RX.");
    else if (snapshot->target.is_unclosed)
        add(&reasons, "The device did not confirm at the end that it had sent everything: %s may be missing.",
            snapshot->target.mode == MODE_TREE ? "the newest counts and times of its call tree"
                                               : "its last calls");
    add_windows(&reasons, snapshot);
    if (snapshot->source.elf_state == ELF_UNREADABLE)
        add(&reasons, "The ELF has changed and could not be read: names are those of the program before.");
    if (snapshot->source.elf_state == ELF_READING)
        add(&reasons, "The ELF has changed and is still being read: names are those of the program before.");
    if (snapshot->source.elf_is_partial)
        add(&reasons, "The ELF could not be read as a whole: lines, frames or readable names of functions "
                      "are missing.");
    if (snapshot->link.other_core_hooks > 0)
        add(&reasons,
            "Other cores of the device ran instrumented functions, which are not measured: at least %" PRIu64
            " entries and exits. Run instrumented functions on core 0 only.",
            snapshot->link.other_core_hooks);
    if (snapshot->link.doubt)
        add(&reasons, "%s", snapshot->link.doubt);
    return reasons;
}
