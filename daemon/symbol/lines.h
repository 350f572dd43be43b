/* lines.h - finds the source line of each instruction in the program's DWARF line tables. */
#ifndef SYMBOL_LINES_H
#define SYMBOL_LINES_H

#include "symbol/image.h"
#include "symbol/outline.h"
#include "symbol/strpool.h"

/* A DWARF sequence: instructions from `start` up to, not including, `end`, whose rows rise in address. */
struct lines_sequence {
    uint64_t start, end;
    uint32_t first_row, row_count;
};

/* Instructions from `address` up to the next row come from this line. */
struct lines_row {
    uint64_t address;
    uint32_t file; /* index into files */
    uint32_t line;
};

/* The file names of one compilation unit. */
struct lines_table {
    uint64_t offset; /* of the table in .debug_line, by which units refer to it (DW_AT_stmt_list) */
    uint64_t first_file;
    uint32_t file_count;
    uint32_t file_base;    /* number of the first file: 1 up to DWARF 4, then 0 */
    const char *directory; /* build directory of the unit; NULL unknown */
};

/* The source line of an instruction. */
struct lines_place {
    const char *file, *directory; /* `directory` is the base of a relative `file`; NULL unknown */
    uint32_t line;
};

/* Zero is the empty set. It owns the arrays; the pool owns the strings. */
struct lines {
    struct lines_sequence *sequences; /* by start */
    struct lines_row *rows;
    struct lines_table *tables; /* by offset */
    const char **files;         /* NULL where the name is unreadable */
    size_t sequence_count, row_count, table_count, file_count;
    size_t sequence_room, row_room, table_room, file_room;
};

/* Reads the outline's tables. Damage ends only its table. Strings go to `pool`. Sequences outside the code of
 * `image` belong to functions that the linker dropped, and are skipped. */
void lines_init(struct lines *lines, const struct outline *outline, const struct image *image,
                struct strpool *pool);
void lines_fini(struct lines *lines);

/* Finds the source line of the instruction at `address`. False when that is unknown. */
bool lines_find(const struct lines *lines, uint64_t address, struct lines_place *place);

/* Finds the name of file `number` of the table at `offset`, as DW_AT_decl_file counts; NULL when there is
 * none. */
const char *lines_file(const struct lines *lines, uint64_t offset, uint64_t number);

/* Returns the build directory of the unit of the table at `offset`, NULL when unknown. Up to DWARF 4 the table
 * lacks it, so the reader of the units sets it. That has no effect if the table has one. `directory` is
 * borrowed. */
const char *lines_directory(const struct lines *lines, uint64_t offset);
void lines_set_directory(struct lines *lines, uint64_t offset, const char *directory);

#endif
