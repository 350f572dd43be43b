/* finished.h - version 1 of PROFILE_DATA, finished calls, as events (protocol/SPEC.md section 5). */
#ifndef DIALECT_MINIPROF_FINISHED_H
#define DIALECT_MINIPROF_FINISHED_H

#include "dialect/dialect.h"

enum { FINISHED_RECORD = 14 }; /* bytes of a record */

/* Zero is the start state. */
struct finished {
    uint64_t newest; /* end so far, since this start of the target, on a line that begins two periods up; 0:
                        none yet */
    uint64_t around; /* where on that line ends are expected by the host's clock, if later than `newest` */
    uint64_t moved;  /* what to add for restarts before */
    struct {
        size_t n, at; /* records, and the last that has a length; n is 0 when there was no such packet */
        uint8_t first[FINISHED_RECORD], one[FINISHED_RECORD]; /* the first, and that one */
    } last;                                                   /* PROFILE_DATA of this run of the target */
};

/* Reads one payload, and adds what could not be read to `health`. */
void finished_decode(struct finished *finished, const uint8_t *payload, size_t n,
                     struct dialect_health *health, const struct event_out *out);

/* Of which run the payload is, by its times. */
enum dialect_run finished_run_of(const struct finished *finished, const uint8_t *payload, size_t n);

/* The target was silent for `ticks` by the host's clock: ends are expected around there. */
void finished_pass(struct finished *finished, uint64_t ticks);

/* The target started again. */
void finished_reset(struct finished *finished);

#endif
