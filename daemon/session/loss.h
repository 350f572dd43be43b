/* loss.h - how many records the target has counted that never came.
 *
 * STATUS tells how many the target counted. That can be compared with what came only while it rests: two of
 * them with the same count and an empty buffer mean that everything counted is either here or lost. In
 * between, the difference also holds what waits in a buffer of unknown size, so the figure stands still.
 *
 * A run begins with a count of 0. A target that counts sums counts their calls in STATUS as well and sends no
 * records, so its counts are not compared, except for where a run begins. When a run has shown neither
 * records nor sums, its loss is in doubt: it counts once a record comes, or once nothing will. */
#ifndef SESSION_LOSS_H
#define SESSION_LOSS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct loss {
    bool has_start;             /* the next two were true at one moment of this run at which nothing waited */
    uint64_t captured, records; /* the target's count, and ours */
    bool has_last;
    uint64_t last_captured; /* of the last STATUS */
    uint64_t last_records;
    uint64_t settled;  /* lost in runs that are over */
    uint64_t doubted;  /* in such runs of which nothing came */
    uint64_t missing;  /* of this run since `has_start`, at its last rest */
    bool is_doubtful;  /* ... of which nothing came */
    uint64_t rejected; /* of this run, by packets that could not be read or whose numbers tell of it: they are
                          among the missing */
    uint64_t most;     /* the most that the total was */
};

/* Takes in a STATUS: the target has captured this many records, or calls where it `counts_sums`; its buffer
 * is used to this many percent, and `records` have come here since the daemon began, sums not among them. */
void loss_hear(struct loss *loss, uint64_t captured, unsigned usage_percent, uint64_t records,
               bool counts_sums);

/* Takes in that this many records are lost, which a packet reported. */
void loss_reject(struct loss *loss, uint64_t records);

/* Takes in that a run ended and another one began, which counts from 0; `records` have come so far. Its begin
 * may have been received already. */
void loss_restart(struct loss *loss, uint64_t records);

/* Takes in that the target tells records, so what is in doubt is lost. */
void loss_confirm(struct loss *loss);

/* Takes in that a run which counts sums began, so what is in doubt is not lost. */
void loss_hear_sums(struct loss *loss);

/* How many records are known to be lost so far. The number falls when a target rested with records in its
 * hands, which come later. */
uint64_t loss_total(const struct loss *loss);

/* The most that loss_total() ever was: for readers that take a fall for a new beginning. */
uint64_t loss_most(const struct loss *loss);

#endif
