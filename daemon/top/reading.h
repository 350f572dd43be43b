/* reading.h - the part of a daemon's snapshot that `miniprofd top` shows.
 *
 * Figures are doubles, since they are used for shares and differences. NAN is unknown, and so is everything computed
 * from it. */
#ifndef TOP_READING_H
#define TOP_READING_H

#include "base/error.h"
#include "base/jsonio.h"

#include <stddef.h>

struct reading_function {
    const char *name;
    double calls, own, total;    /* ticks, or samples where `is_sampled`; total is NAN then */
    double idle_own, idle_total; /* idle part of them; 0: none */
    double mean, p99, max;       /* ticks of a call, since the start */
    bool may_loop;               /* calls are counted, and its kind is possible in a main loop */
};

struct reading_context {
    const char *name, *kind; /* "thread", "isr", "idle" ... */
    double running;          /* ticks; NAN: unknown */
    double idle;             /* idle part of them: self time of its main loop */
    double blocked;          /* ticks in which it waited; NAN: unknown */
    double stack;            /* bytes */
};

/* The health of the line. */
struct reading_link {
    double bytes_per_second, calls_per_second, use_percent;
    double damaged, lost, overflows, reconnects, restarts; /* packets, records, times */
    double losses_of_unknown_size;
    double buffer_percent; /* of the device's buffer in use */
};

/* One answer. Functions and contexts are indexed by their ids. Texts are untrusted, to be made plain where they are
 * shown. */
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
    double sequence, cleared_at; /* of the snapshot, and of the last clear */
    double captured_s;           /* capture time in seconds since an arbitrary start; NAN: unknown */
    bool reports_functions;      /* the dialect does */
    double ticks_per_second;
    double all, idle; /* ticks of the call tree, and the idle part */
    bool is_profiling, has_profiling;
    bool is_sampled;
};

/* Reads the JSON of a snapshot, without idle time (idle.h). NULL with an error when it is invalid. The caller
 * frees. */
struct reading *reading_parse(const char *text, size_t n, struct error *err);
void reading_free(struct reading *reading);

/* True when the source will send no more. */
bool reading_has_ended(const struct reading *reading);

/* True when both are of the same profile, so that their difference is meaningful. */
bool reading_follows(const struct reading *after, const struct reading *before);

#endif
