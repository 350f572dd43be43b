/* elf_writer.c - makes ELF files for tests. */
#include "support/elf_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void append(struct elf_writer_bytes *bytes, const void *data, size_t n)
{
    if (bytes->n + n > bytes->room) {
        bytes->room = (bytes->n + n) * 2;
        bytes->at = realloc(bytes->at, bytes->room);
        assert(bytes->at);
    }
    if (n > 0)
        memcpy(bytes->at + bytes->n, data, n);
    bytes->n += n;
}

static void number(const struct elf_writer *writer, struct elf_writer_bytes *bytes, uint64_t value,
                   unsigned size)
{
    uint8_t out[8];
    for (unsigned i = 0; i < size; i++)
        out[writer->big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
    append(bytes, out, size);
}

static void word(const struct elf_writer *writer, struct elf_writer_bytes *bytes, uint64_t value)
{
    number(writer, bytes, value, writer->is_64 ? 8 : 4);
}

static uint32_t intern(struct elf_writer_bytes *names, const char *name)
{
    uint32_t offset = (uint32_t)names->n;
    append(names, name, strlen(name) + 1);
    return offset;
}

static size_t header_size(const struct elf_writer *writer)
{
    return writer->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
}

static unsigned add(struct elf_writer *writer, const char *name, uint32_t type, uint64_t flags,
                    uint64_t address, const void *bytes, size_t size, uint32_t link, uint64_t entry_size)
{
    while (writer->contents.n % 8)
        append(&writer->contents, "", 1);
    struct elf_writer_bytes *out = &writer->sections;
    number(writer, out, intern(&writer->section_names, name), 4);
    number(writer, out, type, 4);
    word(writer, out, flags);
    word(writer, out, address);
    word(writer, out, header_size(writer) + writer->contents.n);
    word(writer, out, size);
    number(writer, out, link, 4);
    number(writer, out, 0, 4); /* info */
    word(writer, out, 1);      /* alignment */
    word(writer, out, entry_size);
    if (bytes)
        append(&writer->contents, bytes, size);
    return writer->section_count++;
}

void elf_writer_init(struct elf_writer *writer, unsigned word_size, bool big_endian, uint16_t machine)
{
    *writer = (struct elf_writer){
        .is_64 = word_size == 8, .big_endian = big_endian, .machine = machine, .type = ET_EXEC};
    append(&writer->names, "", 1);
    add(writer, "", SHT_NULL, 0, 0, NULL, 0, 0, 0);
    elf_writer_symbol(writer, "", 0, 0, STB_LOCAL, STT_NOTYPE, SHN_UNDEF);
}

unsigned elf_writer_section(struct elf_writer *writer, const char *name, uint32_t type, uint64_t flags,
                            uint64_t address, const void *bytes, size_t size)
{
    return add(writer, name, bytes ? type : SHT_NOBITS, flags, address, bytes, size, 0, 0);
}

unsigned elf_writer_code(struct elf_writer *writer, const char *name, uint64_t address, size_t size)
{
    uint8_t *zeros = calloc(1, size + 1);
    assert(zeros);
    unsigned index =
        elf_writer_section(writer, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address, zeros, size);
    free(zeros);
    return index;
}

void elf_writer_symbol(struct elf_writer *writer, const char *name, uint64_t value, uint64_t size,
                       unsigned binding, unsigned type, unsigned section)
{
    struct elf_writer_bytes *out = &writer->symbols;
    uint8_t info = (uint8_t)(binding << 4 | type);
    number(writer, out, *name ? intern(&writer->names, name) : 0, 4);
    if (!writer->is_64) {
        word(writer, out, value);
        word(writer, out, size);
    }
    number(writer, out, info, 1);
    number(writer, out, 0, 1); /* visibility */
    number(writer, out, section, 2);
    if (writer->is_64) {
        word(writer, out, value);
        word(writer, out, size);
    }
}

static void add_segment(const struct elf_writer *writer, struct elf_writer_bytes *file)
{
    number(writer, file, PT_LOAD, 4);
    if (writer->is_64)
        number(writer, file, PF_R | PF_X, 4);
    word(writer, file, 0); /* offset */
    word(writer, file, writer->segment);
    for (unsigned i = 0; i < (writer->is_64 ? 4u : 5u); i++)
        word(writer, file, 0); /* physical address, sizes, flags, alignment */
}

uint8_t *elf_writer_finish(struct elf_writer *writer, size_t *n)
{
    if (!writer->has_no_symbols) {
        uint64_t entry = writer->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
        add(writer, writer->is_dynamic ? ".dynsym" : ".symtab", writer->is_dynamic ? SHT_DYNSYM : SHT_SYMTAB,
            0, 0, writer->symbols.at, writer->symbols.n, writer->section_count + 1, entry);
        add(writer, writer->is_dynamic ? ".dynstr" : ".strtab", SHT_STRTAB, 0, 0, writer->names.at,
            writer->names.n, 0, 0);
    }
    /* The table of section names contains its own name, which must be added before the table is written. */
    struct elf_writer_bytes section_names = {0};
    append(&section_names, writer->section_names.at, writer->section_names.n);
    append(&section_names, ".shstrtab", sizeof ".shstrtab");
    unsigned names_index =
        add(writer, ".shstrtab", SHT_STRTAB, 0, 0, section_names.at, section_names.n, 0, 0);
    while (writer->contents.n % 8)
        append(&writer->contents, "", 1);

    struct elf_writer_bytes file = {0};
    const uint8_t ident[EI_NIDENT] = {0x7f,
                                      'E',
                                      'L',
                                      'F',
                                      writer->is_64 ? ELFCLASS64 : ELFCLASS32,
                                      writer->big_endian ? ELFDATA2MSB : ELFDATA2LSB,
                                      EV_CURRENT};
    append(&file, ident, sizeof ident);
    number(writer, &file, writer->type, 2);
    number(writer, &file, writer->machine, 2);
    number(writer, &file, EV_CURRENT, 4);
    word(writer, &file, 0); /* entry */
    uint64_t tables = header_size(writer) + writer->contents.n;
    word(writer, &file, writer->has_segment ? tables + writer->sections.n : 0);
    word(writer, &file, tables);
    number(writer, &file, writer->flags, 4);
    number(writer, &file, header_size(writer), 2);
    number(writer, &file, writer->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
    number(writer, &file, writer->has_segment, 2);
    number(writer, &file, writer->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
    number(writer, &file, writer->section_count, 2);
    number(writer, &file, names_index, 2);
    append(&file, writer->contents.at, writer->contents.n);
    append(&file, writer->sections.at, writer->sections.n);
    if (writer->has_segment)
        add_segment(writer, &file);

    struct elf_writer_bytes *spent[] = {&writer->contents,      &writer->symbols,  &writer->names,
                                        &writer->section_names, &writer->sections, &section_names};
    for (size_t i = 0; i < sizeof spent / sizeof *spent; i++)
        free(spent[i]->at);
    *writer = (struct elf_writer){0};
    *n = file.n;
    return realloc(file.at, file.n);
}
