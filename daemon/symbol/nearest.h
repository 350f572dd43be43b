/* nearest.h - finds the function whose name is most similar to a misspelt one. */
#ifndef SYMBOL_NEAREST_H
#define SYMBOL_NEAREST_H

#include "symbol/symtab.h"

/* Returns the function with the smallest edit distance to `name`, the lowest address of several. SYMTAB_NONE
 * when there are no functions. Only the first 128 bytes of names are compared. */
uint32_t symtab_nearest(const struct symtab *symtab, const char *name);

#endif
