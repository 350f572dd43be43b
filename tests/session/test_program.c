/* test_program.c - what a dialect is given about the target's program. */
#include "session/program.h"

#include "support/folder.h"
#include "support/elf_writer.h"

struct bench {
    struct folder folder;
    struct elf_list elfs;
    struct symbols symbols;
    struct program program;
    struct dialect_settings settings;
};

/* Code at 0x1000 and 0x8000, texts at 0x4000, and one text that is not loaded. */
static void bench_init(struct bench *bench)
{
    static const char texts[] = "hello %d\n\0\x01odd\0\0unterminated";
    static const char formats[] = "1234value %d of %s\0";
    *bench = (struct bench){.folder = folder_new()};
    struct folder_path path = folder_file(&bench->folder, "fw.elf");
    struct elf_writer writer;
    struct error err = {""};
    size_t n;
    elf_writer_init(&writer, 32, false, EM_ARM);
    unsigned text = elf_writer_code(&writer, ".text", 0x1000, 64);
    elf_writer_section(&writer, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0x4000, texts, sizeof texts - 1);
    elf_writer_section(&writer, ".mpt_syst", SHT_PROGBITS, 0, 0xF0000000, formats, sizeof formats - 1);
    elf_writer_section(&writer, ".comment", SHT_PROGBITS, 0, 0xE0000000, formats, sizeof formats - 1);
    elf_writer_code(&writer, ".ramtext", 0x8000, 16);
    elf_writer_symbol(&writer, "main", 0x1000, 64, STB_GLOBAL, STT_FUNC, text);
    uint8_t *file = elf_writer_finish(&writer, &n);
    folder_write(&path, file, n);
    free(file);
    cr_assert(elf_list_add(&bench->elfs, path.text, &err) &&
                  symbols_init(&bench->symbols, &bench->elfs, &err),
              "%s", err.text);
    cr_assert(program_init(&bench->program, &bench->symbols, &err), "%s", err.text);
    program_show(&bench->program, &bench->settings);
}

static void bench_fini(struct bench *bench)
{
    program_fini(&bench->program);
    symbols_fini(&bench->symbols);
    folder_free(&bench->folder);
}

static bool text_at(struct bench *bench, uint64_t address, char *out, size_t n)
{
    return bench->settings.read_text(bench->settings.read_text_user, address, out, n);
}

Test(program, a_dialect_knows_where_code_is)
{
    struct bench bench;
    bench_init(&bench);
    cr_assert_eq(bench.settings.word_bytes, 4);
    cr_assert_eq(bench.settings.code_n, 2);
    cr_assert(bench.settings.code[0].start == 0x1000 && bench.settings.code[0].end == 0x1040);
    cr_assert(bench.settings.code[1].start == 0x8000 && bench.settings.code[1].end == 0x8010);
    bench_fini(&bench);
}

Test(program, a_dialect_can_read_texts)
{
    struct bench bench;
    char text[16];
    bench_init(&bench);
    cr_assert(text_at(&bench, 0x4000, text, sizeof text));
    cr_assert_str_eq(text, "hello %d\n");
    cr_assert(text_at(&bench, 0x4006, text, sizeof text));
    cr_assert_str_eq(text, "%d\n");
    cr_assert(text_at(&bench, 0x4000, text, 6), "as much as there is room for");
    cr_assert_str_eq(text, "hello");
    bench_fini(&bench);
}

Test(program, formats_that_the_target_does_not_have_are_read_in_their_section)
{
    struct bench bench;
    char text[32];
    bench_init(&bench);
    cr_assert(text_at(&bench, 0xF0000004, text, sizeof text));
    cr_assert_str_eq(text, "value %d of %s");
    cr_assert_not(text_at(&bench, 0xE0000004, text, sizeof text), "of another section");
    cr_assert_eq(bench.settings.code_n, 2);
    bench_fini(&bench);
}

Test(program, only_terminated_text_is_read)
{
    struct bench bench;
    char text[32];
    bench_init(&bench);
    cr_assert_not(text_at(&bench, 0x4009, text, sizeof text), "an empty one");
    cr_assert_not(text_at(&bench, 0x400A, text, sizeof text), "a control byte");
    cr_assert_not(text_at(&bench, 0x4010, text, sizeof text), "no end before the section's");
    cr_assert_not(text_at(&bench, 0x9000, text, sizeof text), "nothing is there");
    cr_assert_not(text_at(&bench, 0x4000, text, 0), "no room");
    bench_fini(&bench);
}

Test(program, without_an_elf_a_dialect_gets_no_program)
{
    struct symbols symbols;
    struct program program;
    struct dialect_settings settings = {0};
    cr_assert(symbols_init(&symbols, NULL, NULL) && program_init(&program, &symbols, NULL));
    program_show(&program, &settings);
    cr_assert(!settings.read_text && settings.code_n == 0 && settings.word_bytes == 0);
    program_fini(&program);
    symbols_fini(&symbols);
}

Test(program, a_dialect_finds_functions_by_name)
{
    struct bench bench;
    struct dialect_range range;
    bench_init(&bench);
    cr_assert(bench.settings.find_function(bench.settings.find_function_user, "main", &range));
    cr_assert(range.start == 0x1000 && range.end == 0x1040);
    cr_assert_not(bench.settings.find_function(bench.settings.find_function_user, "mcount", &range));
    bench_fini(&bench);
}
