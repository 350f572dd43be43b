/* text.c - finds the .text section of the running program, by the section headers of its file. */
#include "text.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr elf_header;
typedef Elf64_Shdr elf_section;
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Shdr elf_section;
#endif

static uintptr_t find(FILE *file, uint32_t *bytes)
{
    elf_header header;
    elf_section names, section;
    char name[6];

    if (fread(&header, sizeof header, 1, file) != 1)
        return 0;
    long sections = (long)header.e_shoff;

    fseek(file, sections + (long)(header.e_shstrndx * sizeof names), SEEK_SET);
    if (fread(&names, sizeof names, 1, file) != 1)
        return 0;
    for (int i = 0; i < header.e_shnum; i++) {
        fseek(file, sections + (long)((size_t)i * sizeof section), SEEK_SET);
        if (fread(&section, sizeof section, 1, file) != 1)
            return 0;
        fseek(file, (long)(names.sh_offset + section.sh_name), SEEK_SET);
        if (fread(name, sizeof name, 1, file) == 1 && !memcmp(name, ".text", sizeof name)) {
            *bytes = (uint32_t)section.sh_size;
            return (uintptr_t)section.sh_addr;
        }
    }
    return 0;
}

uintptr_t mpt_text_find(uint32_t *bytes)
{
    FILE *file = fopen("/proc/self/exe", "rb");

    *bytes = 0;
    if (!file)
        return 0;
    uintptr_t text = find(file, bytes);

    fclose(file);
    return text;
}
