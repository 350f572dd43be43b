/* direction.c - learns the direction of the counter of the TF-M profiler's checkpoints. */
#include "dialect/tfm/direction.h"

enum { SAY_SO = 3, CONTRARY_ONE_IN = 16 };

#define QUARTER (INT64_C(1) << 30)

void tfm_direction_see(struct tfm_direction *direction, const struct tfm_item *item)
{
    uint32_t topic = tfm_tag_topic(item->tag), up = item->count - direction->count;
    if (direction->has_last && (direction->across || topic == direction->topic)) {
        int64_t step = up < UINT32_C(1) << 31 ? (int64_t)up : (int64_t)up - (INT64_C(1) << 32);
        direction->up += step > 0 && step < QUARTER;
        direction->down += step < 0 && step > -QUARTER;
        direction->wrapped |= (step > 0) != (item->count > direction->count) && step != 0;
    }
    direction->has_last = true;
    direction->topic = topic;
    direction->count = item->count;
}

enum event_counter tfm_direction_known(const struct tfm_direction *direction)
{
    uint64_t up = direction->up, down = direction->down;
    if (up >= SAY_SO && up > CONTRARY_ONE_IN * down)
        return COUNTER_UP;
    return down >= SAY_SO && down > CONTRARY_ONE_IN * up ? COUNTER_DOWN : COUNTER_EITHER;
}

bool tfm_direction_is_in_doubt(const struct tfm_direction *direction)
{
    return tfm_direction_known(direction) == COUNTER_EITHER ? direction->wrapped
                                                            : direction->up && direction->down;
}
