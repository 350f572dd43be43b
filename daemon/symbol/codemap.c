/* codemap.c - distinguishes instructions and data by mapping symbols (ELF for the Arm Architecture, section
 * 5.5.5 "Mapping symbols"; the same for AArch64 and RISC-V). */
#include "symbol/codemap.h"

#include "base/scarcity.h"
#include "base/search.h"

#include <stdlib.h>

static enum code_kind kind_of_mapping(const struct elf_symbol *symbol)
{
    switch (symbol->name[1]) {
    case 'a': return CODE_ARM;
    case 't': return CODE_THUMB;
    case 'd': return CODE_DATA;
    default: return CODE_PLAIN;
    }
}

void codemap_add(struct codemap *map, const struct elf_symbol *symbol)
{
    if (symbol->kind == ELF_LABEL) /* may name a literal pool */
        return;
    if (map->count == map->room) {
        size_t room = map->room ? map->room * 2 : 256;
        if (!scarcity_grow(&map->marks, room, sizeof *map->marks))
            return;
        map->room = room;
    }
    bool is_mapping = symbol->kind == ELF_MAPPING;
    enum code_kind kind = !map->is_arm ? CODE_PLAIN : symbol->is_thumb ? CODE_THUMB : CODE_ARM;
    map->marks[map->count] = (struct codemap_mark){.address = symbol->address,
                                                   .order = (uint32_t)map->count,
                                                   .kind = is_mapping ? kind_of_mapping(symbol) : kind,
                                                   .is_mapping = is_mapping};
    map->count++;
}

static int by_address(const void *left, const void *right)
{
    const struct codemap_mark *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->is_mapping != b->is_mapping)
        return a->is_mapping ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

void codemap_finish(struct codemap *map)
{
    size_t kept = 0;
    if (map->count > 0)
        qsort(map->marks, map->count, sizeof *map->marks, by_address);
    for (size_t i = 0; i < map->count; i++) {
        if (kept > 0 && map->marks[kept - 1].address == map->marks[i].address)
            kept--;
        map->marks[kept++] = map->marks[i];
    }
    map->count = kept;
}

void codemap_fini(struct codemap *map)
{
    free(map->marks);
    *map = (struct codemap){.is_arm = map->is_arm};
}

enum code_kind codemap_find(const struct codemap *map, uint64_t address, enum code_kind fallback,
                            uint64_t *end)
{
    size_t n = search_at_most(map->marks, map->count, sizeof *map->marks,
                              offsetof(struct codemap_mark, address), address);
    *end = n < map->count ? map->marks[n].address : UINT64_MAX;
    return n > 0 ? map->marks[n - 1].kind : fallback;
}

bool codemap_has(const struct codemap *map, enum code_kind kind)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->marks[i].kind == kind)
            return true;
    return false;
}
