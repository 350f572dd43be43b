/* extent.c - computes which function owns which addresses from the symbols, by four rules in this order:
 *
 * 1. Function symbols at one address are one function, named by the most public symbol. Several weak ones are
 *    defaults for functions that the program does not define.
 * 2. A function without a size inside one with a size is a label (TI's and IAR's compilers write such).
 * 3. Any other function without a size (hand-written assembler) reaches up to the next function, never past its
 *    section.
 * 4. A label without a type counts only outside functions, as an assembler function without type and size.
 *    Inside a function it is a jump label.
 *
 * Overlapping extents are then cut into pieces, so that a look-up is one binary search for any file. */
#include "symbol/extent.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const struct elf_symbol *a, const struct elf_symbol *b)
{
    size_t n = a->name_length < b->name_length ? a->name_length : b->name_length;
    int order = memcmp(a->name, b->name, n);
    return order ? order : (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

/* Sorts by address, and at one address the name to show first. Functions with a size precede those without,
 * which may be compilers' labels. */
static int by_precedence(const void *left, const void *right)
{
    const struct elf_symbol *a = &((const struct extent_candidate *)left)->symbol;
    const struct elf_symbol *b = &((const struct extent_candidate *)right)->symbol;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if ((a->size > 0) != (b->size > 0))
        return a->size > 0 ? -1 : 1;
    if (a->binding != b->binding)
        return a->binding < b->binding ? -1 : 1;
    return by_name(a, b);
}

/* The value of `owner` for a chosen symbol while the set is being built. */
enum { CHOSEN = 0 };

/* Extends each chosen symbol of `kind` without a size up to the next chosen symbol of any kind. Walks backwards,
 * so that the next start is known. */
static void reach_to_next(struct extent_candidate *candidates, uint32_t count, enum elf_kind kind)
{
    uint64_t next = UINT64_MAX, here = UINT64_MAX;
    for (uint32_t i = count; i-- > 0;) {
        struct elf_symbol *symbol = &candidates[i].symbol;
        if (candidates[i].owner != CHOSEN)
            continue;
        if (symbol->address != here) {
            next = here;
            here = symbol->address;
        }
        if (symbol->kind == kind && (symbol->size == 0 || kind == ELF_LABEL))
            symbol->size = (next < symbol->section_end ? next : symbol->section_end) - symbol->address;
    }
}

/* Chooses functions, except those without a size inside another. */
static void choose_functions(struct extent_candidate *candidates, uint32_t count)
{
    uint64_t covered_to = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct elf_symbol *symbol = &candidates[i].symbol;
        bool is_inside = symbol->size == 0 && symbol->address < covered_to;
        candidates[i].owner = symbol->kind == ELF_FUNCTION && !is_inside ? CHOSEN : EXTENT_NONE;
        if (symbol->kind == ELF_FUNCTION && symbol->address + symbol->size > covered_to)
            covered_to = symbol->address + symbol->size;
    }
}

static void choose_candidates(struct extent_candidate *candidates, uint32_t count)
{
    choose_functions(candidates, count);
    reach_to_next(candidates, count, ELF_FUNCTION);

    uint64_t covered_to = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct elf_symbol *symbol = &candidates[i].symbol;
        if (symbol->kind == ELF_LABEL) {
            if (symbol->binding != ELF_LOCAL && symbol->address >= covered_to)
                candidates[i].owner = CHOSEN;
        } else if (symbol->address + symbol->size > covered_to) {
            covered_to = symbol->address + symbol->size;
        }
    }
    reach_to_next(candidates, count, ELF_LABEL);
}

/* Makes one extent per address, named by the first candidate there, as long as the longest. */
static void collect_extents(struct extents *extents, struct extent_candidate *candidates, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct elf_symbol *symbol = &candidates[i].symbol;
        struct extent *last = extents->count ? &extents->all[extents->count - 1] : NULL;
        bool is_alias = last && last->start == symbol->address;
        if (candidates[i].owner == EXTENT_NONE && !is_alias)
            continue;
        uint64_t end = symbol->address + symbol->size;
        if (!is_alias)
            extents->all[extents->count++] = (struct extent){symbol->address, end, i};
        else if (end > last->end)
            last->end = end;
        candidates[i].owner = extents->count - 1;
    }
}

