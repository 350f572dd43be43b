/* dwarf.c - reads declarations from the debugging entries and frame sizes from the call frame information; the
 * only file that uses libdw.
 *
 * Entries form a tree. Only entries that can contain functions are walked (units, namespaces, classes), by
 * offsets that libdw checks to rise. Calls that would open files named in the ELF (split DWARF, dwz) are
 * avoided: an ELF must not choose a path that the daemon reads or hangs on. */
#include "symbol/dwarf.h"

#include "base/clock.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

enum { MAX_DEPTH = 32, MAX_REFERENCES = 8, TIME_LIMIT_MS = 5000, LOOK_AT_CLOCK_EVERY = 256 };

struct walk {
    dwarf_function_fn *visit;
    void *user;
    uint64_t table;
    uint64_t entries;
    uint64_t deadline_ms;
};

static bool is_late(struct walk *walk)
{
    return ++walk->entries % LOOK_AT_CLOCK_EVERY == 0 && clock_monotonic_ms() > walk->deadline_ms;
}

static bool number_of(Dwarf_Die *entry, unsigned name, Dwarf_Word *value)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(entry, name, &attribute) && dwarf_formudata(&attribute, value) == 0;
}

/* Finds the entry that `entry` completes: the declaration of a definition, or the abstract origin of an instance. */
static bool follow_reference(Dwarf_Die *entry, Dwarf_Die *meant)
{
    static const unsigned names[] = {DW_AT_abstract_origin, DW_AT_specification};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Dwarf_Attribute attribute;
        if (!dwarf_attr(entry, names[i], &attribute))
            continue;
        switch (dwarf_whatform(&attribute)) {
        case DW_FORM_ref1:
        case DW_FORM_ref2:
        case DW_FORM_ref4:
        case DW_FORM_ref8:
        case DW_FORM_ref_udata:
        case DW_FORM_ref_addr: return dwarf_formref_die(&attribute, meant) != NULL;
        default: return false; /* into another file */
        }
    }
    return false;
}

/* Finds file and line. An out-of-class definition has a line but no file if that is the declaration's; an
 * instance has neither. Each is taken from the nearest entry that has it. */
static bool declared_at(Dwarf_Die *entry, struct dwarf_function *function)
{
    Dwarf_Die at = *entry, next;
    bool has_file = false, has_line = false;
    for (int i = 0; i < MAX_REFERENCES && !(has_file && has_line); i++) {
        Dwarf_Word line;
        if (!has_file)
            has_file = number_of(&at, DW_AT_decl_file, &function->file_number);
        if (!has_line && number_of(&at, DW_AT_decl_line, &line)) {
            has_line = line > 0 && line <= UINT32_MAX;
            function->line = (uint32_t)line;
        }
        if (!follow_reference(&at, &next))
            break;
        at = next;
    }
    return has_file && has_line;
}

static void visit_function(struct walk *walk, Dwarf_Die *entry)
{
    enum { MAX_PARTS = 16 };
    struct dwarf_function function = {.table = walk->table};
    Dwarf_Attribute low;
    if (dwarf_attr(entry, DW_AT_low_pc, &low)) {
        if (dwarf_formaddr(&low, &function.address) == 0 && declared_at(entry, &function))
            walk->visit(walk->user, &function);
        return;
    }
    /* A function of several parts: hot and cold parts have their own symbols. */
    if (!dwarf_hasattr(entry, DW_AT_ranges) || !declared_at(entry, &function))
        return;
    Dwarf_Addr base, end;
    ptrdiff_t next = 0;
    for (int i = 0; i < MAX_PARTS; i++) {
        next = dwarf_ranges(entry, next, &base, &function.address, &end);
        if (next <= 0)
            break;
        walk->visit(walk->user, &function);
    }
}

/* True for an entry that may contain functions. */
static bool is_scope(int tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type: return true;
    default: return false;
    }
}

