/* livestacks.h - stacks of targets that tell when a function begins and when it ends, one per context. */
#ifndef PROFILE_LIVESTACKS_H
#define PROFILE_LIVESTACKS_H

#include "profile/bounds.h"
#include "profile/calltree.h"
#include "profile/window_log.h"
#include "profile/timeline_ring.h"

/* Calls that are deeper are counted in over_limit and otherwise left out. */
enum { LIVESTACKS_DEPTH_MAX = 1024 };

#define LIVESTACKS_NONE UINT32_MAX

/* The stacks, one per context. */
struct livestacks {
    struct calltree *tree; /* borrowed, like the next two */
    struct functions *functions;
    struct timeline *timeline;
    struct kept *kept;        /* borrowed: which calls to list; NULL: none */
    struct bounds *bounds;    /* borrowed: what calls are compared with; NULL: nothing */
    struct timeline *turns;   /* borrowed: what contexts did, as snapshot/turns.h says */
    struct livestack *stacks; /* in the order in which their contexts were met */
    uint32_t count, capacity;
    uint32_t ended;         /* of these, those of which another has the number now */
    struct map by_context;  /* the dialect's number to the stack */
    uint32_t running;       /* the stack that the processor is known to run, or LIVESTACKS_NONE */
    uint32_t thread;        /* the last one of these that was no interrupt's, likewise */
    bool timed;             /* it is known how long contexts ran */
    bool switched;          /* ... since the target tells which one runs */
    bool turns_told;        /* a switch was reported, in a window or outside of one */
    bool is_window_over;    /* calls that are ended run at the end of a window */
    bool shows_only;        /* what comes is for the timeline: it is counted elsewhere */
    uint64_t newest_ticks;  /* of all contexts */
    uint64_t orphan_exits;  /* exits of functions that nobody saw begin */
    uint64_t missing_exits; /* functions that must have ended, since their caller did */
    uint64_t over_limit;    /* deeper than LIVESTACKS_DEPTH_MAX, or in one context too many */
    uint64_t refused;       /* of these, calls that began */
    uint64_t unfinished;    /* calls that were seen to begin, and of which no end was reported */
};

void livestacks_init(struct livestacks *stacks, struct calltree *tree, struct functions *functions,
                     struct timeline *timeline, struct timeline *turns);
void livestacks_fini(struct livestacks *stacks);
void livestacks_clear(struct livestacks *stacks);

/* Take in that `function` begins, or ends, at `ticks` in `context`. An exit that is not the innermost
 * function's ends the functions above it too; one of a function that is not on the stack is counted and
 * ignored. With `ends_inner` the functions above are known to have ended without telling so (longjmp): they
 * count as calls, up to the last event of their context. Else they must have ended unseen, and what
 * ran inside them is all that is known about them. */
void livestacks_enter(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks);
void livestacks_exit(struct livestacks *stacks, uint32_t context, uint32_t function, uint64_t ticks,
                     bool ends_inner);

/* Of the calls reported in `context`, the outermost low + high still run; `unknown` ones run between the
 * first `low` of these and the next one, and stand as placeholders until they are named. What does not run
 * any more ended after the latest event, at a time that is not known; with `ends_now` unknown calls ended at
 * `ticks`. */
void livestacks_reshape(struct livestacks *stacks, uint32_t context, uint32_t low, uint32_t unknown,
                        uint32_t high, uint64_t ticks, bool ends_now);

/* The unknown call at `depth` is one of `function`: from now on what it calls counts below it. What is no
 * unknown call is left as it is. */
void livestacks_name(struct livestacks *stacks, uint32_t context, uint32_t depth, uint32_t function,
                     uint64_t ticks);

/* The processor runs `context` from `ticks` on, which is an interrupt's or a thread's. `waits`: the thread
 * that ran until then waits for something, else it was preempted. An interrupt gives the processor back when
 * its outermost call ends, and takes it again with the next one. From the first switch on a call's total and
 * self time are the time in which its context ran. */
void livestacks_switch(struct livestacks *stacks, uint32_t context, bool is_interrupt, bool waits,
                       uint64_t ticks);

/* Events are missing: what the processor did is known up to `ticks`, and again from the next switch on. */
void livestacks_lose_turn(struct livestacks *stacks, uint64_t ticks);

