/* livestacks.h - stacks of targets that report when a function begins and when it ends, one per context. */
#ifndef PROFILE_LIVESTACKS_H
#define PROFILE_LIVESTACKS_H

#include "profile/bounds.h"
#include "profile/calltree.h"
#include "profile/window_log.h"
#include "profile/timeline_ring.h"

/* Deeper calls are only counted in over_limit. The timeline stores the number of calls on a stack in
 * TIMELINE_DEPTH_BITS. */
enum { LIVESTACKS_DEPTH_MAX = (1 << TIMELINE_DEPTH_BITS) - 1 };

#define LIVESTACKS_NONE UINT32_MAX

/* The stacks, one per context. */
struct livestacks {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct timeline *timeline;
    struct kept *kept;        /* borrowed: the list of slow calls; NULL: none */
    struct bounds *bounds;    /* borrowed: limits for calls; NULL: none */
    struct timeline *turns;   /* borrowed: turns of the contexts, see snapshot/turns.h */
    struct livestack *stacks; /* in the order in which their contexts were first reported */
    uint32_t count, capacity;
    uint32_t ended;         /* how many of these have given their number to another */
    struct map by_context;  /* key: the dialect's number; value: index in `stacks` */
    uint32_t running;       /* the stack that the processor runs, or LIVESTACKS_NONE when unknown */
    uint32_t thread;        /* the last of these that was not an interrupt's, or LIVESTACKS_NONE */
    bool timed;             /* running times of contexts are known */
    bool switched;          /* ... because the target reports switches */
    bool turns_told;        /* a switch was reported, inside or outside of a window */
    bool is_window_over;    /* a window is being ended, and cuts the calls that end now */
    bool shows_only;        /* events are only for the timeline; the calls are counted elsewhere */
    uint64_t newest_ticks;  /* of all contexts */
    uint64_t orphan_exits;  /* exits of functions whose begin was not seen */
    uint64_t missing_exits; /* functions that must have ended, because their caller did */
    uint64_t over_limit;    /* calls deeper than LIVESTACKS_DEPTH_MAX, or in a context above the limit */
    uint64_t refused;       /* of these, calls whose begin was reported */
    uint64_t unfinished;    /* calls whose begin was reported, but not the end */
};

void livestacks_init(struct livestacks *stacks, struct calltree *tree, struct functions *functions,
                     struct timeline *timeline, struct timeline *turns);
void livestacks_fini(struct livestacks *stacks);
void livestacks_clear(struct livestacks *stacks);

/* Record that `function` begins, or ends, at `ticks` in `context`. An exit that is not the innermost
 * function's also ends the functions above it. An exit of a function that is not on the stack is counted and
 * ignored. With `ends_inner`, the functions above have ended without an event (longjmp): they count as calls,
 * up to the last event of their context. Otherwise their exits were lost, and only their time up to then
 * counts. */
void livestacks_enter(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks);
void livestacks_exit(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks,
                     bool ends_inner);

/* Of the calls reported in `context`, the outermost low + high still run. Between the first `low` of these
 * and the rest, `unknown` other calls run; placeholders stand for them until they are named. Calls that do
 * not run any more ended after the last event, at an unknown time; with `ends_now`, unknown calls ended at
 * `ticks`. */
void livestacks_reshape(struct livestacks *stacks, uint32_t context, uint32_t low, uint32_t unknown,
                        uint32_t high, uint64_t ticks, bool ends_now);

/* The unknown call at `depth` is a call of `function`: from now on, its callees count below it. Ignored when
 * that call is not unknown. */
void livestacks_name(struct livestacks *stacks, uint32_t context, uint32_t depth, uint32_t function,
                     uint64_t ticks);

/* From `ticks` on, the processor runs `context`, an interrupt or a thread. `waits`: the thread that ran until
 * then waits for something; otherwise it was preempted. An interrupt returns the processor when its outermost
 * call ends, and takes it again at its next call. From the first switch on, total and self time of calls are
 * the time in which their context ran. */
void livestacks_switch(struct livestacks *stacks, uint32_t context, bool is_interrupt, bool waits,
                       uint64_t ticks);

