/* lines.c - reads the program's DWARF line tables, versions 2 to 5, to find the source line of instructions.
 *
 * libdw is not used, for three reasons. It sorts all rows of a unit together, which mixes rows of functions that
 * --gc-sections dropped (left at address 0) into firmware at that address. It makes every name absolute with the
 * build directory of another machine. And it copies the directory into every file name, so that a small table
 * can need gigabytes, and ends the process when it does not get them. The annex (annex/annex.h) would solve only
 * the last.
 *
 * The cost is limited by the bytes of the section: each row and each file entry takes at least one. */
#include "symbol/lines.h"

#include "base/scarcity.h"
#include "base/search.h"
#include "symbol/path.h"
#include "symbol/reader.h"

#include <stdlib.h>

/* A section's bytes, which the ELF file owns. */
struct line_bytes {
    const uint8_t *at;
    size_t n;
};

/* One table while it is read. Its rows are added to `lines`. Borrowed members outlive the reading. */
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

/* Makes room for one more element in a growing array. False when memory is used up; the array is unchanged. */
static bool line_grow(void *array, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? *room * 2 : 64;
    if (wanted >= UINT32_MAX || !scarcity_grow(array, wanted, size))
        return false;
    *room = wanted;
    return true;
}

/* ---- the head of a table ---- */

/* It describes the program's encoding and has the names of files, in DWARF 2 to 5. */

enum { MAX_FORMATS = 16 };

/* Content types and forms of an entry's fields: DWARF 5, table 7.27 and section 7.5.6. */
enum {
    LNCT_PATH = 1,
    LNCT_DIRECTORY_INDEX,
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_BLOCK1 = 0x0a,
    FORM_DATA1 = 0x0b,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP = 0x1f
};

static const char *file_path(struct line_program *program, const char *name, uint64_t directory)
{
    /* Directory 0 is the build directory; names stay relative to it. */
    const char *build = program->version >= 5 && program->directory_count > 0 ? program->directories[0] : "";
    const char *dir =
        directory > 0 && directory < program->directory_count ? program->directories[directory] : "";
    char path[PATH_SIZE];
    size_t n = path_join(path, build, dir, name);
    return n > 0 ? strpool_intern(program->pool, path, n) : NULL;
}

static void add_file(struct line_program *program, const char *name, uint64_t directory)
{
    struct lines *lines = program->lines;
    if (!line_grow(&lines->files, sizeof *lines->files, lines->file_count, &lines->file_room))
        return;
    lines->files[lines->file_count++] = file_path(program, name, directory);
    program->table.file_count++;
}

static const char *string_at(struct line_bytes section, uint64_t offset)
{
    if (offset >= section.n || !memchr(section.at + offset, '\0', section.n - offset))
        return "";
    return (const char *)section.at + offset;
}

/* Reads the names up to DWARF 4: directories, then files, each list ended by an empty name. */
static void read_old_names(struct line_program *program, struct reader *reader)
{
    program->directories[program->directory_count++] = "";
    for (;;) {
        const char *directory = reader_string(reader);
        if (!*directory)
            break;
        if (program->directory_count < LINE_MAX_DIRECTORIES)
            program->directories[program->directory_count++] = directory;
    }
    program->table.file_base = 1;
    for (;;) {
        const char *name = reader_string(reader);
        if (!*name)
            break;
        uint64_t directory = reader_uleb(reader);
        reader_uleb(reader); /* time */
        reader_uleb(reader); /* length */
        add_file(program, name, directory);
    }
}

/* Reads one field of a DWARF 5 entry: a string, a number, or a form to skip. */
static void read_field(struct line_program *program, struct reader *reader, uint64_t form,
                       const char **string, uint64_t *number)
{
    switch (form) {
    case FORM_STRING: *string = reader_string(reader); break;
    case FORM_STRP: *string = string_at(program->strings, reader_uint(reader, program->offset_size)); break;
    case FORM_LINE_STRP:
        *string = string_at(program->line_strings, reader_uint(reader, program->offset_size));
        break;
    case FORM_DATA1: *number = reader_uint(reader, 1); break;
    case FORM_DATA2: *number = reader_uint(reader, 2); break;
    case FORM_DATA4: *number = reader_uint(reader, 4); break;
    case FORM_DATA8: *number = reader_uint(reader, 8); break;
    case FORM_UDATA: *number = reader_uleb(reader); break;
    case FORM_DATA16: reader_skip(reader, 16); break; /* MD5 */
    case FORM_BLOCK: reader_skip(reader, reader_uleb(reader)); break;
    case FORM_BLOCK1: reader_skip(reader, reader_uint(reader, 1)); break;
    case FORM_BLOCK2: reader_skip(reader, reader_uint(reader, 2)); break;
    case FORM_BLOCK4: reader_skip(reader, reader_uint(reader, 4)); break;
    default: reader_fail(reader);
    }
}

