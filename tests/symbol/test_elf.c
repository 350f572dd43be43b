/* test_elf.c - files that are no readable program: each gets an error that names it. */
#include "symbol/symtab.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/test_elf.XXXXXX";

static void make_directory(void)
{
    cr_assert(mkdtemp(directory));
}

static void remove_directory(void)
{
    cr_assert_eq(rmdir(directory), 0);
}

TestSuite(elf, .init = make_directory, .fini = remove_directory);

static void expect_refused(const char *path, const char *words)
{
    struct error err = {0};
    cr_assert_null(symtab_load(path, &err));
    cr_assert(strstr(err.text, path), "\"%s\" names %s", err.text, path);
    cr_assert(strstr(err.text, words), "\"%s\" says \"%s\"", err.text, words);
}

static void expect_refused_bytes(const void *bytes, size_t n, const char *words)
{
    struct error err = {0};
    cr_assert_null(symtab_load_memory(bytes, n, "fw.elf", &err));
    cr_assert(strstr(err.text, "fw.elf"), "%s", err.text);
    cr_assert(strstr(err.text, words), "\"%s\" says \"%s\"", err.text, words);
}

static uint8_t *program(size_t *n, uint16_t type)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    writer.type = type;
    unsigned text = elf_writer_code(&writer, ".text", 0x1000, 0x40);
    elf_writer_symbol(&writer, "main", 0x1001, 0x10, STB_GLOBAL, STT_FUNC, text);
    return elf_writer_finish(&writer, n);
}

Test(elf, a_missing_file_is_named)
{
    char path[64];
    snprintf(path, sizeof path, "%s/none.elf", directory);
    expect_refused(path, "No such file");
}

Test(elf, a_directory_is_no_program)
{
    expect_refused(directory, "is a directory");
}

Test(elf, a_device_or_pipe_is_not_waited_for, .timeout = 300)
{
    char path[64];
    snprintf(path, sizeof path, "%s/pipe", directory);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_refused(path, "not a regular file");
    unlink(path);
}

Test(elf, a_file_loads_and_is_not_needed_afterwards)
{
    char path[64];
    size_t n;
    uint8_t *bytes = program(&n, ET_EXEC);
    snprintf(path, sizeof path, "%s/fw.elf", directory);
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    cr_assert_eq(fclose(file), 0);
    struct symtab *symtab = symtab_load(path, NULL);
    unlink(path);
    free(bytes);
    cr_assert(symtab);
    cr_assert_str_eq(symtab_at(symtab, symtab_find(symtab, 0x1004))->name, "main");
    symtab_unref(symtab);
}

Test(elf, other_files_are_refused)
{
    expect_refused_bytes("", 0, "not an ELF file");
    expect_refused_bytes("\x7f"
                         "ELF",
                         4, "not an ELF file");
    expect_refused_bytes(":10010000214601360121470136007EFE09D2190140", 44, "not an ELF file");
}

Test(elf, an_object_file_is_not_linked_yet)
{
    size_t n;
    uint8_t *bytes = program(&n, ET_REL);
    expect_refused_bytes(bytes, n, "not linked yet");
    free(bytes);
    bytes = program(&n, ET_CORE);
    expect_refused_bytes(bytes, n, "not a program");
    free(bytes);
}

Test(elf, a_section_past_the_end_means_truncated)
{
    size_t n;
    uint8_t *bytes = program(&n, ET_EXEC);
    expect_refused_bytes(bytes, n - 1, "truncated");
    /* The header says where the section table is; its second entry is .text, whose size is at 20. */
    Elf32_Ehdr header;
    Elf32_Shdr text;
    memcpy(&header, bytes, sizeof header);
    memcpy(&text, bytes + header.e_shoff + sizeof text, sizeof text);
    text.sh_size = 0x7fffffff;
    memcpy(bytes + header.e_shoff + sizeof text, &text, sizeof text);
    expect_refused_bytes(bytes, n, ".text");
    free(bytes);
}

Test(elf, an_unknown_class_or_byte_order_is_refused)
{
    size_t n;
    uint8_t *bytes = program(&n, ET_EXEC);
    bytes[EI_CLASS] = 3;
    expect_refused_bytes(bytes, n, "ELF");
    bytes[EI_CLASS] = ELFCLASS32;
    bytes[EI_DATA] = 7;
    expect_refused_bytes(bytes, n, "ELF");
    free(bytes);
}

