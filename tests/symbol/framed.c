/* framed.c - makes programs with a .debug_frame byte by byte. */
#include "framed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct section {
    uint8_t bytes[16384];
    size_t n;
    bool big_endian;
};

static void put(struct section *section, const void *bytes, size_t n)
{
    cr_assert_leq(section->n + n, sizeof section->bytes);
    memcpy(section->bytes + section->n, bytes, n);
    section->n += n;
}

static void put_word(struct section *section, uint32_t word)
{
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[section->big_endian ? 3 - i : i] = (uint8_t)(word >> 8 * i);
    put(section, bytes, sizeof bytes);
}

/* The entry whose length stands at `at` ends here, on a multiple of four bytes. */
static void end_entry(struct section *section, size_t at)
{
    while (section->n % 4)
        put(section, "", 1); /* DW_CFA_nop */
    size_t end = section->n;
    section->n = at;
    put_word(section, (uint32_t)(end - at - 4));
    section->n = end;
}

uint8_t *framed_program(uint16_t machine, bool big_endian, const struct framed *functions, size_t n,
                        const uint8_t *code, size_t code_n, size_t *file_n)
{
    /* Version 1; steps of one byte of code and -4 of data; the return address is in r14. At first the
       caller's stack begins where r13 points to. */
    static const uint8_t common[] = {1, 0, 1, 0x7c, 14, 0x0c, 13, 0};
    static struct section frames;
    uint32_t at = FRAMED_AT;
    struct elf_writer writer;
    frames = (struct section){.big_endian = big_endian};
    elf_writer_init(&writer, 4, big_endian, machine);
    unsigned text = elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, FRAMED_AT,
                                       code, code_n);
    put_word(&frames, 0);
    put_word(&frames, UINT32_MAX);
    put(&frames, common, sizeof common);
    end_entry(&frames, 0);
    for (size_t i = 0; i < n; i++) {
        size_t begin = frames.n;
        if (functions[i].told > 0) {
            put_word(&frames, 0);
            put_word(&frames, 0); /* where the common part is */
            put_word(&frames, at);
            put_word(&frames, functions[i].told);
            put(&frames, functions[i].rules, functions[i].rule_n);
            end_entry(&frames, begin);
        }
        if (functions[i].name)
            elf_writer_symbol(&writer, functions[i].name, at + (machine == EM_ARM), functions[i].size,
                              STB_GLOBAL, STT_FUNC, text);
        at += functions[i].size;
    }
    elf_writer_section(&writer, ".debug_frame", SHT_PROGBITS, 0, 0, frames.bytes, frames.n);
    return elf_writer_finish(&writer, file_n);
}
