/* elf.c - parses one ELF file and checks everything in it; the only file that uses libelf.
 *
 * libelf handles word sizes and byte orders. But it does not report a truncated file (it finds no sections), it
 * unpacks compressed sections up to a thousand times their size, and its strings may run to the end of a
 * section. So bounds, budgets and strings are checked here, on the bytes themselves. */
#include "symbol/elf.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_WORK_FACTOR = 8,    /* limit for all symbol names together, in file sizes: many may share bytes */
    UNPACK_FACTOR = 16,      /* limit for all unpacked debug sections together, in file sizes */
    SMALL_FILE = 1024 * 1024 /* added to both limits, in bytes, for small files */
};

struct elf_file {
    Elf *elf;
    size_t file_size;
    struct symtab_cpu cpu;
    bool code_is_big_endian, is_position_independent;
    size_t section_count;
    struct elf_section *sections; /* by ELF section index */
};

static const char *section_name(Elf *elf, const uint8_t *bytes, size_t n, size_t table_index, uint64_t offset)
{
    GElf_Shdr table;
    if (!gelf_getshdr(elf_getscn(elf, table_index), &table) || table.sh_type != SHT_STRTAB ||
        table.sh_offset > n || table.sh_size > n - table.sh_offset || offset >= table.sh_size)
        return "";
    const char *name = (const char *)bytes + table.sh_offset + offset;
    return memchr(name, '\0', table.sh_size - offset) ? name : "";
}

static bool report_truncated_elf(struct error *err, const char *name, const char *what)
{
    return error_set(
        err,
        "%s is truncated: its %s reaches past the end of the file; wait for the linker to finish, or "
        "link it again",
        name, what);
}

static bool read_sections(struct elf_file *file, const uint8_t *bytes, const char *name, struct error *err)
{
    size_t n = file->file_size, names = 0;
    file->sections = calloc(file->section_count + 1, sizeof *file->sections);
    if (!file->sections)
        return error_set(err, "out of memory while loading %s", name);
    if (elf_getshdrstrndx(file->elf, &names) != 0)
        names = 0;
    for (size_t i = 0; i < file->section_count; i++) {
        GElf_Shdr header;
        struct elf_section *section = &file->sections[i];
        section->name = "";
        if (!gelf_getshdr(elf_getscn(file->elf, i), &header))
            return report_truncated_elf(err, name, "section table");
        if (i == 0 || header.sh_type == SHT_NULL)
            continue;
        section->name = section_name(file->elf, bytes, n, names, header.sh_name);
        section->address = header.sh_addr;
        section->size = header.sh_size;
        section->is_loaded = (header.sh_flags & SHF_ALLOC) && header.sh_size <= UINT64_MAX - header.sh_addr;
        section->is_code = section->is_loaded && (header.sh_flags & SHF_EXECINSTR);
        if (header.sh_type == SHT_NOBITS)
            continue;
        if (header.sh_offset > n || header.sh_size > n - header.sh_offset)
            return report_truncated_elf(err, name, *section->name ? section->name : "section data");
        section->bytes = bytes + header.sh_offset;
    }
    return true;
}

static bool check_header(struct elf_file *file, const GElf_Ehdr *header, const char *name, struct error *err)
{
    size_t n = file->file_size;
    if (header->e_type == ET_REL)
        return error_set(err, "%s is an object file that is not linked yet; give the linked program", name);
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return error_set(err, "%s is an ELF file of type %u, not a program; give the linked program", name,
                         header->e_type);
    if (header->e_phnum > 0 &&
        (header->e_phoff > n || header->e_phnum * (uint64_t)header->e_phentsize > n - header->e_phoff))
        return report_truncated_elf(err, name, "program header table");
    if (header->e_shoff == 0)
        return true;
    size_t entry = file->cpu.word_size == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    /* e_shnum 0 means no sections: some tools remove the table but leave e_shoff in the header. */
    if (elf_getshdrnum(file->elf, &file->section_count) != 0 || header->e_shoff > n ||
        file->section_count > (n - header->e_shoff) / entry || file->section_count < header->e_shnum)
        return report_truncated_elf(err, name, "section table");
    return true;
}

struct elf_file *elf_open(uint8_t *bytes, size_t n, const char *name, struct error *err)
{
    if (n < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
        error_set(err, "%s is not an ELF file; give the linker's output (often .elf, .axf or .out)", name);
        return NULL;
    }
    struct elf_file *file = calloc(1, sizeof *file);
    if (!file) {
        error_set(err, "out of memory while loading %s", name);
        return NULL;
    }
    file->file_size = n;
    elf_version(EV_CURRENT);
    file->elf = elf_memory((char *)bytes, n);
    GElf_Ehdr header;
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header)) {
        error_set(err, "%s has a damaged or truncated ELF header; link it again", name);
        goto fail;
    }
    bool big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    file->cpu = (struct symtab_cpu){
        .machine = header.e_machine,
        .word_size = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
        .big_endian = big_endian,
        .is_arm = header.e_machine == EM_ARM,
    };
    file->is_position_independent = header.e_type == ET_DYN;
    file->code_is_big_endian = big_endian && !(header.e_machine == EM_ARM && (header.e_flags & EF_ARM_BE8));
    if (!check_header(file, &header, name, err) || !read_sections(file, bytes, name, err))
        goto fail;
    return file;

