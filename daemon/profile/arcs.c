/* arcs.c - counts how often one function called another. */
#include "profile/arcs.h"

#include "base/scarcity.h"
#include "symbol/symtab.h"

#include <stdlib.h>

void arcs_init(struct arcs *arcs)
{
    *arcs = (struct arcs){0};
}

void arcs_clear(struct arcs *arcs)
{
    arcs->count = arcs->site_count = 0;
    arcs->over_limit = 0;
    map_clear(&arcs->by_pair);
    map_clear(&arcs->by_site);
}

void arcs_fini(struct arcs *arcs)
{
    free(arcs->rows);
    free(arcs->sites);
    map_fini(&arcs->by_pair);
    map_fini(&arcs->by_site);
}

/* Reserves one more row of `size` bytes; `rows` as in scarcity_grow(). Returns false when there are too many,
 * or memory is used up. */
static bool make_room(void *rows, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count == ARCS_MAX)
        return false;
    if (count < *capacity)
        return true;
    uint32_t grown = *capacity ? *capacity * 2 : 64;
    if (!scarcity_grow(rows, grown, size))
        return false;
    *capacity = grown;
    return true;
}

static void add_pair(struct arcs *arcs, uint32_t caller, uint32_t callee, uint64_t calls, uint64_t sequence)
{
    uint64_t key = (uint64_t)caller << 32 | callee;
    uint32_t row = map_find(&arcs->by_pair, key);
    if (row == MAP_NONE) {
        if (!make_room(&arcs->rows, arcs->count, &arcs->capacity, sizeof *arcs->rows) ||
            !map_set(&arcs->by_pair, key, arcs->count)) {
            arcs->over_limit += calls;
            return;
        }
        row = arcs->count++;
        arcs->rows[row] = (struct snapshot_arc){.caller = caller, .callee = callee};
    }
    arcs->rows[row].calls += calls;
    arcs->rows[row].changed = sequence;
}

/* Two 32-bit addresses have a unique key. Wider ones may share a key; then the next key is used. */
static void add_site(struct arcs *arcs, uint64_t from, uint64_t to, uint64_t calls, bool is_of_interrupt)
{
    uint64_t key = from ^ (to << 32 | to >> 32);
    uint32_t site = map_find(&arcs->by_site, key);
    while (site != MAP_NONE && (arcs->sites[site].from != from || arcs->sites[site].to != to))
        site = map_find(&arcs->by_site, ++key);
    if (site == MAP_NONE) {
        if (!make_room(&arcs->sites, arcs->site_count, &arcs->site_capacity, sizeof *arcs->sites) ||
            !map_set(&arcs->by_site, key, arcs->site_count))
            return; /* the pair of functions has counted the calls already */
        site = arcs->site_count++;
        arcs->sites[site] =
            (struct snapshot_call_site){.from = from, .to = to, .is_of_interrupt = is_of_interrupt};
    }
    arcs->sites[site].calls += calls;
}

void arcs_add(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to, uint64_t calls,
              bool is_of_interrupt, bool count)
{
    uint32_t caller = is_of_interrupt ? functions_placeholder(functions, KIND_INTERRUPT, 0)
                                      : functions_calling(functions, from);
    uint32_t callee = functions_at(functions, to);
    struct snapshot_function *row = &functions->rows[callee];
    if (count)
        row->known |= FUNCTION_CALLS;
    if (count && !(row->known &
                   (FUNCTION_TIMES | FUNCTION_SELF))) /* otherwise its calls are reported in another way */
        row->calls += calls;
    row->changed = functions->sequence;
    add_pair(arcs, caller, callee, calls, functions->sequence);
    add_site(arcs, from, to, calls, is_of_interrupt);
}

void arcs_add_by_entry(struct arcs *arcs, struct functions *functions, uint64_t from, uint64_t to,
                       uint64_t calls, uint64_t self_ticks)
{
    uint32_t caller = from ? functions_at(functions, from) : MAP_NONE, callee = functions_at(functions, to);
    functions_add_counted(functions, callee, calls, self_ticks);
    if (from)
        add_pair(arcs, caller, callee, calls, functions->sequence);
}

bool arcs_judge_program(const struct arcs *arcs, const struct symtab *symtab, bool *fits)
{
    uint32_t good = 0, calls = 0;
    if (!symtab || !symtab_cpu(symtab)->is_arm)
        return false;
    for (uint32_t i = 0; i < arcs->site_count; i++) {
        uint64_t target;
        if (arcs->sites[i].is_of_interrupt)
            continue;
        calls++;
        /* The target of an indirect call is unknown. */
        if (symtab_call_before(symtab, arcs->sites[i].from, &target) &&
            (target == 0 || symtab_find(symtab, target) == symtab_find(symtab, arcs->sites[i].to)))
            good++;
    }
    if (calls == 0)
        return false;
    *fits = 2 * good >= calls;
    return true;
}
