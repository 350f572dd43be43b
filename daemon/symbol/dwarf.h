/* dwarf.h - where functions are declared, from the debugging entries of DWARF versions 2 to 5, and how large
 * their frames are, from the call frame information (.debug_frame, .eh_frame). For the annex:
 * libdw may end the process that it is called in (outline.h is for the daemon). */
#ifndef SYMBOL_DWARF_H
#define SYMBOL_DWARF_H

#include "symbol/elf.h"

#include <stdint.h>

/* A function as a debugging entry declares it. */
struct dwarf_function {
    uint64_t address;     /* where this function, or a part of it, begins; Thumb bit not cleared */
    uint64_t table;       /* offset of its unit's table in .debug_line */
    uint64_t file_number; /* in that table */
    uint32_t line;
};

/* Receives one function. */
typedef void dwarf_function_fn(void *user, const struct dwarf_function *function);

/* Receives one unit that has a table of lines: where the table is in .debug_line, and the directory that
 * the unit was compiled in, which lives as long as the call. */
typedef void dwarf_unit_fn(void *user, uint64_t table, const char *directory);

/* Calls `unit` for each unit that tells its directory, and `visit` for each of its functions that has an
 * address, a file and a line. Damaged entries end a unit, never more; after a few seconds (damage can be made
 * to cost time) the rest is left unread. */
void dwarf_each_function(struct elf_file *file, dwarf_unit_fn *unit, dwarf_function_fn *visit, void *user);

/* How much of the stack a function takes while it runs, what its caller pushed to call it included (the
 * return address, on x86) and what it pushes for those it calls. */
struct dwarf_frame {
    uint64_t address; /* where the function begins; Thumb bit cleared */
    uint64_t bytes;
    bool at_least; /* it may be more: alloca(), assembler without such information, a frame pointer under
                      which the stack goes on */
};

/* No frame of a microcontroller is larger; a larger one is damaged. */
#define DWARF_FRAME_MAX UINT64_C(0x1000000)

/* Receives one frame. */
typedef void dwarf_frame_fn(void *user, const struct dwarf_frame *frame);

/* Calls `visit` for each function symbol whose frame is reported, aliases included; of functions that are not
 * visited nothing is known. Damage and time as above. */
void dwarf_each_frame(struct elf_file *file, dwarf_frame_fn *visit, void *user);

#endif
