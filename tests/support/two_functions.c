/* two_functions.c - a program of two functions, made byte by byte. */
#include "two_functions.h"

#include "elf_writer.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const uint8_t code[] = {0x01, 0x20, 0x00, 0xf0, 0x03, 0xf8, 0x00, 0x49,
                               0x70, 0x47, 0x00, 0x00, 0x00, 0xbf, 0x70, 0x47};

/* Version 2, minimum instruction 2, line base -5, range 14, opcode base 10. */
/* clang-format off */
static const uint8_t line_table[] = {
    77, 0, 0, 0, 2, 0, 37, 0, 0, 0, 2, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1,
    'i', 'n', 'c', 0, 0,
    'm', 'a', 'i', 'n', '.', 'c', 0, 0, 0, 0, 'p', '.', 'h', 0, 1, 0, 0, 0,
    0, 5, 2, 0, 0x80, 0, 0,  /* at f */
    3, 9, 1,                 /* line 10 */
    2, 1, 3, 2, 1,           /* two bytes on: line 12 */
    2, 2, 4, 2, 3, 0x77, 1,  /* four bytes on: file 2, line 3 */
    2, 1, 4, 1, 3, 17, 1,    /* two bytes on: file 1, line 20 */
    2, 4, 0, 1, 1,           /* the end */
};
/* clang-format on */

uint8_t *two_functions_elf(bool with_lines, size_t *n)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text =
        elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, F, code, sizeof code);
    if (with_lines)
        elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, line_table, sizeof line_table);
    elf_writer_symbol(&writer, "f", F + 1, 12, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "g", G + 1, 4, STB_GLOBAL, STT_FUNC, text);
    return elf_writer_finish(&writer, n);
}

struct symtab *two_functions_load(bool with_lines)
{
    size_t n;
    uint8_t *bytes = two_functions_elf(with_lines, &n);
    struct error err = {0};
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    free(bytes);
    cr_assert(symtab, "%s", err.text);
    return symtab;
}
