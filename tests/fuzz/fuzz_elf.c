/* fuzz_elf.c - fuzz target: loads any bytes as an ELF file and calls all functions on its symbols. */
#include "symbol/listing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MOST = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Checks that rows follow each other without a gap. */
static void follow(void *context, const struct listing_row *row)
{
    uint64_t *next = context;
    if (row->address != *next || row->code->size == 0 || strlen(row->code->text) >= DISASSEMBLE_TEXT)
        abort();
    *next += row->code->size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct error err;
    struct symtab *symtab = symtab_load_memory(bytes, n, "fuzz.elf", &err);
    if (!symtab)
        return 0;
    for (uint32_t i = 0; i < symtab_count(symtab); i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        const char *file;
        uint32_t line;
        uint64_t target;
        uint8_t code[8];
        if (symtab_find(symtab, symbol->address) != i ||
            symtab_find_name(symtab, symbol->name) == SYMTAB_NONE)
            abort();
        symtab_line(symtab, symbol->address, &file, &line);
        symtab_read(symtab, symbol->address, code, sizeof code);
        symtab_call_before(symtab, symbol->address + symbol->size, &target);
        uint64_t next = symbol->address;
        struct listing_end end = listing_each(symtab, i, LISTED_MOST, follow, &next);
        if (next != end.address || *end.lost.text)
            abort();
    }
    symtab_unref(symtab);
    return 0;
}
