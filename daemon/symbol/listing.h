/* listing.h - a function piece by piece: each instruction or piece of data, with where it comes from. */
#ifndef SYMBOL_LISTING_H
#define SYMBOL_LISTING_H

#include "symbol/disassemble.h"
#include "symbol/symtab.h"

/* One instruction or piece of data. Its texts live as long as the symtab, except for `code`, which lives as
 * long as the call. */
struct listing_row {
    uint64_t address;
    const struct disassembly *code;
    char bytes[3 * DISASSEMBLE_BYTES]; /* hex digits in the order and units in which the machine's books have
                                          them */
    const char *file, *directory;      /* NULL unknown; as in struct symbol */
    uint32_t line;                     /* 0 unknown */
    uint32_t destination;              /* symbol that code->destination lies in; SYMTAB_NONE: none is known */
    bool has_literal;
    uint32_t literal; /* value that is loaded from next to the code */
};

/* Receives one row. */
typedef void listing_fn(void *user, const struct listing_row *row);

/* Where a listing ended. */
struct listing_end {
    uint64_t address;  /* after the last row */
    bool has_words;    /* of all rows; the others are a few bytes each */
    struct error lost; /* why there are none, half a sentence; "": this build knows no instructions of the
                          ELF's machine */
};

/* Tells `visit` of the function `index` from its first byte to its last, at most `max` rows, and those of
 * LISTING_BYTES. The words are the annex's; without them rows tell the bytes, and where they come from. Any
 * thread may call it. */
struct listing_end listing_each(const struct symtab *symtab, uint32_t index, size_t max, listing_fn *visit,
                                void *user);

enum { LISTING_BYTES = 1 << 20 };

#endif
