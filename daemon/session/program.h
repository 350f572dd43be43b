/* program.h - what a dialect may look up in the target's program: where code is, and texts at an address. */
#ifndef SESSION_PROGRAM_H
#define SESSION_PROGRAM_H

#include "dialect/dialect.h"
#include "session/symbols.h"

struct program {
    const struct symbols *symbols; /* borrowed: texts are of the file in use at the time */
    struct dialect_range *code;    /* of the file in use at the start */
    size_t code_n;
};

/* False with a sentence when memory is used up. */
bool program_init(struct program *program, const struct symbols *symbols, struct error *err);
void program_fini(struct program *program);

/* Fills in what dialect.h says about the program. `program` must outlive the dialect's state. */
void program_show(struct program *program, struct dialect_settings *settings);

#endif
