/* symtab_lookup.c - look-ups in a symbol table. A joint table passes them on to its files where it has no data of
 * its own. */
#include "symbol/joint.h"
#include "symbol/symtab_private.h"
#include "symbol/thumb.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

uint32_t symtab_count(const struct symtab *symtab)
{
    return symtab->extents.count;
}

const struct symbol *symtab_at(const struct symtab *symtab, uint32_t index)
{
    assert(index < symtab->extents.count);
    return &symtab->symbols[index];
}

uint32_t symtab_find(const struct symtab *symtab, uint64_t address)
{
    static_assert(EXTENT_NONE == SYMTAB_NONE, "an extent's index is a symbol's");
    return extents_find(&symtab->extents, symtab_code_address(symtab, address));
}

uint32_t symtab_find_caller(const struct symtab *symtab, uint64_t return_address)
{
    return extents_find(&symtab->extents, symtab_code_address(symtab, return_address) - 1);
}

uint32_t symtab_find_name(const struct symtab *symtab, const char *name)
{
    if (symtab->joint)
        return joint_find_name(symtab->joint, name);
    return map_find(&symtab->by_name, strpool_hash(name, strlen(name)));
}

uint32_t symtab_find_namesake(const struct symtab *symtab, const char *name)
{
    return symtab->joint ? joint_find_namesake(symtab->joint, name) : SYMTAB_NONE;
}

bool symtab_line(const struct symtab *symtab, uint64_t address, const char **file, uint32_t *line)
{
    const struct symtab *owner = symtab_file_at(symtab, address);
    struct lines_place place;
    if (!lines_find(&owner->lines, symtab_code_address(symtab, address), &place))
        return false;
    *file = place.file;
    *line = place.line;
    return true;
}

const struct symtab *symtab_file_at(const struct symtab *symtab, uint64_t address)
{
    return symtab->joint ? joint_file_at(symtab->joint, &symtab->extents, address) : symtab;
}

size_t symtab_file_count(const struct symtab *symtab)
{
    return symtab->joint ? symtab->joint->n : 1;
}

static struct symtab_file describe_symbol_file(const struct symtab *file, uint32_t functions)
{
    return (struct symtab_file){.place = &file->place,
                                .functions = functions,
                                .own = file->extents.count,
                                .has_sections = file->has_sections,
                                .is_stripped = file->is_stripped,
                                .lost = file->lost.text,
                                .modified_s = file->modified_s};
}

struct symtab_file symtab_file(const struct symtab *symtab, size_t index)
{
    assert(index < symtab_file_count(symtab));
    const struct joint *joint = symtab->joint;
    return joint ? describe_symbol_file(joint->files[index], joint->functions[index])
                 : describe_symbol_file(symtab, symtab->extents.count);
}

size_t symtab_file_of(const struct symtab *symtab, uint32_t index)
{
    assert(index < symtab->extents.count);
    return symtab->joint ? symtab->joint->file_of[index] : 0;
}

const char *symtab_overlap(const struct symtab *symtab)
{
    return symtab->joint ? symtab->joint->overlap.text : "";
}

const char *symtab_lost(const struct symtab *symtab)
{
    return symtab->lost.text;
}

const struct symtab_cpu *symtab_cpu(const struct symtab *symtab)
{
    return &symtab->cpu;
}

const char *symtab_machine_name(const struct symtab_cpu *cpu)
{
    static const struct {
        uint16_t machine;
        const char *name;
    } names[] = {{EM_386, "x86"},       {EM_MIPS, "MIPS"},   {EM_PPC, "PowerPC"},
                 {EM_ARM, "Arm"},       {EM_SH, "SuperH"},   {EM_TRICORE, "TriCore"},
                 {EM_X86_64, "x86-64"}, {EM_AVR, "AVR"},     {EM_XTENSA, "Xtensa"},
                 {EM_MSP430, "MSP430"}, {EM_RX, "RX"},       {EM_AARCH64, "AArch64"},
                 {EM_ARCV2, "ARC"},     {EM_RISCV, "RISC-V"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].machine == cpu->machine)
            return names[i].name;
    }
    return "";
}

bool symtab_text_crc32(const struct symtab *symtab, uint32_t *crc)
{
    *crc = symtab->identity.text_crc32;
    return symtab->identity.has_text_crc32;
}

static bool is_same_file(const struct symtab *a, const struct symtab *b)
{
    uint32_t crc_a, crc_b;
    return symtab_text_crc32(a, &crc_a) && symtab_text_crc32(b, &crc_b) && crc_a == crc_b &&
           a->place.is_moved == b->place.is_moved && a->place.offset == b->place.offset;
}

bool symtab_same_code(const struct symtab *a, const struct symtab *b)
{
    if (!a->joint || !b->joint)
        return !a->joint && !b->joint && is_same_file(a, b);
    bool same = a->joint->n == b->joint->n;
    for (size_t i = 0; same && i < a->joint->n; i++)
        same = is_same_file(a->joint->files[i], b->joint->files[i]);
    return same;
}

enum symtab_match symtab_matches_id(const struct symtab *symtab, uint32_t id)
{
    return symtab->joint ? joint_matches_id(symtab->joint, id) : identity_matches(&symtab->identity, id);
}

size_t symtab_code_ranges(const struct symtab *symtab, struct symtab_range *out, size_t max)
{
    const struct image *image = &symtab->image;
    for (size_t i = 0; i < image->code_count && i < max; i++)
        out[i] = (struct symtab_range){image->code[i].start, image->code[i].end};
    return image->code_count;
}

size_t symtab_read(const struct symtab *symtab, uint64_t address, void *out, size_t n)
{
    return symtab->joint ? joint_read(symtab->joint, symtab_file_at(symtab, address), address, out, n)
                         : image_read(&symtab->image, address, out, n);
}

static uint16_t half_word(const uint8_t *bytes, bool big_endian)
{
    return (uint16_t)(big_endian ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0]);
}

bool symtab_call_before(const struct symtab *symtab, uint64_t return_address, uint64_t *destination)
{
    uint8_t code[4] = {0};
    uint32_t address = (uint32_t)symtab_code_address(symtab, return_address), called;
    if (!symtab->cpu.is_arm || address < 4)
        return false;
    size_t n = 4;
    if (symtab_read(symtab, address - 4, code, 4) < 4) {
        /* A BLX through a register may be the section's first instruction. */
        n = symtab_read(symtab, address - 2, code + 2, 2);
        if (n < 2)
            return false;
        memset(code, 0, 2);
    }
    bool big_endian = symtab->code_is_big_endian;
    if (!thumb_call(half_word(code, big_endian), half_word(code + 2, big_endian), address, &called))
        return false;
    *destination = called;
    return true;
}
