/* dwarf.h - reads where functions are declared from the debugging entries of DWARF versions 2 to 5, and the size
 * of their frames from the call frame information (.debug_frame, .eh_frame). For the annex only, since libdw may
 * end its process (the daemon uses outline.h). */
#ifndef SYMBOL_DWARF_H
#define SYMBOL_DWARF_H

#include "symbol/elf.h"

#include <stdint.h>

/* A function as a debugging entry declares it. */
struct dwarf_function {
    uint64_t address;     /* start of this function or a part of it; Thumb bit not cleared */
    uint64_t table;       /* offset of its unit's table in .debug_line */
    uint64_t file_number; /* in that table */
    uint32_t line;
};

/* Receives one function. */
typedef void dwarf_function_fn(void *user, const struct dwarf_function *function);

/* Receives one unit that has a line table: the table's offset in .debug_line, and the build directory, which is
 * valid during the call. */
typedef void dwarf_unit_fn(void *user, uint64_t table, const char *directory);

/* Calls `unit` for each unit with a build directory, and `visit` for each of its functions that has an address,
 * a file and a line. Damaged entries end only their unit. Stops after a few seconds, since a hostile file can
 * cost any time. */
void dwarf_each_function(struct elf_file *file, dwarf_unit_fn *unit, dwarf_function_fn *visit, void *user);

/* The stack usage of a function while it runs, including what its caller pushed to call it (the return address
 * on x86) and what it pushes for its callees. */
struct dwarf_frame {
    uint64_t address; /* start of the function; Thumb bit cleared */
    uint64_t bytes;
    bool at_least; /* a lower limit: alloca(), assembler without frame information, or stack below a frame
                      pointer */
};

/* Larger frames do not occur on a microcontroller and are taken for damage. */
#define DWARF_FRAME_MAX UINT64_C(0x1000000)

/* Receives one frame. */
typedef void dwarf_frame_fn(void *user, const struct dwarf_frame *frame);

/* Calls `visit` for each function symbol with frame information, including aliases. Frames of other functions
 * are unknown. Damage and time limit are as above. */
void dwarf_each_frame(struct elf_file *file, dwarf_frame_fn *visit, void *user);

#endif
