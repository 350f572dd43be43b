/* reading.h - what `miniprofd top` shows of a profile: one answer of a daemon, read.
 *
 * Figures are doubles, since shares and differences are made of them; NAN is "unknown", also in whatever is
 * computed from it. */
#ifndef TOP_READING_H
#define TOP_READING_H

#include "base/error.h"
#include "base/jsonio.h"

#include <stddef.h>

struct reading_function {
    const char *name;
    double calls, own, total;    /* ticks, or samples where `is_sampled`; total is NAN then */
    double idle_own, idle_total; /* what of them is idle; 0: none */
    double mean, p99, max;       /* ticks of a call, over all of the time */
    bool may_loop;               /* of the kinds that a main loop has */
};

struct reading_context {
    const char *name, *kind; /* "thread", "isr", "idle" ... */
    double running;          /* ticks; NAN: the target does not say */
    double idle;             /* what of them is the idle time of its main loop */
    double blocked;          /* ticks in which it waited; NAN: unknown */
    double stack;            /* bytes */
};

/* What came over the line. */
struct reading_link {
    double bytes_per_second, calls_per_second, use_percent;
    double damaged, lost, overflows, reconnects, restarts; /* packets, records, times */
    double losses_of_unknown_size;
    double buffer_percent; /* of the device, in use */
};

/* One answer. Functions stand at their ids, contexts at theirs. Texts are as the device or the server sent
 * them: data, to be made plain where they are shown. */
struct reading {
    struct jsonio *top; /* owns the texts */
    struct reading_function *functions;
    size_t functions_n;
    struct reading_context *contexts;
    size_t contexts_n;
    struct reading_link link;
    const char *port, *dialect, *state, *detail, *firmware, *mode;
    const char *incomplete; /* the first reason; NULL: complete */
    double baud;
    double sequence, cleared_at; /* which snapshot, and since which one it counts */
    double captured_s;           /* when it was taken: seconds since an arbitrary start; NAN: unknown */
    double ticks_per_second;
    double all, idle; /* ticks of the call tree, and what of them is idle */
    bool is_profiling, has_profiling;
    bool is_sampled;
};

/* Reads the JSON of a snapshot, except for idle time (idle.h). NULL with a sentence when it is none; the
 * caller frees. */
struct reading *reading_parse(const char *text, size_t n, struct error *err);
void reading_free(struct reading *reading);

/* True when the source will send no more. */
bool reading_has_ended(const struct reading *reading);

/* True when differences between the two mean something: one profile, that goes on. */
bool reading_follows(const struct reading *after, const struct reading *before);

#endif
