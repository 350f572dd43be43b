/* split_json.h - writes how a context spent a stretch of time: running, preempted, blocked. */
#ifndef API_SPLIT_JSON_H
#define API_SPLIT_JSON_H

#include "base/json.h"
#include "snapshot/split.h"

/* The memory for one split. */
struct split_room {
    uint64_t by[SNAPSHOT_CONTEXTS_MAX];
    struct split_preempter {
        uint32_t context;
        uint64_t ticks;
    } preempters[SNAPSHOT_CONTEXTS_MAX];
};

/* Writes the members "ran_ticks", "preempted_ticks", "blocked_ticks", "by" and "wait" of [from, to) of
 * `context`, each null where the split is unknown. False when memory is used up. */
bool split_write(const struct snapshot *snapshot, uint32_t context, uint64_t from, uint64_t to,
                 struct split_room *room, struct json *json);

#endif
