/* outline.h - reads and checks what the annex (annex/annex.h) found in an ELF file.
 *
 * Internal to symbol/: the file's bytes belong to the caller and must outlive the outline, which points into
 * them. */
#ifndef SYMBOL_OUTLINE_H
#define SYMBOL_OUTLINE_H

#include "base/elf_list.h"
#include "symbol/dwarf.h"
#include "symbol/elf.h"
#include "symbol/outline_jobs.h"
#include "symbol/reader.h"

/* Zero is the empty outline. */
struct outline {
    const uint8_t *bytes; /* of the file, borrowed */
    size_t n;
    struct symtab_cpu cpu;
    bool code_is_big_endian;
    uint64_t shift; /* from the file's addresses to the target's, modulo 2^64; all members use the target's */
    struct elf_section *sections; /* by ELF section index */
    size_t section_count;
    struct reader debug[OUTLINE_DEBUG_COUNT]; /* unpacked; empty where there is none */
    struct reader symbols;
    uint8_t *answer;
};

/* Has the annex parse the n bytes. The caller ends with outline_fini() in any case. This may write to the bytes
 * while it runs. `place` has the file's name and offset. False with an error that names the file when it is not
 * a program, its offset leaves the address space, or the annex does not answer. */
bool outline_init(struct outline *outline, uint8_t *bytes, size_t n, const struct elf_place *place,
                  struct error *err);
void outline_fini(struct outline *outline);

/* Calls `visit` for every defined, named function, label or mapping symbol in code. */
void outline_each_symbol(const struct outline *outline, elf_symbol_fn *visit, void *user);

/* Has the annex read the debugging entries, and makes the calls of dwarf_each_function(). False with half a
 * sentence when the annex does not answer or the answer is invalid. Calls made before that are valid. */
bool outline_each_declaration(const struct outline *outline, dwarf_unit_fn *unit, dwarf_function_fn *visit,
                              void *user, struct error *err);

/* Has the annex read the call frame information, and makes the calls of dwarf_each_frame(). False as above. */
bool outline_each_frame(const struct outline *outline, dwarf_frame_fn *visit, void *user, struct error *err);

#endif
