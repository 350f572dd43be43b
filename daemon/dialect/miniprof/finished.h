/* finished.h - turns version 1 of PROFILE_DATA, finished calls, into events (protocol/SPEC.md section 5). */
#ifndef DIALECT_MINIPROF_FINISHED_H
#define DIALECT_MINIPROF_FINISHED_H

#include "dialect/dialect.h"

enum { FINISHED_RECORD = 14 }; /* bytes of a record */

/* All zero is the initial state. */
struct finished {
    uint64_t newest; /* newest end since the target started, on a line that begins at two periods; 0: none */
    uint64_t around; /* on that line, where the host's clock expects ends, if later than `newest` */
    uint64_t moved;  /* to be added for earlier restarts */
    struct {
        size_t n, at; /* number of records, and the last one with a duration; n is 0 without such a packet */
        uint8_t first[FINISHED_RECORD], one[FINISHED_RECORD]; /* the first record, and that one */
    } last; /* last PROFILE_DATA of this run of the target */
};

/* Reads one payload, and counts unreadable data in `health`. */
void finished_decode(struct finished *finished, const uint8_t *payload, size_t n,
                     struct dialect_health *health, const struct event_out *out);

/* Returns which run the payload belongs to, by its times. */
enum dialect_run finished_run_of(const struct finished *finished, const uint8_t *payload, size_t n);

/* The target was silent for `ticks` by the host's clock: ends are expected near that time. */
void finished_pass(struct finished *finished, uint64_t ticks);

/* The target restarted. */
void finished_reset(struct finished *finished);

#endif
