/* lines_private.h - what is known while one table of .debug_line is read: private to line_header.c and
 * line_program.c. */
#ifndef SYMBOL_LINES_PRIVATE_H
#define SYMBOL_LINES_PRIVATE_H

#include "symbol/lines.h"
#include "symbol/reader.h"

/* A section's bytes, which the ELF file owns. */
struct line_bytes {
    const uint8_t *at;
    size_t n;
};

/* One table while it is read. What is borrowed outlives the reading; `lines` grows by what the table says. */
struct line_program {
    struct lines *lines;
    const struct image *image;
    struct strpool *pool;
    struct line_bytes strings, line_strings; /* .debug_str, .debug_line_str */
    bool is_arm;
    uint64_t shift; /* from the file's addresses to the target's */

    unsigned version, offset_size;
    unsigned min_instruction, opcode_base;
    int line_base;
    unsigned line_range;
    const uint8_t *operand_counts; /* of opcodes 1 .. opcode_base - 1 */
    const char **directories;      /* the caller's, with room for LINE_MAX_DIRECTORIES */
    size_t directory_count;
    struct lines_table table;
};

enum { LINE_MAX_DIRECTORIES = 65536 };

/* Makes room for one more element in a growing array. False when memory is out; the array stays as it was. */
bool line_grow(void *array, size_t size, size_t count, size_t *room);

/* Reads a table's header, up to its first instruction, and adds its files to the lines. False when the table
 * cannot be read further: its version is unknown or it is damaged. */
bool line_header_read(struct line_program *program, struct reader *reader);

/* Runs the instructions of the table whose header was read, which adds its rows and sequences to the lines.
 */
void line_program_run(struct line_program *program, struct reader *reader);

#endif