/* Reads the names of DWARF 5: a description of the entries' fields, a count, and the entries. Called once for
 * directories and once for files. */
static void read_new_names(struct line_program *program, struct reader *reader, bool is_files)
{
    uint64_t content[MAX_FORMATS], form[MAX_FORMATS];
    unsigned formats = (unsigned)reader_uint(reader, 1);
    if (formats > MAX_FORMATS) {
        reader_fail(reader);
        return;
    }
    for (unsigned i = 0; i < formats; i++) {
        content[i] = reader_uleb(reader);
        form[i] = reader_uleb(reader);
    }
    uint64_t count = reader_uleb(reader);
    if (formats == 0 && count > 0)
        reader_fail(reader); /* entries without bytes could have any count */
    for (uint64_t entry = 0; entry < count && !reader->failed; entry++) {
        const char *path = "";
        uint64_t directory = 0;
        for (unsigned i = 0; i < formats; i++) {
            const char *string = "";
            uint64_t number = 0;
            read_field(program, reader, form[i], &string, &number);
            if (content[i] == LNCT_PATH)
                path = string;
            else if (content[i] == LNCT_DIRECTORY_INDEX)
                directory = number;
        }
        if (reader->failed)
            return;
        if (is_files)
            add_file(program, path, directory);
        else if (program->directory_count < LINE_MAX_DIRECTORIES)
            program->directories[program->directory_count++] = path;
    }
}

/* Reads a table's header, up to its first instruction, and adds its files to the lines. False when the table
 * cannot be read further: its version is unknown or it is damaged. */
static bool line_header_read(struct line_program *program, struct reader *reader)
{
    program->version = (unsigned)reader_uint(reader, 2);
    if (program->version < 2 || program->version > 5)
        return false;
    if (program->version >= 5)
        reader_skip(reader,
                    2); /* sizes of address and segment selector: the length of DW_LNE_set_address has it */
    uint64_t header_length = reader_uint(reader, program->offset_size);
    struct reader header = reader_cut(reader, header_length);
    program->min_instruction = (unsigned)reader_uint(&header, 1);
    if (program->version >= 4)
        reader_skip(&header, 1); /* operations per instruction: only VLIW machines have several */
    reader_skip(&header, 1);     /* whether a row is a statement by default */
    program->line_base = (int8_t)reader_uint(&header, 1);
    program->line_range = (unsigned)reader_uint(&header, 1);
    program->opcode_base = (unsigned)reader_uint(&header, 1);
    program->operand_counts = header.at;
    reader_skip(&header, program->opcode_base > 0 ? program->opcode_base - 1 : 0);
    if (header.failed || program->line_range == 0 || program->opcode_base == 0)
        return false;
    if (program->version < 5) {
        read_old_names(program, &header);
    } else {
        read_new_names(program, &header, false);
        const char *directory = program->directory_count > 0 ? program->directories[0] : "";
        if (*directory)
            program->table.directory = strpool_intern(program->pool, directory, strlen(directory));
        read_new_names(program, &header, true);
        program->table.file_base = 0;
    }
    return !reader->failed;
}

/* ---- the line number program: instructions that make the rows (DWARF 5 section 6.2) ---- */

/* Opcodes: DWARF 5, tables 7.25 and 7.26. */
enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_NEGATE_STMT,
    LNS_SET_BASIC_BLOCK,
    LNS_CONST_ADD_PC,
    LNS_FIXED_ADVANCE_PC,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS
};

/* The state machine's registers (DWARF 5 section 6.2.2). */
struct state {
    uint64_t address, file;
    uint32_t line;
    size_t first_row; /* of the sequence being read */
    bool is_broken;   /* addresses fell: the sequence cannot be searched */
};

static void state_start(struct state *state, const struct lines *lines)
{
    *state = (struct state){.file = 1, .line = 1, .first_row = lines->row_count};
}

