/* joint.h - the symbol tables of several files as one: a boot loader's and an application's, say.
 *
 * An address belongs to the first of the files that has a function there. */
#ifndef SYMBOL_JOINT_H
#define SYMBOL_JOINT_H

#include "symbol/symtab_private.h"

/* What the joint table knows about its files. It owns a reference to each. */
struct joint {
    struct symtab *files[ELF_LIST_MOST];
    uint32_t *indices[ELF_LIST_MOST];  /* of a file's functions in the joint table; SYMTAB_NONE: not in it */
    uint32_t functions[ELF_LIST_MOST]; /* of the file that are in it */
    size_t n;
    uint8_t *file_of;     /* for each function of the joint table */
    struct error overlap; /* see symtab_overlap() */
};

/* Frees it; NULL is fine. */
void joint_free(struct joint *joint);

/* Answer for the joint table as the functions of symtab.h do. `extents` are the joint table's, `first` is the
 * file that is asked before the others. */
uint32_t joint_find_name(const struct joint *joint, const char *name);
uint32_t joint_find_namesake(const struct joint *joint, const char *name);
const struct symtab *joint_file_at(const struct joint *joint, const struct extents *extents,
                                   uint64_t address);
enum symtab_match joint_matches_id(const struct joint *joint, uint32_t id);
size_t joint_read(const struct joint *joint, const struct symtab *first, uint64_t address, void *out,
                  size_t n);

#endif
