/* aliases.c - the other names of a function's address. */
#include "symbol/aliases.h"

#include "base/scarcity.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ALIASES_MOST = 256, /* kept, of one address */
    OVERLAY_NAME = 512, /* bytes; where the names of several functions are longer, the first one stays */
};

/* Notes one more name of a symbol. They come in order of address, so those of one stand together. */
static void add_alias(struct symtab *symtab, struct symbol *symbol, const char *name, uint32_t *n)
{
    bool is_known = name == symbol->raw_name;
    for (uint32_t i = 0; i < symbol->alias_count && !is_known; i++)
        is_known = name == symbol->aliases[i]; /* equal names are one pointer */
    if (is_known || symbol->alias_count == ALIASES_MOST)
        return;
    if (symbol->alias_count == 0)
        symbol->aliases = symtab->aliases + *n;
    symtab->aliases[(*n)++] = name;
    symbol->alias_count++;
}

/* Functions that a program loads to one address in turns. Where they are in the source is not known, either.
 */
static void name_overlay(struct symtab *symtab, struct symbol *symbol,
                         const struct extent_candidate *candidates, uint32_t count, uint32_t namer)
{
    const struct elf_symbol *shown = &candidates[namer].symbol;
    char text[OVERLAY_NAME];
    size_t n = 0;
    for (uint32_t i = namer + 1; i < count; i++) {
        const struct elf_symbol *other = &candidates[i].symbol;
        if (other->address != shown->address)
            break;
        bool is_overlay = other->kind == ELF_FUNCTION && other->size > 0 &&
                          other->section != shown->section && other->section != ELF_NO_SECTION &&
                          shown->section != ELF_NO_SECTION;
        if (is_overlay && n == 0)
            n = (size_t)snprintf(text, sizeof text, "%s", symbol->name);
        if (is_overlay && n < sizeof text)
            n +=
                (size_t)snprintf(text + n, sizeof text - n, " or %.*s", (int)other->name_length, other->name);
    }
    const char *name = n > 0 && n < sizeof text ? strpool_intern(&symtab->pool, text, n) : NULL;
    if (!name)
        return;
    symbol->name = name;
    symbol->file = symbol->directory = NULL;
    symbol->line = symbol->frame_bytes = 0;
    symbol->has_frame = false;
}

bool aliases_collect(struct symtab *symtab, const struct extent_candidate *candidates, uint32_t count)
{
    uint32_t n = 0;
    symtab->aliases = scarcity_watch(calloc((size_t)count + 1, sizeof *symtab->aliases));
    if (!symtab->aliases)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct elf_symbol *named = &candidates[i].symbol;
        if (candidates[i].owner == EXTENT_NONE || named->kind != ELF_FUNCTION)
            continue;
        const char *name = strpool_intern(&symtab->pool, named->name, named->name_length);
        if (name)
            add_alias(symtab, &symtab->symbols[candidates[i].owner], name, &n);
    }
    for (uint32_t i = 0; i < symtab->extents.count; i++)
        if (symtab->symbols[i].alias_count > 0)
            name_overlay(symtab, &symtab->symbols[i], candidates, count, symtab->extents.all[i].candidate);
    return true;
}
