/* codewords.h - disassembles a function's machine code in the annex (annex/annex.h). */
#ifndef SYMBOL_CODEWORDS_H
#define SYMBOL_CODEWORDS_H

#include "base/sink.h"
#include "symbol/disassemble.h"
#include "symbol/reader.h"

/* Make a request to disassemble code from `address` on: codewords_begin(), then codewords_add() for each run of
 * one kind. The answer has at most `max` pieces. `only_thumb` is as in disassembler_new(). */
struct codewords_head {
    struct symtab_cpu cpu;
    bool code_is_big_endian, only_thumb;
    uint64_t address;
    uint32_t max;
};
void codewords_begin(struct sink *request, const struct codewords_head *head);
void codewords_add(struct sink *request, enum code_kind kind, const uint8_t *bytes, size_t n);

/* The disassembly, piece by piece. */
struct codewords {
    uint8_t *answer;
    struct reader reader;
    bool knows;        /* this build can disassemble for the machine, and there is text */
    struct error lost; /* why text is missing or ends early; "" otherwise */
};

/* Sends the n bytes of `request` to the annex. The caller ends with codewords_fini(). */
void codewords_init(struct codewords *words, uint8_t *request, size_t n);
void codewords_fini(struct codewords *words);

/* Reads the next piece, which has at most `room` bytes, into *out. False at the end or without text: see knows
 * and lost. */
bool codewords_next(struct codewords *words, size_t room, struct disassembly *out);

/* Reads the next run of a request. False at its end. */
bool codewords_run(struct reader *request, enum code_kind *kind, struct reader *bytes);

/* Reads the head of a request. */
struct codewords_head codewords_head(struct reader *request);

#endif
