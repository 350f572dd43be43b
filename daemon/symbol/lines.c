/* lines.c - which source line each instruction comes from: the program's DWARF line tables, versions 2 to 5.
 *
 * Read here and not by libdw, for three reasons that were met: libdw copies the directory into every file
 * name, so that a small table can ask for gigabytes, and ends the process when it does not get them; it sorts
 * all rows of a unit together, which mixes the rows of functions that --gc-sections dropped (left at address
 * 0) into firmware that really lies there; and it makes every name absolute with the build directory of
 * another machine.
 *
 * Costs are bounded by the bytes of the section: a row takes at least one, as does a file entry. */
#include "symbol/lines.h"

#include "base/scarcity.h"
#include "base/search.h"
#include "symbol/lines_private.h"

#include <stdlib.h>

bool line_grow(void *array, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? *room * 2 : 64;
    void **slot = array;
    void *grown = wanted < UINT32_MAX ? scarcity_watch(reallocarray(*slot, wanted, size)) : NULL;
    if (!grown)
        return false;
    *slot = grown;
    *room = wanted;
    return true;
}

static void read_table(struct line_program *program, struct reader *reader, uint64_t offset)
{
    struct lines *lines = program->lines;
    program->directory_count = 0;
    program->table = (struct lines_table){.offset = offset, .first_file = lines->file_count};
    bool is_readable = line_header_read(program, reader);
    if (line_grow(&lines->tables, sizeof *lines->tables, lines->table_count, &lines->table_room))
        lines->tables[lines->table_count++] = program->table;
    if (is_readable)
        line_program_run(program, reader);
}

static int by_start(const void *left, const void *right)
{
    const struct lines_sequence *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->first_row > b->first_row) - (a->first_row < b->first_row);
}

static struct line_bytes bytes_of(const struct reader *reader)
{
    return (struct line_bytes){reader->at, reader_left(reader)};
}

void lines_init(struct lines *lines, const struct outline *outline, const struct image *image,
                struct strpool *pool)
{
    *lines = (struct lines){0};
    struct line_program program = {.lines = lines, .image = image, .pool = pool};
    struct line_bytes section = bytes_of(&outline->debug[OUTLINE_LINE]);
    program.strings = bytes_of(&outline->debug[OUTLINE_STR]);
    program.line_strings = bytes_of(&outline->debug[OUTLINE_LINE_STR]);
    program.is_arm = outline->cpu.is_arm;
    program.shift = outline->shift;
    program.directories = scarcity_watch(calloc(LINE_MAX_DIRECTORIES, sizeof *program.directories));
    if (!section.at || !program.directories) {
        free(program.directories);
        return;
    }
    struct reader reader = outline->debug[OUTLINE_LINE];
    while (reader.at < reader.end) {
        uint64_t offset = (uint64_t)(reader.at - section.at);
        uint64_t length = reader_uint(&reader, 4);
        program.offset_size = length == UINT32_MAX ? 8 : 4;
        if (length == UINT32_MAX)
            length = reader_uint(&reader, 8);
        struct reader table = reader_cut(&reader, length);
        if (!table.failed)
            read_table(&program, &table, offset);
    }
    free(program.directories);
    if (lines->sequence_count > 0)
        qsort(lines->sequences, lines->sequence_count, sizeof *lines->sequences, by_start);
}

void lines_fini(struct lines *lines)
{
    free(lines->sequences);
    free(lines->rows);
    free(lines->tables);
    free(lines->files);
    *lines = (struct lines){0};
}

/* The last sequence that starts at or below `address`. What starts nearest wins where sequences overlap:
 * those of dropped functions all start at 0. */
static const struct lines_sequence *nearest_sequence(const struct lines *lines, uint64_t address)
{
    const struct lines_sequence *all = lines->sequences;
    size_t n = search_at_most(all, lines->sequence_count, sizeof *all, offsetof(struct lines_sequence, start),
                              address);
    return n > 0 ? &all[n - 1] : NULL;
}

/* The table that a file belongs to: they were read in order. */
static const struct lines_table *table_of(const struct lines *lines, uint32_t file)
{
    const struct lines_table *all = lines->tables;
    size_t n =
        search_at_most(all, lines->table_count, sizeof *all, offsetof(struct lines_table, first_file), file);
    return n > 0 ? &all[n - 1] : NULL;
}

bool lines_find(const struct lines *lines, uint64_t address, struct lines_place *place)
{
    const struct lines_sequence *sequence = nearest_sequence(lines, address);
    if (!sequence || address >= sequence->end)
        return false;
    /* At least one: the first row is where the sequence begins. */
    const struct lines_row *rows = lines->rows + sequence->first_row;
    const struct lines_row *row = rows +
                                  search_at_most(rows, sequence->row_count, sizeof *rows,
                                                 offsetof(struct lines_row, address), address) -
                                  1;
    if (row->line == 0 || row->file >= lines->file_count || !lines->files[row->file])
        return false; /* line 0: the compiler's own code */
    const struct lines_table *table = table_of(lines, row->file);
    *place = (struct lines_place){lines->files[row->file], table ? table->directory : NULL, row->line};
    return true;
}

static struct lines_table *table_at(const struct lines *lines, uint64_t offset)
{
    struct lines_table *all = lines->tables;
    size_t n =
        search_at_most(all, lines->table_count, sizeof *all, offsetof(struct lines_table, offset), offset);
    return n > 0 && all[n - 1].offset == offset ? &all[n - 1] : NULL;
}

const char *lines_file(const struct lines *lines, uint64_t offset, uint64_t number)
{
    const struct lines_table *table = table_at(lines, offset);
    uint64_t index = table ? number - table->file_base : 0;
    return table && index < table->file_count ? lines->files[table->first_file + index] : NULL;
}

const char *lines_directory(const struct lines *lines, uint64_t offset)
{
    const struct lines_table *table = table_at(lines, offset);
    return table ? table->directory : NULL;
}

void lines_set_directory(struct lines *lines, uint64_t offset, const char *directory)
{
    struct lines_table *table = table_at(lines, offset);
    if (table && !table->directory)
        table->directory = directory;
}
