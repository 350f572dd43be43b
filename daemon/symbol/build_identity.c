/* build_identity.c - identifies the build of a program. */
#include "symbol/build_identity.h"

#include "base/zip.h"

#include <string.h>

static uint32_t read_u32(const uint8_t *bytes, bool big_endian)
{
    return big_endian
               ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
               : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Reads the build id: the note of type 3 and owner "GNU" has sizes of owner and id, type, owner, id. */
static bool build_id(const struct elf_section *section, bool big_endian, uint32_t *id)
{
    enum { HEADER = 12, OWNER = 4, ID = 4, TYPE_BUILD_ID = 3 };
    const uint8_t *note = section->bytes;
    if (!note || section->size < HEADER + OWNER + ID || read_u32(note, big_endian) != OWNER ||
        read_u32(note + 4, big_endian) < ID || read_u32(note + 8, big_endian) != TYPE_BUILD_ID ||
        memcmp(note + HEADER, "GNU", OWNER) != 0)
        return false;
    *id = read_u32(note + HEADER + OWNER, false);
    return true;
}

struct identity identity_of(const struct outline *outline)
{
    struct identity identity = {0};
    bool big_endian = outline->cpu.big_endian;
    for (size_t i = 0; i < outline->section_count; i++) {
        const struct elf_section *section = &outline->sections[i];
        if (!identity.has_text_crc32 && !strcmp(section->name, ".text") && section->bytes &&
            section->size > 0) {
            identity.has_text_crc32 = true;
            identity.text_crc32 = zip_crc32(section->bytes, section->size);
        }
        if (!identity.has_build_id32 && !strcmp(section->name, ".note.gnu.build-id"))
            identity.has_build_id32 = build_id(section, big_endian, &identity.build_id32);
    }
    return identity;
}

enum symtab_match identity_matches(const struct identity *identity, uint32_t id)
{
    if (id == 0 || id == UINT32_MAX || (!identity->has_text_crc32 && !identity->has_build_id32))
        return SYMTAB_MATCH_UNKNOWN;
    if (identity->has_text_crc32 && id == identity->text_crc32)
        return SYMTAB_MATCH_YES;
    if (identity->has_build_id32 &&
        (id == identity->build_id32 || id == __builtin_bswap32(identity->build_id32)))
        return SYMTAB_MATCH_YES;
    return SYMTAB_MATCH_NO;
}