/* A small program with a changed header. */
static uint8_t *program_with(size_t *n, void (*change)(Elf32_Ehdr *header, size_t n))
{
    uint8_t *bytes = program(n, ET_EXEC);
    Elf32_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    change(&header, *n);
    memcpy(bytes, &header, sizeof header);
    return bytes;
}

static void programs_begin_past_the_end(Elf32_Ehdr *header, size_t n)
{
    header->e_phoff = (Elf32_Off)n + 1;
    header->e_phnum = 1;
    header->e_phentsize = sizeof(Elf32_Phdr);
}

static void programs_end_past_the_end(Elf32_Ehdr *header, size_t n)
{
    header->e_phoff = (Elf32_Off)n - 1;
    header->e_phnum = 1;
    header->e_phentsize = sizeof(Elf32_Phdr);
}

static void sections_begin_past_the_end(Elf32_Ehdr *header, size_t n)
{
    header->e_shoff = (Elf32_Off)n + 8;
}

static void sections_are_more_than_there_are(Elf32_Ehdr *header, size_t n)
{
    (void)n;
    header->e_shnum = 0x7000;
}

/* Their number is then expected in the first section, which has 0. */
static void sections_are_counted_elsewhere(Elf32_Ehdr *header, size_t n)
{
    (void)n;
    header->e_shnum = 0;
}

static void there_are_no_sections(Elf32_Ehdr *header, size_t n)
{
    (void)n;
    header->e_shoff = 0;
    header->e_shnum = 0;
}

static void names_are_in_a_section_that_is_none(Elf32_Ehdr *header, size_t n)
{
    (void)n;
    header->e_shstrndx = 200;
}

