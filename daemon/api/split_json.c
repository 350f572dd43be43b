/* split_json.c - writes how a context spent a stretch of time: running, preempted, blocked. */
#include "api/split_json.h"

#include <stdlib.h>

static int most_first(const void *left, const void *right)
{
    const struct split_preempter *a = left, *b = right;
    if (a->ticks != b->ticks)
        return a->ticks > b->ticks ? -1 : 1;
    return a->context < b->context ? -1 : a->context > b->context;
}

static void write_preempters(const struct snapshot *snapshot, struct split_room *room, struct json *json)
{
    struct split_preempter *list = room->preempters;
    size_t found = 0;
    for (uint32_t i = 0; i < snapshot->context_count; i++)
        if (room->by[i] > 0)
            list[found++] = (struct split_preempter){i, room->by[i]};
    qsort(list, found, sizeof *list, most_first);
    json_array_open(json, "by");
    for (size_t i = 0; i < found; i++) {
        json_object_open(json, NULL);
        json_u64(json, "context", list[i].context);
        json_u64(json, "ticks", list[i].ticks);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_wait(const struct snapshot *snapshot, uint32_t context, const struct split *split,
                       struct json *json)
{
    uint32_t function = 0;
    if (split->wait_ticks == 0) {
        json_null(json, "wait");
        return;
    }
    bool has_function = split_innermost(snapshot, context, split->wait_start,
                                        split->wait_start + split->wait_ticks, &function);
    json_object_open(json, "wait");
    json_u64(json, "start", split->wait_start);
    json_u64(json, "duration", split->wait_ticks);
    json_known_u64(json, "function", has_function, function);
    json_known_u64(json, "ran_last", split->has_last, split->ran_last);
    json_object_close(json);
}

bool split_write(const struct snapshot *snapshot, uint32_t context, uint64_t from, uint64_t to,
                 struct split_room *room, struct json *json)
{
    struct split split;
    if (!split_find(snapshot, context, from, to, &split, room->by))
        return false;
    json_known_u64(json, "ran_ticks", split.is_known, split.ran);
    json_known_u64(json, "preempted_ticks", split.is_known, split.preempted);
    json_known_u64(json, "blocked_ticks", split.is_known, split.blocked);
    if (split.is_known) {
        write_preempters(snapshot, room, json);
        write_wait(snapshot, context, &split, json);
    } else {
        json_null(json, "by");
        json_null(json, "wait");
    }
    return true;
}