static bool walk_children(struct walk *walk, Dwarf_Die *parent)
{
    Dwarf_Die stack[MAX_DEPTH];
    int depth = 0;
    if (dwarf_child(parent, &stack[0]) != 0)
        return true;
    while (depth >= 0) {
        if (is_late(walk))
            return false;
        Dwarf_Die *entry = &stack[depth];
        int tag = dwarf_tag(entry);
        if (tag == DW_TAG_subprogram)
            visit_function(walk, entry);
        else if (is_scope(tag) && depth + 1 < MAX_DEPTH && dwarf_child(entry, &stack[depth + 1]) == 0) {
            depth++;
            continue;
        }
        while (depth >= 0 && dwarf_siblingof(&stack[depth], &stack[depth]) != 0)
            depth--;
    }
    return true;
}

/* Returns the build directory, NULL when the unit has none or it is in another file. */
static const char *directory_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr(unit, DW_AT_comp_dir, &attribute))
        return NULL;
    switch (dwarf_whatform(&attribute)) {
    case DW_FORM_string:
    case DW_FORM_strp:
    case DW_FORM_line_strp: return dwarf_formstring(&attribute);
    default: return NULL;
    }
}

void dwarf_each_function(struct elf_file *file, dwarf_unit_fn *visit_unit, dwarf_function_fn *visit,
                         void *user)
{
    struct Elf *elf = elf_handle_for_dwarf(file);
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    if (!dwarf)
        return;
    struct walk walk = {visit, user, 0, 0, clock_monotonic_ms() + TIME_LIMIT_MS};
    Dwarf_Off offset = 0, next;
    size_t header_size;
    while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0 && next > offset) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, offset + header_size, &unit) &&
            number_of(&unit, DW_AT_stmt_list, &walk.table)) {
            const char *directory = directory_of(&unit);
            if (directory)
                visit_unit(user, walk.table, directory);
            if (!walk_children(&walk, &unit))
                break;
        }
        offset = next;
    }
    dwarf_end(dwarf);
}

/* The sources of frames: .debug_frame and .eh_frame. NULL where there is none. */
struct frames {
    struct elf_file *file;
    Dwarf_CFI *from[2];
    dwarf_frame_fn *visit;
    void *user;
    uint64_t deadline_ms;
    bool is_late;
};

/* Returns the DWARF number of the stack pointer, -1 for an unknown machine. */
static int stack_pointer(const struct symtab_cpu *cpu)
{
    switch (cpu->machine) {
    case MACHINE_ARM: return 13;
    case MACHINE_RISCV: return 2;
    case MACHINE_X86_64: return 7;
    case MACHINE_386: return 4;
    case MACHINE_AARCH64: return 31;
    default: return -1;
    }
}

/* One row of the table of frames: from `start` to `end` the caller's stack begins `offset` above `reg`. */
struct frame_row {
    Dwarf_Addr start, end;
    Dwarf_Word reg, offset;
    bool is_plain; /* no expression needs to be evaluated */
};

static bool row_at(const struct frames *frames, Dwarf_Addr address, struct frame_row *row)
{
    Dwarf_Frame *frame = NULL;
    for (size_t i = 0; i < 2 && !frame; i++)
        if (!frames->from[i] || dwarf_cfi_addrframe(frames->from[i], address, &frame) != 0)
            frame = NULL;
    if (!frame)
        return false;
    Dwarf_Op *ops;
    size_t n;
    bool is_signal;
    bool is_told = dwarf_frame_info(frame, &row->start, &row->end, &is_signal) >= 0 && row->end > address;
    row->is_plain = is_told && dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_bregx;
    if (row->is_plain) {
        row->reg = ops[0].number;
        row->offset = ops[0].number2;
    }
    free(frame);
    return is_told;
}

/* True when a Thumb instruction may lower the stack pointer: PUSH, SUB SP, STMDB SP!, VPUSH, STR with SP written
 * back, and all that set SP from a register. Second half-words and constants are checked, too, so that a known
 * frame may be taken for an unknown one. */
