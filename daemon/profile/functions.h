/* functions.h - one row per function, whatever addresses it was met under. */
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

/* The rows, and the ways to find one: by address, by symbol, by name of the wire. */
struct functions {
    struct snapshot_function *rows;
    struct histogram *histograms; /* parallel to rows */
    struct spread **spreads;      /* likewise: what the last snapshot has of the histograms */
    struct spread **spares;  /* likewise: what the one before that has, whose memory the next one takes */
    struct longest *longest; /* likewise */
    struct period *period;   /* likewise */
    uint32_t count, capacity, limit;
    uint32_t other;      /* the row "(other)", MAP_NONE until the ceiling is reached */
    uint64_t sequence;   /* what rows of functions and tree are marked with when they change */
    bool corrected;      /* the last snapshot had corrected times */
    uint64_t over_limit; /* addresses that were sent to "(other)" */
    struct map by_address;
    struct map by_symbol;        /* symbol index to row */
    struct map by_kind;          /* kind and number of a row that is no function to the row */
    struct function_name *named; /* names of the wire */
    uint32_t named_count, named_capacity;
    size_t named_bytes;
    struct map by_name;    /* hash of a name of the wire to its place in `named` */
    struct symtab *symtab; /* may be NULL */
    struct names *names;
    struct histogram_budget budget;
    struct longest_budget longest_budget;
    struct periods periods;
};

/* How many fine histogram blocks all functions may use together: 16 MiB. */
enum { FUNCTIONS_HISTOGRAM_BLOCKS = 131072 };

/* How many bytes of names of the wire are kept: 16 MiB. Functions of further names are "(other)". */
enum { FUNCTIONS_NAME_BYTES = 16 * 1024 * 1024 };

/* Makes a table of at most `limit` rows. False when memory is used up. */
bool functions_init(struct functions *functions, uint32_t limit);
void functions_fini(struct functions *functions);

/* Forgets all rows, not the symbols. */
void functions_clear(struct functions *functions);

/* Does what functions_at() does where `address` was not met before. */
uint32_t functions_at_new(struct functions *functions, uint64_t address);

/* Finds or makes the row of the function that covers `address`; beyond the limit "(other)". */
static inline uint32_t functions_at(struct functions *functions, uint64_t address)
{
    uint32_t id = map_find(&functions->by_address, address);
    return id != MAP_NONE ? id : functions_at_new(functions, address);
}

/* Tells whether the ELF has a function that covers `address`. */
bool functions_has_symbol(const struct functions *functions, uint64_t address);

/* Finds or makes the row of the function whose call returns to `return_address`. */
uint32_t functions_calling(struct functions *functions, uint64_t return_address);

/* Finds or makes the row of the function of that name (n bytes of the wire): the symbol's if there is one,
 * else one of its own. */
uint32_t functions_named(struct functions *functions, const char *name, size_t n);

/* Finds or makes the row of all that a ceiling merged. */
uint32_t functions_other(struct functions *functions);

/* Forgets the calls of functions that only arcs counted. */
void functions_forget_arc_calls(struct functions *functions);

/* Adds calls that the target counted, and the time in the function itself. */
void functions_add_counted(struct functions *functions, uint32_t id, uint64_t calls, uint64_t self_ticks);

/* How many calls all functions have, those in "(other)" as well. */
uint64_t functions_calls(const struct functions *functions);

/* Finds or makes the row that stands for callers which have not returned (KIND_RUNNING), for callers whose
 * records were lost (KIND_NOT_SEEN), for functions that call each other (KIND_CYCLE), or for time in none
 * (KIND_OUTSIDE, KIND_UNKNOWN, KIND_BELOW); `number` as in enum snapshot_kind, 0 where it means nothing. */
uint32_t functions_placeholder(struct functions *functions, enum snapshot_kind kind, uint32_t number);

/* Finds or makes the row of what lies between two checkpoints: row `number` of the checkpoints, called `name`
 * (valid UTF-8). It is never a function's, whatever the pair is called. */
uint32_t functions_pair(struct functions *functions, uint32_t number, const char *name);

/* The function of the caller of a call that counts at `node`, as struct outlier has it. */
static inline uint32_t functions_caller(const struct snapshot_node *nodes, const struct snapshot_node *node)
{
    int32_t parent = node->parent;
    return parent > 0 ? (uint32_t)nodes[parent].function : OUTLIER_NO_CALLER;
}

/* What counting needs, read once for many calls of one context. It is good until a row is added, or
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

/* The calls of that row are reported one by one from now on, finished or not; what arcs counted are the same
 * calls. */
static inline void functions_tell_each(struct snapshot_function *row)
{
    if (row->known & FUNCTION_EACH)
        return;
    row->calls = 0;
    row->known |= FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH;
}

/* Takes in a call that is shorter than all before, as the first one is, or longer than the shortest of those
 * that are kept: widens the row's extremes, and keeps it if it is one of the longest. `caller` as in struct
 * outlier. */
void functions_stretch(struct functions *functions, const struct timeline_call *call, uint32_t caller);

/* Keeps a call that is the first in its bucket of the histogram. */
void functions_keep_first(struct functions *functions, const struct timeline_call *call, uint32_t caller);

/* Counts one call, callees included, and returns its function's row. What is only known from the call's place
 * in the tree (total, self) is added by the caller. `nodes` are the tree's, `node` the one at which it
 * counts. */
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

/* Takes in that an outermost call of its function was reported: what there is from the one before to this
 * one. */
static inline void functions_begin(const struct functions_counters *counters,
                                   const struct timeline_call *call)
{
    period_count(&counters->functions->periods, &counters->period[call->function], call->function,
                 counters->period_key, call->start_ticks);
}

/* Brings p50, p90, p99, the deviation and the spread of rows changed since `since` up to date. False when
 * memory is used up. */
bool functions_settle(struct functions *functions, uint64_t since);

/* Copies the spread of each row as it was settled last, with a reference each. The caller frees the array;
 * NULL when memory is used up. */
struct spread **functions_share_spreads(const struct functions *functions);

/* Does that for the calls that are kept. */
struct outliers **functions_share_outliers(const struct functions *functions);

/* Takes over a reference to `symtab` (NULL: none) and names every row again by its address. */
void functions_rename(struct functions *functions, struct symtab *symtab);

#endif
