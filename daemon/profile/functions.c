/* functions.c - one row per function.
 *
 * Several addresses belong to the same function: those of entry and exit hooks and of inlined copies, with
 * and without the Thumb bit. Each address is looked up among the symbols once and then remembered. A row
 * belongs to a symbol, or to an address without a symbol. */
#include "profile/functions.h"

#include "base/scarcity.h"
#include "base/text.h"
#include "snapshot/durations.h"
#include "symbol/symtab.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function_name {
    const char *name;
    uint32_t function;
};

/* Reserves one row more than requested, so that "(other)" always fits. */
static bool reserve_row(struct functions *functions)
{
    if (functions->count + 2 > functions->capacity) {
        uint32_t capacity = functions->capacity ? functions->capacity * 2 : 64;
        if (!scarcity_grow(&functions->rows, capacity, sizeof *functions->rows) ||
            !scarcity_grow(&functions->histograms, capacity, sizeof *functions->histograms) ||
            !scarcity_grow(&functions->spreads, capacity, sizeof *functions->spreads) ||
            !scarcity_grow(&functions->spares, capacity, sizeof *functions->spares) ||
            !scarcity_grow(&functions->longest, capacity, sizeof *functions->longest) ||
            !scarcity_grow(&functions->period, capacity, sizeof *functions->period))
            return false;
        functions->capacity = capacity;
    }
    return true;
}

static uint32_t take_row(struct functions *functions, enum snapshot_kind kind, const char *name)
{
    uint32_t id = functions->count++;
    functions->rows[id] = (struct snapshot_function){.kind = (uint8_t)kind,
                                                     .name = name,
                                                     .raw_name = name,
                                                     .min_ticks = UINT64_MAX,
                                                     .changed = functions->sequence};
    functions->histograms[id] = (struct histogram){0};
    functions->spreads[id] = functions->spares[id] = NULL;
    functions->longest[id] = (struct longest){0};
    functions->period[id] = (struct period){0};
    return id;
}

/* Adds a row. Returns MAP_NONE when memory is used up. */
static uint32_t add_row(struct functions *functions, enum snapshot_kind kind, const char *name)
{
    return reserve_row(functions) ? take_row(functions, kind, name) : MAP_NONE;
}

uint32_t functions_other(struct functions *functions)
{
    if (functions->other == MAP_NONE)
        functions->other = take_row(functions, KIND_OTHER, "(other)");
    return functions->other;
}

bool functions_init(struct functions *functions, uint32_t limit)
{
    *functions = (struct functions){.limit = limit,
                                    .other = MAP_NONE,
                                    .budget.blocks_left = FUNCTIONS_HISTOGRAM_BLOCKS,
                                    .longest_budget.firsts_left = LONGEST_FIRSTS,
                                    .names = names_new()};
    return functions->names && reserve_row(functions);
}

static void drop_histograms(struct functions *functions)
{
    for (uint32_t i = 0; i < functions->count; i++) {
        histogram_fini(&functions->histograms[i], &functions->budget);
        spread_unref(functions->spreads[i]);
        spread_unref(functions->spares[i]);
        longest_fini(&functions->longest[i], &functions->longest_budget);
    }
}

void functions_fini(struct functions *functions)
{
    drop_histograms(functions);
    free(functions->rows);
    free(functions->histograms);
    free(functions->spreads);
    free(functions->spares);
    free(functions->longest);
    free(functions->period);
    periods_fini(&functions->periods);
    free(functions->named);
    map_fini(&functions->by_address);
    map_fini(&functions->by_symbol);
    map_fini(&functions->by_kind);
    map_fini(&functions->by_name);
    symtab_unref(functions->symtab);
    names_unref(functions->names);
}

void functions_clear(struct functions *functions)
{
    drop_histograms(functions);
    functions->count = 0;
    functions->other = MAP_NONE;
    functions->over_limit = 0;
    functions->named_count = 0;
    functions->named_bytes = 0;
    map_clear(&functions->by_address);
    map_clear(&functions->by_symbol);
    map_clear(&functions->by_kind);
    map_clear(&functions->by_name);
    periods_clear(&functions->periods);
    struct names *fresh = names_new();
    if (fresh) {
        names_unref(functions->names);
        functions->names = fresh;
    }
}