/* True for a function that a weak one may replace: not weak itself, and with a size. */
static bool is_definition(const struct elf_symbol *symbol)
{
    return symbol->binding != ELF_WEAK && symbol->size > 0;
}

/* Names extents of several weak functions at one address. These are defaults, for example for interrupts without
 * a handler. The name is that of a non-weak symbol there, even if it is local. */
static void name_defaults(struct extents *extents, const struct extent_candidate *candidates, uint32_t count)
{
    for (uint32_t i = 0; i < extents->count; i++) {
        uint32_t first = extents->all[i].candidate, weak = 0, definition = EXTENT_NONE;
        for (uint32_t at = first; at < count && candidates[at].symbol.address == extents->all[i].start;
             at++) {
            weak += candidates[at].symbol.binding == ELF_WEAK;
            if (definition == EXTENT_NONE && is_definition(&candidates[at].symbol))
                definition = at;
        }
        if (candidates[first].symbol.binding == ELF_WEAK && weak > 1 && definition != EXTENT_NONE)
            extents->all[i].candidate = definition;
    }
}

static void segment_add(struct extents *extents, uint64_t start, uint32_t owner)
{
    struct extent_piece *last = extents->pieces + extents->piece_count;
    if (extents->piece_count > 0 && last[-1].start == start)
        last[-1].owner = owner;
    else
        extents->pieces[extents->piece_count++] = (struct extent_piece){start, owner};
}

/* Closes functions that end at or before `limit`. The top of the stack is the open function with the nearest
 * start. It owns the addresses up to the next start or its end; after that, the one below it on the stack does,
 * if it reaches further. */
static uint32_t segments_close(struct extents *extents, const uint32_t *open, uint32_t depth, uint64_t limit)
{
    while (depth > 0 && extents->all[open[depth - 1]].end <= limit) {
        uint64_t end = extents->all[open[depth - 1]].end;
        do
            depth--;
        while (depth > 0 && extents->all[open[depth - 1]].end <= end);
        segment_add(extents, end, depth > 0 ? open[depth - 1] : EXTENT_NONE);
    }
    return depth;
}

static bool cut_into_segments(struct extents *extents)
{
    uint32_t *open = calloc((size_t)extents->count + 1, sizeof *open);
    extents->pieces = calloc((size_t)extents->count * 2 + 1, sizeof *extents->pieces);
    if (!open || !extents->pieces) {
        free(open);
        return false;
    }
    uint32_t depth = 0;
    for (uint32_t i = 0; i < extents->count; i++) {
        depth = segments_close(extents, open, depth, extents->all[i].start);
        segment_add(extents, extents->all[i].start, i);
        open[depth++] = i;
    }
    segments_close(extents, open, depth, UINT64_MAX);
    free(open);
    return true;
}

bool extents_init(struct extents *extents, struct extent_candidate *candidates, uint32_t count)
{
    *extents = (struct extents){0};
    if (count == 0)
        return true;
    qsort(candidates, count, sizeof *candidates, by_precedence);
    choose_candidates(candidates, count);
    extents->all = calloc(count, sizeof *extents->all);
    if (!extents->all)
        return false;
    collect_extents(extents, candidates, count);
    name_defaults(extents, candidates, count);
    if (!cut_into_segments(extents)) {
        extents_fini(extents);
        return false;
    }
    return true;
}

void extents_fini(struct extents *extents)
{
    free(extents->all);
    free(extents->pieces);
    *extents = (struct extents){0};
}

uint32_t extents_find(const struct extents *extents, uint64_t address)
{
    const struct extent_piece *at = extents->pieces;
    uint32_t n = extents->piece_count;
    if (n == 0 || address < at->start)
        return EXTENT_NONE;
    /* This runs for every record, so the loop adds instead of branching: mispredicted branches would cost
     * several times the comparison. */
    while (n > 1) {
        uint32_t half = n / 2;
        at += (uint32_t)(at[half].start <= address) * half;
        n -= half;
    }
    return at->owner;
}

uint32_t extents_find_start(const struct extents *extents, uint64_t address)
{
    /* A function owns its own first byte, whatever it overlaps. */
    uint32_t owner = extents_find(extents, address);
    return owner != EXTENT_NONE && extents->all[owner].start == address ? owner : EXTENT_NONE;
}
