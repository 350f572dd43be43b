/* unnamed.c - functions for which the ELF has no name. */
#include "snapshot/unnamed.h"

#include <stdio.h>

bool snapshot_unnamed(const struct snapshot *snapshot, struct error *sentence)
{
    uint32_t told = 0, unnamed = 0;
    double all = 0, own = 0;
    if (snapshot->source.elf_state != ELF_OK)
        return false;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *function = &snapshot->functions[i];
        if (function->kind != KIND_FUNCTION || !function->has_address)
            continue;
        bool is_unnamed =
            function->size == 0; /* those of the ELF have one, if only up to the next function */
        told++;
        unnamed += is_unnamed;
        all += (double)function->self_ticks;
        own += is_unnamed ? (double)function->self_ticks : 0;
    }
    if (unnamed == 0)
        return false;
    char share[48] = "";
    if (all > 0)
        snprintf(share, sizeof share, ", with %.1f %% of own time,", 100 * own / all);
    error_set(
        sentence,
        snapshot->source.elf_count > 1
            ? "%u of %u functions%s are at addresses where none of %s has a function: they are of other "
              "programs, or of parts of what runs."
            : "%u of %u functions%s are at addresses where %s has no function: it is of another program, "
              "or of a part of what runs.",
        unnamed, told, share, snapshot->source.elf_name);
    return true;
}
