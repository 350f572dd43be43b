/* disassemble.h - disassembles one instruction at a time. For the annex only, since it may end its process (the
 * daemon uses codewords.h). */
#ifndef SYMBOL_DISASSEMBLE_H
#define SYMBOL_DISASSEMBLE_H

#include "symbol/codemap.h"
#include "symbol/symtab.h"

/* The longest text, its NUL included, and the most bytes of one instruction. */
enum { DISASSEMBLE_TEXT = 208, DISASSEMBLE_BYTES = 24 };

/* One instruction, or piece of data. */
struct disassembly {
    uint8_t size; /* bytes, at least 1 */
    bool is_data; /* not an instruction but a directive such as .word */
    bool has_destination, has_literal;
    uint64_t destination; /* target of a direct call or branch, Thumb bit cleared */
    uint64_t literal;     /* address of the word that it loads from a literal pool */
    char text[DISASSEMBLE_TEXT];
};

/* True when this build can disassemble for the machine. */
bool disassembler_knows(const struct symtab_cpu *cpu);

/* Makes a disassembler for one thread at a time. disassembler_free() frees it and accepts NULL. Returns NULL
 * when this build does not know the machine, or memory is used up. With `only_thumb` the program has no 32-bit
 * ARM code, so special registers are those of a microcontroller. */
struct disassembler *disassembler_new(const struct symtab_cpu *cpu, bool code_is_big_endian, bool only_thumb);
void disassembler_free(struct disassembler *disassembler);

/* Reads the first instruction or piece of data of the n > 0 `bytes` into *out. Invalid instructions become data.
 * A piece has at most n bytes, and at most DISASSEMBLE_BYTES. */
void disassembler_next(struct disassembler *disassembler, enum code_kind kind, const uint8_t *bytes, size_t n,
                       uint64_t address, struct disassembly *out);

/* Returns the size of the next piece of data (or of code, without a disassembler) in the n bytes at `address`:
 * at most `unit`, and aligned. */
size_t disassemble_unit(uint64_t address, size_t n, size_t unit);

#endif
