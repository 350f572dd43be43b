/* test_lost.c - the remaining symbols of a program when the annex fails, or its answer is spoilt. */
#include "annex/annex.h"
#include "framed.h"
#include "symbol/outline_jobs.h"
#include "symbol/symtab.h"

#include "support/effort.h"
#include "support/elf_writer.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *fails = "";  /* the title of the job that is not answered */
static const char *spoils = ""; /* title of the job whose answer is changed by `spoil` */

static struct {
    size_t at;
    uint8_t value;
    bool is_end; /* the answer ends there */
    size_t of;   /* how long it was */
} spoil;

/* A block of its exact size, so that a sanitizer sees who reads past it. */
static uint8_t *spoilt(struct sink_buffer *buffer, size_t *n)
{
    size_t left = spoil.is_end && spoil.at < buffer->n ? spoil.at : buffer->n;
    uint8_t *answer = malloc(left + !left);
    cr_assert_not_null(answer);
    if (left > 0)
        memcpy(answer, buffer->bytes, left);
    if (spoil.at < left)
        answer[spoil.at] = spoil.value;
    spoil.of = buffer->n;
    *n = left;
    sink_buffer_fini(buffer);
    return answer;
}

/* Replaces the annex's function. */
uint8_t *annex_ask(const struct annex_job *job, uint8_t *request, size_t n, size_t most, size_t *answer_n,
                   struct error *err)
{
    struct sink_buffer buffer;
    if (strcmp(job->title, fails) == 0) {
        error_set(err, "%s failed", job->title);
        return NULL;
    }
    sink_buffer_init(&buffer);
    buffer.limit = most;
    job->run(request, n, &buffer.sink);
    cr_assert(!buffer.sink.failed);
    if (strcmp(job->title, spoils) == 0)
        return spoilt(&buffer, answer_n);
    *answer_n = buffer.n;
    return buffer.n > 0 ? (uint8_t *)buffer.bytes : malloc(1);
}

static struct symtab *load_without(const char *title, struct error *err)
{
    const char *folder = getenv("SYMBOL_FIXTURES");
    char path[4096];
    cr_assert_not_null(folder, "meson test says where the fixtures are");
    snprintf(path, sizeof path, "%s/fixture_host_dwarf5.elf", folder);
    fails = title;
    return symtab_load(path, err);
}

static void expect_like_whole(const char *title, bool has_names)
{
    struct error err = {""};
    struct symtab *whole = load_without("", &err), *part = load_without(title, &err);
    unsigned renamed = 0, placed = 0;
    cr_assert(whole && part, "%s", err.text);
    cr_expect_str_eq(symtab_lost(whole), "");
    cr_expect(strstr(symtab_lost(part), title), "%s", symtab_lost(part));
    cr_assert_eq(symtab_count(part), symtab_count(whole));
    for (uint32_t i = 0; i < symtab_count(whole); i++) {
        const struct symbol *is = symtab_at(part, i), *was = symtab_at(whole, i);
        cr_expect(is->address == was->address && is->size == was->size);
        cr_expect_str_eq(is->raw_name, was->raw_name);
        cr_expect_str_eq(is->name, has_names ? was->name : was->raw_name);
        renamed += strcmp(was->name, was->raw_name) != 0;
        placed += is->line > 0;
    }
    cr_expect(renamed > 0 && placed > 0, "%u %u", renamed, placed);
    symtab_unref(whole);
    symtab_unref(part);
}

Test(lost, without_debugging_entries_line_tables_say_where_functions_begin)
{
    expect_like_whole("reading debugging entries", true);
}

Test(lost, without_frame_data_no_frame_is_known)
{
    struct error err = {""};
    struct symtab *whole = load_without("", &err), *part = load_without("reading frames", &err);
    cr_assert(whole && part, "%s", err.text);
    cr_expect(strstr(symtab_lost(part), "reading frames failed"), "%s", symtab_lost(part));
    for (uint32_t i = 0; i < symtab_count(part); i++)
        cr_expect(!symtab_at(part, i)->has_frame && symtab_at(part, i)->frame_bytes == 0);
    symtab_unref(whole);
    symtab_unref(part);
}

Test(lost, without_demangling_names_are_raw)
{
    expect_like_whole("demangling", false);
}

Test(lost, without_symbols_there_is_an_error)
{
    struct error err = {""};
    cr_expect_null(load_without("reading symbols", &err));
    cr_expect(strstr(err.text, "fixture_host_dwarf5.elf") && strstr(err.text, "reading symbols failed"), "%s",
              err.text);
}

/* Two functions, a label and a section of each kind; with an odd address, as ARM's have. */
static uint8_t *small_program(uint16_t machine, size_t *n)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, machine);
    unsigned text = elf_writer_code(&writer, ".text", 0x1000, 0x40);
    elf_writer_section(&writer, ".bss", SHT_NOBITS, SHF_ALLOC, 0x3000, NULL, 0x100);
    elf_writer_section(&writer, ".debug_str", SHT_PROGBITS, 0, 0, "words", 6);
    elf_writer_symbol(&writer, "_Z5outeri", 0x1001, 0x20, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "inner", 0x1009, 8, STB_LOCAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "$t", 0x1000, 0, STB_LOCAL, STT_NOTYPE, text);
    return elf_writer_finish(&writer, n);
}