/* Events are missing: the turns are known up to `ticks`, and again from the next switch on. */
void livestacks_lose_turn(struct livestacks *stacks, uint64_t ticks);

/* Ends a window, which is only shown: running calls are shown up to `ticks`, and all stacks are unknown from
 * then on. */
void livestacks_end_window(struct livestacks *stacks, uint64_t ticks);

/* Empties the stacks: events are missing or the target restarted, so it is unknown what still runs. */
void livestacks_abandon(struct livestacks *stacks);

/* A snapshot's copies of the rows, with the blocks that blocks_copy() made of them. */
struct livestacks_rows {
    struct snapshot_function *functions;
    uint64_t *function_blocks;
    struct snapshot_node *nodes;
    uint64_t *node_blocks;
    uint64_t sequence;
};

/* Adds the time so far of running functions to their total and self time in `rows`, and marks the changed
 * rows. When such a function ends, the profile's own rows are marked as well, so no reader keeps what was
 * only added here. The own time of a placeholder counts at "[not known]" below it; livestacks_tell_rest() has
 * made that row. */
void livestacks_add_running(const struct livestacks *stacks, const struct livestacks_rows *rows);

/* Lists the *n calls that have not ended, callers first; the caller frees the array. NULL when memory is used
 * up, or there are none. */
struct timeline_open *livestacks_open(const struct livestacks *stacks, uint32_t *n);

/* Lists the current turn of each of the *n contexts, see snapshot/turns.h; the caller frees the array. NULL
 * when memory is used up, or there are none. */
struct timeline_open *livestacks_turns(const struct livestacks *stacks, uint32_t *n);

/* Returns the number of running calls whose begin was reported. */
uint64_t livestacks_running(const struct livestacks *stacks);

/* Return the number of contexts, and the dialect's number of the context with this index in snapshots. */
uint32_t livestacks_contexts(const struct livestacks *stacks);
uint32_t livestacks_context(const struct livestacks *stacks, uint32_t index);

/* Returns the index in snapshots of the context with that number, which is added if needed; LIVESTACKS_NONE
 * when there are too many, or memory is used up. */
uint32_t livestacks_index(struct livestacks *stacks, uint32_t context);

/* Limit of contexts that have ended, and the first of their new numbers, which no dialect uses. */
enum { LIVESTACKS_ENDED_MAX = 512 };
#define LIVESTACKS_ENDED UINT32_C(0x80000000)

/* True when no more ended contexts can be kept apart from those that got their number. */
static inline bool livestacks_are_full(const struct livestacks *stacks)
{
    return stacks->ended == LIVESTACKS_ENDED_MAX;
}

/* A context was renamed, so another context has its number from now on, with its own stack and times. While
 * calls run, it may also be the same context with a new name. Then nothing changes yet, and the next event
 * decides, see livestacks_was_another(). Returns the new number of the ended context; LIVESTACKS_NONE when
 * there was none, calls run, too many have ended, or memory is used up. */
uint32_t livestacks_rename(struct livestacks *stacks, uint32_t context);

/* Call this when a STACK event reports that nothing runs in that context. If it is the context's first event
 * since it was renamed while calls ran, another context began then. Returns the same as
 * livestacks_rename(). */
uint32_t livestacks_was_another(struct livestacks *stacks, uint32_t context);

/* Adds running time that is known without switches: `own_ticks` in functions, whose rows include it, and
 * `outside_ticks` in none. */
void livestacks_ran(struct livestacks *stacks, uint32_t index, uint64_t own_ticks, uint64_t outside_ticks);

/* Updates "[outside]" of each context: the rest of its running time, in which no function was on its stack.
 * So own times add up to the running times, over functions as over nodes. Also makes the rows that
 * livestacks_add_running() needs. Call this before rows are copied. */
void livestacks_tell_rest(struct livestacks *stacks);

/* Call this when the tree was emptied: "[outside]" is added up again. */
void livestacks_retell_rest(struct livestacks *stacks);

/* Times of the context with that index; all 0 when they are not reported, as by a second dialect that does
 * not report them. */
struct livestacks_times {
    bool is_known;
    uint64_t running_ticks, preempted_ticks, blocked_ticks;
};
struct livestacks_times livestacks_times(const struct livestacks *stacks, uint32_t index);

#endif
