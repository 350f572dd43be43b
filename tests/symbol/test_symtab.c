/* test_symtab.c - which symbol an address belongs to, rule by rule, on hand-made ELF files. */
#include "arm_program.h"
#include "symbol/nearest.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(symtab, both_word_sizes_and_byte_orders_read_alike)
{
    for (int variant = 0; variant < 4; variant++) {
        unsigned word_size = variant & 1 ? 8 : 4;
        bool big_endian = variant & 2;
        struct elf_writer writer;
        elf_writer_init(&writer, word_size, big_endian, EM_PPC);
        unsigned text = elf_writer_code(&writer, ".text", 0x10000, 0x100);
        elf_writer_symbol(&writer, "one", 0x10000, 0x10, STB_GLOBAL, STT_FUNC, text);
        elf_writer_symbol(&writer, "two", 0x10021, 0x10, STB_LOCAL, STT_FUNC, text);
        struct symtab *symtab = load(&writer);
        const struct symtab_cpu *cpu = symtab_cpu(symtab);
        cr_assert_eq(cpu->word_size, word_size);
        cr_assert_eq(cpu->big_endian, big_endian);
        cr_assert_eq(cpu->machine, EM_PPC);
        cr_assert_str_eq(symtab_machine_name(cpu), "PowerPC");
        cr_assert_not(cpu->is_arm);
        cr_assert_eq(symtab_count(symtab), 2);
        cr_assert_eq(symtab_at(symtab, 1)->address, 0x10021,
                     "bit 0 is part of the address where it is not Thumb");
        cr_assert_eq(symtab_at(symtab, 1)->size, 0x10);
        cr_assert_str_eq(name_at(symtab, 0x1000f), "one");
        cr_assert_str_eq(name_at(symtab, 0x10010), "");
        symtab_unref(symtab);
    }
}

Test(symtab, a_function_is_its_range_and_nothing_around_it)
{
    struct elf_writer writer = arm_program();
    function(&writer, "f", TEXT + 0x10, 0x20);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT + 0xf), "");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x10), "f");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x2f), "f");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x30), "");
    cr_assert_eq(symtab_find(symtab, 0), SYMTAB_NONE);
    cr_assert_eq(symtab_find(symtab, UINT64_MAX), SYMTAB_NONE);
    symtab_unref(symtab);
}

Test(symtab, the_thumb_bit_is_no_part_of_an_arm_address)
{
    struct elf_writer writer = arm_program();
    function(&writer, "f", TEXT + 0x11, 0x20);
    function(&writer, "g", TEXT + 0x31, 0x20);
    struct symtab *symtab = load(&writer);
    cr_assert(symtab_cpu(symtab)->is_arm);
    cr_assert_eq(symtab_at(symtab, 0)->address, TEXT + 0x10);
    cr_assert_str_eq(name_at(symtab, TEXT + 0x31), "g");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x30), "g");
    symtab_unref(symtab);
}

Test(symtab, a_call_that_ends_its_function_belongs_to_it)
{
    struct elf_writer writer = arm_program();
    function(&writer, "caller", TEXT + 1, 0x20);
    function(&writer, "next", TEXT + 0x21, 0x20);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT + 0x21), "next");
    cr_assert_eq(symtab_find_caller(symtab, TEXT + 0x21), symtab_find_name(symtab, "caller"));
    cr_assert_eq(symtab_find_caller(symtab, TEXT + 0x20), symtab_find_name(symtab, "caller"));
    symtab_unref(symtab);
}

Test(symtab, a_function_without_size_reaches_to_the_next_one)
{
    struct elf_writer writer = arm_program();
    function(&writer, "sizeless", TEXT + 0x11, 0);
    function(&writer, "next", TEXT + 0x101, 4);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_at(symtab, 0)->size, 0xf0);
    cr_assert_str_eq(name_at(symtab, TEXT + 0xff), "sizeless");
    symtab_unref(symtab);
}

