/* elf_files.h - the ELF files that a snapshot's functions are named by. */
#ifndef SNAPSHOT_ELF_FILES_H
#define SNAPSHOT_ELF_FILES_H

#include "snapshot/snapshot.h"

/* One file. Its place lives as long as the snapshot. */
struct snapshot_elf_file {
    const struct elf_place *place;
    uint32_t functions; /* of it that addresses are named by */
};

/* Tells the files, in the order in which the user gave them; returns how many there are: 0 without an ELF. */
size_t snapshot_elf_files(const struct snapshot *snapshot,
                          struct snapshot_elf_file files[static ELF_LIST_MOST]);

/* The path of the file that names most functions, after which a profile is called: of a boot loader and an
 * application it is the application. "" without an ELF. Lives as long as the snapshot. */
const char *snapshot_elf_path(const struct snapshot *snapshot);

#endif
