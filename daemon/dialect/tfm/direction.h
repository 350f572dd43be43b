/* direction.h - learns the direction of the counter of the TF-M profiler's checkpoints.
 *
 * The profiler works with counters of either direction and does not report which it has. After a wrap, a
 * reading can only be interpreted with the direction. Entries arrive in the order in which they were made. So
 * each entry that follows one of its topic by less than a quarter of the counter's period shows the
 * direction. (A database that is printed topic by topic has no such order between topics.) The direction is
 * known once three entries agree, and at most one in 16 disagrees. */
#ifndef DIALECT_TFM_DIRECTION_H
#define DIALECT_TFM_DIRECTION_H

#include "dialect/tfm/item.h"

/* What is known so far. All zero is the initial state. */
struct tfm_direction {
    bool across; /* all entries are in order, whatever their topics; set this when pairs have two topics */
    bool has_last;
    uint32_t topic, count; /* of the last entry */
    uint64_t up, down;     /* entries that show each direction */
    bool wrapped;          /* two readings were nearer across a wrap, in either direction */
};

/* Reads the next entry. */
void tfm_direction_see(struct tfm_direction *direction, const struct tfm_item *item);

/* Returns the direction; COUNTER_EITHER when it is unknown. */
enum event_counter tfm_direction_known(const struct tfm_direction *direction);

/* True when times may be wrong, because the direction matters and is unknown, or some entries contradict
 * it. */
bool tfm_direction_is_in_doubt(const struct tfm_direction *direction);

#endif
