/* outline.c - reads and checks what the annex found in an ELF file; outline_jobs.c is the annex's side. */
#include "symbol/outline.h"

#include "annex/annex.h"
#include "symbol/outline_jobs.h"
#include "symbol/parcel.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_FILE = 2 << 20, OUTLINE_FACTOR = 24, DECLARATIONS_FACTOR = 32 };

static bool is_nonsense(struct error *err, const char *name)
{
    return error_set(err, "cannot read the ELF file %s: what was found in it is no ELF file's", name);
}

/* Returns the `size` bytes from `offset` on, NULL if they are not inside the file. */
static const uint8_t *in_file(const struct outline *outline, uint64_t offset, uint64_t size)
{
    return offset > outline->n || size > outline->n - offset ? NULL : outline->bytes + offset;
}

static bool read_section(const struct outline *outline, struct reader *reader, struct elf_section *section)
{
    uint64_t name = reader_uint(reader, 8);
    section->address = reader_uint(reader, 8);
    section->size = reader_uint(reader, 8);
    uint64_t offset = reader_uint(reader, 8);
    uint64_t flags = reader_uint(reader, 1);
    section->is_loaded = flags & OUTLINE_IS_LOADED;
    section->is_code = flags & OUTLINE_IS_CODE;
    if (section->is_loaded) /* other sections are not in the target */
        section->address += outline->shift;
    section->name = "";
    if (name != OUTLINE_NOWHERE) {
        if (name >= outline->n || !memchr(outline->bytes + name, '\0', outline->n - name))
            return false;
        section->name = (const char *)outline->bytes + name;
    }
    section->bytes = offset == OUTLINE_NOWHERE ? NULL : in_file(outline, offset, section->size);
    return !reader->failed && (offset == OUTLINE_NOWHERE || section->bytes) &&
           (!section->is_loaded || section->size <= UINT64_MAX - section->address) &&
           (!section->is_code || section->is_loaded);
}

static bool read_debug(const struct outline *outline, struct reader *reader, struct reader *section)
{
    section->big_endian = outline->cpu.big_endian;
    switch (reader_uint(reader, 1)) {
    case OUTLINE_ABSENT: return true;
    case OUTLINE_IN_FILE: {
        uint64_t offset = reader_uint(reader, 8), size = reader_uint(reader, 8);
        section->at = in_file(outline, offset, size);
        section->end = section->at ? section->at + size : NULL;
        return section->at != NULL;
    }
    case OUTLINE_UNPACKED: {
        struct reader bytes = parcel_cut(reader);
        section->at = bytes.at;
        section->end = bytes.end;
        return !bytes.failed;
    }
    default: return false;
    }
}

/* Sets the error. The annex does not have the file's name, so it is inserted at the mark here. */
static bool refuse_file(struct reader *reader, const char *name, struct error *err)
{
    char text[sizeof err->text] = "";
    size_t n = reader_left(reader) < sizeof text - 1 ? reader_left(reader) : sizeof text - 1;
    memcpy(text, reader->at, n);
    for (size_t i = 0; i < n; i++)
        if (((uint8_t)text[i] < 0x20 || (uint8_t)text[i] > 0x7e) && text[i] != OUTLINE_NAME)
            text[i] = '?';
    char *mark = strchr(text, OUTLINE_NAME);
    if (!mark)
        return is_nonsense(err, name);
    *mark = '\0';
    return error_set(err, "%s%s%s", text, name, mark + 1);
}

/* True when the offset leaves the section in the address space of its processor. */
static bool has_room(const struct outline *outline, const struct elf_section *section)
{
    uint64_t last = outline->cpu.word_size == 8 ? UINT64_MAX : UINT32_MAX;
    return outline->shift == 0 || !section->is_loaded || section->size == 0 ||
           (section->address <= last && section->size - 1 <= last - section->address);
}

