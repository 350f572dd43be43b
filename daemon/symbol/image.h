/* image.h - a program's initial memory image, and the code ranges in it. */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H

#include "symbol/outline.h"

/* Addresses from `start` up to, not including, `end`. */
struct image_range {
    uint64_t start, end;
    uint8_t *bytes; /* end - start bytes; NULL for .bss and the like */
};

/* Zero is the empty image, which owns its ranges and their bytes. */
struct image {
    struct image_range *loaded; /* by start */
    size_t loaded_count;
    struct image_range *code; /* by start, disjoint, without bytes */
    size_t code_count;
};

/* Copies the loaded sections of `outline`, and texts for the host (section .mpt_syst of firmware-ref/syst) that
 * have an address, up to `budget` bytes together. False when memory is used up. */
bool image_init(struct image *image, const struct outline *outline, size_t budget);
void image_fini(struct image *image);

/* Adds n ranges of code outside code sections. False when memory is used up. */
bool image_add_code(struct image *image, const struct image_range *more, size_t n);

/* True when `address` is in code. */
bool image_is_code(const struct image *image, uint64_t address);

/* Copies up to n bytes at `address`: see symtab_read(). */
size_t image_read(const struct image *image, uint64_t address, void *out, size_t n);

#endif
