/* elf_symbols.h - reads the symbols of the example's ELF file. */
#ifndef FIRMWARE_ELF_SYMBOLS_H
#define FIRMWARE_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct elf_symbols {
    struct {
        uint64_t address; /* without the Thumb bit */
        char *name;
    } * function;
    size_t n;
    uint32_t text_crc; /* zlib's CRC-32 over the bytes of section .text in the file */
};

/* Ends the test with an error when the file is no ELF with symbols. */
struct elf_symbols elf_symbols_read(const char *path);
void elf_symbols_free(struct elf_symbols *symbols);

/* The name of the function that starts exactly there, or NULL. */
const char *elf_symbols_name(const struct elf_symbols *symbols, uint64_t address);

#endif
