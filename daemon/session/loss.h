/* loss.h - how many records the target has counted that never came.
 *
 * Only while the target rests can that be told: a STATUS with an empty buffer and the same count as the one
 * before it means that everything it counted is either here or lost. In between, the difference also holds
 * what still waits in a buffer whose size nobody tells, so the figure stands still.
 *
 * A target that counts sums counts calls in its STATUS, too, and sends no records. So while none came since
 * it began to count, what is missing is in doubt: it counts as lost once a record comes, or nothing will. */
#ifndef SESSION_LOSS_H
#define SESSION_LOSS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is the start state. */
struct loss {
    bool has_start;             /* the next two were true at one moment at which nothing waited */
    uint64_t captured, records; /* the target's count, and ours */
    bool has_last;
    uint64_t last_captured; /* of the last STATUS */
    uint64_t last_records;
    uint64_t settled; /* lost before `has_start` */
    uint64_t doubted; /* and maybe these, too */
    uint64_t missing; /* and since, at the last rest */
    bool is_doubtful; /* ... of which none came */
    uint64_t
        rejected;  /* and since, of packets that could not be read, or whose numbers say so: the same ones */
    uint64_t most; /* that all came to so far */
};

/* Takes in a STATUS: the target has captured so many records, its buffer is used to so many percent, and
 * `records` have come here. */
void loss_hear(struct loss *loss, uint64_t captured, unsigned usage_percent, uint64_t records);

/* Takes in that so many records are known to be lost without the target's count. */
void loss_reject(struct loss *loss, uint64_t records);

/* Says that the target counts from 0 again. */
void loss_restart(struct loss *loss);

/* Says that the target tells records, so what is in doubt is lost. */
void loss_confirm(struct loss *loss);

/* Says that the target counts sums, so what is in doubt is not lost. */
void loss_hear_sums(struct loss *loss);

/* How many records are known to be lost so far. The number may fall again when a target rested with records
 * in its hands. */
uint64_t loss_total(const struct loss *loss);

/* The most that loss_total() ever was: for readers who take a fall for a new beginning. */
uint64_t loss_most(const struct loss *loss);

#endif
