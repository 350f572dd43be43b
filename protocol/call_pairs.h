/* call_pairs.h - from packets of the compact stream to finished calls, on a host (SPEC.md section 10.6).
 *
 * Keeps a stack for each context, follows the numbers of the packets, and forgets what a loss makes doubtful:
 * a call is handed out with its own entry and exit, or not at all. Memory is the caller's; any bytes may be
 * given. */
#ifndef PROTOCOL_CALL_PAIRS_H
#define PROTOCOL_CALL_PAIRS_H

#include "protocol/call_stack.h"
#include "protocol/compact_reader.h"

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

struct mp_pairs_context {
    struct mp_call_stack stack;
    uint64_t *start;
    uint32_t id;
    uint64_t since; /* calls that began before it are not whole */
    bool is_placed; /* its depth is known */
};

struct mp_pairs_counters {
    uint64_t packets;
    uint64_t malformed;       /* packets, of which the events before the fault were read */
    uint64_t late;            /* packets that came again or out of order, not read */
    uint64_t lost_in_packets; /* events */
    uint64_t lost_in_gaps;
    uint64_t runs;         /* starts of profiling that were seen */
    uint64_t unplaced;     /* events in contexts for which there was no memory */
    uint64_t other_depths; /* the target said another depth than what its events add up to */
    uint64_t time_jumps;   /* packets that begin before the one before them ended */
};

struct mp_pairs {
    void *user;
    void (*call)(void *user, const struct mp_pair *pair);
    void (*loss)(void *user, const struct mp_loss *loss); /* may be NULL */
    struct mp_pairs_counters counters;
    uint32_t hz; /* ticks per second; 0: not told yet */

    /* The rest is its own. */
    struct mp_pairs_context *contexts;
    uint32_t room;
    uint32_t n;
    struct mp_pairs_context *running; /* NULL: no memory for it */
    uint64_t time;
    uint32_t number;
    uint8_t run;
    bool is_begun;
};

/* `contexts` has `room` entries, of each of which stack.function, stack.room and start are set and all else
 * is 0. */
void mp_pairs_init(struct mp_pairs *pairs, struct mp_pairs_context *contexts, uint32_t room);

/* One PROFILE_DATA payload of version 2. */
void mp_pairs_packet(struct mp_pairs *pairs, const uint8_t *payload, size_t n);

/* The target has restarted, or the line was closed: what comes next has nothing to do with what came. */
void mp_pairs_restart(struct mp_pairs *pairs);

#endif
