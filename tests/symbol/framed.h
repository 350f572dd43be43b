/* framed.h - makes programs with the .debug_frame that a test needs. */
#ifndef TESTS_SYMBOL_FRAMED_H
#define TESTS_SYMBOL_FRAMED_H

#include "support/elf_writer.h"

enum { FRAMED_AT = 0x8000 }; /* where the code begins */

/* The entry of a stretch of code in .debug_frame: DWARF's instructions (DW_CFA_...). */
struct framed {
    const char *name; /* of the function that begins there, or NULL */
    uint32_t size;    /* of it */
    uint32_t told;    /* bytes covered by the entry */
    const uint8_t *rules;
    size_t rule_n;
};

/* A program of these functions, one behind the other, each a Thumb function unless `machine` is another than
 * EM_ARM; `code` are `code_n` bytes of theirs, NULL for none in the file. A heap block that the caller
 * frees. */
uint8_t *framed_program(uint16_t machine, bool big_endian, const struct framed *functions, size_t n,
                        const uint8_t *code, size_t code_n, size_t *file_n);

#endif
