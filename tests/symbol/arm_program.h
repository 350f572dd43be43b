/* arm_program.h - makes small ELF files, and finds the symbol of an address. */
#ifndef SYMBOL_ARM_PROGRAM_H
#define SYMBOL_ARM_PROGRAM_H

#include "support/elf_writer.h"
#include "symbol/symtab.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { TEXT = 0x1000, TEXT_SIZE = 0x1000 };

/* A little-endian 32-bit ARM program with `.text` as section 1. */
static inline struct elf_writer arm_program(void)
{
    struct elf_writer writer;
    elf_writer_init(&writer, 4, false, EM_ARM);
    elf_writer_code(&writer, ".text", TEXT, TEXT_SIZE);
    return writer;
}

static inline void function(struct elf_writer *writer, const char *name, uint64_t value, uint64_t size)
{
    elf_writer_symbol(writer, name, value, size, STB_GLOBAL, STT_FUNC, 1);
}

static inline struct symtab *load(struct elf_writer *writer)
{
    size_t n;
    uint8_t *bytes = elf_writer_finish(writer, &n);
    struct error err = {0};
    struct symtab *symtab = symtab_load_memory(bytes, n, "made.elf", &err);
    free(bytes);
    cr_assert(symtab, "%s", err.text);
    return symtab;
}

static inline const char *name_at(const struct symtab *symtab, uint64_t address)
{
    uint32_t index = symtab_find(symtab, address);
    return index == SYMTAB_NONE ? "" : symtab_at(symtab, index)->name;
}

#endif