Test(symtab, no_function_reaches_past_its_section)
{
    struct elf_writer writer = arm_program();
    unsigned fini = elf_writer_code(&writer, ".fini", TEXT + TEXT_SIZE, 0x20);
    unsigned far = elf_writer_code(&writer, ".ramfunc", 0x20000000, 0x20);
    function(&writer, "last", TEXT + TEXT_SIZE - 0x10 + 1, 0);
    elf_writer_symbol(&writer, "_fini", TEXT + TEXT_SIZE + 1, 0, STB_GLOBAL, STT_FUNC, fini);
    elf_writer_symbol(&writer, "ram", 0x20000001, 0xfffffff0, STB_GLOBAL, STT_FUNC, far);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT + TEXT_SIZE - 1), "last");
    cr_assert_str_eq(name_at(symtab, TEXT + TEXT_SIZE + 0x1f), "_fini");
    cr_assert_str_eq(name_at(symtab, TEXT + TEXT_SIZE + 0x20), "", "garbage above is not blamed on _fini");
    cr_assert_str_eq(name_at(symtab, 0x2000001f), "ram");
    cr_assert_str_eq(name_at(symtab, 0x20000020), "", "a size that lies is cut off");
    symtab_unref(symtab);
}

Test(symtab, mapping_symbols_are_no_functions)
{
    static const char *const names[] = {"$a", "$t", "$d", "$x", "$t.1", "$d.realdata"};
    struct elf_writer writer = arm_program();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        elf_writer_symbol(&writer, names[i], TEXT + 0x100 * i, 0, STB_GLOBAL, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "$dollar", TEXT + 0x800, 0, STB_GLOBAL, STT_NOTYPE, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_count(symtab), 1);
    cr_assert_str_eq(symtab_at(symtab, 0)->name, "$dollar", "a name may begin with a dollar sign");
    symtab_unref(symtab);
}

Test(symtab, a_label_inside_a_function_does_not_split_it)
{
    struct elf_writer writer = arm_program();
    function(&writer, "wait", TEXT + 1, 0x26);
    elf_writer_symbol(&writer, "loop", TEXT + 4, 0, STB_LOCAL, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "again", TEXT + 8, 0, STB_GLOBAL, STT_NOTYPE, 1);
    function(&writer, "sizeless", TEXT + 0x101, 0);
    elf_writer_symbol(&writer, "inside", TEXT + 0x110, 0, STB_GLOBAL, STT_NOTYPE, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_count(symtab), 2);
    cr_assert_str_eq(name_at(symtab, TEXT + 8), "wait");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x120), "sizeless");
    symtab_unref(symtab);
}

Test(symtab, a_global_label_between_functions_is_an_assembler_function)
{
    struct elf_writer writer = arm_program();
    function(&writer, "f", TEXT + 1, 0x20);
    elf_writer_symbol(&writer, "Reset_Handler", TEXT + 0x20, 0, STB_GLOBAL, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "weak_handler", TEXT + 0x40, 0, STB_WEAK, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "local_label", TEXT + 0x60, 0, STB_LOCAL, STT_NOTYPE, 1);
    function(&writer, "g", TEXT + 0x81, 0x20);
    elf_writer_symbol(&writer, "_etext", TEXT + TEXT_SIZE, 0, STB_GLOBAL, STT_NOTYPE, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_count(symtab), 4);
    cr_assert_str_eq(name_at(symtab, TEXT + 0x3f), "Reset_Handler");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x7f), "weak_handler", "local labels are jump targets");
    cr_assert_str_eq(name_at(symtab, TEXT + 0xa0), "", "an end marker owns nothing");
    symtab_unref(symtab);
}

Test(symtab, of_aliases_the_most_public_one_names_the_function)
{
    struct elf_writer writer = arm_program();
    elf_writer_symbol(&writer, "a_local", TEXT + 1, 0x10, STB_LOCAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "b_weak", TEXT + 1, 0x10, STB_WEAK, STT_FUNC, 1);
    elf_writer_symbol(&writer, "d_global", TEXT + 1, 0, STB_GLOBAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "c_global", TEXT + 1, 0x10, STB_GLOBAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "a_label", TEXT, 0, STB_GLOBAL, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "f_local", TEXT + 0x21, 0x10, STB_LOCAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "g_weak", TEXT + 0x21, 0x10, STB_WEAK, STT_FUNC, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_count(symtab), 2);
    cr_assert_str_eq(name_at(symtab, TEXT), "c_global");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x20), "g_weak");
    cr_assert_eq(symtab_find_name(symtab, "a_local"), 0, "the others still find it by name");
    cr_assert_eq(symtab_find_name(symtab, "a_label"), 0);
    cr_assert_eq(symtab_find_name(symtab, "f_local"), 1);
    symtab_unref(symtab);
}

