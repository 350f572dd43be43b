/* program.h - a dialect's look-ups in the target's program: code ranges, and texts at an address. */
#ifndef SESSION_PROGRAM_H
#define SESSION_PROGRAM_H

#include "dialect/dialect.h"
#include "session/symbols.h"

struct program {
    const struct symbols *symbols; /* borrowed; texts are of the present file */
    struct dialect_range *code;    /* of the file in use at the start */
    size_t code_n;
};

/* Returns false with an error if memory is used up. */
bool program_init(struct program *program, const struct symbols *symbols, struct error *err);
void program_fini(struct program *program);

/* Sets the program's members of the settings (dialect.h). `program` must outlive the dialect's state. */
void program_show(struct program *program, struct dialect_settings *settings);

#endif
