/* two_functions.h - a program of two functions, made byte by byte, with a table of lines.
 *
 * f (Thumb, 12 bytes): movs r0, #1 (main.c:10); bl g (main.c:12); ldr r1, [pc, #0] (inc/p.h:3); bx lr and a
 * word (main.c:20). g, 4 bytes: nop; bx lr (main.c:20). Files are relative; no folder is given. */
#ifndef SUPPORT_TWO_FUNCTIONS_H
#define SUPPORT_TWO_FUNCTIONS_H

#include "symbol/symtab.h"

enum { F = 0x8000, G = 0x800c };

/* The ELF file, in a heap block that the caller frees. */
uint8_t *two_functions_elf(bool with_lines, size_t *n);

/* The same, loaded; the caller's reference. */
struct symtab *two_functions_load(bool with_lines);

#endif
