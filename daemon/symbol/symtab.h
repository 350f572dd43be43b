/* symtab.h - the functions of a program: finds the name and source line of an address.
 *
 * A symtab never changes once loaded, so any thread may read it. Its strings live as long as it does. Addresses
 * are the target's: those of the ELF plus the offset that the user gave. A program may have several files (a
 * boot loader, an application), whose functions are then in one table. */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include "base/elf_list.h"
#include "base/error.h"
#include "symbol/cpu.h"
#include "symbol/match.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMTAB_NONE UINT32_MAX /* no such symbol */

struct symtab;

/* One function of the program. Aliases at one address are one function under the most public name; several weak
 * aliases are named after the function that they default to. Functions of different sections at one address
 * (overlays) are one function named "one or other", since it is unknown which of them runs. */
struct symbol {
    uint64_t address;           /* of the first instruction, Thumb bit cleared */
    uint64_t size;              /* bytes; if the ELF has none, up to the next function or the section's end */
    const char *name;           /* for display: demangled, valid UTF-8 */
    const char *raw_name;       /* as in the ELF, valid UTF-8; the same pointer as `name` if equal */
    const char *const *aliases; /* other names of the address, as in the ELF, valid UTF-8 */
    uint32_t alias_count;
    const char *file;      /* source of the definition as DWARF names it, relative to its build directory
                              where DWARF allows; equal paths share one pointer; NULL when unknown */
    uint32_t line;         /* 0 when unknown */
    const char *directory; /* base of a relative `file`; NULL when unknown */
    uint32_t frame_bytes;  /* its stack usage as far as described in the file; 0 when unknown */
    bool has_frame;        /* frame_bytes is exact: no alloca(), no assembler without frame information */
};

/* Reads the ELF executable or shared object at `path` into memory; the file is not needed afterwards. NULL with
 * an error when it is missing, not an ELF, of the wrong kind, or truncated. A file that the linker is still
 * writing looks truncated, too: try again later. An ELF without symbols, or with broken DWARF, loads. */
struct symtab *symtab_load(const char *path, struct error *err);

/* Does the same with each file of the list, which has at least one, and makes one table. An address with
 * functions in several files belongs to the first. NULL with an error that names the file also when an offset
 * leaves the address space, or the files are for different processors. */
struct symtab *symtab_load_list(const struct elf_list *list, struct error *err);

/* Does the same as symtab_load() with n bytes in memory, which are copied. `name` names the file in errors. */
struct symtab *symtab_load_memory(const void *bytes, size_t n, const char *name, struct error *err);

/* Loading returns one reference, which the caller owns. The last unref frees. Any thread may call these; unref
 * accepts NULL. */
struct symtab *symtab_ref(struct symtab *symtab);
void symtab_unref(struct symtab *symtab);

/* The functions in order of address, index 0 .. count - 1. */
uint32_t symtab_count(const struct symtab *symtab);
const struct symbol *symtab_at(const struct symtab *symtab, uint32_t index);

/* Finds the function whose range contains `address`, as on the wire (the Thumb bit is ignored on ARM). Where
 * ranges overlap, it is the one that starts nearest below. SYMTAB_NONE when there is none. O(log n). */
uint32_t symtab_find(const struct symtab *symtab, uint64_t address);

/* Finds the caller of the call that returns to `return_address`, such as the "from" of a gprof arc. Looks one
 * byte before it, since a call at the end of a function returns to the start of the next one. */
uint32_t symtab_find_caller(const struct symtab *symtab, uint64_t return_address);

/* Finds the function with that raw or display name or alias, SYMTAB_NONE when there is none. Of several (static
 * functions of different files) it is the one at the lowest address. */
uint32_t symtab_find_name(const struct symtab *symtab, const char *name);

/* With several files, finds the function with that name in another file than that of symtab_find_name().
 * SYMTAB_NONE when there is none. */
uint32_t symtab_find_namesake(const struct symtab *symtab, const char *name);

/* Finds the source line of the instruction at `address` in the line tables; lines count from 1. False when
 * unknown. */
bool symtab_line(const struct symtab *symtab, uint64_t address, const char **file, uint32_t *line);

/* One of the files that a symtab was made of. */
struct symtab_file {
    const struct elf_place *place; /* lives as long as the symtab */
    uint32_t functions;            /* number of the file's functions in the symtab */
    uint32_t own;                  /* number of functions in the file */
    bool has_sections;             /* false: the section table was removed, and the symbols with it */
    bool is_stripped;              /* only functions that it exports have names */
    const char *lost;              /* as symtab_lost() */
    int64_t modified_s;            /* time of the last write, since 1970; 0: read from memory */
};

/* The files of a symtab, index 0 .. count - 1, in the order in which they were given. */
size_t symtab_file_count(const struct symtab *symtab);
struct symtab_file symtab_file(const struct symtab *symtab, size_t index);

/* Returns the index of the file of function `index`. */
size_t symtab_file_of(const struct symtab *symtab, uint32_t index);

/* Returns a sentence when files have different functions at one address, "" otherwise. */
const char *symtab_overlap(const struct symtab *symtab);

/* Returns half a sentence about what could not be read of the file: lines, frames or demangled names are then
 * missing. "" when nothing is missing. With several files it is about the first incomplete one. */
const char *symtab_lost(const struct symtab *symtab);

/* Returns the kind of processor of the program; lives as long as the symtab. */
const struct symtab_cpu *symtab_cpu(const struct symtab *symtab);

/* Returns the name of the machine, such as "Arm" or "x86-64", "" for an unknown one. Static. */
const char *symtab_machine_name(const struct symtab_cpu *cpu);

/* True when both have the same code at the same addresses: the same files in the same order, each with the same
 * .text. False when that is unknown. */
bool symtab_same_code(const struct symtab *a, const struct symtab *b);

/* Gets zlib's CRC-32 of the file bytes of section .text. False without bytes in .text, or for several files. */
bool symtab_text_crc32(const struct symtab *symtab, uint32_t *crc);

/* Checks whether a device that reports `id` runs this ELF. YES: it is the CRC-32 of .text or the start of the
 * build id in either byte order. UNKNOWN: the device set none (0, 0xFFFFFFFF) or the ELF has neither. With
 * several files, one must match. */
enum symtab_match symtab_matches_id(const struct symtab *symtab, uint32_t id);

/* Addresses from `start` up to, not including, `end`. */
struct symtab_range {
    uint64_t start, end;
};

/* Writes the first `max` ranges of code to `out`, sorted and disjoint. Returns the number of all ranges. */
size_t symtab_code_ranges(const struct symtab *symtab, struct symtab_range *out, size_t max);

/* Copies up to n of the program's bytes at `address`, up to the end of the section. Returns their number, 0
 * where nothing is loaded or the section has no file bytes (.bss). */
size_t symtab_read(const struct symtab *symtab, uint64_t address, void *out, size_t n);

/* True when the instruction before `return_address` is a Thumb call. *destination becomes the address called,
 * Thumb bit cleared, or 0 when the call is through a register. False on other machines. */
bool symtab_call_before(const struct symtab *symtab, uint64_t return_address, uint64_t *destination);

#endif
