/* elf_list.h - the ELF files that name a profile's addresses, and where the target has each of them.
 *
 * One file is the usual case. A boot loader and an application are two, and code that runs elsewhere than it
 * was linked for has an offset: `boot.elf`, `app.elf@0x10000`. */
#ifndef BASE_ELF_LIST_H
#define BASE_ELF_LIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { ELF_LIST_MOST = 8, ELF_PATH_SIZE = 1024, ELF_LIST_NAME_SIZE = 512 };

/* One file. Without an offset its addresses are the target's. */
struct elf_place {
    char path[ELF_PATH_SIZE];
    bool is_moved, is_negative; /* an offset was given; with '-' before it */
    uint64_t offset; /* is added to each address, modulo 2^64; of a position-independent program: the address
                        that it is loaded at */
};

/* Zero is the empty list. Files that come first win where several have one address. */
struct elf_list {
    struct elf_place all[ELF_LIST_MOST];
    size_t n;
};

/* Adds "PATH" or "PATH@OFFSET", where OFFSET is a decimal number or one in hex with 0x, '-' before it
 * allowed; another text after the last '@' is part of the path. False with a sentence when the list is full,
 * the path empty or too long, the number too large, or the file with that offset is in the list already. */
bool elf_list_add(struct elf_list *list, const char *text, struct error *err);

/* Writes the offset in hex: "0x10000", "-0x400". */
void elf_place_offset(const struct elf_place *place, char text[static 32]);

/* Writes what the user called the file, at most `size` bytes with NUL: "app.elf@0x10000". */
void elf_place_name(const struct elf_place *place, char *name, size_t size);

/* Writes the list for use in a sentence, cut where it does not fit: "boot.elf and app.elf@0x10000". */
void elf_list_name(const struct elf_list *list, char name[static ELF_LIST_NAME_SIZE]);

#endif
