/* functions.h - one row per function, for all addresses of it. */
#ifndef PROFILE_FUNCTIONS_H
#define PROFILE_FUNCTIONS_H

#include "base/map.h"
#include "profile/longest_calls.h"
#include "snapshot/histogram.h"
#include "snapshot/names.h"
#include "snapshot/period.h"
#include "snapshot/snapshot.h"
#include "snapshot/spread.h"
#include "snapshot/timeline.h"

struct symtab;

/* The rows, and maps to find one: by address, by symbol, by a name that the target sent. */
struct functions {
    struct snapshot_function *rows;
    struct histogram *histograms; /* parallel to rows */
    struct spread **spreads;      /* likewise: copies of the histograms for the last snapshot */
    struct spread **spares;  /* likewise: copies for the one before; their memory is reused for the next */
    struct longest *longest; /* likewise */
    struct period *period;   /* likewise */
    uint32_t count, capacity, limit;
    uint32_t other;      /* the row "(other)"; MAP_NONE until the ceiling is reached */
    uint64_t sequence;   /* marks changed rows of functions and tree */
    bool corrected;      /* the last snapshot had corrected times */
    uint64_t over_limit; /* addresses that are counted at "(other)" */
    struct map by_address;
    struct map by_symbol;        /* key: symbol index; value: row */
    struct map by_kind;          /* key: kind and number of a row that is not a function; value: row */
    struct function_name *named; /* names that the target sent */
    uint32_t named_count, named_capacity;
    size_t named_bytes;
    struct map by_name;    /* key: hash of such a name; value: index in `named` */
    struct symtab *symtab; /* may be NULL */
    struct names *names;
    struct histogram_budget budget;
    struct longest_budget longest_budget;
    struct periods periods;
};

/* Limit of fine histogram blocks of all functions together: 16 MiB. */
enum { FUNCTIONS_HISTOGRAM_BLOCKS = 131072 };

/* Limit of bytes of names from the target: 16 MiB. Functions with further names are "(other)". */
enum { FUNCTIONS_NAME_BYTES = 16 * 1024 * 1024 };

/* Makes a table of at most `limit` rows. Returns false when memory is used up. */
bool functions_init(struct functions *functions, uint32_t limit);
void functions_fini(struct functions *functions);

/* Removes all rows; keeps the symbols. */
void functions_clear(struct functions *functions);

/* The part of functions_at() for a new address. */
uint32_t functions_at_new(struct functions *functions, uint64_t address);

/* Finds or makes the row of the function that covers `address`; above the limit, returns "(other)". */
static inline uint32_t functions_at(struct functions *functions, uint64_t address)
{
    uint32_t id = map_find(&functions->by_address, address);
    return id != MAP_NONE ? id : functions_at_new(functions, address);
}

/* True when the ELF has a function that covers `address`. */
bool functions_has_symbol(const struct functions *functions, uint64_t address);

/* Finds or makes the row of the function whose call returns to `return_address`. */
uint32_t functions_calling(struct functions *functions, uint64_t return_address);

/* Finds or makes the row of the function with that name (n bytes from the target): the row of the symbol with
 * that name, or else a row of its own. */
uint32_t functions_named(struct functions *functions, const char *name, size_t n);

/* Finds or makes the row "(other)", which has everything that a ceiling merged. */
uint32_t functions_other(struct functions *functions);

/* Removes the calls of functions whose calls were only counted by arcs. */
void functions_forget_arc_calls(struct functions *functions);

/* Adds calls and own time that the target counted. */
void functions_add_counted(struct functions *functions, uint32_t id, uint64_t calls, uint64_t self_ticks);

/* Returns the number of calls of all functions, including "(other)". */
uint64_t functions_calls(const struct functions *functions);

/* Finds or makes a placeholder's row: for callers that have not returned (KIND_RUNNING), callers whose
 * records were lost (KIND_NOT_SEEN), functions that call each other (KIND_CYCLE), interrupts as callers
 * (KIND_INTERRUPT), or time in none (KIND_OUTSIDE, KIND_UNKNOWN, KIND_BELOW). `number` is as in enum
 * snapshot_kind, or 0. */
