/* elf_files.c - the ELF files that name a snapshot's functions. */
#include "snapshot/elf_files.h"

#include "symbol/symtab.h"

size_t snapshot_elf_files(const struct snapshot *snapshot,
                          struct snapshot_elf_file files[static ELF_LIST_MOST])
{
    const struct symtab *symtab = snapshot->holdings ? snapshot_symtab(snapshot) : NULL;
    size_t n = symtab ? symtab_file_count(symtab) : 0;
    for (size_t i = 0; i < n; i++) {
        const struct symtab_file file = symtab_file(symtab, i);
        files[i] = (struct snapshot_elf_file){file.place, file.functions};
    }
    return n;
}

const char *snapshot_elf_path(const struct snapshot *snapshot)
{
    struct snapshot_elf_file files[ELF_LIST_MOST];
    size_t n = snapshot_elf_files(snapshot, files), most = 0;
    for (size_t i = 1; i < n; i++)
        if (files[i].functions > files[most].functions)
            most = i;
    return n > 0 ? files[most].place->path : snapshot->source.elf_path;
}
