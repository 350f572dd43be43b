/* loss.h - computes how many records the target counted that never arrived.
 *
 * STATUS has the target's count. It can be compared with the records received only while the target rests:
 * two STATUS with the same count and an empty buffer mean that each record has arrived or is lost. Otherwise,
 * the difference includes records in a buffer of unknown size, so the figure is not updated.
 *
 * A run begins with a count of 0. A target that counts sums counts their calls in STATUS but sends no
 * records, so its counts are not compared, except for the start of a run. While a run has shown neither
 * records nor sums, its loss is in doubt: it counts once a record arrives, or at the end. */
#ifndef SESSION_LOSS_H
#define SESSION_LOSS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct loss {
    bool has_start;             /* the next two were valid at a time of this run when nothing waited */
    uint64_t captured, records; /* the target's count, and records received */
    bool has_last;
    uint64_t last_captured; /* of the last STATUS */
    uint64_t last_records;
    uint64_t settled;  /* lost in runs that have ended */
    uint64_t doubted;  /* in such runs from which nothing arrived */
    uint64_t missing;  /* of this run since `has_start`, at its last rest */
    bool is_doubtful;  /* ... from which nothing arrived */
    uint64_t rejected; /* of this run, in unreadable packets or missing from sequence numbers; part of
                          `missing` */
    uint64_t most;     /* the highest total so far */
};

/* Processes a STATUS: the target has counted `captured` records, or calls if it `counts_sums`.
 * `usage_percent` is the use of its buffer; `records` have arrived since the daemon began, without sums. */
void loss_hear(struct loss *loss, uint64_t captured, unsigned usage_percent, uint64_t records,
               bool counts_sums);

/* Adds records that a packet showed to be lost. */
void loss_reject(struct loss *loss, uint64_t records);

/* A run has ended and another one begun, which counts from 0; `records` have arrived so far. The new run's
 * start may have been received already. */
void loss_restart(struct loss *loss, uint64_t records);

/* The target sends records, so records in doubt are lost. */
void loss_confirm(struct loss *loss);

/* A run that counts sums has begun, so records in doubt are not lost. */
void loss_hear_sums(struct loss *loss);

/* The number of records known to be lost. It falls if a target rested with records that arrive later. */
uint64_t loss_total(const struct loss *loss);

/* The highest loss_total() so far, for readers that take a fall for a restart. */
uint64_t loss_most(const struct loss *loss);

#endif
