/* stack_follower.h - from packets of the compact stream to what happened on each stack, on a host (SPEC.md
 * section 10.6).
 *
 * Keeps a stack for each context, follows the numbers of the packets, and forgets what a loss makes doubtful.
 * It tells of every stack so much that whoever listens can keep the same: an exit is sent only for a call
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
    MP_STEP_STACK,  /* other calls run than those reported: see `low` */
    MP_STEP_LOSS,   /* events are missing between `from` and `time` */
    MP_STEP_CLOCK,  /* `hz` ticks per second */
    MP_STEP_NAME,   /* what the context is called, whichever runs */
    MP_STEP_WINDOW, /* why the target kept the window of which these packets are */
    MP_STEP_WINDOW_END, /* nothing of it follows */
};

/* What is not of its kind is 0; time and context always are. */
struct mp_step {
    enum mp_step_kind kind;
    uint32_t context;
    uint64_t time;     /* ticks, widened; goes on through restarts of the target */
    uint32_t function; /* ENTER, EXIT, OPEN; WINDOW: of the call that was slow, or 0 */
    uint32_t depth;    /* ENTER, EXIT, OPEN: calls below it */
    uint32_t age;      /* OPEN: ticks that it has run */

    /* STACK: of the calls sent, the outermost low + high still run, the others have ended; between the first
     * `low` of these and the next one run `unknown` calls of which nothing is known. */
    uint32_t low, unknown, high;
    bool is_exit; /* STACK: the innermost call of which nothing is known ended at `time`; else calls may have
                     ended at any time since the latest event */

    uint64_t from;       /* LOSS */
    uint32_t lost;       /* LOSS: events */
    bool is_gap;         /* LOSS: the target had no room for them; else packets were lost, of any context */
    bool is_wait;        /* SWITCH: the task that ran until then waits for something, else it was preempted */
    uint32_t hz;         /* CLOCK */
    bool is_idle;        /* NAME: it is the task that runs when nothing else does */
    uint8_t name_length; /* NAME */
    const uint8_t *name; /* NAME: any bytes, without an end; in the payload */
    uint8_t why;         /* WINDOW: MP_WINDOW_..., or another number */
    uint32_t ticks;      /* WINDOW: that the call took */
    uint32_t since;      /* WINDOW: ticks from `time` to the trigger */
    uint32_t missed;     /* WINDOW: triggers that kept no window since the one before */
};

typedef void (*mp_step_fn)(void *user, const struct mp_step *step);

struct mp_followed {
    struct mp_call_stack stack;
    uint32_t id;
    bool is_placed; /* its depth is known */
};

struct mp_follow_counters {
    uint64_t packets;
    uint64_t malformed;       /* packets, of which the events before the fault were read */
    uint64_t late;            /* packets that came again or out of order, not read */
    uint64_t exits;           /* events that were read: calls that ended, known or not */
    uint64_t lost_in_packets; /* events */
    uint64_t lost_in_gaps;
    uint64_t runs;         /* starts of profiling that were seen */
    uint64_t unplaced;     /* events in contexts for which there was no memory */
    uint64_t other_depths; /* the target said another depth than what its events add up to */
    uint64_t time_jumps;   /* packets that begin before the one before them ended */
};

struct mp_follower {
    void *user;
    mp_step_fn step;
    struct mp_follow_counters counters;

    /* The rest is its own. */
    struct mp_followed *contexts;
    uint32_t room;
    uint32_t n;
    struct mp_followed *running; /* NULL: no memory for it */
    uint64_t time;
    uint64_t heard;  /* of the latest event that has a time: what a gap lacks came after that */
    uint64_t around; /* the times of the next packets lie around that; no less than `time` is used */
    uint32_t number;
    uint8_t run;
    bool is_window; /* `run` is one of windows */
    bool is_begun;
    bool is_anew; /* the run to come begins with event 0, since the target restarted */
};

/* `contexts` has `room` entries, of each of which stack.function and stack.room are set and all else is 0. */
void mp_follower_init(struct mp_follower *follower, struct mp_followed *contexts, uint32_t room);

/* One PROFILE_DATA payload of version 2. Windows have nothing to do with each other nor with what is no
 * window: each begins as a run does. To follow both, take two of these. */
void mp_follower_packet(struct mp_follower *follower, const uint8_t *payload, size_t n);

/* The time of the packet that comes next is taken to be the one nearest to `ticks` after what was read so far
 * (SPEC.md section 7, after a silence). */
void mp_follower_pass(struct mp_follower *follower, uint64_t ticks);

/* True when that payload goes on with the run of the one before: by its numbers, and where no event is
 * missing by the depth of the stack that it begins on. False also when there was none. */
bool mp_follower_continues(const struct mp_follower *follower, const uint8_t *payload, size_t n);

/* Tells once more what runs: for each context with calls a STACK on which nothing is known, an OPEN of age 0
 * for each call that is, and last the SWITCH to the one that runs. */
void mp_follower_retell(struct mp_follower *follower);

/* The target has restarted, or was asked for another version meanwhile: what comes next is of a new run,
 * whose events before its first packet are missing. */
void mp_follower_restart(struct mp_follower *follower);

#endif
