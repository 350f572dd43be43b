/* elf.h - parses one ELF file and checks everything in it.
 *
 * Internal to symbol/, for the annex only, since libelf may end its process (the daemon uses outline.h). The
 * bytes belong to the caller and must outlive the elf_file. */
#ifndef SYMBOL_ELF_H
#define SYMBOL_ELF_H

#include "base/error.h"
#include "symbol/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One section, checked to be inside the file. */
struct elf_section {
    const char *name; /* "" when unreadable */
    uint64_t address;
    uint64_t size;
    const uint8_t *bytes; /* `size` bytes inside the file; NULL for .bss and the like */
    bool is_loaded;       /* is part of the running program */
    bool is_code;         /* loaded and executable */
};

/* A label is a symbol without a type. A mapping symbol sets the kind of what follows: $a, $t, $d.12, $x ... */
enum elf_kind { ELF_FUNCTION, ELF_LABEL, ELF_MAPPING };
enum elf_binding { ELF_GLOBAL, ELF_WEAK, ELF_LOCAL }; /* the most public first */

/* The section of a symbol at an absolute address: a function in ROM, or of a program that was linked earlier (ld
 * --just-symbols). */
#define ELF_NO_SECTION UINT32_MAX

/* One symbol that may name code. Its name belongs to the file. */
struct elf_symbol {
    const char *name; /* not cleaned */
    size_t name_length;
    uint64_t address;     /* Thumb bit cleared */
    uint64_t size;        /* clamped to the section; 0 as in the file */
    uint32_t section;     /* index of its section, or ELF_NO_SECTION */
    uint64_t section_end; /* the largest end; without a section: address plus size, or plus 1 */
    enum elf_kind kind;
    enum elf_binding binding;
    bool is_thumb; /* the Thumb bit was set */
};

/* Receives one symbol, which is valid during the call. */
typedef void elf_symbol_fn(void *user, const struct elf_symbol *symbol);

/* Opens the n bytes as an ELF file. Checks its header, and that every section is inside the file. The caller
 * ends with elf_close(). NULL with an error that names `name` otherwise. */
struct elf_file *elf_open(uint8_t *bytes, size_t n, const char *name, struct error *err);
void elf_close(struct elf_file *file);

/* Returns the kind of processor of the program; lives as long as `file`. */
const struct symtab_cpu *elf_cpu(const struct elf_file *file);

/* True when instructions are big-endian (on ARM BE8 only data is). */
bool elf_code_is_big_endian(const struct elf_file *file);

/* Gets the lowest load address of a position-independent program. False for others. */
bool elf_load_base(const struct elf_file *file, uint64_t *base);

/* The sections, 0 .. count - 1. They live as long as `file`. */
size_t elf_section_count(const struct elf_file *file);
const struct elf_section *elf_section_at(const struct elf_file *file, size_t index);

/* Calls `visit` for defined, named symbols of .symtab, or of .dynsym when there is no .symtab: functions in
 * loaded sections, labels and mapping symbols in executable ones, and functions and labels at absolute
 * addresses. Most labels at absolute addresses are sizes and ends of memory; only those that look like code
 * count. */
void elf_each_symbol(const struct elf_file *file, elf_symbol_fn *visit, void *user);

/* Returns the uncompressed bytes of debug section ".debug_<what>", or of its old compressed form
 * ".zdebug_<what>". NULL when there is none, or when debug data would unpack to much more than the file's size.
 * `file` owns them. */
const uint8_t *elf_debug_section(struct elf_file *file, const char *what, size_t *n);

/* Returns libelf's handle for dwarf.c, the only other file that needs it. NULL when debug data must not be
 * read. */
struct Elf *elf_handle_for_dwarf(struct elf_file *file);

#endif
