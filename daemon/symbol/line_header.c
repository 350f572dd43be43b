/* line_header.c - the head of a line table: how its program is to be read, and the names of its files, in
 * DWARF 2 to 5. */
#include "symbol/lines_private.h"

#include "symbol/path.h"

enum { MAX_FORMATS = 16 };

/* What fields of an entry mean, and the forms they may have: DWARF 5, table 7.27 and section 7.5.6. */
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
    /* Directory 0 is the build directory, which names are kept relative to. */
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

/* Up to DWARF 4: directories, then files, each list ended by an empty name. */
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

/* One field of a DWARF 5 entry: a string, a number, or something to step over. */
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

/* DWARF 5: a description of the entries' fields, a count, the entries; once for directories, once for files.
 */
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
        reader_fail(reader); /* entries of no bytes could be any number of them */
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

bool line_header_read(struct line_program *program, struct reader *reader)
{
    program->version = (unsigned)reader_uint(reader, 2);
    if (program->version < 2 || program->version > 5)
        return false;
    if (program->version >= 5)
        reader_skip(reader, 2); /* sizes of address and segment selector: the address's own length says it */
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
