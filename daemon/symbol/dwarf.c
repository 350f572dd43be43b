/* dwarf.c - where functions are declared, from the debugging entries; the only file that knows libdw.
 *
 * Entries form a tree. It is walked only where functions live (units, namespaces, classes), by offsets that
 * libdw checks to rise. Calls that would open further files named by this one (split DWARF, dwz) are avoided:
 * an ELF must not make the daemon read, or hang on, any path it likes. */
#include "symbol/dwarf.h"

#include "base/clock.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

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

/* The entry that `entry` completes: a definition its declaration, an instance its abstract origin. */
static bool follow(Dwarf_Die *entry, Dwarf_Die *meant)
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

/* An out-of-class definition has its own line and perhaps no file of its own, when it is the declaration's;
 * an instance has neither. Each is taken from the nearest entry that has it. */
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
        if (!follow(&at, &next))
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
    /* A function of several parts: hot and cold ones have symbols of their own. */
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

/* Whether functions may be declared inside. */
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

/* NULL when it is not told, or told in another file. */
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
