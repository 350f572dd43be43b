/* listing.c - a function piece by piece. */
#include "symbol/listing.h"

#include "symbol/symtab_private.h"

#include <assert.h>
#include <stdio.h>

/* Bytes that the machine's books write as one number. */
static size_t unit_of(const struct symtab *symtab, enum code_kind kind)
{
    if (kind == CODE_DATA)
        return 1;
    switch (symtab->cpu.machine) {
    case MACHINE_ARM: return kind == CODE_THUMB ? 2 : 4;
    case MACHINE_AARCH64: return 4;
    case MACHINE_RISCV: return 2;
    default: return 1;
    }
}

static void say_bytes(const uint8_t *bytes, size_t n, size_t unit, bool big_endian, char *out)
{
    if (n % unit)
        unit = 1;
    for (size_t i = 0; i < n; i += unit) {
        if (i > 0)
            *out++ = ' ';
        for (size_t j = 0; j < unit; j++)
            out += sprintf(out, "%02x", bytes[i + (big_endian ? j : unit - 1 - j)]);
    }
    *out = '\0';
}

static uint32_t symbol_starting_at(const struct symtab *symtab, uint64_t address)
{
    return extents_find_start(&symtab->extents, symtab->cpu.is_arm ? address & ~UINT64_C(1) : address);
}

static uint32_t find_destination(const struct symtab *symtab, const struct disassembly *code)
{
    if (!code->has_destination)
        return SYMTAB_NONE;
    return code->is_data ? symbol_starting_at(symtab, code->destination)
                         : symtab_find(symtab, code->destination);
}

/* Takes what is loaded from next to the code for a pointer when a function begins there. */
static void find_literal(const struct symtab *symtab, struct listing_row *row)
{
    uint8_t bytes[4];
    row->has_literal = row->code->has_literal &&
                       symtab_read(symtab, row->code->literal, bytes, sizeof bytes) == sizeof bytes;
    row->literal = 0;
    for (size_t i = 0; row->has_literal && i < sizeof bytes; i++)
        row->literal = row->literal << 8 | bytes[symtab->cpu.big_endian ? i : sizeof bytes - 1 - i];
    if (row->has_literal && row->destination == SYMTAB_NONE)
        row->destination = symbol_starting_at(symtab, row->literal);
}

static void take_piece(const struct symtab *symtab, struct disassembler *disassembler, enum code_kind kind,
                       const uint8_t *bytes, size_t n, uint64_t address, struct disassembly *code)
{
    if (disassembler)
        disassembler_next(disassembler, kind, bytes, n, address, code);
    else
        *code = (struct disassembly){.size = (uint8_t)disassemble_unit(address, n, unit_of(symtab, kind))};
}

bool listing_each(const struct symtab *symtab, uint32_t index, size_t max, listing_fn *visit, void *user,
                  uint64_t *end)
{
    const struct symbol *symbol = symtab_at(symtab, index);
    bool only_thumb = !codemap_has(&symtab->codemap, CODE_ARM);
    struct disassembler *disassembler =
        disassembler_new(&symtab->cpu, symtab->code_is_big_endian, only_thumb);
    enum code_kind fallback = symtab->cpu.is_arm ? CODE_THUMB : CODE_PLAIN;
    uint64_t at = symbol->address, function_end = symbol->address + symbol->size;
    for (size_t rows = 0; at < function_end && rows < max; rows++) {
        struct disassembly code;
        struct listing_row row = {.address = at, .code = &code};
        struct lines_place place;
        uint8_t bytes[DISASSEMBLE_BYTES];
        uint64_t kind_end;
        enum code_kind kind = codemap_find(&symtab->codemap, at, fallback, &kind_end);
        uint64_t room = (kind_end < function_end ? kind_end : function_end) - at;
        size_t n = symtab_read(symtab, at, bytes, room < sizeof bytes ? (size_t)room : sizeof bytes);
        if (n == 0)
            break; /* no bytes in the file */
        take_piece(symtab, disassembler, kind, bytes, n, at, &code);
        assert(code.size > 0 && code.size <= n);
        say_bytes(bytes, code.size, code.is_data ? 1 : unit_of(symtab, kind), symtab->code_is_big_endian,
                  row.bytes);
        if (lines_find(&symtab->lines, at, &place)) {
            row.file = place.file;
            row.directory = place.directory;
            row.line = place.line;
        }
        row.destination = find_destination(symtab, &code);
        find_literal(symtab, &row);
        visit(user, &row);
        at += code.size;
    }
    *end = at;
    bool has_words = disassembler != NULL;
    disassembler_free(disassembler);
    return has_words;
}
