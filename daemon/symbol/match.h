/* match.h - whether a device runs the program that an ELF file holds. */
#ifndef SYMBOL_MATCH_H
#define SYMBOL_MATCH_H

/* True when a device runs this very program. */
enum symtab_match { SYMTAB_MATCH_UNKNOWN, SYMTAB_MATCH_NO, SYMTAB_MATCH_YES };

#endif
