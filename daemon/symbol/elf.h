/* elf.h - one ELF file taken apart, with nothing in it believed before it was checked.
 *
 * Internal to symbol/, and for the annex: libelf may end the process that it is called in (outline.h is for
 * the daemon). The bytes belong to the caller and must outlive the elf_file. */
#ifndef SYMBOL_ELF_H
#define SYMBOL_ELF_H

#include "base/error.h"
#include "symbol/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One section, checked to lie inside the file. */
struct elf_section {
    const char *name; /* "" when the file's is unreadable */
    uint64_t address;
    uint64_t size;
    const uint8_t *bytes; /* size of them, inside the file; NULL for .bss and its like */
    bool is_loaded;       /* takes part in the running program */
    bool is_code;         /* loaded and executable */
};

/* A label is a symbol without a type. A mapping symbol says what lies from here on: $a, $t, $d.12, $x ... */
enum elf_kind { ELF_FUNCTION, ELF_LABEL, ELF_MAPPING };
enum elf_binding { ELF_GLOBAL, ELF_WEAK, ELF_LOCAL }; /* the most public first */

/* Of a symbol at an absolute address, which lies in no section: a function in ROM, or of a program that was
 * linked earlier (ld --just-symbols). */
#define ELF_NO_SECTION UINT32_MAX

/* One symbol that may name code. Its name belongs to the file. */
struct elf_symbol {
    const char *name; /* not cleaned */
    size_t name_length;
    uint64_t address;     /* Thumb bit cleared */
    uint64_t size;        /* clamped to the section; 0 as in the file */
    uint32_t section;     /* index of the one that it lies in, or ELF_NO_SECTION */
    uint64_t section_end; /* where it ends at the latest; without a section: after its size, or one byte */
    enum elf_kind kind;
    enum elf_binding binding;
    bool is_thumb; /* the Thumb bit was set */
};

/* Receives one symbol, which lives as long as the call. */
typedef void elf_symbol_fn(void *user, const struct elf_symbol *symbol);

/* Opens the n bytes as an ELF file: checks its header, and that every section lies inside the file. The
 * caller ends with elf_close(). NULL with a sentence that names `name` when it is not to be read. */
struct elf_file *elf_open(uint8_t *bytes, size_t n, const char *name, struct error *err);
void elf_close(struct elf_file *file);

/* What kind of processor the program is for; lives as long as `file`. */
const struct symtab_cpu *elf_cpu(const struct elf_file *file);

/* Tells whether instructions are stored big-endian (on ARM BE8 they are not, though data is). */
bool elf_code_is_big_endian(const struct elf_file *file);

/* Tells the lowest address that a position-independent program asks to be loaded at; false for others. */
bool elf_load_base(const struct elf_file *file, uint64_t *base);

/* The sections, 0 .. count - 1, live as long as `file`. */
size_t elf_section_count(const struct elf_file *file);
const struct elf_section *elf_section_at(const struct elf_file *file, size_t index);

/* Calls `visit` for every defined, named function in a section that is loaded, label or mapping symbol in an
 * executable one, and function or label at an absolute address: those of .symtab, or of .dynsym when there is
 * no .symtab. Of labels at absolute addresses, most of which are sizes and ends of memory, only what looks
 * like code counts. */
void elf_each_symbol(const struct elf_file *file, elf_symbol_fn *visit, void *user);

/* Finds the uncompressed bytes of debug section ".debug_<what>", or of its old compressed form
 * ".zdebug_<what>"; NULL when there is none, or when debug data would unpack to much more than the file's
 * size. `file` owns them. */
const uint8_t *elf_debug_section(struct elf_file *file, const char *what, size_t *n);

/* libelf's handle for the one other file that needs it (dwarf.c); NULL when debug data is
 * better left alone. */
struct Elf *elf_handle_for_dwarf(struct elf_file *file);

#endif
