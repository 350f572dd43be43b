/* compact.h - version 2 of PROFILE_DATA, the compact stream, as events (protocol/SPEC.md section 10). */
#ifndef DIALECT_MINIPROF_COMPACT_H
#define DIALECT_MINIPROF_COMPACT_H

#include "dialect/miniprof/tree.h"
#include "protocol/stack_follower.h"

enum {
    COMPACT_CONTEXTS = 256, /* further ones are not shown, and counted as malformed */
    COMPACT_DEPTH = 1024,   /* of calls that are known one by one */
};

/* Zero is the start state. */
struct compact {
    struct mp_follower follower;
    struct mp_followed followed[COMPACT_CONTEXTS];
    uint32_t functions[COMPACT_CONTEXTS][COMPACT_DEPTH];
    uint32_t contexts_told; /* of `followed`, what they are */
    uint32_t hz;            /* as reported last in this run; 0: not yet */
    uint32_t told_hz;       /* as reported last; 0: never */
    bool is_based;          /* `moved` is what to add to the target's times */
    uint64_t moved;
    uint64_t newest;         /* newest tick received */
    const struct tree *tree; /* whose windows these are: events are KEPT; NULL: it is a stream */
    bool has_begin;          /* of a window: nothing of it is missing before its first packet */
    bool is_over; /* of a window: its end was reported, and what follows in that packet is none of it */
    struct batch *batch; /* where events go, during a call of those below */
};

/* Reads one payload, and adds what could not be read to `health`. Where a new line of time begins, its ticks
 * go on from `after`. */
void compact_decode(struct compact *compact, const uint8_t *payload, size_t n, uint64_t after,
                    struct dialect_health *health, const struct event_out *out);

/* True when the payload says that with it all events of a run have been reported. */
bool compact_is_closing(const uint8_t *payload, size_t n);

/* Of which run the payload is. */
enum dialect_run compact_run_of(const struct compact *compact, const uint8_t *payload, size_t n);

/* The next packet's time is the one nearest to `ticks` after the newest (SPEC.md section 7). */
void compact_pass(struct compact *compact, uint64_t ticks);

/* The target started again, or speaks another version meanwhile. */
void compact_reset(struct compact *compact);

/* Tells what runs, and in which context. */
void compact_retell(struct compact *compact, const struct event_out *out);

#endif
