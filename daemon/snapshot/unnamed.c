/* unnamed.c - functions for which the ELF has no name. */
#include "snapshot/unnamed.h"

#include <stdio.h>

/* A function of the ELF has a size, if only up to the next one. */
static bool is_unnamed(const struct snapshot_function *function)
{
    return function->kind == KIND_FUNCTION && function->has_address && function->size == 0;
}

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
        told++;
        unnamed += is_unnamed(function);
        all += (double)function->self_ticks;
        own += is_unnamed(function) ? (double)function->self_ticks : 0;
    }
    if (unnamed == 0)
        return false;
    char share[48] = "";
    if (all > 0)
        snprintf(share, sizeof share, ", with %.1f %% of own time,", 100 * own / all);
    error_set(
        sentence,
        "%u of %u functions%s are at addresses where %s has no function: it is of another program, or of "
        "a part of what runs.",
        unnamed, told, share, snapshot->source.elf_path);
    return true;
}
