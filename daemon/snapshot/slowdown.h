/* slowdown.h - how much slower the program runs because it is measured. */
#ifndef SNAPSHOT_SLOWDOWN_H
#define SNAPSHOT_SLOWDOWN_H

#include "snapshot/snapshot.h"

/* Of the calls that the profile counts, and the time in which they ran: that of the outermost functions
 * without what is idle, which is what the page leaves out as idle (webroot/js/model/idle.js): contexts of
 * kind "idle", or where there is none, and one thread only that never waits, the own time of its main loop.
 * What runs in no instrumented function has no hooks, and is in none of it. */
struct snapshot_slowdown {
    const char
        *unknown;      /* why nothing is known, a sentence; static. NULL: the other members mean something */
    double factor;     /* the time in which they ran, divided by what is left without the hooks */
    bool is_least;     /* calls are missing, whose hooks took time as well */
    double pair_ticks; /* that the two hooks of a call take, in ticks of the profile */
    uint64_t hook_ticks;       /* that all hooks took */
    uint64_t ticks;            /* the time in which they ran, hooks included */
    uint32_t short_functions;  /* whose own time is shorter than their hooks, on average */
    uint64_t short_hook_ticks; /* that the hooks of these took */
};

/* True when the calls of that row are counted and their hooks take longer than what it does itself. */
bool snapshot_is_short(const struct snapshot_function *function);

struct snapshot_slowdown snapshot_slowdown(const struct snapshot *snapshot);

enum { SLOWDOWN_SIZE = 240 };

/* "Measuring slows this program 2.2 times; 60 % of that in 46 functions that are shorter than their hooks.",
 * or why nothing is known. */
void snapshot_slowdown_words(const struct snapshot_slowdown *slowdown, char out[static SLOWDOWN_SIZE]);

#endif