/* Checks that, with any answer, each function has its address and a name. */
static void use(const uint8_t *bytes, size_t n, unsigned *refused, unsigned *lost)
{
    struct error err = {""};
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    if (!symtab) {
        cr_assert(strstr(err.text, "made.elf"), "%s", err.text);
        ++*refused;
        return;
    }
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        cr_assert(*symbol->raw_name && *symbol->name);
        cr_assert_eq(symtab_find(symtab, symbol->address), i);
    }
    *lost += *symtab_lost(symtab) != '\0';
    symtab_unref(symtab);
}

/* Sets each byte of the answer to `title` to some values, and ends the answer at each; in a usual run at every
 * seventh. */
static void spoil_all(const char *title, const uint8_t *bytes, size_t n, unsigned *refused, unsigned *lost)
{
    static const uint8_t telling[] = {0, 1, 2, 3, 0x0c, 0x0f, 0x7f, 0x80, 0xff};
    size_t step = 1;
    spoils = title;
    for (spoil.at = 0, spoil.of = 1; spoil.at < spoil.of; spoil.at += step) {
        spoil.is_end = true;
        use(bytes, n, refused, lost);
        spoil.is_end = false;
        for (size_t i = 0; i < sizeof telling; i++) {
            spoil.value = telling[i];
            use(bytes, n, refused, lost);
        }
        step = spoil.of < 100 ? 1 : test_effort(7, 1); /* the answer's length is known now */
    }
    spoils = "";
}

Test(spoilt, symbols_outside_the_file_are_refused_or_skipped)
{
    static const uint16_t machines[] = {EM_ARM, EM_X86_64};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        size_t n;
        unsigned refused = 0, lost = 0;
        uint8_t *bytes = small_program(machines[i], &n);
        spoil_all("reading symbols", bytes, n, &refused, &lost);
        cr_expect(refused > test_effort(10, 100), "%u refused", refused);
        free(bytes);
    }
}

Test(spoilt, a_core_file_is_refused)
{
    size_t n;
    unsigned refused = 0, lost = 0;
    uint8_t *bytes = small_program(EM_ARM, &n);
    bytes[16] = ET_CORE; /* the type of file */
    spoil_all("reading symbols", bytes, n, &refused, &lost);
    cr_expect(refused > test_effort(10, 100), "%u refused", refused);
    free(bytes);
}

Test(spoilt, invalid_demangled_names_leave_the_raw_ones)
{
    size_t n;
    unsigned refused = 0, lost = 0;
    uint8_t *bytes = small_program(EM_ARM, &n);
    spoil_all("demangling", bytes, n, &refused, &lost);
    cr_expect_eq(refused, 0);
    cr_expect(lost > 4, "%u", lost);
    free(bytes);
}

Test(spoilt, invalid_frames_are_ignored_with_a_warning)
{
    static const uint8_t rules[] = {0x0c, 13, 24}, code[32];
    static const struct framed functions[] = {{"f", 16, 16, rules, sizeof rules},
                                              {"g", 16, 16, rules, sizeof rules}};
    size_t n;
    unsigned refused = 0, lost = 0;
    uint8_t *bytes = framed_program(EM_ARM, false, functions, 2, code, sizeof code, &n);
    spoil_all("reading frames", bytes, n, &refused, &lost);
    cr_expect_eq(refused, 0, "names are there all the same");
    cr_expect(lost > 26, "%u of an answer of 26 bytes", lost);
    free(bytes);
}

Test(spoilt, sections_that_go_round_the_end_of_the_addresses_are_refused)
{
    size_t n;
    unsigned refused = 0, lost = 0;
    struct elf_writer writer;
    elf_writer_init(&writer, 8, false, EM_X86_64);
    unsigned text = elf_writer_code(&writer, ".text", UINT64_C(0xff00000000001000), 0x40);
    elf_writer_section(&writer, ".bss", SHT_NOBITS, SHF_ALLOC, UINT64_C(0xff00000000003000), NULL, 0x100);
    elf_writer_symbol(&writer, "main", UINT64_C(0xff00000000001000), 8, STB_GLOBAL, STT_FUNC, text);
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    /* What is said of the whole, of nothing and of .text; .bss: its name, its address, its size. */
    spoils = "reading symbols";
    spoil.at = 17 + 2 * OUTLINE_SECTION + 8 + 8 + 7;
    spoil.value = 0;
    use(bytes, n, &refused, &lost);
    cr_expect_eq(refused, 0, "as it is");
    spoil.value = 0xff;
    use(bytes, n, &refused, &lost);
    cr_expect_eq(refused, 1, "a size of nearly all addresses");
    spoil_all("reading symbols", bytes, n, &refused, &lost);
    cr_expect(refused > test_effort(10, 100), "%u refused", refused);
    free(bytes);
}

Test(spoilt, invalid_debugging_entries_lose_lines_with_a_warning)
{
    struct error err = {""};
    unsigned lost = 0;
    spoils = "reading debugging entries";
    for (spoil.at = 0, spoil.of = 1; spoil.at < spoil.of; spoil.at++) {
        spoil.is_end = true;
        struct symtab *symtab = load_without("", &err);
        cr_assert_not_null(symtab, "%s", err.text);
        cr_expect_neq(symtab_find_name(symtab, "fixture_middle"), SYMTAB_NONE);
        lost += strstr(symtab_lost(symtab), "debugging entries") != NULL;
        symtab_unref(symtab);
    }
    spoils = "";
    cr_expect(lost > spoil.of / 2 && lost < spoil.of, "%u of %zu", lost, spoil.of);
}
