/* call_pairs.h - from packets of the compact stream to finished calls, on a host (SPEC.md section 10.6).
 *
 * A call is handed out with its own entry and exit, or not at all. Memory is the caller's; any bytes may be
 * given. */
#ifndef PROTOCOL_CALL_PAIRS_H
#define PROTOCOL_CALL_PAIRS_H

#include "protocol/stack_follower.h"

struct mp_pair {
    uint32_t context;
    uint32_t function;
    uint64_t start; /* ticks, widened; time goes on through restarts of the target */
    uint64_t end;
    uint32_t depth;
    bool is_whole; /* nothing that it called is missing: it lies after the last loss and the last start */
};

/* Between `from` and `to`, `lost` events are missing: all that happened in every context when packets were
 * lost (is_gap false), what the target had no room for in `context` when it is a gap. */
struct mp_loss {
    uint64_t from;
    uint64_t to;
    uint32_t lost;
    uint32_t context;
    bool is_gap;
};

/* The calls of one context that run and are known. */
struct mp_pairs_context {
    uint64_t *start; /* outermost first; the caller's memory */
    uint32_t n;
    uint32_t low;     /* of these, how many lie below the unknown ones */
    uint32_t unknown; /* that run, too */
    uint64_t since;   /* calls that began before it are not whole */
};

struct mp_pairs {
    void *user;
    void (*call)(void *user, const struct mp_pair *pair);
    void (*loss)(void *user, const struct mp_loss *loss); /* may be NULL */
    uint32_t hz;                                          /* ticks per second; 0: not sent yet */

    struct mp_follower follower; /* with its counters */

    /* Its own. */
    struct mp_pairs_context *contexts;
};

/* `followed` is as mp_follower_init() takes it; `contexts` has as many entries, of each of which `start` is
 * set, with room for as many calls as the stack of the former, and all else is 0. */
void mp_pairs_init(struct mp_pairs *pairs, struct mp_followed *followed, struct mp_pairs_context *contexts,
                   uint32_t room);

/* One PROFILE_DATA payload of version 2. */
void mp_pairs_packet(struct mp_pairs *pairs, const uint8_t *payload, size_t n);

/* The target has restarted, or the line was closed: what comes next has nothing to do with what came. */
void mp_pairs_restart(struct mp_pairs *pairs);

#endif
