/* call_pairs.h - makes finished calls of packets of the compact stream, on a host (SPEC.md section 10.6).
 *
 * A call is reported with its own entry and exit, or not at all. Memory is the caller's; any bytes are valid
 * input. */
#ifndef PROTOCOL_CALL_PAIRS_H
#define PROTOCOL_CALL_PAIRS_H

#include "protocol/stack_follower.h"

struct mp_pair {
    uint32_t context;
    uint32_t function;
    uint64_t start; /* ticks, widened; time continues through restarts of the target */
    uint64_t end;
    uint32_t depth;
    bool is_whole; /* all calls that it made are known: it lies after the last loss and the last start */
};

/* Between `from` and `to`, `lost` events are missing: events of every context when packets were lost (is_gap
 * false), or events of `context` for which the target had no room (is_gap true). */
struct mp_loss {
    uint64_t from;
    uint64_t to;
    uint32_t lost;
    uint32_t context;
    bool is_gap;
};

/* The running calls of one context that are known. */
struct mp_pairs_context {
    uint64_t *start; /* outermost first; the caller's memory */
    uint32_t n;
    uint32_t low;     /* how many of these lie below the unknown ones */
    uint32_t unknown; /* number of running calls that are unknown */
    uint64_t since;   /* calls that began earlier are not whole */
};

struct mp_pairs {
    void *user;
    void (*call)(void *user, const struct mp_pair *pair);
    void (*loss)(void *user, const struct mp_loss *loss); /* may be NULL */
    uint32_t hz;                                          /* ticks per second; 0: not sent yet */

    struct mp_follower follower; /* with its counters */

    /* Private. */
    struct mp_pairs_context *contexts;
};

/* `followed` is as for mp_follower_init(). `contexts` has the same number of entries, each zero except
 * `start`, which has room for as many calls as the stack of the entry of `followed`. */
void mp_pairs_init(struct mp_pairs *pairs, struct mp_followed *followed, struct mp_pairs_context *contexts,
                   uint32_t room);

/* Reads one PROFILE_DATA payload of version 2. */
void mp_pairs_packet(struct mp_pairs *pairs, const uint8_t *payload, size_t n);

/* The target has restarted, or the line was closed: later packets do not continue earlier ones. */
void mp_pairs_restart(struct mp_pairs *pairs);

#endif
