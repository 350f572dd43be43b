/* elf_symbols.c - reads the symbols of the example's ELF file. */
#include "elf_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void require(int condition, const char *path, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", path, what);
    exit(1);
}

static void read_functions(struct elf_symbols *symbols, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    GElf_Ehdr file;
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = header->sh_size / header->sh_entsize;

    gelf_getehdr(elf, &file);
    symbols->function = calloc(n, sizeof *symbols->function);
    for (size_t i = 0; i < n; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            symbol.st_shndx == SHN_UNDEF)
            continue;
        symbols->function[symbols->n].address =
            symbol.st_value - (file.e_machine == EM_ARM && symbol.st_value % 2);
        symbols->function[symbols->n++].name = strdup(elf_strptr(elf, header->sh_link, symbol.st_name));
    }
}

struct elf_symbols elf_symbols_read(const char *path)
{
    struct elf_symbols symbols = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t names;
    int has_text = 0;

    require(fd >= 0, path, "cannot be opened");
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

    require(elf && elf_kind(elf) == ELF_K_ELF && !elf_getshdrstrndx(elf, &names), path, "is not an ELF file");
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        require(gelf_getshdr(section, &header) != NULL, path, "has a damaged section table");
        if (header.sh_type == SHT_SYMTAB)
            read_functions(&symbols, elf, section, &header);
        if (header.sh_type == SHT_PROGBITS && !strcmp(elf_strptr(elf, names, header.sh_name), ".text")) {
            Elf_Data *text = elf_rawdata(section, NULL);
            symbols.text_crc = (uint32_t)crc32(0, text->d_buf, (uInt)text->d_size);
            has_text = 1;
        }
    }
    require(symbols.n && has_text, path, "has no function symbols, or no .text");
    elf_end(elf);
    close(fd);
    return symbols;
}

void elf_symbols_free(struct elf_symbols *symbols)
{
    for (size_t i = 0; i < symbols->n; i++)
        free(symbols->function[i].name);
    free(symbols->function);
}

const char *elf_symbols_name(const struct elf_symbols *symbols, uint64_t address)
{
    for (size_t i = 0; i < symbols->n; i++) {
        if (symbols->function[i].address == address)
            return symbols->function[i].name;
    }
    return NULL;
}
