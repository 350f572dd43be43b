/* listing.h - lists a function's instructions and data with their source lines. */
#ifndef SYMBOL_LISTING_H
#define SYMBOL_LISTING_H

#include "symbol/disassemble.h"
#include "symbol/symtab.h"

/* One instruction or piece of data. Its texts live as long as the symtab, except for `code`, which lives as
 * long as the call. */
struct listing_row {
    uint64_t address;
    const struct disassembly *code;
    char bytes[3 * DISASSEMBLE_BYTES]; /* hex digits, in the order and units of the machine's manuals */
    const char *file, *directory;      /* NULL unknown; as in struct symbol */
    uint32_t line;                     /* 0 unknown */
    uint32_t destination;              /* symbol that contains code->destination; SYMTAB_NONE: unknown */
    bool has_literal;
    uint32_t literal; /* value loaded from the literal pool */
};

/* Receives one row. */
typedef void listing_fn(void *user, const struct listing_row *row);

/* How a listing ended. */
struct listing_end {
    uint64_t address; /* after the last row */
    bool has_words;   /* rows are instructions as text; otherwise they are a few bytes each */
    /* half a sentence: why text is missing; "": this build cannot disassemble for the ELF's machine */
    struct error lost;
};

/* Calls `visit` for each row of function `index`, at most `max` rows and LISTING_BYTES bytes. The annex
 * disassembles; without it rows have only bytes and source lines. Any thread may call it. */
struct listing_end listing_each(const struct symtab *symtab, uint32_t index, size_t max, listing_fn *visit,
                                void *user);

enum { LISTING_BYTES = 1 << 20 };

#endif