Test(symtab, where_functions_overlap_the_one_that_starts_nearest_wins)
{
    struct elf_writer writer = arm_program();
    function(&writer, "outer", TEXT + 0x001, 0x100);
    function(&writer, "inner", TEXT + 0x021, 0x10);
    function(&writer, "crossing", TEXT + 0x0f1, 0x40);
    function(&writer, "core", TEXT + 0x0f5, 0x04);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT + 0x01f), "outer");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x020), "inner");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x02f), "inner");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x030), "outer", "after the inner one the outer goes on");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x0f0), "crossing");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x0f4), "core");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x0f8), "crossing");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x12f), "crossing");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x130), "");
    symtab_unref(symtab);
}

Test(symtab, data_and_undefined_symbols_are_no_functions)
{
    struct elf_writer writer = arm_program();
    static const uint8_t bytes[16];
    unsigned data =
        elf_writer_section(&writer, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x20000000, bytes, 16);
    unsigned debug = elf_writer_section(&writer, ".comment", SHT_PROGBITS, SHF_EXECINSTR, 0, bytes, 16);
    elf_writer_symbol(&writer, "object", TEXT, 4, STB_GLOBAL, STT_OBJECT, 1);
    elf_writer_symbol(&writer, "file.c", 0, 0, STB_LOCAL, STT_FILE, SHN_ABS);
    elf_writer_symbol(&writer, "in_data", 0x20000000, 4, STB_GLOBAL, STT_NOTYPE, data);
    elf_writer_symbol(&writer, "not_loaded", 0, 4, STB_GLOBAL, STT_FUNC, debug);
    elf_writer_symbol(&writer, "undefined", TEXT, 4, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
    elf_writer_symbol(&writer, "absolute", 0x400, 4, STB_GLOBAL, STT_NOTYPE, SHN_ABS);
    elf_writer_symbol(&writer, "elsewhere", 0x20000000, 4, STB_GLOBAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "no_such_section", TEXT, 4, STB_GLOBAL, STT_FUNC, 77);
    elf_writer_symbol(&writer, "", TEXT, 4, STB_GLOBAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "resolved_late", TEXT + 0x11, 4, STB_GLOBAL, STT_GNU_IFUNC, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_count(symtab), 1);
    cr_assert_str_eq(symtab_at(symtab, 0)->name, "resolved_late");
    symtab_unref(symtab);
}

Test(symtab, dynamic_symbols_serve_when_there_are_no_others)
{
    struct elf_writer writer = arm_program();
    writer.is_dynamic = true;
    writer.type = ET_DYN;
    function(&writer, "exported", TEXT + 1, 0x10);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT), "exported");
    symtab_unref(symtab);
}

Test(symtab, a_program_without_symbols_is_no_error)
{
    struct elf_writer writer = arm_program();
    writer.has_no_symbols = true;
    struct symtab *symtab = load(&writer);
    uint32_t crc;
    cr_assert_eq(symtab_count(symtab), 0);
    cr_assert_eq(symtab_find(symtab, TEXT), SYMTAB_NONE);
    cr_assert_eq(symtab_find_name(symtab, "main"), SYMTAB_NONE);
    cr_assert_eq(symtab_code_ranges(symtab, NULL, 0), 1);
    cr_assert(symtab_text_crc32(symtab, &crc));
    symtab_unref(symtab);
}

Test(symtab, names_are_shown_demangled_and_found_either_way)
{
    struct elf_writer writer = arm_program();
    function(&writer, "_ZN5shape6Circle4areaEi", TEXT + 1, 0x10);
    function(&writer, "plain", TEXT + 0x11, 0x10);
    struct symtab *symtab = load(&writer);
    const struct symbol *symbol = symtab_at(symtab, 0);
    cr_assert_str_eq(symbol->name, "shape::Circle::area(int)");
    cr_assert_str_eq(symbol->raw_name, "_ZN5shape6Circle4areaEi");
    cr_assert_eq(symtab_find_name(symtab, symbol->name), 0);
    cr_assert_eq(symtab_find_name(symtab, symbol->raw_name), 0);
    cr_assert_eq(symtab_at(symtab, 1)->name, symtab_at(symtab, 1)->raw_name,
                 "one string where they are equal");
    symtab_unref(symtab);
}

