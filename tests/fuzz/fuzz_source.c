/* fuzz_source.c - fuzz target: loads any bytes as a profile's ELF file and makes the lines and instructions of each
 * function as the page shows them. */
#include "fuzz.h"

#include "profile/profile.h"
#include "snapshot/annotation.h"
#include "support/elf_writer.h"
#include "symbol/symtab.h"

enum { FUNCTIONS_MOST = 24, TEXT = 0x8000 };

void fuzz_begin_with(struct stream *stream)
{
    static const uint8_t code[] = {0x01, 0x20, 0x00, 0xf0, 0x03, 0xf8, 0x00, 0x49,
                                   0x70, 0x47, 0x00, 0x80, 0x00, 0x00, 0x70, 0x47};
    /* Version 2: at TEXT line 10, two bytes on line 12, ten bytes on line 20 of another file, the end. */
    static const uint8_t table[] = {
        66, 0,   0,   0,   2, 0,   37,  0,   0, 0, 2,   1,   0xfb, 14,   10,  0,   1, 1, 1,
        1,  0,   0,   0,   1, 'i', 'n', 'c', 0, 0, 'm', 'a', 'i',  'n',  '.', 'c', 0, 0, 0,
        0,  'p', '.', 'h', 0, 1,   0,   0,   0, 0, 5,   2,   0,    0x80, 0,   0,   3, 9, 1,
        2,  1,   3,   2,   1, 2,   5,   4,   2, 3, 8,   1,   2,    4,    0,   1,   1,
    };
    struct elf_writer writer;
    size_t n;
    elf_writer_init(&writer, 4, false, EM_ARM);
    unsigned text = elf_writer_section(&writer, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, code,
                                       sizeof code);
    elf_writer_section(&writer, ".debug_line", SHT_PROGBITS, 0, 0, table, sizeof table);
    elf_writer_symbol(&writer, "_Z1fv", TEXT + 1, 10, STB_GLOBAL, STT_FUNC, text);
    elf_writer_symbol(&writer, "$d", TEXT + 10, 0, STB_LOCAL, STT_NOTYPE, text);
    elf_writer_symbol(&writer, "g", TEXT + 15, 2, STB_GLOBAL, STT_FUNC, text);
    uint8_t *bytes = elf_writer_finish(&writer, &n);
    stream_bytes(stream, bytes, n);
    free(bytes);
}

static void check(const struct annotation *annotation)
{
    uint64_t samples = 0;
    FUZZ_CHECK(annotation->own_file == ANNOTATION_NONE || annotation->own_file < annotation->file_count);
    for (uint32_t i = 0; i < annotation->instruction_count; i++) {
        const struct annotation_instruction *row = &annotation->instructions[i];
        FUZZ_CHECK(row->size > 0 && row->text && row->bytes);
        FUZZ_CHECK(i == 0 || row[-1].address + row[-1].size == row->address);
        FUZZ_CHECK(row->line == 0 || row->file < annotation->file_count);
        FUZZ_CHECK(row->destination_function == ANNOTATION_NONE || row->destination_name);
        samples += row->line > 0 ? row->samples : 0;
    }
    for (uint32_t i = 0; i < annotation->line_count; i++) {
        const struct annotation_line *line = &annotation->lines[i];
        FUZZ_CHECK(line->file < annotation->file_count && line->line > 0 && line->instructions > 0);
        FUZZ_CHECK(annotation_line_at(annotation, line->file, line->line) == i);
        samples -= line->samples;
    }
    FUZZ_CHECK(samples == 0);
    for (uint32_t i = 0; i < annotation->file_count; i++)
        FUZZ_CHECK(annotation->files[i].file && annotation->files[i].path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct error err = {""};
    struct symtab *symtab = symtab_load_memory(bytes, n, "fuzz.elf", &err);
    FUZZ_CHECK(symtab || *err.text);
    if (!symtab)
        return 0;
    struct profile *profile = profile_new(NULL);
    FUZZ_CHECK(profile);
    profile_set_symbols(profile, symtab);
    for (uint32_t i = 0; i < symtab_count(symtab) && i < FUNCTIONS_MOST; i++) {
        const struct symbol *symbol = symtab_at(symtab, i);
        const struct event sample = {.kind = EVENT_SAMPLE, .sample = {symbol->address + i, 1 + i, i % 9}};
        profile_apply(profile, &sample, 1);
    }
    symtab_unref(symtab);
    struct snapshot *snapshot =
        profile_freeze(profile, &(struct snapshot_source){.elf_path = "fuzz.elf", .elf_name = "fuzz.elf"},
                       &(struct snapshot_target){0}, &(struct snapshot_link){0});
    profile_free(profile);
    FUZZ_CHECK(snapshot);
    for (uint32_t id = 0; id < snapshot->function_count; id++) {
        struct annotation *annotation = annotation_new(snapshot, id);
        FUZZ_CHECK(annotation);
        check(annotation);
        annotation_free(annotation);
    }
    snapshot_unref(snapshot);
    return 0;
}
