/* symtab.h - the functions of a program: what an address is called, and where its source is.
 *
 * A symtab never changes once loaded, so any thread may read it; its strings live as long as it does.
 * Addresses are the target's: those of the ELF, and the offset that was given for it. A program may be in
 * several files (a boot loader, an application), whose functions are then in one table. */
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

/* One function of the program. Aliases at one address are one function under the most public of their names,
 * but weak ones under that of what they stand in for. Functions of different sections at one address
 * (overlays) are one as well, called "one or other", for which of them runs is not known. */
struct symbol {
    uint64_t address;     /* of the first instruction, Thumb bit cleared */
    uint64_t size;        /* bytes; where the ELF gives none, up to the next function or the section's end */
    const char *name;     /* for people: demangled, valid UTF-8 */
    const char *raw_name; /* as the ELF has it, valid UTF-8; the same pointer as name where they are equal */
    const char *const *aliases; /* other names of the address, as the ELF has them, valid UTF-8 */
    uint32_t alias_count;
    const char *file;      /* source of the definition as DWARF names it, relative to its build directory
                              where DWARF allows; equal paths share one pointer; NULL when unknown */
    uint32_t line;         /* 0 when unknown */
    const char *directory; /* that a relative `file` is relative to; NULL when unknown */
    uint32_t frame_bytes;  /* of the stack that it takes, as far as the file tells; 0 when unknown */
    bool has_frame; /* it is reported, and no less is taken: no alloca(), no assembler that keeps silent */
};

/* Reads the ELF executable or shared object at `path` into memory; the file is not needed afterwards. NULL
 * with a sentence when it is missing, no ELF, of the wrong kind, or truncated (which is also how a file looks
 * while the linker writes it: try again later). An ELF without symbols, or with broken DWARF, loads. */
struct symtab *symtab_load(const char *path, struct error *err);

/* Does the same with each file of the list, which has at least one, and makes one table of them. An address
 * that several files have functions at belongs to the first of these. NULL with a sentence that names the
 * file also when an offset leads out of the address space, and when they are for different processors. */
struct symtab *symtab_load_list(const struct elf_list *list, struct error *err);

/* Does the same as symtab_load() with n bytes in memory, which are copied; `name` stands for the file in
 * sentences. */
struct symtab *symtab_load_memory(const void *bytes, size_t n, const char *name, struct error *err);

/* Loading gives one reference, which is the caller's; the last unref frees. Any thread may call them; unref
 * takes NULL. */
struct symtab *symtab_ref(struct symtab *symtab);
void symtab_unref(struct symtab *symtab);

/* The functions stand in order of address, index 0 .. count - 1. */
uint32_t symtab_count(const struct symtab *symtab);
const struct symbol *symtab_at(const struct symtab *symtab, uint32_t index);

/* Finds the function whose range holds `address`, as it came from the wire (the Thumb bit is ignored on ARM);
 * where ranges overlap, the one that starts nearest below. SYMTAB_NONE when none does. O(log n). */
uint32_t symtab_find(const struct symtab *symtab, uint64_t address);

/* Finds the function that made the call which returns to `return_address`: looks one byte before it, since a
 * call that ends its function returns to the start of the next one (a gprof arc's "from" is such
 * an address). */
uint32_t symtab_find_caller(const struct symtab *symtab, uint64_t return_address);

/* Finds the function of that raw or display name, an alias's included; SYMTAB_NONE when there is none. Of
 * several (static functions of different files) it is the one at the lowest address. */
uint32_t symtab_find_name(const struct symtab *symtab, const char *name);

/* Of several files, the function of that name in another file than the one that symtab_find_name() tells;
 * SYMTAB_NONE when there is none. */
uint32_t symtab_find_namesake(const struct symtab *symtab, const char *name);

/* Finds the source line of the instruction at `address` in the line tables; lines count from 1. False when
 * unknown. */
bool symtab_line(const struct symtab *symtab, uint64_t address, const char **file, uint32_t *line);

/* One of the files that a symtab was made of. */
struct symtab_file {
    const struct elf_place *place; /* lives as long as the symtab */
    uint32_t functions;            /* of the file that are in the symtab */
    uint32_t own;                  /* that the file has */
    bool has_sections;             /* else its section table was taken out, and the symbols with it */
    bool is_stripped;              /* only functions that it exports have names */
    const char *lost;              /* as symtab_lost() tells */
    int64_t modified_s;            /* when it was last written, since 1970; 0: it was read from memory */
};

/* The files of a symtab, index 0 .. count - 1, in the order in which they were given. */
size_t symtab_file_count(const struct symtab *symtab);
struct symtab_file symtab_file(const struct symtab *symtab, size_t index);

/* Tells which of the files function `index` is of. */
size_t symtab_file_of(const struct symtab *symtab, uint32_t index);

/* Tells, in a sentence, that files have different functions at one address; "" when they do not. */
const char *symtab_overlap(const struct symtab *symtab);

/* Tells what of the file could not be read, in half a sentence: lines, frames or readable names of functions
 * are missing then. "" when all was. Of several files it is that of the first that lacks something. */
const char *symtab_lost(const struct symtab *symtab);

/* What kind of processor the program is for; lives as long as the symtab. */
const struct symtab_cpu *symtab_cpu(const struct symtab *symtab);

/* What users call the processor, "Arm" or "x86-64"; "" for a machine that this build has no
 * name of. Static. */
const char *symtab_machine_name(const struct symtab_cpu *cpu);

/* Tells whether both have the same code at the same place: the same files in the same order, each with the
 * same .text. False when that is unknown. */
bool symtab_same_code(const struct symtab *a, const struct symtab *b);

/* Tells zlib's CRC-32 of the file bytes of section .text; false when there is no .text with bytes, and of
 * several files. */
bool symtab_text_crc32(const struct symtab *symtab, uint32_t *crc);

/* Tells whether a device that reports `id` runs this ELF: yes when it is the CRC-32 of .text or the start of
 * the build id in either byte order; unknown when the device set none (0, 0xFFFFFFFF) or the ELF has neither.
 * Of several files it has to be one. */
enum symtab_match symtab_matches_id(const struct symtab *symtab, uint32_t id);

/* Addresses from `start` up to, not including, `end`. */
struct symtab_range {
    uint64_t start, end;
};

/* Writes the first `max` ranges of code to `out`, in order and disjoint; returns how many there are. */
size_t symtab_code_ranges(const struct symtab *symtab, struct symtab_range *out, size_t max);

/* Copies up to n bytes that the program has at `address` from the file; stops at the end of the section.
 * Returns how many; 0 where nothing is loaded or the section has no file bytes (.bss). */
size_t symtab_read(const struct symtab *symtab, uint64_t address, void *out, size_t n);

/* Tells whether the instruction before `return_address` is a Thumb call. *destination becomes the address
 * where it goes, Thumb bit cleared, or 0 when the call is through a register. False on other machines. */
bool symtab_call_before(const struct symtab *symtab, uint64_t return_address, uint64_t *destination);

#endif
