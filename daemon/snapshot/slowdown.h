/* slowdown.h - computes how much slower the program runs because it is measured. */
#ifndef SNAPSHOT_SLOWDOWN_H
#define SNAPSHOT_SLOWDOWN_H

#include "snapshot/snapshot.h"

/* Covers the calls that the profile counts, and the time of the outermost functions without idle time. Idle
 * is the same as on the page (webroot/js/model/idle.js): contexts of kind "idle". When there is none, and
 * only one thread, which never waits, it is the own time of that thread's main loop. Code outside of
 * instrumented functions has no hooks and is not included. */
struct snapshot_slowdown {
    const char *unknown; /* why nothing is known, as a sentence; static. NULL: the other members are valid */
    double factor;       /* `ticks` divided by the same without hooks */
    bool is_least;       /* calls are missing, whose hooks also took time */
    double pair_ticks;   /* cost of the two hooks of a call, in ticks of the profile */
    uint64_t hook_ticks; /* cost of all hooks */
    uint64_t ticks;      /* time of the calls, including hooks */
    int32_t loop_node;   /* innermost node of the main loop, whose own time is idle; 0: none */
    uint32_t short_functions;  /* functions whose own time is shorter than their hooks, on average */
    uint64_t short_hook_ticks; /* cost of their hooks */
};

/* True when the row's calls are counted and their hooks take longer than the function itself. */
bool snapshot_is_short(const struct snapshot_function *function);

struct snapshot_slowdown snapshot_slowdown(const struct snapshot *snapshot);

enum { SLOWDOWN_SIZE = 240 };

/* Writes "Measuring slows this program 2.2 times; 60 % of that in 46 functions that are shorter than their
 * hooks.", or why nothing is known. */
void snapshot_slowdown_words(const struct snapshot_slowdown *slowdown, char out[static SLOWDOWN_SIZE]);

#endif
