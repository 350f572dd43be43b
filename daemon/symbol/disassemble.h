/* disassemble.h - one instruction at a time, as text. For the annex: it may end the process that it is
 * called in (codewords.h is for the daemon). */
#ifndef SYMBOL_DISASSEMBLE_H
#define SYMBOL_DISASSEMBLE_H

#include "symbol/codemap.h"
#include "symbol/symtab.h"

/* The longest text, its NUL included, and the most bytes of one instruction. */
enum { DISASSEMBLE_TEXT = 208, DISASSEMBLE_BYTES = 24 };

/* One instruction, or piece of data. */
struct disassembly {
    uint8_t size; /* bytes, at least 1 */
    bool is_data; /* no instruction: a directive such as .word */
    bool has_destination, has_literal;
    uint64_t destination; /* where a direct call or branch goes, Thumb bit cleared */
    uint64_t literal;     /* address of the four bytes that it loads from next to the code */
    char text[DISASSEMBLE_TEXT];
};

/* Tells whether this build knows the machine's instructions. */
bool disassembler_knows(const struct symtab_cpu *cpu);

/* Makes a disassembler, which one thread at a time may use and disassembler_free() frees (NULL is fine). NULL
 * when this build knows no such machine, or memory is used up. With `only_thumb` the program has no 32-bit
 * ARM code, so it is for a microcontroller, and its special registers are those of such. */
struct disassembler *disassembler_new(const struct symtab_cpu *cpu, bool code_is_big_endian, bool only_thumb);
void disassembler_free(struct disassembler *disassembler);

/* Reads the instruction, or piece of data, that `bytes` (n of them, at least 1) begin with, into *out. What
 * is no instruction of the machine becomes data. It never has more than n bytes, nor more than
 * DISASSEMBLE_BYTES. */
void disassembler_next(struct disassembler *disassembler, enum code_kind kind, const uint8_t *bytes, size_t n,
                       uint64_t address, struct disassembly *out);

/* Tells how many of the n bytes at `address` make one piece of data or, without a disassembler, of code: as
 * many as are aligned, at most `unit`. */
size_t disassemble_unit(uint64_t address, size_t n, size_t unit);

#endif
