/* elf_file.h - makes small ELF files with one function at 0x1000, of given code and name. */
#ifndef SESSION_ELF_FILE_H
#define SESSION_ELF_FILE_H

#include "base/elf_list.h"
#include "support/folder.h"
#include "support/elf_writer.h"
#include "symbol/symtab.h"

#include <stdio.h>

/* A list of one file. */
static inline struct elf_list elf_list_of(const char *path)
{
    struct elf_list list = {.n = 0};
    cr_assert(elf_list_add(&list, path, NULL));
    return list;
}

/* Writes the file under another name, then moves it to `path`, as linkers and copies do. Returns
 * the id that a device running it reports. */
static inline uint32_t program_write(const struct folder_path *path, const char *name, uint8_t code)
{
    struct elf_writer writer;
    uint8_t bytes[64];
    memset(bytes, code, sizeof bytes);
    elf_writer_init(&writer, 32, false, EM_ARM);
    unsigned text = elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
                                       bytes, sizeof bytes);
    elf_writer_symbol(&writer, name, 0x1000, sizeof bytes, STB_GLOBAL, STT_FUNC, text);
    size_t n;
    uint8_t *file = elf_writer_finish(&writer, &n);
    struct folder_path fresh = *path;
    cr_assert_lt(strlen(fresh.text) + 1, sizeof fresh.text);
    strcat(fresh.text, "~");
    folder_write(&fresh, file, n);
    cr_assert_eq(rename(fresh.text, path->text), 0);

    uint32_t id;
    struct symtab *symtab = symtab_load_memory(file, n, name, NULL);
    cr_assert(symtab && symtab_text_crc32(symtab, &id));
    symtab_unref(symtab);
    free(file);
    return id;
}

#endif
