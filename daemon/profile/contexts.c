/* contexts.c - what the target's stacks are called. */
#include "profile/contexts.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALIBRATIONS = 4, ORIGIN_SIZE = 26 /* leaves room for ":" and five digits */ };

void contexts_clear(struct contexts *contexts)
{
    contexts->count = 0;
    map_clear(&contexts->by_context);
}

void contexts_fini(struct contexts *contexts)
{
    map_fini(&contexts->by_context);
    free(contexts->names);
}

static bool make_room(struct contexts *contexts)
{
    if (contexts->count < contexts->capacity)
        return true;
    if (contexts->count == SNAPSHOT_CONTEXTS_MAX)
        return false;
    uint32_t capacity = contexts->capacity ? contexts->capacity * 2 : 4;
    void *grown = realloc(contexts->names, capacity * sizeof *contexts->names);
    if (!grown)
        return false;
    contexts->names = grown;
    contexts->capacity = capacity;
    return true;
}

void contexts_hear(struct contexts *contexts, const struct event *event)
{
    const char *origin = event->text.message ? event->text.message->origin : NULL;
    if (!origin || map_find(&contexts->by_context, event->context) != MAP_NONE || !make_room(contexts) ||
        !map_set(&contexts->by_context, event->context, contexts->count))
        return;
    char clean[ORIGIN_SIZE];
    text_clean_utf8(clean, sizeof clean, origin, strlen(origin));
    snprintf(contexts->names[contexts->count++], sizeof *contexts->names, "%s:%u", clean, event->text.unit);
}

static void name_context(const struct contexts *contexts, uint32_t context, struct snapshot_context *row)
{
    uint32_t place = map_find(&contexts->by_context, context);
    if (place != MAP_NONE)
        memcpy(row->name, contexts->names[place], sizeof row->name);
    else if (context == 0)
        strcpy(row->name, "main");
    else
        snprintf(row->name, sizeof row->name, "context %u", context);
}

struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n)
{
    uint32_t live = livestacks_contexts(stacks);
    bool lanes = live == 0 && marks && marks->count > 0;
    *n = lanes ? CALIBRATIONS : live > 0 ? live : 1;
    struct snapshot_context *rows = calloc(*n, sizeof *rows);
    for (uint32_t i = 0; rows && i < *n; i++) {
        rows[i].kind = "unknown";
        rows[i].changed = sequence; /* few, and not worth watching */
        if (lanes)
            snprintf(rows[i].name, sizeof rows[i].name, "%s", marks_context(i));
        else
            name_context(contexts, live > 0 ? livestacks_context(stacks, i) : 0, &rows[i]);
    }
    return rows;
}