fail:
    elf_close(file);
    return NULL;
}

void elf_close(struct elf_file *file)
{
    if (!file)
        return;
    elf_end(file->elf);
    free(file->sections);
    free(file);
}

const struct symtab_cpu *elf_cpu(const struct elf_file *file)
{
    return &file->cpu;
}

bool elf_code_is_big_endian(const struct elf_file *file)
{
    return file->code_is_big_endian;
}

bool elf_load_base(const struct elf_file *file, uint64_t *base)
{
    GElf_Phdr header;
    size_t count = 0;
    *base = UINT64_MAX;
    if (!file->is_position_independent || elf_getphdrnum(file->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count && i <= UINT16_MAX; i++)
        if (gelf_getphdr(file->elf, (int)i, &header) && header.p_type == PT_LOAD && header.p_vaddr < *base)
            *base = header.p_vaddr;
    return *base != UINT64_MAX;
}

size_t elf_section_count(const struct elf_file *file)
{
    return file->section_count;
}

const struct elf_section *elf_section_at(const struct elf_file *file, size_t index)
{
    return &file->sections[index];
}

/* True for labels that mark code or data inside functions (ARM, AArch64, RISC-V psABI): $a $t $d $x, "$t.1",
 * "$xrv32i". */
static bool is_mapping_symbol(const char *name, uint16_t machine)
{
    if (name[0] != '$' || !name[1] || !strchr("atdx", name[1]))
        return false;
    return name[2] == '\0' || name[2] == '.' || (machine == EM_RISCV && name[1] == 'x');
}

static bool kind_of(unsigned char info, enum elf_kind *kind, enum elf_binding *binding)
{
    switch (GELF_ST_TYPE(info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC: *kind = ELF_FUNCTION; break;
    case STT_NOTYPE: *kind = ELF_LABEL; break;
    default: return false;
    }
    switch (GELF_ST_BIND(info)) {
    case STB_LOCAL: *binding = ELF_LOCAL; break;
    case STB_WEAK: *binding = ELF_WEAK; break;
    default: *binding = ELF_GLOBAL; break;
    }
    return true;
}

static Elf_Scn *symbol_table(const struct elf_file *file, GElf_Word type, GElf_Shdr *header)
{
    for (size_t i = 1; i < file->section_count; i++) {
        Elf_Scn *section = elf_getscn(file->elf, i);
        if (gelf_getshdr(section, header) && header->sh_type == type && !(header->sh_flags & SHF_COMPRESSED))
            return section;
    }
    return NULL;
}

/* Returns the section numbers of symbols in a file with more than 65,000 sections. */
static Elf_Data *wide_section_numbers(const struct elf_file *file, size_t table_index)
{
    for (size_t i = 1; i < file->section_count; i++) {
        GElf_Shdr header;
        Elf_Scn *section = elf_getscn(file->elf, i);
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB_SHNDX &&
            header.sh_link == table_index)
            return elf_getdata(section, NULL);
    }
    return NULL;
}

/* True for a label that is probably code: on ARM by its Thumb bit; elsewhere small numbers are sizes. */
static bool looks_like_code(const struct elf_file *file, const struct elf_symbol *symbol)
{
    enum { SMALL = 0x10000 };
    return file->cpu.is_arm ? symbol->is_thumb : symbol->address >= SMALL;
}

static bool place_absolute(const struct elf_file *file, uint64_t size, struct elf_symbol *symbol)
{
    bool is_label = symbol->kind == ELF_LABEL;
    if (symbol->address == UINT64_MAX || (is_label && symbol->binding == ELF_LOCAL) ||
        (is_label && !looks_like_code(file, symbol)))
        return false;
    uint64_t room = UINT64_MAX - symbol->address;
    symbol->section = ELF_NO_SECTION;
    symbol->size = size < room ? size : room;
    symbol->section_end = symbol->address + (symbol->size > 0 ? symbol->size : 1);
    return true;
}

/* Sets the symbol's section. Functions may be in sections that are not marked executable. */
static bool place_in_section(const struct elf_file *file, uint32_t index, uint64_t size,
                             struct elf_symbol *symbol)
{
    if (index == SHN_UNDEF || index >= file->section_count)
        return false;
    const struct elf_section *section = &file->sections[index];
    bool may_be = symbol->kind == ELF_FUNCTION ? section->is_loaded : section->is_code;
    if (!may_be || symbol->address < section->address || symbol->address - section->address >= section->size)
        return false;
    symbol->section = index;
    symbol->section_end = section->address + section->size;
    uint64_t room = symbol->section_end - symbol->address;
    symbol->size = size < room ? size : room;
    return true;
}

static bool read_elf_symbol(const struct elf_file *file, const GElf_Sym *raw, uint32_t wide_index,
                            const struct elf_section *names, struct elf_symbol *symbol)
{
    uint32_t index = raw->st_shndx == SHN_XINDEX ? wide_index : raw->st_shndx;
    bool is_absolute = raw->st_shndx == SHN_ABS;
    if (raw->st_shndx >= SHN_LORESERVE && raw->st_shndx != SHN_XINDEX && !is_absolute)
        return false;
    if (!kind_of(raw->st_info, &symbol->kind, &symbol->binding))
        return false;
    symbol->address = file->cpu.is_arm ? raw->st_value & ~UINT64_C(1) : raw->st_value;
    symbol->is_thumb = symbol->address != raw->st_value;
    if (is_absolute ? !place_absolute(file, raw->st_size, symbol)
                    : !place_in_section(file, index, raw->st_size, symbol))
        return false;

    if (raw->st_name >= names->size)
        return false;
    symbol->name = (const char *)names->bytes + raw->st_name;
    const char *end = memchr(symbol->name, '\0', names->size - raw->st_name);
    if (!end || end == symbol->name)
        return false;
    symbol->name_length = (size_t)(end - symbol->name);
    if (symbol->kind == ELF_LABEL && is_mapping_symbol(symbol->name, file->cpu.machine))
        symbol->kind = ELF_MAPPING;
    return symbol->kind != ELF_MAPPING || !is_absolute;
}

void elf_each_symbol(const struct elf_file *file, elf_symbol_fn *visit, void *user)
{
    GElf_Shdr header;
    Elf_Scn *table = symbol_table(file, SHT_SYMTAB, &header);
    if (!table)
        table = symbol_table(file, SHT_DYNSYM, &header);
    if (!table || header.sh_link >= file->section_count || !file->sections[header.sh_link].bytes)
        return;
    const struct elf_section *names = &file->sections[header.sh_link];
    Elf_Data *data = elf_getdata(table, NULL);
    if (!data)
        return;
    Elf_Data *wide = wide_section_numbers(file, elf_ndxscn(table));
    size_t work_left = file->file_size * NAME_WORK_FACTOR + SMALL_FILE;
    size_t count = data->d_size / (file->cpu.word_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
    for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
        GElf_Sym raw;
        Elf32_Word wide_index = 0;
        struct elf_symbol symbol;
        if (!gelf_getsymshndx(data, wide, (int)i, &raw, &wide_index) ||
            !read_elf_symbol(file, &raw, wide_index, names, &symbol))
            continue;
        if (symbol.name_length > work_left)
            return;
        work_left -= symbol.name_length;
        visit(user, &symbol);
    }
}

static bool is_debug_name(const char *name)
{
    return !strncmp(name, ".debug_", 7) || !strncmp(name, ".zdebug_", 8);
}

/* Returns the unpacked size of a debug section. The header may lie, but libelf allocates what it claims. */
static uint64_t unpacked_size(const struct elf_file *file, size_t index)
{
    const struct elf_section *section = &file->sections[index];
    Elf_Scn *scn = elf_getscn(file->elf, index);
    GElf_Shdr header;
    GElf_Chdr compressed;
    if (gelf_getshdr(scn, &header) && (header.sh_flags & SHF_COMPRESSED))
        return gelf_getchdr(scn, &compressed) ? compressed.ch_size : UINT64_MAX;
    if (section->name[1] != 'z' || !section->bytes || section->size < 12)
        return section->size;
    uint64_t size = 0;
    for (size_t i = 4; i < 12; i++)
        size = size << 8 | section->bytes[i];
    return size;
}

static bool debug_data_fits(const struct elf_file *file)
{
    uint64_t left = (uint64_t)file->file_size * UNPACK_FACTOR + SMALL_FILE;
    for (size_t i = 1; i < file->section_count; i++) {
        if (!is_debug_name(file->sections[i].name))
            continue;
        uint64_t size = unpacked_size(file, i);
        if (size > left)
            return false;
        left -= size;
    }
    return true;
}

struct Elf *elf_handle_for_dwarf(struct elf_file *file)
{
    return debug_data_fits(file) ? file->elf : NULL;
}

static bool is_debug_section(const char *name, const char *what)
{
    return is_debug_name(name) && !strcmp(strchr(name, '_') + 1, what);
}

const uint8_t *elf_debug_section(struct elf_file *file, const char *what, size_t *n)
{
    *n = 0;
    if (!debug_data_fits(file))
        return NULL;
    for (size_t i = 1; i < file->section_count; i++) {
        if (!is_debug_section(file->sections[i].name, what))
            continue;
        Elf_Scn *section = elf_getscn(file->elf, i);
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
            return NULL;
        if ((header.sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0)
            return NULL;
        Elf_Data *data = elf_getdata(section, NULL);
        if (data && data->d_size >= 4 && file->sections[i].name[1] == 'z' &&
            !memcmp(data->d_buf, "ZLIB", 4)) {
            if (elf_compress_gnu(section, 0, 0) < 0)
                return NULL;
            data = elf_getdata(section, NULL);
        }
        if (!data || !data->d_buf)
            return NULL;
        *n = data->d_size;
        return data->d_buf;
    }
    return NULL;
}