static void add_row(struct line_program *program, struct state *state)
{
    struct lines *lines = program->lines;
    uint64_t index = state->file - program->table.file_base;
    uint32_t file =
        index < program->table.file_count ? program->table.first_file + (uint32_t)index : UINT32_MAX;
    if (lines->row_count > state->first_row) {
        struct lines_row *last = &lines->rows[lines->row_count - 1];
        state->is_broken |= state->address < last->address;
        if (last->file == file && last->line == state->line)
            return;
        if (last->address == state->address) { /* of several rows for one instruction the last one counts */
            last->file = file;
            last->line = state->line;
            return;
        }
    }
    if (line_grow(&lines->rows, sizeof *lines->rows, lines->row_count, &lines->row_room))
        lines->rows[lines->row_count++] = (struct lines_row){state->address, file, state->line};
}

static void end_sequence(struct line_program *program, struct state *state)
{
    struct lines *lines = program->lines;
    size_t rows = lines->row_count - state->first_row;
    uint64_t start = rows > 0 ? lines->rows[state->first_row].address : 0;
    bool is_wanted =
        rows > 0 && !state->is_broken && state->address > start && image_is_code(program->image, start) &&
        image_is_code(program->image, state->address - 1) &&
        line_grow(&lines->sequences, sizeof *lines->sequences, lines->sequence_count, &lines->sequence_room);
    if (is_wanted)
        lines->sequences[lines->sequence_count++] =
            (struct lines_sequence){start, state->address, (uint32_t)state->first_row, (uint32_t)rows};
    else
        lines->row_count = state->first_row;
    state_start(state, lines);
}

static void run_extended_opcode(struct line_program *program, struct reader *reader, struct state *state)
{
    struct reader operand = reader_cut(reader, reader_uleb(reader));
    switch (reader_uint(&operand, 1)) {
    case LNE_END_SEQUENCE: end_sequence(program, state); break;
    case LNE_SET_ADDRESS:
        state->address = reader_uint(&operand, reader_left(&operand) > 4 ? 8 : 4);
        if (program->is_arm)
            state->address &= ~UINT64_C(1);
        state->address += program->shift;
        break;
    }
}

/* Runs the program of a table whose header was read. Adds its rows and sequences to the lines. */
static void line_program_run(struct line_program *program, struct reader *reader)
{
    struct state state;
    state_start(&state, program->lines);
    while (reader->at < reader->end) {
        unsigned opcode = (unsigned)reader_uint(reader, 1);
        if (opcode >= program->opcode_base) {
            unsigned step = opcode - program->opcode_base;
            state.address += (uint64_t)(step / program->line_range) * program->min_instruction;
            state.line += (uint32_t)(program->line_base + (int)(step % program->line_range));
            add_row(program, &state);
            continue;
        }
        switch (opcode) {
        case 0: run_extended_opcode(program, reader, &state); break;
        case LNS_COPY: add_row(program, &state); break;
        case LNS_ADVANCE_PC: state.address += reader_uleb(reader) * program->min_instruction; break;
        case LNS_ADVANCE_LINE: state.line += (uint32_t)reader_sleb(reader); break;
        case LNS_SET_FILE: state.file = reader_uleb(reader); break;
        case LNS_CONST_ADD_PC:
            state.address +=
                (uint64_t)((255 - program->opcode_base) / program->line_range) * program->min_instruction;
            break;
        case LNS_FIXED_ADVANCE_PC: state.address += reader_uint(reader, 2); break;
        default: /* unknown opcode: skip its operands */
            for (unsigned i = 0; i < program->operand_counts[opcode - 1]; i++)
                reader_uleb(reader);
        }
    }
    program->lines->row_count = state.first_row; /* a sequence without an end */
}

/* ---- all tables ---- */

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

/* Finds the last sequence that starts at or below `address`. Where sequences overlap, the nearest start wins:
 * those of dropped functions all start at 0. */
static const struct lines_sequence *nearest_sequence(const struct lines *lines, uint64_t address)
{
    const struct lines_sequence *all = lines->sequences;
    size_t n = search_at_most(all, lines->sequence_count, sizeof *all, offsetof(struct lines_sequence, start),
                              address);
    return n > 0 ? &all[n - 1] : NULL;
}

/* Returns the table of a file. Tables are in order of their files. */
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
    /* Finds at least one: the first row is at the start of the sequence. */
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
