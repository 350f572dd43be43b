/* test_identity.c - whether a device runs this very build. */
#include "symbol/symtab.h"

#include "support/elf_writer.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const uint8_t CHECK_TEXT[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
enum { CHECK_CRC32 = 0xcbf43926 }; /* the check value of CRC-32 */

static const uint8_t BUILD_ID_NOTE[] = {4,   0,   0,   0, 8,    0,    0,    0,    3,    0,    0,    0,
                                        'G', 'N', 'U', 0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};

static struct symtab *load(const void *text, size_t text_size, const void *note, size_t note_size)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    if (text)
        elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, text,
                           text_size);
    if (note)
        elf_writer_section(&writer, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x2000, note, note_size);
    size_t n;
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", NULL);
    free(bytes);
    cr_assert(symtab);
    return symtab;
}

Test(identity, the_crc_of_text_matches_and_others_do_not)
{
    struct symtab *symtab = load(CHECK_TEXT, sizeof CHECK_TEXT, NULL, 0);
    uint32_t value;
    cr_assert(symtab_text_crc32(symtab, &value));
    cr_assert_eq(value, (uint32_t)CHECK_CRC32);
    cr_assert_eq(symtab_matches_id(symtab, (uint32_t)CHECK_CRC32), SYMTAB_MATCH_YES);
    cr_assert_eq(symtab_matches_id(symtab, (uint32_t)CHECK_CRC32 ^ 1), SYMTAB_MATCH_NO);
    symtab_unref(symtab);
}

Test(identity, the_start_of_the_build_id_matches_in_either_byte_order)
{
    struct symtab *symtab = load(CHECK_TEXT, sizeof CHECK_TEXT, BUILD_ID_NOTE, sizeof BUILD_ID_NOTE);
    cr_assert_eq(symtab_matches_id(symtab, 0x78563412), SYMTAB_MATCH_YES);
    cr_assert_eq(symtab_matches_id(symtab, 0x12345678), SYMTAB_MATCH_YES);
    cr_assert_eq(symtab_matches_id(symtab, (uint32_t)CHECK_CRC32), SYMTAB_MATCH_YES);
    cr_assert_eq(symtab_matches_id(symtab, 0x9abcdef0), SYMTAB_MATCH_NO);
    symtab_unref(symtab);
}

Test(identity, an_id_of_zero_is_unknown)
{
    struct symtab *symtab = load(CHECK_TEXT, sizeof CHECK_TEXT, NULL, 0);
    cr_assert_eq(symtab_matches_id(symtab, 0), SYMTAB_MATCH_UNKNOWN);
    cr_assert_eq(symtab_matches_id(symtab, 0xffffffff), SYMTAB_MATCH_UNKNOWN);
    symtab_unref(symtab);
}

Test(identity, an_elf_without_ids_is_unknown)
{
    struct symtab *symtab = load(NULL, 0, NULL, 0);
    uint32_t value;
    cr_assert_not(symtab_text_crc32(symtab, &value));
    cr_assert_eq(symtab_matches_id(symtab, 0x12345678), SYMTAB_MATCH_UNKNOWN);
    symtab_unref(symtab);
}

Test(identity, a_damaged_note_gives_no_build_id)
{
    for (size_t cut = 1; cut < 9; cut++) {
        struct symtab *symtab = load(NULL, 0, BUILD_ID_NOTE, sizeof BUILD_ID_NOTE - cut);
        cr_assert_eq(symtab_matches_id(symtab, 0x78563412),
                     cut <= 4 ? SYMTAB_MATCH_YES : SYMTAB_MATCH_UNKNOWN, "four bytes of the id are needed");
        symtab_unref(symtab);
    }
}
