/* direction.h - learns which way the counter of the TF-M profiler's checkpoints runs.
 *
 * The profiler works with counters of either direction and does not say which it has; of a reading on the
 * other side of a wrap only the direction tells what it means. Entries come in the order in which they were
 * made, so each that follows one of its topic by less than a quarter of the counter's period says it. (A
 * database that is printed topic by topic has others behind one another where a topic ends.) It is known once
 * three say the same, and at most one in 16 the contrary. */
#ifndef DIALECT_TFM_DIRECTION_H
#define DIALECT_TFM_DIRECTION_H

#include "dialect/tfm/item.h"

/* What is known so far. Zero is the start state. */
struct tfm_direction {
    bool across; /* all entries are in order, whatever their topics: set it where pairs are of two of them */
    bool has_last;
    uint32_t topic, count; /* of the entry before */
    uint64_t up, down;     /* entries for each direction */
    bool wrapped;          /* two readings were nearer over a wrap, one way or the other */
};

/* Takes in the next entry. */
void tfm_direction_see(struct tfm_direction *direction, const struct tfm_item *item);

/* Tells which way it is; COUNTER_EITHER: not known. */
enum event_counter tfm_direction_known(const struct tfm_direction *direction);

/* Tells whether times may be wrong, since it matters which way it is and is not known, or some entries
 * contradict it. */
bool tfm_direction_is_in_doubt(const struct tfm_direction *direction);

#endif
