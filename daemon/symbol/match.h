/* match.h - the result of comparing a device's program with an ELF file. */
#ifndef SYMBOL_MATCH_H
#define SYMBOL_MATCH_H

/* YES: the device runs the program of the ELF file. */
enum symtab_match { SYMTAB_MATCH_UNKNOWN, SYMTAB_MATCH_NO, SYMTAB_MATCH_YES };

#endif