Test(symtab, names_are_valid_utf8_whatever_the_file_holds)
{
    struct elf_writer writer = arm_program();
    function(&writer, "bad\xff\xc3name", TEXT + 1, 0x10);
    function(&writer,
             "gr\xc3\xb6\xc3\x9f"
             "e",
             TEXT + 0x11, 0x10);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(symtab_at(symtab, 0)->name, "bad\xef\xbf\xbd\xef\xbf\xbdname");
    cr_assert_str_eq(symtab_at(symtab, 1)->name, "gr\xc3\xb6\xc3\x9f"
                                                 "e");
    symtab_unref(symtab);
}

Test(symtab, of_equal_names_the_lowest_address_is_found)
{
    struct elf_writer writer = arm_program();
    elf_writer_symbol(&writer, "init", TEXT + 0x41, 0x10, STB_LOCAL, STT_FUNC, 1);
    elf_writer_symbol(&writer, "init", TEXT + 0x21, 0x10, STB_LOCAL, STT_FUNC, 1);
    struct symtab *symtab = load(&writer);
    cr_assert_eq(symtab_find_name(symtab, "init"), 0);
    cr_assert_eq(symtab_at(symtab, 0)->address, TEXT + 0x20);
    symtab_unref(symtab);
}

Test(symtab, loaded_bytes_can_be_read_and_bss_has_none)
{
    static const uint8_t bytes[] = "catalog";
    struct elf_writer writer = arm_program();
    elf_writer_section(&writer, ".rodata", SHT_PROGBITS, SHF_ALLOC, 0x3000, bytes, sizeof bytes);
    elf_writer_section(&writer, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0x4000, NULL, 0x100);
    elf_writer_section(&writer, ".note", SHT_PROGBITS, 0, 0x5000, bytes, sizeof bytes);
    struct symtab *symtab = load(&writer);
    char out[16] = {0};
    cr_assert_eq(symtab_read(symtab, 0x3000, out, sizeof out), sizeof bytes,
                 "it stops where the section does");
    cr_assert_str_eq(out, "catalog");
    cr_assert_eq(symtab_read(symtab, 0x3003, out, 2), 2);
    cr_assert_arr_eq(out, "al", 2);
    cr_assert_eq(symtab_read(symtab, 0x4000, out, 1), 0);
    cr_assert_eq(symtab_read(symtab, 0x5000, out, 1), 0, "what is not loaded is not there");
    struct symtab_range code;
    cr_assert_eq(symtab_code_ranges(symtab, &code, 1), 1, "data is no code");
    cr_assert(code.start == TEXT && code.end == TEXT + TEXT_SIZE);
    symtab_unref(symtab);
}

Test(symtab, a_call_before_a_return_address_is_recognised)
{
    /* bl .-0x28, blx r3, nop; and the same instructions big-endian, which BE8 images do not use. */
    static const uint8_t little[] = {0xff, 0xf7, 0xea, 0xff, 0x98, 0x47, 0x00, 0xbf};
    static const uint8_t big[] = {0xf7, 0xff, 0xff, 0xea, 0x47, 0x98, 0xbf, 0x00};
    for (int variant = 0; variant < 3; variant++) {
        struct elf_writer writer;
        elf_writer_init(&writer, 4, variant > 0, EM_ARM);
        writer.flags = variant == 1 ? EF_ARM_BE8 : 0;
        elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x4f8,
                           variant == 2 ? big : little, sizeof little);
        struct symtab *symtab = load(&writer);
        uint64_t destination = 1;
        cr_assert(symtab_call_before(symtab, 0x4fd, &destination));
        cr_assert_eq(destination, 0x4d0);
        cr_assert(symtab_call_before(symtab, 0x4fe, &destination));
        cr_assert_eq(destination, 0, "through a register: unknown");
        cr_assert_not(symtab_call_before(symtab, 0x500, &destination), "a nop calls nothing");
        cr_assert_not(symtab_call_before(symtab, 0x4f8, &destination), "nothing is before the section");
        cr_assert_not(symtab_call_before(symtab, 0x700, &destination));
        cr_assert_not(symtab_call_before(symtab, 0, &destination));
        symtab_unref(symtab);
    }
}

