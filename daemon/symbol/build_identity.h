/* build_identity.h - what tells one build of a program from another. */
#ifndef SYMBOL_BUILD_IDENTITY_H
#define SYMBOL_BUILD_IDENTITY_H

#include "symbol/match.h"
#include "symbol/outline.h"

/* What a device may report of its program so that it can be told from others. */
struct identity {
    bool has_text_crc32, has_build_id32;
    uint32_t text_crc32; /* zlib's CRC-32 of section .text */
    uint32_t build_id32; /* first four bytes of the GNU build id, little-endian */
};

/* Works the identity out from the file's bytes. */
struct identity identity_of(const struct outline *outline);

/* Tells whether `id`, which a device reports, is of this program: see symtab_matches_id(). */
enum symtab_match identity_matches(const struct identity *identity, uint32_t id);

#endif