/* Fills in what the symbols have about the row's address. */
static void name_row(struct functions *functions, struct snapshot_function *row, uint32_t symbol)
{
    if (symbol == SYMTAB_NONE) {
        char text[2 + 16 + 1];
        snprintf(text, sizeof text, "0x%08llx", (unsigned long long)row->address);
        if (strcmp(row->name, text) != 0) /* the store only grows */
            row->name = names_add(functions->names, text);
        row->raw_name = row->name;
        row->aliases = NULL;
        row->alias_count = 0;
        row->file = NULL;
        row->line = 0;
        row->size = row->frame_bytes = 0;
        row->known &= ~(uint32_t)FUNCTION_FRAME;
        return;
    }
    const struct symbol *found = symtab_at(functions->symtab, symbol);
    row->name = found->name;
    row->raw_name = found->raw_name;
    row->aliases = found->aliases;
    row->alias_count = found->alias_count;
    row->file = found->file;
    row->line = found->line;
    row->address = found->address;
    row->size = found->size;
    row->frame_bytes = found->frame_bytes;
    row->known = (row->known & ~(uint32_t)FUNCTION_FRAME) | (found->has_frame ? FUNCTION_FRAME : 0);
}

static uint32_t symbol_at(const struct functions *functions, uint64_t address)
{
    return functions->symtab ? symtab_find(functions->symtab, address) : SYMTAB_NONE;
}

bool functions_has_symbol(const struct functions *functions, uint64_t address)
{
    return symbol_at(functions, address) != SYMTAB_NONE;
}

/* Adds the row of an address in a new function; above the limit, returns "(other)". */
static uint32_t add_function(struct functions *functions, uint64_t address, uint32_t symbol)
{
    uint32_t id = functions->count < functions->limit ? add_row(functions, KIND_FUNCTION, "") : MAP_NONE;
    if (id == MAP_NONE) {
        functions->over_limit++;
        return functions_other(functions);
    }
    struct snapshot_function *row = &functions->rows[id];
    row->has_address = true;
    row->address = address;
    name_row(functions, row, symbol);
    if (symbol != SYMTAB_NONE)
        map_set(&functions->by_symbol, symbol, id);
    return id;
}

uint32_t functions_at_new(struct functions *functions, uint64_t address)
{
    uint32_t symbol = symbol_at(functions, address);
    uint32_t id = symbol == SYMTAB_NONE ? MAP_NONE : map_find(&functions->by_symbol, symbol);
    if (id == MAP_NONE)
        id = add_function(functions, address, symbol);
    /* Limited, even if every call comes from another address inside few symbols. */
    if (functions->by_address.count < 4 * functions->limit)
        map_set(&functions->by_address, address, id);
    return id;
}

uint32_t functions_calling(struct functions *functions, uint64_t return_address)
{
    uint32_t symbol = functions->symtab ? symtab_find_caller(functions->symtab, return_address) : SYMTAB_NONE;
    if (symbol == SYMTAB_NONE)
        return functions_at(functions, return_address);
    return functions_at(functions, symtab_at(functions->symtab, symbol)->address);
}

enum { NAME_MAX_BYTES = 65536 };

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* Returns the row of that name; MAP_NONE when there is none, and then *key is free for it. */
static uint32_t find_named(const struct functions *functions, const char *name, uint64_t *key)
{
    /* Names with the same hash take the next key. */
    for (*key = hash_of(name);; ++*key) {
        uint32_t at = map_find(&functions->by_name, *key);
        if (at == MAP_NONE)
            return MAP_NONE;
        if (strcmp(functions->named[at].name, name) == 0)
            return functions->named[at].function;
    }
}

static bool reserve_name(struct functions *functions)
{
    if (functions->named_count == functions->named_capacity) {
        uint32_t capacity = functions->named_capacity ? functions->named_capacity * 2 : 64;
        if (!scarcity_grow(&functions->named, capacity, sizeof *functions->named))
            return false;
        functions->named_capacity = capacity;
    }
    return true;
}

static void remember_name(struct functions *functions, uint64_t key, struct function_name name)
{
    if (map_set(&functions->by_name, key, functions->named_count))
        functions->named[functions->named_count++] = name;
}

