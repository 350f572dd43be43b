/* codewords.h - a function's machine code as text, made by the annex (annex/annex.h). */
#ifndef SYMBOL_CODEWORDS_H
#define SYMBOL_CODEWORDS_H

#include "base/sink.h"
#include "symbol/disassemble.h"
#include "symbol/reader.h"

/* The machine code to disassemble is a request: codewords_begin(), a codewords_add() for each run of one kind
 * that follows, from `address` on. At most `max` pieces are asked for. With `only_thumb` as in
 * disassembler_new(). */
struct codewords_head {
    struct symtab_cpu cpu;
    bool code_is_big_endian, only_thumb;
    uint64_t address;
    uint32_t max;
};
void codewords_begin(struct sink *request, const struct codewords_head *head);
void codewords_add(struct sink *request, enum code_kind kind, const uint8_t *bytes, size_t n);

/* The words, piece by piece. */
struct codewords {
    uint8_t *answer;
    struct reader reader;
    bool knows;        /* this build knows the machine's instructions, and there are words */
    struct error lost; /* why there is no text, or no more; "" while there is, or when there is none */
};

/* Has the annex answer the n bytes of `request`; the caller ends with codewords_fini(). */
void codewords_init(struct codewords *words, uint8_t *request, size_t n);
void codewords_fini(struct codewords *words);

/* Reads the next piece, which has `room` bytes at most, into *out. False when there are no words (any more):
 * see knows and lost. */
bool codewords_next(struct codewords *words, size_t room, struct disassembly *out);

/* Takes the runs of a request apart; false at its end. */
bool codewords_run(struct reader *request, enum code_kind *kind, struct reader *bytes);

/* Reads the head of a request. */
struct codewords_head codewords_head(struct reader *request);

#endif