static bool read_sections(struct outline *outline, struct reader *reader, const struct elf_place *place,
                          struct error *err)
{
    const char *name = place->path;
    uint64_t count = reader_uint(reader, 4);
    if (count > reader_left(reader) / OUTLINE_SECTION)
        return is_nonsense(err, name);
    outline->sections = calloc(count + 1, sizeof *outline->sections);
    if (!outline->sections)
        return error_set(err, "out of memory while loading %s", name);
    outline->section_count = count;
    for (size_t i = 0; i < count; i++) {
        bool is_sound = read_section(outline, reader, &outline->sections[i]);
        if (!has_room(outline, &outline->sections[i]))
            return error_set(err,
                             "the offset of %s puts its section %.80s outside the %u bits of its addresses; "
                             "give the distance from where it was linked to where it runs",
                             name, outline->sections[i].name, outline->cpu.word_size * 8u);
        if (!is_sound)
            return is_nonsense(err, name);
    }
    return true;
}

static bool read_all(struct outline *outline, struct reader *reader, const struct elf_place *place,
                     struct error *err)
{
    const char *name = place->path;
    outline->cpu.machine = (uint16_t)reader_uint(reader, 2);
    outline->cpu.word_size = reader_uint(reader, 1) == 8 ? 8 : 4;
    uint64_t flags = reader_uint(reader, 1);
    outline->cpu.big_endian = flags & OUTLINE_BIG_ENDIAN;
    outline->cpu.is_arm = outline->cpu.machine == MACHINE_ARM;
    outline->code_is_big_endian = flags & OUTLINE_CODE_BIG_ENDIAN;
    uint64_t base = reader_uint(reader, 8);
    outline->shift = !place->is_moved ? 0 : place->offset - (base == OUTLINE_NOWHERE ? 0 : base);
    if (!read_sections(outline, reader, place, err))
        return false;
    for (size_t i = 0; i < OUTLINE_DEBUG_COUNT; i++)
        if (!read_debug(outline, reader, &outline->debug[i]))
            return is_nonsense(err, name);
    outline->symbols = *reader;
    return !reader->failed || is_nonsense(err, name);
}

bool outline_init(struct outline *outline, uint8_t *bytes, size_t n, const struct elf_place *place,
                  struct error *err)
{
    const char *name = place->path;
    struct error why;
    size_t answer_n;
    *outline = (struct outline){.bytes = bytes, .n = n};
    outline->answer = annex_ask(&outline_job, bytes, n, n * OUTLINE_FACTOR + SMALL_FILE, &answer_n, &why);
    if (!outline->answer)
        return error_set(err, "cannot read the ELF file %s: %s", name, why.text);
    struct reader reader = parcel_open(outline->answer, answer_n);
    if (reader_uint(&reader, 1) == OUTLINE_REFUSED)
        return refuse_file(&reader, name, err);
    return read_all(outline, &reader, place, err);
}

void outline_fini(struct outline *outline)
{
    free(outline->sections);
    free(outline->answer);
    *outline = (struct outline){0};
}

/* Sets section_end. False when the symbol is in no section and not absolute. */
static bool read_end(const struct outline *outline, struct elf_symbol *symbol)
{
    if (symbol->section == ELF_NO_SECTION) {
        uint64_t size = symbol->size > 0 ? symbol->size : 1;
        symbol->section_end = symbol->address + size;
        return symbol->kind != ELF_MAPPING && size <= UINT64_MAX - symbol->address;
    }
    if (symbol->section >= outline->section_count)
        return false;
    const struct elf_section *section = &outline->sections[symbol->section];
    symbol->section_end = section->address + section->size;
    return (symbol->kind == ELF_FUNCTION ? section->is_loaded : section->is_code) &&
           symbol->address >= section->address && symbol->address - section->address < section->size;
}

