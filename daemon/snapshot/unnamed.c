/* unnamed.c - counts functions for which no ELF has a name. */
#include "snapshot/unnamed.h"

#include <stdio.h>

struct snapshot_unnamed snapshot_count_unnamed(const struct snapshot *snapshot)
{
    struct snapshot_unnamed counted = {.told = 0};
    double ticks = 0, own_ticks = 0, samples = 0, own_samples = 0;
    if (snapshot->source.elf_state != ELF_OK)
        return counted;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->kind != KIND_FUNCTION || !function->has_address)
            continue;
        /* functions of the ELF have a size, at least an estimated one */
        bool is_unnamed = function->size == 0;
        counted.told++;
        counted.unnamed += is_unnamed;
        ticks += (double)function->self_ticks;
        samples += (double)function->samples;
        own_ticks += is_unnamed ? (double)function->self_ticks : 0;
        own_samples += is_unnamed ? (double)function->samples : 0;
    }
    counted.is_of_samples = ticks <= 0 && samples > 0;
    counted.has_share = ticks > 0 || samples > 0;
    if (counted.has_share)
        counted.share = ticks > 0 ? own_ticks / ticks : own_samples / samples;
    return counted;
}

bool snapshot_unnamed(const struct snapshot *snapshot, struct error *sentence)
{
    const struct snapshot_unnamed counted = snapshot_count_unnamed(snapshot);
    const char *machine = snapshot->source.elf_machine;
    char share[48] = "", kind[48] = "";
    if (counted.unnamed == 0)
        return false;
    if (counted.has_share)
        snprintf(share, sizeof share, ", with %.1f %% of %s,", 100 * counted.share,
                 counted.is_of_samples ? "the samples" : "own time");
    if (counted.unnamed == counted.told && snapshot->source.elf_count <= 1 && machine && *machine)
        snprintf(kind, sizeof kind, ", a program for %s,", machine);
    error_set(
        sentence,
        snapshot->source.elf_count > 1
            ? "%u of %u functions%s are at addresses where none of %s%s has a function: they are of other "
              "programs, or of parts of what runs."
            : "%u of %u functions%s are at addresses where %s%s has no function: it is of another program, "
              "or of a part of what runs.",
        counted.unnamed, counted.told, share, snapshot->source.elf_name, kind);
    return true;
}