Test(symtab, a_table_lives_until_its_last_reference_goes)
{
    struct elf_writer writer = arm_program();
    function(&writer, "f", TEXT + 1, 0x10);
    struct symtab *symtab = load(&writer);
    struct symtab *other = symtab_ref(symtab);
    symtab_unref(symtab);
    cr_assert_str_eq(name_at(other, TEXT), "f");
    symtab_unref(other);
    symtab_unref(NULL);
}

/* As in programs of more than 65,000 sections: a symbol says that its section's number stands elsewhere. */
Test(symtab, section_numbers_may_be_in_an_extra_table)
{
    enum { WIDE = 2, SYMBOLS = 3 };
    static const uint32_t numbers[] = {0, 1, 0x12345};
    struct elf_writer writer = arm_program();
    elf_writer_section(&writer, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 0, numbers, sizeof numbers);
    elf_writer_symbol(&writer, "here", TEXT + 1, 8, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
    elf_writer_symbol(&writer, "nowhere", TEXT + 0x11, 8, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
    elf_writer_symbol(&writer, "common", TEXT + 0x21, 8, STB_GLOBAL, STT_FUNC, SHN_COMMON);
    size_t n;
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    Elf32_Ehdr header;
    Elf32_Shdr wide;
    memcpy(&header, bytes, sizeof header);
    memcpy(&wide, bytes + header.e_shoff + WIDE * sizeof wide, sizeof wide);
    for (unsigned of = 0; of <= SYMBOLS; of += SYMBOLS) { /* of another table it says nothing */
        wide.sh_link = of;
        memcpy(bytes + header.e_shoff + WIDE * sizeof wide, &wide, sizeof wide);
        struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", NULL);
        cr_assert(symtab);
        cr_expect_eq(symtab_count(symtab), of ? 1 : 0);
        cr_expect_str_eq(name_at(symtab, TEXT + 4), of ? "here" : "");
        symtab_unref(symtab);
    }
    free(bytes);
}

Test(symtab, a_misspelt_name_gets_the_nearest_one)
{
    static const struct {
        const char *asked, *nearest;
    } cases[] = {{"control_cycel", "control_cycle"},
                 {"control", "control_cycle"},
                 {"mian", "main"},
                 {"", "main"},
                 {"a_name_that_is_nothing_like_any_of_them", "control_cycle"}};
    struct elf_writer writer = arm_program();
    struct symtab *empty = load(&writer);
    cr_expect_eq(symtab_nearest(empty, "main"), SYMTAB_NONE);
    symtab_unref(empty);
    writer = arm_program();
    function(&writer, "control_cycle", TEXT + 1, 8);
    function(&writer, "main", TEXT + 0x11, 8);
    struct symtab *symtab = load(&writer);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t found = symtab_nearest(symtab, cases[i].asked);
        cr_assert_neq(found, SYMTAB_NONE);
        cr_expect_str_eq(symtab_at(symtab, found)->name, cases[i].nearest, "%s", cases[i].asked);
    }
    symtab_unref(symtab);
}

Test(symtab, only_exact_mapping_symbols_are_skipped)
{
    static const uint16_t machines[] = {EM_ARM, EM_RISCV};
    for (size_t i = 0; i < 2; i++) {
        struct elf_writer writer;
        elf_writer_init(&writer, 4, false, machines[i]);
        unsigned text = elf_writer_code(&writer, ".text", TEXT, TEXT_SIZE);
        elf_writer_symbol(&writer, "$xrv32i", TEXT, 0, STB_GLOBAL, STT_NOTYPE, text);
        elf_writer_symbol(&writer, "$", TEXT + 0x10, 0, STB_GLOBAL, STT_NOTYPE, text);
        elf_writer_symbol(&writer, "$tail", TEXT + 0x20, 0, STB_GLOBAL, STT_NOTYPE, text);
        elf_writer_symbol(&writer, "$d.1", TEXT + 0x30, 0, STB_GLOBAL, STT_NOTYPE, text);
        struct symtab *symtab = load(&writer);
        cr_expect_str_eq(name_at(symtab, TEXT), machines[i] == EM_RISCV ? "" : "$xrv32i");
        cr_expect_str_eq(name_at(symtab, TEXT + 0x10), "$");
        cr_expect_str_eq(name_at(symtab, TEXT + 0x20), "$tail");
        cr_expect_str_neq(name_at(symtab, TEXT + 0x30), "$d.1");
        symtab_unref(symtab);
    }
}
