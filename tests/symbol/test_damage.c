/* test_damage.c - damaged files are refused with an error or read in part, without a crash. */
#include "symbol/symtab.h"

#include "support/effort.h"
#include "support/elf_writer.h"
#include "support/random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

/* Calls every function of the table, under the sanitizers. */
static void use(const struct symtab *symtab)
{
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        cr_assert(symbol->name && symbol->raw_name);
        cr_assert_eq(symtab_find(symtab, symbol->address), i, "a function owns its first byte");
        cr_assert_neq(symtab_find_name(symtab, symbol->name), SYMTAB_NONE);
        const char *file;
        uint32_t line;
        uint64_t destination;
        uint8_t bytes[16];
        symtab_line(symtab, symbol->address, &file, &line);
        symtab_read(symtab, symbol->address, bytes, sizeof bytes);
        symtab_call_before(symtab, symbol->address, &destination);
    }
}

/* Loads a copy in a heap block of exactly n bytes, which symtab_load_memory makes. */
static bool try(const uint8_t *bytes, size_t n)
{
    struct error err = {0};
    struct symtab *symtab = symtab_load_memory(bytes, n, "damaged.elf", &err);
    if (symtab)
        use(symtab);
    else
        cr_assert(strstr(err.text, "damaged.elf"), "a sentence names the file: \"%s\"", err.text);
    bool is_loaded = symtab;
    symtab_unref(symtab);
    return is_loaded;
}

static uint8_t *small_program(unsigned word_size, bool big_endian, size_t *n)
{
    static const uint8_t note[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 3, 'G', 'N', 'U', 0, 1, 2, 3, 4};
    struct elf_writer writer;
    elf_writer_init(&writer, word_size, big_endian, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", 0x1000, 0x40);
    elf_writer_section(&writer, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x2000, note, sizeof note);
    elf_writer_section(&writer, ".bss", SHT_NOBITS, SHF_ALLOC, 0x3000, NULL, 0x100);
    elf_writer_symbol(&writer, "_Z5outeri", 0x1001, 0x20, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "inner", 0x1009, 8, STB_LOCAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "sizeless", 0x1021, 0, STB_WEAK, STT_FUNC, text);
    elf_writer_symbol(&writer, "label", 0x1000, 0, STB_GLOBAL, STT_NOTYPE, text);
    return elf_writer_finish(&writer, n);
}

/* A compiled program, with DWARF; NULL without a compiler. */
static uint8_t *compiled_program(const char *file, size_t *n)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("SYMBOL_FIXTURES"), file);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    enum { LARGEST = 1 << 20 };
    uint8_t *bytes = malloc(LARGEST);
    cr_assert(bytes);
    *n = fread(bytes, 1, LARGEST, stream);
    cr_assert_lt(*n, LARGEST);
    fclose(stream);
    return bytes;
}

Test(damage, any_prefix_of_a_file_is_survived)
{
    for (int variant = 0; variant < 4; variant++) {
        size_t n;
        uint8_t *bytes = small_program(variant & 1 ? 8 : 4, variant & 2, &n);
        cr_assert(try(bytes, n));
        for (size_t length = 0; length < n; length++)
            cr_assert_not(try(bytes, length), "%zu of %zu bytes are not the whole", length, n);
        free(bytes);
    }
}

Test(damage, flipped_bits_anywhere_are_survived)
{
    struct test_random random = test_random_start("flipped_bits_anywhere_are_survived");
    for (int variant = 0; variant < 4; variant++) {
        size_t n;
        uint8_t *bytes = small_program(variant & 1 ? 8 : 4, variant & 2, &n);
        uint8_t *damaged = malloc(n);
        cr_assert(damaged);
        for (unsigned round = 0; round < test_effort(300, 1500); round++) {
            memcpy(damaged, bytes, n);
            for (size_t flips = 1 + test_random_below(&random, 4); flips > 0; flips--)
                damaged[test_random_below(&random, n)] ^= (uint8_t)(1 << test_random_below(&random, 8));
            try(damaged, n);
        }
        free(damaged);
        free(bytes);
    }
}