/* Adds the row of a new name. */
static uint32_t add_named(struct functions *functions, const char *name, uint64_t key)
{
    size_t bytes = strlen(name) + 1;
    if (functions->named_count >= functions->limit || functions->count >= functions->limit ||
        functions->named_bytes + bytes > FUNCTIONS_NAME_BYTES || !reserve_name(functions)) {
        functions->over_limit++;
        return functions_other(functions);
    }
    const char *kept = names_add(functions->names, name);
    functions->named_bytes += bytes;
    uint32_t symbol = functions->symtab ? symtab_find_name(functions->symtab, name) : SYMTAB_NONE;
    uint32_t id = symbol == SYMTAB_NONE
                      ? add_row(functions, KIND_FUNCTION, kept)
                      : functions_at(functions, symtab_at(functions->symtab, symbol)->address);
    if (id == MAP_NONE)
        return functions_other(functions);
    remember_name(functions, key, (struct function_name){.name = kept, .function = id});
    return id;
}

uint32_t functions_named(struct functions *functions, const char *name, size_t n)
{
    char *clean = text_clean_utf8_dup(name, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
    if (!clean)
        return functions_other(functions);
    uint64_t key;
    uint32_t id = find_named(functions, clean, &key);
    if (id == MAP_NONE)
        id = add_named(functions, clean, key);
    free(clean);
    return id;
}

void functions_add_counted(struct functions *functions, uint32_t id, uint64_t calls, uint64_t self_ticks)
{
    struct snapshot_function *row = &functions->rows[id];
    if (!(row->known & FUNCTION_SELF))
        row->calls = 0; /* arcs of another dialect have counted the same calls */
    row->known |= FUNCTION_CALLS | FUNCTION_SELF;
    row->calls += calls;
    row->self_ticks += self_ticks;
    row->changed = functions->sequence;
}

void functions_forget_arc_calls(struct functions *functions)
{
    for (uint32_t id = 0; id < functions->count; id++) {
        struct snapshot_function *row = &functions->rows[id];
        bool is_of_arcs = row->calls > 0 && !(row->known & (FUNCTION_TIMES | FUNCTION_SELF | FUNCTION_EACH));
        if (!is_of_arcs)
            continue;
        row->calls = 0;
        row->known &= ~(uint32_t)FUNCTION_CALLS;
        row->changed = functions->sequence;
    }
}

uint64_t functions_calls(const struct functions *functions)
{
    uint64_t calls = 0;
    for (uint32_t id = 0; id < functions->count; id++)
        if (functions->rows[id].kind == KIND_FUNCTION || functions->rows[id].kind == KIND_OTHER)
            calls += functions->rows[id].calls;
    return calls;
}

/* Forgets which symbols belong to the target's names. */
static void forget_named_symbols(struct functions *functions)
{
    uint32_t n = functions->named_count;
    functions->named_count = 0;
    map_clear(&functions->by_name);
    for (uint32_t i = 0; i < n; i++) {
        struct function_name name = functions->named[i];
        uint64_t key;
        if (!functions->rows[name.function].has_address && find_named(functions, name.name, &key) == MAP_NONE)
            remember_name(functions, key, name);
    }
}

/* Finds or makes the row of that kind and number. A new one gets a copy of `name`. */
static uint32_t row_of_kind(struct functions *functions, enum snapshot_kind kind, uint32_t number,
                            const char *name)
{
    uint64_t key = (uint64_t)kind << 32 | number;
    uint32_t id = map_find(&functions->by_kind, key);
    if (id != MAP_NONE)
        return id;
    id = add_row(functions, kind, names_add(functions->names, name));
    if (id == MAP_NONE)
        return functions_other(functions);
    functions->rows[id].number = number;
    map_set(&functions->by_kind, key, id);
    return id;
}

uint32_t functions_placeholder(struct functions *functions, enum snapshot_kind kind, uint32_t number)
{
    char name[48] = "";
    switch (kind) {
    case KIND_RUNNING: snprintf(name, sizeof name, "[depth %u running]", number); break;
    case KIND_NOT_SEEN: snprintf(name, sizeof name, "[depth %u not seen]", number); break;
    case KIND_CYCLE: snprintf(name, sizeof name, "[cycle %u]", number); break;
    case KIND_OUTSIDE: snprintf(name, sizeof name, "[outside]"); break;
    case KIND_UNKNOWN: snprintf(name, sizeof name, "[not known]"); break;
    case KIND_BELOW: snprintf(name, sizeof name, "(other below)"); break;
    case KIND_INTERRUPT: snprintf(name, sizeof name, "[interrupt]"); break;
    default: assert(!"a row that the profile makes up");
    }
    return row_of_kind(functions, kind, number, name);
}

uint32_t functions_pair(struct functions *functions, uint32_t number, const char *name)
{
    if (functions->count >= functions->limit &&
        map_find(&functions->by_kind, (uint64_t)KIND_PAIR << 32 | number) == MAP_NONE) {
        functions->over_limit++;
        return functions_other(functions);
    }
    return row_of_kind(functions, KIND_PAIR, number, name);
}

static struct outlier outlier_of(const struct timeline_call *call, uint32_t caller)
{
    return (struct outlier){.start_ticks = call->start_ticks,
                            .duration_ticks = call->duration_ticks,
                            .caller = caller,
                            .context = call->context,
                            .depth = timeline_depth(call)};
}

void functions_keep_first(struct functions *functions, const struct timeline_call *call, uint32_t caller)
{
    const struct outlier outlier = outlier_of(call, caller);
    longest_keep_first(&functions->longest[call->function], &functions->longest_budget, &outlier);
}

void functions_stretch(struct functions *functions, const struct timeline_call *call, uint32_t caller)
{
    struct snapshot_function *row = &functions->rows[call->function];
    const struct outlier outlier = outlier_of(call, caller);
    uint64_t duration = call->duration_ticks;
    row->kept_over_ticks = longest_keep(&functions->longest[call->function], &outlier);
    functions_tell_each(row);
    if (duration < row->min_ticks)
        row->min_ticks = duration;
    if (duration > row->max_ticks)
        row->max_ticks = duration;
}

/* Copies the row's histogram, which was just read and is in the cache, into its spread. */
static bool settle_spread(struct functions *functions, uint32_t id)
{
    struct spread *spread = spread_renew(functions->spares[id], &functions->histograms[id]);
    functions->spares[id] = NULL;
    if (!spread)
        return false;
    functions->spares[id] = functions->spreads[id];
    functions->spreads[id] = spread;
    return true;
}

static bool settle_row(struct functions *functions, uint32_t id)
{
    struct snapshot_function *row = &functions->rows[id];
    durations_tell(&functions->histograms[id], row);
    period_tell(&functions->period[id], row);
    return settle_spread(functions, id) && longest_settle(&functions->longest[id]);
}

bool functions_settle(struct functions *functions, uint64_t since)
{
    bool settled = true;
    for (uint32_t id = 0; id < functions->count && settled; id++)
        if (functions->rows[id].changed > since && functions->rows[id].calls > 0)
            settled = settle_row(functions, id);
    return settled;
}

struct spread **functions_share_spreads(const struct functions *functions)
{
    struct spread **spreads = malloc((functions->count + 1) * sizeof *spreads);
    for (uint32_t id = 0; spreads && id < functions->count; id++)
        spreads[id] = spread_ref(functions->spreads[id]);
    return spreads;
}

struct outliers **functions_share_outliers(const struct functions *functions)
{
    struct outliers **outliers = malloc((functions->count + 1) * sizeof *outliers);
    for (uint32_t id = 0; outliers && id < functions->count; id++)
        outliers[id] = outliers_ref(functions->longest[id].frozen);
    return outliers;
}

void functions_rename(struct functions *functions, struct symtab *symtab)
{
    struct symtab *before = functions->symtab;
    functions->symtab = symtab;
    map_clear(&functions->by_address);
    map_clear(&functions->by_symbol);
    forget_named_symbols(functions);
    for (uint32_t id = 0; id < functions->count; id++) {
        struct snapshot_function *row = &functions->rows[id];
        if (!row->has_address)
            continue;
        uint32_t symbol = symbol_at(functions, row->address);
        name_row(functions, row, symbol);
        row->changed = functions->sequence;
        map_set(&functions->by_address, row->address, id);
        if (symbol != SYMTAB_NONE)
            map_set(&functions->by_symbol, symbol, id);
    }
    symtab_unref(before); /* rows had names in it until now */
}