static bool read_symbol(const struct outline *outline, struct reader *reader, struct elf_symbol *symbol)
{
    uint64_t index = reader_uint(reader, 4), about = reader_uint(reader, 1);
    symbol->section = (uint32_t)index;
    symbol->kind = (enum elf_kind)(about & 3);
    symbol->binding = (enum elf_binding)(about >> 2 & 3);
    symbol->is_thumb = about >> 4 & 1;
    symbol->address = reader_uint(reader, 8);
    if (symbol->section != ELF_NO_SECTION) /* absolute addresses are not shifted */
        symbol->address += outline->shift;
    symbol->size = reader_uint(reader, 8);
    uint64_t name = reader_uint(reader, 8);
    symbol->name_length = reader_uint(reader, 4);
    if (reader->failed || (about & 3) > ELF_MAPPING || (about >> 2 & 3) > ELF_LOCAL ||
        (outline->cpu.is_arm && (symbol->address & 1)) || !read_end(outline, symbol))
        return false;
    /* The name must end with a NUL, and have none before. */
    symbol->name = (const char *)in_file(outline, name, (uint64_t)symbol->name_length + 1);
    return symbol->size <= symbol->section_end - symbol->address && symbol->name && symbol->name_length > 0 &&
           strnlen(symbol->name, symbol->name_length + 1) == symbol->name_length;
}

void outline_each_symbol(const struct outline *outline, elf_symbol_fn *visit, void *user)
{
    struct reader reader = outline->symbols;
    while (reader_left(&reader) > 0) {
        struct elf_symbol symbol = {0};
        if (!read_symbol(outline, &reader, &symbol))
            return;
        visit(user, &symbol);
    }
}

bool outline_each_declaration(const struct outline *outline, dwarf_unit_fn *unit, dwarf_function_fn *visit,
                              void *user, struct error *err)
{
    size_t n;
    uint8_t *bytes = (uint8_t *)(uintptr_t)outline->bytes; /* may be written to, see outline_init() */
    uint8_t *answer = annex_ask(&outline_declarations_job, bytes, outline->n,
                                outline->n * DECLARATIONS_FACTOR + SMALL_FILE, &n, err);
    if (!answer)
        return false;
    struct reader reader = parcel_open(answer, n);
    while (reader_left(&reader) > 0) {
        bool is_unit = reader_uint(&reader, 1) == OUTLINE_UNIT;
        uint64_t table = reader_uint(&reader, 8);
        if (is_unit) {
            const char *directory = reader_string(&reader);
            if (!reader.failed)
                unit(user, table, directory);
            continue;
        }
        struct dwarf_function function = {.table = table};
        function.address = reader_uint(&reader, 8) + outline->shift;
        function.file_number = reader_uint(&reader, 8);
        function.line = (uint32_t)reader_uint(&reader, 4);
        if (!reader.failed)
            visit(user, &function);
    }
    free(answer);
    return !reader.failed || error_set(err, "reading debugging entries came to nonsense");
}

bool outline_each_frame(const struct outline *outline, dwarf_frame_fn *visit, void *user, struct error *err)
{
    size_t n;
    uint8_t *bytes = (uint8_t *)(uintptr_t)outline->bytes; /* may be written to, see outline_init() */
    uint8_t *answer =
        annex_ask(&outline_frames_job, bytes, outline->n, outline->n * OUTLINE_FACTOR + SMALL_FILE, &n, err);
    if (!answer)
        return false;
    struct reader reader = parcel_open(answer, n);
    bool good = n % OUTLINE_FRAME == 0;
    while (good && reader_left(&reader) > 0) {
        struct dwarf_frame frame = {.address = reader_uint(&reader, 8) + outline->shift};
        frame.bytes = reader_uint(&reader, 4);
        uint64_t at_least = reader_uint(&reader, 1);
        frame.at_least = at_least != 0;
        good = frame.bytes <= DWARF_FRAME_MAX && at_least <= 1;
        if (good)
            visit(user, &frame);
    }
    free(answer);
    return good || error_set(err, "reading frames came to nonsense");
}
