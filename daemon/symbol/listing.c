/* listing.c - lists a function's instructions and data. */
#include "symbol/listing.h"

#include "symbol/codewords.h"
#include "symbol/parcel.h"
#include "symbol/symtab_private.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the number of bytes that the machine's manuals write as one number. */
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

static void write_bytes(const uint8_t *bytes, size_t n, size_t unit, bool big_endian, char *out)
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

/* Reads the loaded literal. Takes it for a pointer if a function begins there. */
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

/* Collects a function's code in runs of one kind. Stops where the file has no bytes. */
static void collect_code_runs(const struct symtab *symtab, const struct symbol *symbol, uint32_t max,
                              struct sink *request)
{
    uint64_t at = symbol->address, end = symbol->address + symbol->size;
    const enum code_kind fallback = symtab->cpu.is_arm ? CODE_THUMB : CODE_PLAIN;
    uint64_t most = max < LISTING_BYTES / DISASSEMBLE_BYTES ? max * DISASSEMBLE_BYTES : LISTING_BYTES;
    if (end - at > most)
        end = at + most;
    const struct codemap *codemap = &symtab_file_at(symtab, at)->codemap;
    codewords_begin(request, &(struct codewords_head){.cpu = symtab->cpu,
                                                      .code_is_big_endian = symtab->code_is_big_endian,
                                                      .only_thumb = !codemap_has(codemap, CODE_ARM),
                                                      .address = at,
                                                      .max = max});
    uint8_t *bytes = malloc((size_t)(end - at) + 1);
    request->failed |= !bytes;
    while (bytes && at < end) {
        uint64_t kind_end;
        enum code_kind kind = codemap_find(codemap, at, fallback, &kind_end);
        uint64_t room = (kind_end < end ? kind_end : end) - at;
        size_t n = symtab_read(symtab, at, bytes, (size_t)room);
        if (n == 0)
            break;
        codewords_add(request, kind, bytes, n);
        at += n;
    }
    free(bytes);
}

static void visit_row(const struct symtab *symtab, struct listing_row *row, const uint8_t *bytes, size_t unit)
{
    struct lines_place place;
    write_bytes(bytes, row->code->size, row->code->is_data ? 1 : unit, symtab->code_is_big_endian,
                row->bytes);
    if (lines_find(&symtab_file_at(symtab, row->address)->lines, row->address, &place)) {
        row->file = place.file;
        row->directory = place.directory;
        row->line = place.line;
    }
    row->destination = find_destination(symtab, row->code);
    find_literal(symtab, row);
}

struct listing_end listing_each(const struct symtab *symtab, uint32_t index, size_t max, listing_fn *visit,
                                void *user)
{
    const struct symbol *symbol = symtab_at(symtab, index);
    struct listing_end end = {.address = symbol->address};
    struct sink_buffer asked;
    struct codewords words;
    sink_buffer_init(&asked);
    collect_code_runs(symtab, symbol, max < UINT32_MAX ? (uint32_t)max : UINT32_MAX, &asked.sink);
    if (asked.sink.failed) {
        sink_buffer_fini(&asked);
        error_set(&end.lost, "out of memory while disassembling");
        return end;
    }
    codewords_init(&words, (uint8_t *)asked.bytes, asked.n);
    struct reader request = parcel_open((const uint8_t *)asked.bytes, asked.n), run;
    uint32_t left = codewords_head(&request).max;
    enum code_kind kind;
    while (left > 0 && codewords_run(&request, &kind, &run)) {
        size_t unit = unit_of(symtab, kind);
        for (; reader_left(&run) > 0 && left > 0; left--) {
            struct disassembly code;
            struct listing_row row = {.address = end.address, .code = &code};
            if (!codewords_next(&words, reader_left(&run), &code))
                code = (struct disassembly){
                    .size = (uint8_t)disassemble_unit(end.address, reader_left(&run), unit)};
            visit_row(symtab, &row, run.at, unit);
            visit(user, &row);
            reader_skip(&run, code.size);
            end.address += code.size;
        }
    }
    end.has_words = words.knows;
    end.lost = words.lost;
    codewords_fini(&words);
    sink_buffer_fini(&asked);
    return end;
}
