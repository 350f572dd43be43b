/* joint.h - joins the symbol tables of several files, such as a boot loader and an application.
 *
 * An address belongs to the first file that has a function there. */
#ifndef SYMBOL_JOINT_H
#define SYMBOL_JOINT_H

#include "symbol/symtab_private.h"

/* The files of the joint table. It owns a reference to each. */
struct joint {
    struct symtab *files[ELF_LIST_MOST];
    uint32_t *indices
        [ELF_LIST_MOST]; /* index in the joint table of each of a file's functions; SYMTAB_NONE: not in it */
    uint32_t functions[ELF_LIST_MOST]; /* number of the file's functions in the joint table */
    size_t n;
    uint8_t *file_of;     /* for each function of the joint table */
    struct error overlap; /* see symtab_overlap() */
};

/* Frees it. NULL is allowed. */
void joint_free(struct joint *joint);

/* These implement functions of symtab.h for the joint table. `extents` are those of the joint table, `first` is
 * the file to try before the others. */
uint32_t joint_find_name(const struct joint *joint, const char *name);
uint32_t joint_find_namesake(const struct joint *joint, const char *name);
const struct symtab *joint_file_at(const struct joint *joint, const struct extents *extents,
                                   uint64_t address);
enum symtab_match joint_matches_id(const struct joint *joint, uint32_t id);
size_t joint_read(const struct joint *joint, const struct symtab *first, uint64_t address, void *out,
                  size_t n);

#endif
