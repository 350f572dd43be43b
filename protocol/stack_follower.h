/* stack_follower.h - follows each stack by packets of the compact stream, on a host (SPEC.md section 10.6).
 *
 * Keeps a stack for each context, follows the numbers of the packets, and forgets what a loss makes doubtful.
 * It reports enough about every stack that the listener can keep the same: an exit is sent only for a call
 * whose own entry was sent. Memory is the caller's; any bytes may be given. */
#ifndef PROTOCOL_STACK_FOLLOWER_H
#define PROTOCOL_STACK_FOLLOWER_H

#include "protocol/call_stack.h"
#include "protocol/compact_reader.h"

enum mp_step_kind {
    MP_STEP_RUN,    /* a run of profiling begins, or one of which nothing was read before */
    MP_STEP_SWITCH, /* the context runs from here on */
    MP_STEP_ENTER,  /* a call of `function` begins, at `depth` */
    MP_STEP_EXIT,   /* the call of `function` at `depth` ends, and those above it without an exit (longjmp) */
    MP_STEP_OPEN,   /* the call at `depth`, not known so far, is one of `function` */
    MP_STEP_STACK,  /* the running calls differ from those reported: see `low` */
    MP_STEP_LOSS,   /* events are missing between `from` and `time` */
    MP_STEP_CLOCK,  /* `hz` ticks per second */
    MP_STEP_NAME,   /* the name of the context, which need not be the running one */
    MP_STEP_WINDOW, /* why the target kept the window to which these packets belong */
    MP_STEP_WINDOW_END, /* the window ends */
};

/* Members of other kinds are 0; time and context are always set. */
struct mp_step {
    enum mp_step_kind kind;
    uint32_t context;
    uint64_t time;     /* ticks, widened; continues through restarts of the target */
    uint32_t function; /* ENTER, EXIT, OPEN; WINDOW: of the slow call, or 0 */
    uint32_t depth;    /* ENTER, EXIT, OPEN: calls below it */
    uint32_t age;      /* OPEN: ticks that it has run */

    /* STACK: of the calls reported, the outermost low + high still run, the others have ended. Between the
     * first `low` of these and the next one run `unknown` calls. */
    uint32_t low, unknown, high;
    bool is_exit; /* STACK: the innermost unknown call ended at `time`; otherwise calls may have ended at any
                     time since the latest event */

    uint64_t from;       /* LOSS */
    uint32_t lost;       /* LOSS: events */
    bool is_gap;         /* LOSS: the target had no room for them; otherwise packets were lost, of any
                            context */
    bool is_wait;        /* SWITCH: the previous task waits for something; otherwise it was preempted */
    uint32_t hz;         /* CLOCK */
    bool is_idle;        /* NAME: it is the task that runs when nothing else does */
    uint8_t name_length; /* NAME */
    const uint8_t *name; /* NAME: any bytes in the payload, without a NUL */
    uint8_t why;         /* WINDOW: MP_WINDOW_..., or another number */
    uint32_t ticks;      /* WINDOW: duration of the call */
    uint32_t since;      /* WINDOW: ticks from `time` to the trigger */
    uint32_t missed;     /* WINDOW: triggers without a window since the previous one */
};

typedef void (*mp_step_fn)(void *user, const struct mp_step *step);

struct mp_followed {
    struct mp_call_stack stack;
    uint32_t id;
    bool is_placed; /* its depth is known */
};

struct mp_follow_counters {
    uint64_t packets;
    uint64_t malformed;       /* packets; events before the error were read */
    uint64_t late;            /* packets that arrived twice or out of order, and were not read */
    uint64_t exits;           /* events read: calls that ended, known or not */
    uint64_t lost_in_packets; /* events */
    uint64_t lost_in_gaps;
    uint64_t runs;         /* starts of profiling that were seen */
    uint64_t unplaced;     /* events in contexts without memory */
    uint64_t other_depths; /* the target sent another depth than its events add up to */
    uint64_t time_jumps;   /* packets that begin before the end of the previous one */
};

struct mp_follower {
    void *user;
    mp_step_fn step;
    struct mp_follow_counters counters;

    /* The rest is private. */
    struct mp_followed *contexts;
    uint32_t room;
    uint32_t n;
    struct mp_followed *running; /* NULL: no memory for it */
    uint64_t time;
    uint64_t heard;  /* of the latest event that has a time: events lost in a gap are later */
    uint64_t around; /* the times of the next packets are near this, or near `time` if that is later */
    uint32_t number;
    uint8_t run;
    bool is_window; /* `run` is one of windows */
    bool is_begun;
    bool is_anew; /* the next run begins with event 0, since the target restarted */
};

/* `contexts` has `room` entries, in each of which stack.function and stack.room are set and all else is 0. */
void mp_follower_init(struct mp_follower *follower, struct mp_followed *contexts, uint32_t room);

/* Reads one PROFILE_DATA payload of version 2. Windows are independent of each other and of other packets:
 * each begins like a run. To follow both, use two followers. */
void mp_follower_packet(struct mp_follower *follower, const uint8_t *payload, size_t n);

/* Takes the next packet's time as the one nearest to `ticks` after what was read so far (SPEC.md section 7,
 * after a silence). */
void mp_follower_pass(struct mp_follower *follower, uint64_t ticks);

/* Returns true when that payload continues the run of the previous one: by its numbers and, where no event is
 * missing, by the depth of the stack at its beginning. Returns false also when there was none. */
bool mp_follower_continues(const struct mp_follower *follower, const uint8_t *payload, size_t n);

/* Reports again what runs: for each context with calls a STACK in which all are unknown, an OPEN of age 0 for
 * each known call, and last a SWITCH to the running context. */
void mp_follower_retell(struct mp_follower *follower);

/* The target has restarted, or was switched to another version in between: the next packet is of a new run,
 * and its earlier events are missing. */
void mp_follower_restart(struct mp_follower *follower);

#endif