Test(damage, wild_bytes_in_dwarf_are_survived, .timeout = 300)
{
    static const char *const files[] = {"fixture_host_dwarf4.elf", "fixture_host_dwarf5.elf",
                                        "fixture_arm.elf", "fixture_host_packed.elf"};
    struct test_random random = test_random_start("wild_bytes_in_dwarf_are_survived");
    unsigned tried = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t n;
        uint8_t *bytes = compiled_program(files[i], &n);
        if (!bytes)
            continue;
        uint8_t *damaged = malloc(n);
        cr_assert(damaged);
        for (unsigned round = 0; round < test_effort(100, 400); round++, tried++) {
            memcpy(damaged, bytes, n);
            for (size_t hits = 1 + test_random_below(&random, 30); hits > 0; hits--)
                damaged[0x40 + test_random_below(&random, n - 0x40)] = (uint8_t)test_random_next(&random);
            try(damaged, n);
        }
        free(damaged);
        free(bytes);
    }
    if (tried == 0)
        cr_skip_test("no fixture was built: no compiler for them");
}

Test(damage, broken_dwarf_costs_lines_and_no_names)
{
    size_t n;
    uint8_t *bytes = compiled_program("fixture_host_dwarf5.elf", &n);
    if (!bytes)
        cr_skip_test("fixture_host_dwarf5.elf was not built: no compiler for it");
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    for (unsigned i = 1; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_PROGBITS && !(section.sh_flags & SHF_ALLOC))
            memset(bytes + section.sh_offset, 0xff, section.sh_size);
    }
    struct symtab *symtab = symtab_load_memory(bytes, n, "damaged.elf", NULL);
    cr_assert(symtab);
    uint32_t index = symtab_find_name(symtab, "fixture_middle");
    cr_assert_neq(index, SYMTAB_NONE);
    cr_assert_null(symtab_at(symtab, index)->file);
    cr_assert_eq(symtab_at(symtab, index)->line, 0);
    symtab_unref(symtab);
    free(bytes);
}

Test(damage, a_debug_section_that_unpacks_to_a_thousandfold_is_left_packed)
{
    /* 16 MiB of zeros in about 16 KiB: within what the format allows, beyond what the file explains. */
    enum { UNPACKED = 16 << 20 };
    uint8_t *zeros = calloc(1, UNPACKED);
    uLongf packed_n = compressBound(UNPACKED);
    uint8_t *packed = malloc(sizeof(Elf64_Chdr) + packed_n);
    cr_assert(zeros && packed);
    Elf64_Chdr header = {.ch_type = ELFCOMPRESS_ZLIB, .ch_size = UNPACKED, .ch_addralign = 1};
    memcpy(packed, &header, sizeof header);
    cr_assert_eq(compress2(packed + sizeof header, &packed_n, zeros, UNPACKED, 9), Z_OK);
    free(zeros);
    struct elf_writer writer;
    elf_writer_init(&writer, 8, false, EM_X86_64);
    unsigned text = elf_writer_code(&writer, ".text", 0x1000, 0x100);
    elf_writer_symbol(&writer, "f", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, text);
    elf_writer_section(&writer, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, packed,
                       sizeof header + packed_n);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, SHF_COMPRESSED, 0, packed,
                       sizeof header + packed_n);
    free(packed);
    size_t n;
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    struct symtab *symtab = symtab_load_memory(bytes, n, "damaged.elf", NULL);
    getrusage(RUSAGE_SELF, &after);
    free(bytes);
    cr_assert_eq(symtab_count(symtab), 1);
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, UNPACKED / 2 / 1024,
                 "kilobytes of memory more than before");
    symtab_unref(symtab);
}

Test(damage, symbols_that_share_one_long_name_cost_no_more_than_the_file_explains, .timeout = 300)
{
    enum { LONG = 200000, SYMBOLS = 20000 };
    char *name = malloc(LONG);
    cr_assert(name);
    memset(name, 'x', LONG - 1);
    name[LONG - 1] = '\0';
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", 0, SYMBOLS * 2);
    elf_writer_symbol(&writer, name, 0, 2, STB_GLOBAL, STT_FUNC, text);
    free(name);
    for (uint32_t i = 1; i < SYMBOLS; i++)
        elf_writer_symbol(&writer, "", i * 2, 2, STB_GLOBAL, STT_FUNC, text);
    /* Each points at its own tail of the long name. */
    for (uint32_t i = 1; i < SYMBOLS; i++) {
        Elf32_Sym symbol;
        uint8_t *at = writer.symbols.at + (i + 1) * sizeof symbol;
        memcpy(&symbol, at, sizeof symbol);
        symbol.st_name = i;
        memcpy(at, &symbol, sizeof symbol);
    }
    size_t n;
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "damaged.elf", NULL);
    cr_assert(symtab);
    cr_assert_gt(symtab_count(symtab), 1);
    cr_assert_lt(symtab_count(symtab), SYMBOLS);
    symtab_unref(symtab);
    free(bytes);
}