/* Ends a window, of which what came was only to be shown: calls that run are shown up to `ticks`, and nothing
 * is known about any stack from there on. */
void livestacks_end_window(struct livestacks *stacks, uint64_t ticks);

/* Empties the stacks: nothing that was running can be trusted to run still, since events are missing or the
 * target started again. */
void livestacks_abandon(struct livestacks *stacks);

/* A snapshot's copies of the rows, with the blocks that blocks_copy() made of them. */
struct livestacks_rows {
    struct snapshot_function *functions;
    uint64_t *function_blocks;
    struct snapshot_node *nodes;
    uint64_t *node_blocks;
    uint64_t sequence;
};

/* Adds the time so far of functions that still run to total and self time in `rows`, and marks what it adds
 * to as changed. When such a function ends, the profile's own rows are marked as well, so that no reader
 * keeps what was only added here. What a placeholder ran itself is that of "[not known]" below it, of which
 * livestacks_tell_rest() has made the row. */
void livestacks_add_running(const struct livestacks *stacks, const struct livestacks_rows *rows);

/* Lists the *n calls that have not ended, callers first; the caller frees the array. NULL when memory is used
 * up, or there are none. */
struct timeline_open *livestacks_open(const struct livestacks *stacks, uint32_t *n);

/* Lists what each of the *n contexts does now, as snapshot/turns.h says; the caller frees the array. NULL
 * when memory is used up, or there are none. */
struct timeline_open *livestacks_turns(const struct livestacks *stacks, uint32_t *n);

/* How many calls run that were seen to begin. */
uint64_t livestacks_running(const struct livestacks *stacks);

/* How many contexts there are, and the dialect's number of the one that has this index in snapshots. */
uint32_t livestacks_contexts(const struct livestacks *stacks);
uint32_t livestacks_context(const struct livestacks *stacks, uint32_t index);

/* The index in snapshots of the context of that number, which it is given if it has none; LIVESTACKS_NONE
 * when there are too many, or memory is used up. */
uint32_t livestacks_index(struct livestacks *stacks, uint32_t context);

/* How many contexts may have ended, and what their numbers are from then on: LIVESTACKS_ENDED and more, which
 * no dialect gives out. */
enum { LIVESTACKS_ENDED_MAX = 512 };
#define LIVESTACKS_ENDED UINT32_C(0x80000000)

/* True when no further context can be told from the next one that has its number. */
static inline bool livestacks_are_full(const struct livestacks *stacks)
{
    return stacks->ended == LIVESTACKS_ENDED_MAX;
}

/* A context was renamed, so another one has its number from here on, with a stack and times of its own. While
 * calls run it may also be the same context under a new name: then nothing changes yet, and its next event
 * decides, see livestacks_was_another(). Returns the number that the ended context has now; LIVESTACKS_NONE
 * when there was none, calls run, too many have ended, or memory is used up. */
uint32_t livestacks_rename(struct livestacks *stacks, uint32_t context);

/* Call this when a STACK event says that nothing runs in that context. If this is the first event of the
 * context since it was renamed while calls ran, another context began at the renaming. Returns as
 * livestacks_rename(). */
uint32_t livestacks_was_another(struct livestacks *stacks, uint32_t context);

/* The context of that index is known to have run for `ticks`, from elsewhere than switches: in functions, the
 * rows of which have it, and in none. */
void livestacks_ran(struct livestacks *stacks, uint32_t index, uint64_t own_ticks, uint64_t outside_ticks);

/* Brings the rows up to date that have the rest of the time in which contexts are known to have run, so that
 * own time adds up to it, over the functions as over the tree: "[outside]" of each context, in which nothing
 * was on its stack. Makes the rows that livestacks_add_running() needs. Call this before the
 * rows are copied. */
void livestacks_tell_rest(struct livestacks *stacks);

/* The tree was emptied: what "[outside]" has is to be reported once more. */
void livestacks_retell_rest(struct livestacks *stacks);

/* How long the context of that index ran, and was kept from it; all 0 where that is not reported, as by a
 * dialect beside another that tells it. */
struct livestacks_times {
    bool is_known;
    uint64_t running_ticks, preempted_ticks, blocked_ticks;
};
struct livestacks_times livestacks_times(const struct livestacks *stacks, uint32_t index);

#endif
