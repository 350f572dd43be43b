/* elf_writer.h - makes ELF files from the sections and symbols that a test needs.
 *
 * Types, flags and machines are those of <elf.h>. The file has the sections in the order they were added, then
 * the symbols, their names, the sections' names and the section table. */
#ifndef SUPPORT_ELF_WRITER_H
#define SUPPORT_ELF_WRITER_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_writer_bytes {
    uint8_t *at;
    size_t n, room;
};

struct elf_writer {
    bool is_64, big_endian;
    uint16_t machine;
    uint16_t type;       /* ET_EXEC unless changed */
    uint32_t flags;      /* e_flags */
    bool is_dynamic;     /* the symbols go to .dynsym */
    bool has_no_symbols; /* no symbol table at all */
    bool has_segment;    /* a program header for one loaded segment at ... */
    uint64_t segment;
    struct elf_writer_bytes contents, symbols, names, section_names, sections;
    unsigned section_count;
};

void elf_writer_init(struct elf_writer *writer, unsigned word_size, bool big_endian, uint16_t machine);

/* Adds a section and returns its index, which starts at 1. `bytes` NULL makes an SHT_NOBITS section of that
 * size. */
unsigned elf_writer_section(struct elf_writer *writer, const char *name, uint32_t type, uint64_t flags,
                            uint64_t address, const void *bytes, size_t size);

/* Code of `size` zero bytes: PROGBITS, loaded, executable. */
unsigned elf_writer_code(struct elf_writer *writer, const char *name, uint64_t address, size_t size);

void elf_writer_symbol(struct elf_writer *writer, const char *name, uint64_t value, uint64_t size,
                       unsigned binding, unsigned type, unsigned section);

/* The finished file, in a heap block of exactly *n bytes that the caller frees; the writer is spent. */
uint8_t *elf_writer_finish(struct elf_writer *writer, size_t *n);

#endif
