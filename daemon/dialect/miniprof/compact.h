/* compact.h - turns version 2 of PROFILE_DATA, the compact stream, into events (protocol/SPEC.md section
 * 10). */
#ifndef DIALECT_MINIPROF_COMPACT_H
#define DIALECT_MINIPROF_COMPACT_H

#include "dialect/miniprof/tree.h"
#include "protocol/stack_follower.h"

enum {
    COMPACT_CONTEXTS = 256, /* further ones are not shown, and counted as malformed */
    COMPACT_DEPTH = 1024,   /* of known calls on a stack */
};

/* All zero is the initial state. */
struct compact {
    struct mp_follower follower;
    struct mp_followed followed[COMPACT_CONTEXTS];
    uint32_t functions[COMPACT_CONTEXTS][COMPACT_DEPTH];
    uint32_t contexts_told; /* how many of `followed` were reported */
    uint32_t hz;            /* last rate in this run; 0: none yet */
    uint32_t told_hz;       /* last rate in any run; 0: none yet */
    bool is_based;          /* `moved` is set: add it to the target's times */
    uint64_t moved;
    uint64_t newest;         /* newest tick received */
    const struct tree *tree; /* for windows: the tree they belong to, so events are KEPT; NULL for a stream */
    bool has_begin;          /* window: nothing is missing before its first packet */
    bool is_over;        /* window: its end was reported; later events in that packet do not belong to it */
    struct batch *batch; /* where events go, during a call */
};

/* Reads one payload, and counts unreadable data in `health`. The ticks of a new time line continue from
 * `after`. */
void compact_decode(struct compact *compact, const uint8_t *payload, size_t n, uint64_t after,
                    struct dialect_health *health, const struct event_out *out);

/* True when the payload reports that all events of its run have been sent. */
bool compact_is_closing(const uint8_t *payload, size_t n);

/* Returns which run the payload belongs to. */
enum dialect_run compact_run_of(const struct compact *compact, const uint8_t *payload, size_t n);

/* The next packet's time is the one nearest to the newest time plus `ticks` (SPEC.md section 7). */
void compact_pass(struct compact *compact, uint64_t ticks);

/* The target restarted, or has sent another version since. */
void compact_reset(struct compact *compact);

/* Reports the running calls and the current context. */
void compact_retell(struct compact *compact, const struct event_out *out);

#endif
