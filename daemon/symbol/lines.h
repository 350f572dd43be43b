/* lines.h - which source line each instruction comes from: the program's DWARF line tables. */
#ifndef SYMBOL_LINES_H
#define SYMBOL_LINES_H

#include "symbol/image.h"
#include "symbol/outline.h"
#include "symbol/strpool.h"

/* A run of instructions whose rows rise in address, from `start` up to, not including, `end` (DWARF: a
 * sequence). */
struct lines_sequence {
    uint64_t start, end;
    uint32_t first_row, row_count;
};

/* From `address` on, up to the next row's, instructions come from this line. */
struct lines_row {
    uint64_t address;
    uint32_t file; /* index into files */
    uint32_t line;
};

/* The file names of one compilation unit. */
struct lines_table {
    uint64_t offset; /* of the table in .debug_line, which is how units name it (DW_AT_stmt_list) */
    uint64_t first_file;
    uint32_t file_count;
    uint32_t file_base;    /* number of the first file: 1 up to DWARF 4, then 0 */
    const char *directory; /* that the unit was compiled in; NULL unknown */
};

/* Where one instruction comes from. */
struct lines_place {
    const char *file, *directory; /* directory: what a relative file is relative to; NULL unknown */
    uint32_t line;
};

/* Zero is "no lines". The arrays are its own, the strings the pool's. */
struct lines {
    struct lines_sequence *sequences; /* by start */
    struct lines_row *rows;
    struct lines_table *tables; /* by offset */
    const char **files;         /* NULL where the name is unreadable */
    size_t sequence_count, row_count, table_count, file_count;
    size_t sequence_room, row_room, table_room, file_room;
};

/* Reads what can be read of the outline's tables; damage ends a table, never more. Strings go to `pool`.
 * Sequences outside the code of `image` are functions that the linker dropped, and are left out. */
void lines_init(struct lines *lines, const struct outline *outline, const struct image *image,
                struct strpool *pool);
void lines_fini(struct lines *lines);

/* Finds where the instruction at `address` comes from; false when that is unknown. */
bool lines_find(const struct lines *lines, uint64_t address, struct lines_place *place);

/* Finds the name of file `number` of the table at `offset`, as DW_AT_decl_file counts; NULL when there is
 * none. */
const char *lines_file(const struct lines *lines, uint64_t offset, uint64_t number);

/* Tells the directory that the unit of the table at `offset` was compiled in; NULL unknown. Up to DWARF 4 the
 * table does not have it, and whoever reads the units sets it; what the table has stays. `directory` is
 * borrowed. */
const char *lines_directory(const struct lines *lines, uint64_t offset);
void lines_set_directory(struct lines *lines, uint64_t offset, const char *directory);

#endif
