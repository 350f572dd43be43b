/* build_identity.h - identifies the build of a program. */
#ifndef SYMBOL_BUILD_IDENTITY_H
#define SYMBOL_BUILD_IDENTITY_H

#include "symbol/match.h"
#include "symbol/outline.h"

/* The numbers by which a device may identify its program. */
struct identity {
    bool has_text_crc32, has_build_id32;
    uint32_t text_crc32; /* zlib's CRC-32 of section .text */
    uint32_t build_id32; /* first four bytes of the GNU build id, little-endian */
};

/* Computes the identity from the file's bytes. */
struct identity identity_of(const struct outline *outline);

/* Checks whether the `id` that a device reports is of this program: see symtab_matches_id(). */
enum symtab_match identity_matches(const struct identity *identity, uint32_t id);

#endif
