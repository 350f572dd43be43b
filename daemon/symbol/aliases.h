/* aliases.h - the other names of a function's address. */
#ifndef SYMBOL_ALIASES_H
#define SYMBOL_ALIASES_H

#include "symbol/symtab_private.h"

/* Fills in the aliases of each symbol from the candidates, as extents_init() left them, and names overlays:
 * functions of different sections at one address are called "one or other", and have no source and no frame.
 * Symbols must have their names. False when memory is used up. */
bool aliases_collect(struct symtab *symtab, const struct extent_candidate *candidates, uint32_t count);

#endif
