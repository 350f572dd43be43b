/* tree.h - version 3 of PROFILE_DATA, the call tree counted on the target, as events (protocol/SPEC.md
 * section 12). */
#ifndef DIALECT_MINIPROF_TREE_H
#define DIALECT_MINIPROF_TREE_H

#include "dialect/dialect.h"
#include "dialect/miniprof/tree_evict.h"

enum { TREE_CONTEXTS = 256 };

/* What the target has sent of a node so far. */
struct tree_shown {
    bool is_shown;
    uint64_t calls, ticks, longest;
};

/* What nodes that gave up their places cost. */
struct tree_losses {
    uint64_t bound, evictions; /* as in the head of a packet */
    uint64_t ticks;            /* that came */
    bool has_others;           /* the target had no room for sums of each function */
};

/* Zero is the start state. */
struct tree {
    struct mp_tree_table table;
    struct mp_tree_node node[TREE_NODES];
    struct mp_tree_known_context contexts[TREE_CONTEXTS];
    struct tree_shown shown[TREE_NODES];
    struct mp_tree_known_context contexts_shown[TREE_CONTEXTS];
    struct tree_evict evict;        /* of a run that evicts, in place of `shown` */
    uint64_t ticks_told;            /* of `shown` or `evict`, and `contexts_shown` */
    uint64_t ticks_lacking;         /* while the run is stopped: what these lack to what has elapsed */
    uint32_t rows_told;             /* of `shown` or `evict` */
    uint32_t rows_lacking;          /* while the run is stopped: what these lack to the nodes in use */
    uint32_t needed_told;           /* of EVENT_ROOM; 0: nothing was reported */
    struct tree_losses lost_told;   /* likewise */
    struct tree_losses lost_before; /* of the runs before this one, which add up with it */
    uint32_t contexts_told;         /* of `contexts`, what they are */
    uint32_t hz;                    /* as reported last in this run; 0: not yet */
    uint32_t told_hz;               /* as reported last; 0: never */
    bool is_begun;                  /* `base` is the tick at which the run began */
    uint64_t base, newest;          /* ticks */
    uint64_t anchor;                /* the tick at which the target's own time was `anchor_time` */
    uint32_t anchor_time;
    bool had_form, was_flat; /* of the run before */
};

/* Reads one payload, and adds what could not be read to `health`. Ticks of a new run go on from `after`. */
void tree_decode(struct tree *tree, const uint8_t *payload, size_t n, uint64_t after,
                 struct dialect_health *health, const struct event_out *out);

/* True when the newest packet says that with it all sums of its run have been reported; *is_whole: whether
 * they are all here. */
bool tree_is_closed(const struct tree *tree, bool *is_whole);

/* The tick of a reading of the target's own time, which is of before the newest packet, or of not long after.
 * There must have been one in this run. */
uint64_t tree_place(const struct tree *tree, uint32_t time);

/* True when the context is known. */
bool tree_has_told(const struct tree *tree, uint32_t context);

/* Of which run the payload is. */
enum dialect_run tree_run_of(const struct tree *tree, const uint8_t *payload, size_t n);

/* Nothing of this run will follow: what its sums lack, if it was stopped, is added to `health`. */
void tree_end_run(struct tree *tree, struct dialect_health *health);

/* The target started again, or speaks another version meanwhile. */
void tree_reset(struct tree *tree);

/* Tells again which nodes there are. */
void tree_retell(struct tree *tree, const struct event_out *out);

#endif