static bool may_lower(uint16_t first, uint16_t second)
{
    bool sets_sp_of_register = (first & 0xff87) == 0x4685 && first != 0x46bd; /* MOV SP, Rm but r7 */
    return (first & 0xfe00) == 0xb400 || (first & 0xff80) == 0xb080 || (first & 0xff87) == 0x4485 ||
           sets_sp_of_register || (first == 0xe92d) || (first & 0xffbf) == 0xed2d ||
           (first == 0xf84d && (second & 0x0fff) == 0x0d04) ||
           (((first & 0xf800) == 0xf000 || (first & 0xfe00) == 0xea00) && (second & 0x8f00) == 0x0d00);
}

/* True when no Thumb instruction from `start` to `end`, inside the function, lowers the stack pointer. Otherwise
 * a frame that is described by another register has an unknown size. */
static bool stays_put(const struct frames *frames, const struct elf_symbol *symbol, uint64_t start,
                      uint64_t end)
{
    const struct elf_section *section = elf_section_at(frames->file, symbol->section);
    if (!section->bytes)
        return false;
    const uint8_t *bytes = section->bytes + (start - section->address);
    bool big = elf_code_is_big_endian(frames->file);
    for (uint64_t at = 0; at + 2 <= end - start; at += 2) {
        uint16_t halves[2] = {0};
        for (size_t half = 0; half < 2 && at + 2 * half + 2 <= end - start; half++) {
            const uint8_t *two = bytes + at + 2 * half;
            halves[half] = (uint16_t)(big ? two[0] << 8 | two[1] : two[1] << 8 | two[0]);
        }
        if (may_lower(halves[0], halves[1]))
            return false;
    }
    return true;
}

/* Adds the part of a row that is inside the function to the frame. */
static void take_row(const struct frames *frames, const struct elf_symbol *symbol,
                     const struct frame_row *row, struct dwarf_frame *frame)
{
    enum { SCANNED_MOST = 65536 };
    const struct symtab_cpu *cpu = elf_cpu(frames->file);
    if (!row->is_plain || row->offset > DWARF_FRAME_MAX) {
        frame->at_least = true;
        return;
    }
    if (row->offset > frame->bytes)
        frame->bytes = row->offset;
    if (row->reg == (Dwarf_Word)stack_pointer(cpu))
        return;
    uint64_t start = row->start > symbol->address ? row->start : symbol->address;
    uint64_t last = symbol->address + symbol->size, end = row->end < last ? row->end : last;
    if (!symbol->is_thumb || end - start > SCANNED_MOST || !stays_put(frames, symbol, start, end))
        frame->at_least = true;
}

static void visit_symbol(void *user, const struct elf_symbol *symbol)
{
    enum { MAX_ROWS = 1024 };
    struct frames *frames = user;
    struct dwarf_frame frame = {.address = symbol->address};
    if (frames->is_late || symbol->kind != ELF_FUNCTION || symbol->size == 0)
        return;
    uint64_t at = symbol->address, end = symbol->address + symbol->size;
    for (int i = 0; at < end && i < MAX_ROWS; i++) {
        struct frame_row row;
        frames->is_late = clock_monotonic_ms() > frames->deadline_ms;
        if (frames->is_late || !row_at(frames, at, &row))
            break;
        take_row(frames, symbol, &row, &frame);
        at = row.end;
    }
    if (at == symbol->address)
        return; /* no frame information */
    frame.at_least |= at < end;
    frames->visit(frames->user, &frame);
}

void dwarf_each_frame(struct elf_file *file, dwarf_frame_fn *visit, void *user)
{
    struct Elf *elf = elf_handle_for_dwarf(file);
    if (!elf || stack_pointer(elf_cpu(file)) < 0)
        return;
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    struct frames frames = {.file = file,
                            .from = {dwarf ? dwarf_getcfi(dwarf) : NULL, dwarf_getcfi_elf(elf)},
                            .visit = visit,
                            .user = user,
                            .deadline_ms = clock_monotonic_ms() + TIME_LIMIT_MS};
    if (frames.from[0] || frames.from[1])
        elf_each_symbol(file, visit_symbol, &frames);
    if (frames.from[1])
        dwarf_cfi_end(frames.from[1]);
    dwarf_end(dwarf);
}
