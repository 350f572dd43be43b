/* tree.h - turns version 3 of PROFILE_DATA, the call tree counted on the target, into events
 * (protocol/SPEC.md section 12). */
#ifndef DIALECT_MINIPROF_TREE_H
#define DIALECT_MINIPROF_TREE_H

#include "dialect/dialect.h"
#include "dialect/miniprof/tree_evict.h"

enum { TREE_CONTEXTS = 256 };

/* What was reported of a node so far. */
struct tree_shown {
    bool is_shown;
    uint64_t calls, ticks, longest;
};

/* Losses by evicted nodes. */
struct tree_losses {
    uint64_t bound, evictions; /* as in the head of a packet */
    uint64_t ticks;            /* ticks that arrived */
    bool has_others;           /* the target had no room for the sums of each function */
};

/* All zero is the initial state. */
struct tree {
    struct mp_tree_table table;
    struct mp_tree_node node[TREE_NODES];
    struct mp_tree_known_context contexts[TREE_CONTEXTS];
    struct tree_shown shown[TREE_NODES];
    struct mp_tree_known_context contexts_shown[TREE_CONTEXTS];
    struct tree_evict evict;        /* of a run that evicts, instead of `shown` */
    uint64_t ticks_told;            /* of `shown` or `evict`, and `contexts_shown` */
    uint64_t ticks_lacking;         /* in a stopped run: elapsed time minus these ticks */
    uint32_t rows_told;             /* of `shown` or `evict` */
    uint32_t rows_lacking;          /* in a stopped run: used nodes minus these rows */
    uint32_t needed_told;           /* in the last EVENT_ROOM; 0: none yet */
    struct tree_losses lost_told;   /* likewise */
    struct tree_losses lost_before; /* of earlier runs, which add up with this one */
    uint32_t contexts_told;         /* how many of `contexts` were reported */
    uint32_t hz;                    /* last rate in this run; 0: none yet */
    uint32_t told_hz;               /* last rate in any run; 0: none yet */
    bool is_begun;                  /* `base`, the first tick of the run, is set */
    uint64_t base, newest;          /* ticks */
    uint64_t anchor;                /* the tick at the target's time `anchor_time` */
    uint32_t anchor_time;
    bool had_form, was_flat; /* of the last run */
};

/* Reads one payload, and counts unreadable data in `health`. The ticks of a new run continue from `after`. */
void tree_decode(struct tree *tree, const uint8_t *payload, size_t n, uint64_t after,
                 struct dialect_health *health, const struct event_out *out);

/* True when the newest packet reports that all sums of its run have been sent; *is_whole: they have all
 * arrived. */
bool tree_is_closed(const struct tree *tree, bool *is_whole);

/* Returns the tick for a reading of the target's own time, which is before the newest packet or shortly after
 * it. There must have been a packet in this run. */
uint64_t tree_place(const struct tree *tree, uint32_t time);

/* True when the context was reported. */
bool tree_has_told(const struct tree *tree, uint32_t context);

/* Returns which run the payload belongs to. */
enum dialect_run tree_run_of(const struct tree *tree, const uint8_t *payload, size_t n);

/* The run has ended: adds what is missing from its sums, if it was stopped, to `health`. */
void tree_end_run(struct tree *tree, struct dialect_health *health);

/* The target restarted, or has sent another version since. */
void tree_reset(struct tree *tree);

/* Reports all nodes again. */
void tree_retell(struct tree *tree, const struct event_out *out);

#endif
