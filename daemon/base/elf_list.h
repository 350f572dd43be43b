/* elf_list.h - the list of ELF files with the symbols of a profile, and the load offset of each.
 *
 * Usually there is one file. A boot loader and an application are two. Code that does not run at the address
 * for which it was linked has an offset: `boot.elf`, `app.elf@0x10000`. */
#ifndef BASE_ELF_LIST_H
#define BASE_ELF_LIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { ELF_LIST_MOST = 8, ELF_PATH_SIZE = 1024, ELF_LIST_NAME_SIZE = 512 };

/* One file. Without an offset, its addresses are those on the target. */
struct elf_place {
    char path[ELF_PATH_SIZE];
    bool is_moved, is_negative; /* has an offset; the offset has a '-' */
    uint64_t offset; /* added to each address, modulo 2^64; for a position-independent program: its load
                        address */
};

/* Zero is the empty list. Where several files have an address, the first one wins. */
struct elf_list {
    struct elf_place all[ELF_LIST_MOST];
    size_t n;
};

/* Adds "PATH" or "PATH@OFFSET", where OFFSET is a decimal number, or hex with 0x, and may have a '-'. Any
 * other text after the last '@' is part of the path. False with an error when the list is full, the path is
 * empty or too long, the number is too large, or the list already has that file with that offset. */
bool elf_list_add(struct elf_list *list, const char *text, struct error *err);

/* Writes the offset in hex: "0x10000", "-0x400". */
void elf_place_offset(const struct elf_place *place, char text[static 32]);

/* Writes the file as the user named it, at most `size` bytes with NUL: "app.elf@0x10000". */
void elf_place_name(const struct elf_place *place, char *name, size_t size);

/* Writes the list for a sentence, truncated to fit: "boot.elf and app.elf@0x10000". */
void elf_list_name(const struct elf_list *list, char name[static ELF_LIST_NAME_SIZE]);

#endif