Test(elf, a_table_that_the_file_does_not_hold_means_truncated)
{
    static const struct {
        void (*change)(Elf32_Ehdr *header, size_t n);
        const char *says;
    } cases[] = {
        {programs_begin_past_the_end, "program header table"},
        {programs_end_past_the_end, "program header table"},
        {sections_begin_past_the_end, "section table"},
        {sections_are_more_than_there_are, "section table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        uint8_t *bytes = program_with(&n, cases[i].change);
        expect_refused_bytes(bytes, n, cases[i].says);
        free(bytes);
    }
}

Test(elf, a_stripped_program_has_no_symbols_and_sections_may_lack_names)
{
    void (*const changes[])(Elf32_Ehdr *, size_t) = {there_are_no_sections, sections_are_counted_elsewhere};
    size_t n;
    uint8_t *bytes;
    struct symtab *symtab;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bytes = program_with(&n, changes[i]);
        symtab = symtab_load_memory(bytes, n, "fw.elf", NULL);
        free(bytes);
        cr_assert(symtab);
        cr_assert_eq(symtab_count(symtab), 0);
        cr_assert_not(symtab_file(symtab, 0).has_sections);
        symtab_unref(symtab);
    }

    bytes = program_with(&n, names_are_in_a_section_that_is_none);
    symtab = symtab_load_memory(bytes, n, "fw.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    cr_assert_str_eq(symtab_at(symtab, symtab_find(symtab, 0x1004))->name, "main");
    cr_assert(symtab_file(symtab, 0).has_sections);
    symtab_unref(symtab);
}

/* Changes the header of a section, by its index. */
static void change_section(uint8_t *bytes, unsigned index, void (*change)(Elf32_Shdr *section))
{
    Elf32_Ehdr header;
    Elf32_Shdr section;
    memcpy(&header, bytes, sizeof header);
    memcpy(&section, bytes + header.e_shoff + index * sizeof section, sizeof section);
    change(&section);
    memcpy(bytes + header.e_shoff + index * sizeof section, &section, sizeof section);
}

static void names_are_nowhere(Elf32_Shdr *section)
{
    section->sh_link = 200;
}

static void is_not_in_the_file(Elf32_Shdr *section)
{
    section->sh_type = SHT_NOBITS;
}

static void goes_round_the_end(Elf32_Shdr *section)
{
    section->sh_addr = UINT32_MAX - 8;
}

Test(elf, symbols_without_names_are_ignored)
{
    enum { SYMBOLS = 2, NAMES = 3 };
    static const struct {
        unsigned section;
        void (*change)(Elf32_Shdr *section);
    } cases[] = {{SYMBOLS, names_are_nowhere}, {NAMES, is_not_in_the_file}, {SYMBOLS, is_not_in_the_file}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        struct error err = {""};
        uint8_t *bytes = program(&n, ET_EXEC);
        change_section(bytes, cases[i].section, cases[i].change);
        struct symtab *symtab = symtab_load_memory(bytes, n, "fw.elf", &err);
        free(bytes);
        cr_assert(symtab, "%s", err.text);
        cr_expect_eq(symtab_count(symtab), 0, "%zu", i);
        symtab_unref(symtab);
    }
}

/* Addresses are computed in 64 bits for all programs. */
Test(elf, a_section_at_the_end_of_the_addresses_is_read)
{
    size_t n;
    uint8_t *bytes = program(&n, ET_EXEC);
    change_section(bytes, 1, goes_round_the_end);
    struct symtab *symtab = symtab_load_memory(bytes, n, "fw.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    cr_expect_eq(symtab_count(symtab), 0, "main lies elsewhere");
    symtab_unref(symtab);
    struct elf_writer writer;
    elf_writer_init(&writer, 8, false, EM_X86_64);
    unsigned text = elf_writer_code(&writer, ".text", UINT64_MAX - 8, 0x40);
    elf_writer_symbol(&writer, "main", UINT64_MAX - 8, 4, STB_GLOBAL, STT_FUNC, text);
    bytes = elf_writer_finish(&writer, &n);
    symtab = symtab_load_memory(bytes, n, "fw.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    cr_expect_eq(symtab_count(symtab), 0, "code that goes round the end is none");
    symtab_unref(symtab);
}

Test(elf, bad_debug_data_loses_lines_but_no_names)
{
    static const uint8_t claims[] = {1, 0, 0, 0, 100, 0,   0,   0,
                                     1, 0, 0, 0, 'x', 'x', 'x', 'x'}; /* zlib, 100 bytes */
    static const struct {
        const char *name, *bytes;
        size_t n;
        uint64_t flags;
    } cases[] = {
        {".debug_line", NULL, 100, 0},
        {".debug_line", "", 0, 0},
        {".zdebug_line",
         "ZLIB\0\0\0\0\0\0\0\x64"
         "xxxxxxxx",
         20, 0},
        {".zdebug_line",
         "ZLIB\xff\xff\xff\xff\xff\xff\xff\xff"
         "xxxxxxxx",
         20, 0},
        {".zdebug_line", "ZLIB", 4, 0},
        {".zdebug_line", "ZL", 2, 0},
        {".zdebug_line", "no such thing as that", 21, 0},
        {".debug_line", "ZLIB as a word of its own", 25, 0},
        {".debug_line", (const char *)claims, sizeof claims, SHF_COMPRESSED},
        {".debug_line", (const char *)claims, 5, SHF_COMPRESSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        struct elf_writer writer;
        struct error err = {""};
        elf_writer_init(&writer, 4, false, EM_ARM);
        unsigned text = elf_writer_code(&writer, ".text", 0x1000, 0x40);
        elf_writer_symbol(&writer, "main", 0x1001, 0x10, STB_GLOBAL, STT_FUNC, text);
        elf_writer_section(&writer, cases[i].name, SHT_PROGBITS, cases[i].flags, 0, cases[i].bytes,
                           cases[i].n);
        uint8_t *bytes = elf_writer_finish(&writer, &n);
        struct symtab *symtab = symtab_load_memory(bytes, n, "fw.elf", &err);
        free(bytes);
        cr_assert(symtab, "%zu: %s", i, err.text);
        const struct symbol *symbol = symtab_at(symtab, symtab_find(symtab, 0x1004));
        cr_expect_str_eq(symbol->name, "main");
        cr_expect(!symbol->file && symbol->line == 0, "%zu", i);
        symtab_unref(symtab);
    }
}

Test(elf, of_many_functions_each_is_found)
{
    enum { MANY = 3000 };
    size_t n;
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", 0, 4 * MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        elf_writer_symbol(&writer, name, 4 * i + 1, 4, STB_GLOBAL, STT_FUNC, text);
    }
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "fw.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    cr_assert_eq(symtab_count(symtab), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        cr_assert_eq(symtab_find_name(symtab, name), i);
        cr_assert_str_eq(symtab_at(symtab, symtab_find(symtab, 4 * i + 2))->name, name);
    }
    symtab_unref(symtab);
}

/* A sparse file, which takes no room on the disk. */
Test(elf, a_file_too_large_to_be_read_whole_is_refused_for_that)
{
    char path[64];
    snprintf(path, sizeof path, "%s/huge.elf", directory);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    cr_assert(fd >= 0 && ftruncate(fd, ((off_t)256 << 20) + 1) == 0);
    close(fd);
    expect_refused(path, "larger than 256 MiB");
    unlink(path);
}
