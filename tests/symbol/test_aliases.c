/* test_aliases.c - labels that are no functions, functions in unusual sections, and several at one address. */
#include "arm_program.h"

/* TI's and IAR's compilers write such labels. */
Test(aliases, a_function_with_a_size_owns_its_labels)
{
    struct elf_writer writer = arm_program();
    function(&writer, "device_init", TEXT + 1, 0x20);
    function(&writer, "$C$L1", TEXT + 0x5, 0);
    function(&writer, "$C$START", TEXT + 1, 0);
    function(&writer, "C$$EXIT", TEXT + 0x21, 0);
    function(&writer, "abort_now", TEXT + 0x21, 0x10);
    function(&writer, "by_hand", TEXT + 0x41, 0);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, TEXT), "device_init");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x4), "device_init");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x20), "abort_now");
    cr_assert_str_eq(name_at(symtab, TEXT + 0x60), "by_hand");
    symtab_unref(symtab);
}

Test(aliases, a_function_is_one_wherever_its_section_is)
{
    struct elf_writer writer = arm_program();
    unsigned ram = elf_writer_section(&writer, ".fastcode", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x8000,
                                      (const uint8_t[0x40]){0}, 0x40);
    function(&writer, "f", TEXT + 1, 0x20);
    elf_writer_symbol(&writer, "_START", 0x8001, 0, STB_GLOBAL, STT_FUNC, ram);
    elf_writer_symbol(&writer, "buffer", 0x8020, 0, STB_GLOBAL, STT_NOTYPE, ram);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, 0x8001), "_START");
    struct symtab_range ranges[4];
    cr_assert_eq(symtab_code_ranges(symtab, ranges, 4), 2, "and it is code");
    cr_assert(ranges[1].start == 0x8000 && ranges[1].end == 0x8040);
    cr_assert_eq(symtab_count(symtab), 2, "a label among data is none");
    symtab_unref(symtab);
}

/* As in ROM tables and with ld --just-symbols. */
Test(aliases, functions_at_absolute_addresses_have_names)
{
    struct elf_writer writer = arm_program();
    elf_writer_symbol(&writer, "boot_crc", 0x8100001, 0x40, STB_GLOBAL, STT_FUNC, SHN_ABS);
    elf_writer_symbol(&writer, "boot_jump", 0x8200001, 0, STB_GLOBAL, STT_FUNC, SHN_ABS);
    elf_writer_symbol(&writer, "rom_memcpy", 0x1FFF0101, 0, STB_GLOBAL, STT_NOTYPE, SHN_ABS);
    elf_writer_symbol(&writer, "_estack", 0x20010000, 0, STB_GLOBAL, STT_NOTYPE, SHN_ABS);
    elf_writer_symbol(&writer, "last", UINT32_MAX, UINT32_MAX, STB_GLOBAL, STT_FUNC, SHN_ABS);
    struct symtab *symtab = load(&writer);
    cr_assert_str_eq(name_at(symtab, 0x8100021), "boot_crc");
    cr_assert_str_eq(name_at(symtab, 0x8200001), "boot_jump");
    cr_assert_str_eq(name_at(symtab, 0x8200003), "", "its length is unknown");
    cr_assert_str_eq(name_at(symtab, 0x1FFF0101), "rom_memcpy");
    cr_assert_str_eq(name_at(symtab, 0x20010000), "", "the end of memory is no function");
    symtab_unref(symtab);
}

Test(aliases, default_interrupt_handlers_list_their_aliases)
{
    static const char *const interrupts[] = {"ADC_IRQHandler", "USART1_IRQHandler", "WWDG_IRQHandler"};
    struct elf_writer writer = arm_program();
    elf_writer_symbol(&writer, "Default_Handler", TEXT, 2, STB_LOCAL, STT_NOTYPE, 1);
    elf_writer_symbol(&writer, "Infinite_Loop", TEXT, 0, STB_LOCAL, STT_NOTYPE, 1);
    for (unsigned i = 0; i < 3; i++)
        elf_writer_symbol(&writer, interrupts[i], TEXT + 1, 2, STB_WEAK, STT_FUNC, 1);
    elf_writer_symbol(&writer, "write", TEXT + 0x11, 8, STB_WEAK, STT_FUNC, 1);
    elf_writer_symbol(&writer, "write_impl", TEXT + 0x11, 8, STB_LOCAL, STT_FUNC, 1);
    struct symtab *symtab = load(&writer);
    const struct symbol *symbol = symtab_at(symtab, symtab_find(symtab, TEXT));
    cr_assert_str_eq(symbol->name, "Default_Handler");
    cr_assert_eq(symbol->alias_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        cr_assert_str_eq(symbol->aliases[i], interrupts[i]);
        cr_assert_eq(symtab_find_name(symtab, interrupts[i]), symtab_find(symtab, TEXT));
    }
    cr_assert_str_eq(name_at(symtab, TEXT + 0x10), "write", "one weak name is the public one");
    symtab_unref(symtab);
}

Test(aliases, overlays_at_one_address_share_a_name)
{
    struct elf_writer writer = arm_program();
    static const char *const names[] = {"ovl_codec", "ovl_filter", "ovl_mixer"};
    for (unsigned i = 0; i < 3; i++)
        elf_writer_symbol(&writer, names[i], 0x8001, 0x10, STB_GLOBAL, STT_FUNC,
                          elf_writer_code(&writer, names[i], 0x8000, 0x10));
    struct symtab *symtab = load(&writer);
    const struct symbol *symbol = symtab_at(symtab, symtab_find(symtab, 0x8000));
    cr_assert_str_eq(symbol->name, "ovl_codec or ovl_filter or ovl_mixer");
    cr_assert_str_eq(symbol->raw_name, "ovl_codec");
    cr_assert(!symbol->file && !symbol->has_frame);
    symtab_unref(symtab);
}
