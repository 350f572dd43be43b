/* outline_jobs.c - parses an ELF file in the annex, and writes the results of libelf and libdw. */
#include "symbol/outline_jobs.h"

#include "symbol/dwarf.h"
#include "symbol/elf.h"
#include "symbol/parcel.h"

#include <errno.h>
#include <string.h>

enum { SECONDS = 10 };

struct taken {
    const uint8_t *bytes;
    size_t n;
    struct sink *answer;
};

static uint64_t place_of(const struct taken *taken, const void *at)
{
    uintptr_t first = (uintptr_t)taken->bytes, address = (uintptr_t)at;
    return address >= first && address - first < taken->n ? address - first : OUTLINE_NOWHERE;
}

static void put_section(const struct taken *taken, const struct elf_section *section)
{
    parcel_put(taken->answer, *section->name ? place_of(taken, section->name) : OUTLINE_NOWHERE, 8);
    parcel_put(taken->answer, section->address, 8);
    parcel_put(taken->answer, section->size, 8);
    parcel_put(taken->answer,
               section->bytes && section->size > 0 ? place_of(taken, section->bytes) : OUTLINE_NOWHERE, 8);
    parcel_put(taken->answer,
               (section->is_loaded ? OUTLINE_IS_LOADED : 0) | (section->is_code ? OUTLINE_IS_CODE : 0), 1);
}

static void put_debug(const struct taken *taken, struct elf_file *file, const char *name)
{
    size_t n;
    const uint8_t *bytes = elf_debug_section(file, name, &n);
    uint64_t place = bytes ? place_of(taken, bytes) : OUTLINE_NOWHERE;
    if (!bytes) {
        parcel_put(taken->answer, OUTLINE_ABSENT, 1);
    } else if (place != OUTLINE_NOWHERE && n <= taken->n - place) {
        parcel_put(taken->answer, OUTLINE_IN_FILE, 1);
        parcel_put(taken->answer, place, 8);
        parcel_put(taken->answer, n, 8);
    } else {
        parcel_put(taken->answer, OUTLINE_UNPACKED, 1);
        parcel_put_bytes(taken->answer, bytes, n);
    }
}

static void put_symbol(void *user, const struct elf_symbol *symbol)
{
    const struct taken *taken = user;
    parcel_put(taken->answer, symbol->section, 4);
    parcel_put(taken->answer, (unsigned)symbol->kind | (unsigned)symbol->binding << 2 | symbol->is_thumb << 4,
               1);
    parcel_put(taken->answer, symbol->address, 8);
    parcel_put(taken->answer, symbol->size, 8);
    parcel_put(taken->answer, place_of(taken, symbol->name), 8);
    parcel_put(taken->answer, symbol->name_length, 4);
}

static void take_apart(uint8_t *bytes, size_t n, struct sink *answer)
{
    static const char *const debug[OUTLINE_DEBUG_COUNT] = {
        [OUTLINE_LINE] = "line", [OUTLINE_STR] = "str", [OUTLINE_LINE_STR] = "line_str"};
    static const char name[] = {OUTLINE_NAME, '\0'};
    const struct taken taken = {bytes, n, answer};
    struct error err;
    struct elf_file *file = elf_open(bytes, n, name, &err);
    parcel_put(answer, file ? OUTLINE_TAKEN : OUTLINE_REFUSED, 1);
    if (!file) {
        sink_text(answer, err.text);
        return;
    }
    const struct symtab_cpu *cpu = elf_cpu(file);
    parcel_put(answer, cpu->machine, 2);
    parcel_put(answer, cpu->word_size, 1);
    parcel_put(answer,
               (cpu->big_endian ? OUTLINE_BIG_ENDIAN : 0) |
                   (elf_code_is_big_endian(file) ? OUTLINE_CODE_BIG_ENDIAN : 0),
               1);
    uint64_t base;
    parcel_put(answer, elf_load_base(file, &base) ? base : OUTLINE_NOWHERE, 8);
    parcel_put(answer, elf_section_count(file), 4);
    for (size_t i = 0; i < elf_section_count(file); i++)
        put_section(&taken, elf_section_at(file, i));
    for (size_t i = 0; i < OUTLINE_DEBUG_COUNT; i++)
        put_debug(&taken, file, debug[i]);
    elf_each_symbol(file, put_symbol, (void *)(uintptr_t)&taken);
    elf_close(file);
}

const struct annex_job outline_job = {"reading symbols", take_apart, SECONDS};

static void put_unit(void *user, uint64_t table, const char *directory)
{
    parcel_put(user, OUTLINE_UNIT, 1);
    parcel_put(user, table, 8);
    sink_write(user, directory, strlen(directory) + 1);
}

static void put_function(void *user, const struct dwarf_function *function)
{
    parcel_put(user, OUTLINE_FUNCTION, 1);
    parcel_put(user, function->table, 8);
    parcel_put(user, function->address, 8);
    parcel_put(user, function->file_number, 8);
    parcel_put(user, function->line, 4);
}

/* True when an allocation failed since errno was cleared. libdw silently leaves out what it has no memory for. */
static bool is_scarce(void)
{
    return errno == ENOMEM;
}

static void read_declarations(uint8_t *bytes, size_t n, struct sink *answer)
{
    struct error err;
    errno = 0;
    struct elf_file *file = elf_open(bytes, n, "", &err);
    if (file)
        dwarf_each_function(file, put_unit, put_function, answer);
    answer->failed |= !file || is_scarce(); /* the file could be opened before, so memory is used up */
    elf_close(file);
}

const struct annex_job outline_declarations_job = {"reading debugging entries", read_declarations, SECONDS};

static void put_frame(void *user, const struct dwarf_frame *frame)
{
    parcel_put(user, frame->address, 8);
    parcel_put(user, frame->bytes, 4); /* DWARF_FRAME_MAX at most */
    parcel_put(user, frame->at_least, 1);
}

static void read_frames(uint8_t *bytes, size_t n, struct sink *answer)
{
    struct error err;
    errno = 0;
    struct elf_file *file = elf_open(bytes, n, "", &err);
    if (file)
        dwarf_each_frame(file, put_frame, answer);
    answer->failed |= !file || is_scarce();
    elf_close(file);
}

const struct annex_job outline_frames_job = {"reading frames", read_frames, SECONDS};
