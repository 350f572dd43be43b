/* nearest.h - the function that somebody may have meant. */
#ifndef SYMBOL_NEAREST_H
#define SYMBOL_NEAREST_H

#include "symbol/symtab.h"

/* Which function's name is most like `name`: with the fewest letters to change, put in or leave out, the
 * first of several in order of address. SYMTAB_NONE when there are no functions. Of names only the first 128
 * bytes are looked at. */
uint32_t symtab_nearest(const struct symtab *symtab, const char *name);

#endif