uint32_t functions_placeholder(struct functions *functions, enum snapshot_kind kind, uint32_t number);

/* Finds or makes the row of pair `number` of the checkpoints, with the name `name` (valid UTF-8). It is never
 * the row of a function, even if a function has the same name. */
uint32_t functions_pair(struct functions *functions, uint32_t number, const char *name);

/* Returns the caller's function of a call that counts at `node`, as in struct outlier. */
static inline uint32_t functions_caller(const struct snapshot_node *nodes, const struct snapshot_node *node)
{
    int32_t parent = node->parent;
    return parent > 0 ? (uint32_t)nodes[parent].function : OUTLIER_NO_CALLER;
}

/* What is needed to count calls, read once for many calls of one context. Valid until a row is added, or
 * periods_break(). */
struct functions_counters {
    struct functions *functions;
    struct snapshot_function *rows;
    struct histogram *histograms;
    struct period *period;
    uint64_t period_key;
    uint64_t sequence;
};

static inline struct functions_counters functions_counters(struct functions *functions, uint16_t context)
{
    return (struct functions_counters){.functions = functions,
                                       .rows = functions->rows,
                                       .histograms = functions->histograms,
                                       .period = functions->period,
                                       .period_key = period_key(&functions->periods, context),
                                       .sequence = functions->sequence};
}

/* From now on, the row's calls are reported one by one, finished or not. Calls counted by arcs are the same
 * calls, so they are discarded. */
static inline void functions_tell_each(struct snapshot_function *row)
{
    if (row->known & FUNCTION_EACH)
        return;
    row->calls = 0;
    row->known |= FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH;
}

/* Records a call that is shorter than all before (as the first one is), or longer than the shortest of the
 * kept longest calls: updates the row's minimum and maximum, and keeps it if it is one of the longest.
 * `caller` is as in struct outlier. */
void functions_stretch(struct functions *functions, const struct timeline_call *call, uint32_t caller);

/* Keeps a call that is the first in its bucket of the histogram. */
void functions_keep_first(struct functions *functions, const struct timeline_call *call, uint32_t caller);

/* Counts one call, including callees, and returns its function's row. The caller adds what depends on the
 * place in the tree (total, self). `nodes` are the tree's, and the call counts at `node`. */
static inline struct snapshot_function *functions_count(const struct functions_counters *counters,
                                                        const struct timeline_call *call,
                                                        const struct snapshot_node *nodes,
                                                        const struct snapshot_node *node)
{
    const uint32_t function = call->function;
    const uint64_t duration = call->duration_ticks;
    struct snapshot_function *row = &counters->rows[function];
    if (duration < row->min_ticks || duration > row->kept_over_ticks)
        functions_stretch(counters->functions, call, functions_caller(nodes, node));
    row->calls++;
    row->sum_ticks += duration;
    row->changed = counters->sequence;
    if (histogram_add(&counters->histograms[function], &counters->functions->budget, duration))
        functions_keep_first(counters->functions, call, functions_caller(nodes, node));
    return row;
}

/* Records the start of an outermost call, which ends the period since the one before. */
static inline void functions_begin(const struct functions_counters *counters,
                                   const struct timeline_call *call)
{
    period_count(&counters->functions->periods, &counters->period[call->function], call->function,
                 counters->period_key, call->start_ticks);
}

/* Updates p50, p90, p99, standard deviation and spread of the rows that changed after `since`. Returns false
 * when memory is used up. */
bool functions_settle(struct functions *functions, uint64_t since);

/* Copies the last settled spread of each row, with a reference each. The caller frees the array; NULL when
 * memory is used up. */
struct spread **functions_share_spreads(const struct functions *functions);

/* Does the same for the outliers. */
struct outliers **functions_share_outliers(const struct functions *functions);

/* Takes over a reference to `symtab` (or NULL), and names every row by its address again. */
void functions_rename(struct functions *functions, struct symtab *symtab);

#endif
