/* symtab_private.h - the members of a symbol table, for the files that implement it. */
#ifndef SYMBOL_SYMTAB_PRIVATE_H
#define SYMBOL_SYMTAB_PRIVATE_H

#include "symbol/codemap.h"
#include "symbol/extent.h"
#include "symbol/build_identity.h"
#include "symbol/image.h"
#include "symbol/lines.h"
#include "symbol/strpool.h"
#include "symbol/symtab.h"

#include "base/elf_list.h"
#include "base/map.h"

#include <stdatomic.h>

struct symtab {
    atomic_uint references;
    struct joint *joint; /* NULL for one file; otherwise the files, and only extents, symbols, cpu, code and
                            `lost` are set here */
    struct elf_place place;
    bool has_sections, is_stripped;
    struct symtab_cpu cpu;
    bool code_is_big_endian;
    int64_t modified_s;
    struct identity identity;
    struct image image;
    struct strpool pool;
    struct extents extents;
    struct codemap codemap;
    struct symbol *symbols; /* one per extent */
    const char **aliases;   /* of all symbols */
    struct lines lines;
    struct error lost;  /* see symtab_lost() */
    struct map by_name; /* hash of a name -> index into symbols */
};

/* Loads the file at `place`: see symtab_load(). */
struct symtab *symtab_load_place(const struct elf_place *place, struct error *err);

/* Returns the table of the file that has the code at `address`. */
const struct symtab *symtab_file_at(const struct symtab *symtab, uint64_t address);

/* Returns the address of the instruction: on ARM, `address` without the Thumb bit. */
static inline uint64_t symtab_code_address(const struct symtab *symtab, uint64_t address)
{
    return symtab->cpu.is_arm ? address & ~UINT64_C(1) : address;
}

#endif
