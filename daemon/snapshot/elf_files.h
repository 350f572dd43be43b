/* elf_files.h - the ELF files that name a snapshot's functions. */
#ifndef SNAPSHOT_ELF_FILES_H
#define SNAPSHOT_ELF_FILES_H

#include "snapshot/snapshot.h"

/* One file. `place` lives as long as the snapshot. */
struct snapshot_elf_file {
    const struct elf_place *place;
    uint32_t functions; /* how many of its functions are in the symbol table */
};

/* Lists the files in the order in which the user gave them. Returns their number: 0 without an ELF. */
size_t snapshot_elf_files(const struct snapshot *snapshot,
                          struct snapshot_elf_file files[static ELF_LIST_MOST]);

/* Returns the path of the file that names most functions; the profile is named after it. Of a boot loader and
 * an application, that is the application. "" without an ELF. Lives as long as the snapshot. */
const char *snapshot_elf_path(const struct snapshot *snapshot);

#endif
