/* symtab_private.h - what a symbol table is made of; for the files that make it and read it to the bottom. */
#ifndef SYMBOL_SYMTAB_PRIVATE_H
#define SYMBOL_SYMTAB_PRIVATE_H

#include "symbol/codemap.h"
#include "symbol/extent.h"
#include "symbol/identity.h"
#include "symbol/image.h"
#include "symbol/lines.h"
#include "symbol/strpool.h"
#include "symbol/symtab.h"

#include "base/map.h"

#include <stdatomic.h>

struct symtab {
    atomic_uint references;
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

#endif
