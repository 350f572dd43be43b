/* contexts.c - what the target's stacks are called. */
#include "profile/contexts.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALIBRATIONS = 4, ORIGIN_SIZE = 26 /* leaves room for ":" and five digits */ };

struct known_context {
    char name[sizeof((struct snapshot_context *)0)->name]; /* "": none was told */
    uint8_t kind;                                          /* enum event_context_kind */
};

void contexts_clear(struct contexts *contexts)
{
    contexts->count = 0;
    map_clear(&contexts->by_context);
}

void contexts_fini(struct contexts *contexts)
{
    map_fini(&contexts->by_context);
    free(contexts->known);
}

static bool make_room(struct contexts *contexts)
{
    if (contexts->count < contexts->capacity)
        return true;
    if (contexts->count == SNAPSHOT_CONTEXTS_MAX)
        return false;
    uint32_t capacity = contexts->capacity ? contexts->capacity * 2 : 4;
    void *grown = realloc(contexts->known, capacity * sizeof *contexts->known);
    if (!grown)
        return false;
    contexts->known = grown;
    contexts->capacity = capacity;
    return true;
}

static struct known_context *find(const struct contexts *contexts, uint32_t context)
{
    uint32_t place = map_find(&contexts->by_context, context);
    return place == MAP_NONE ? NULL : &contexts->known[place];
}

/* NULL when there are too many, or memory is used up. */
static struct known_context *add(struct contexts *contexts, uint32_t context)
{
    if (!make_room(contexts) || !map_set(&contexts->by_context, context, contexts->count))
        return NULL;
    contexts->known[contexts->count] = (struct known_context){0};
    return &contexts->known[contexts->count++];
}

void contexts_hear(struct contexts *contexts, const struct event *event)
{
    const char *origin = event->text.message ? event->text.message->origin : NULL;
    struct known_context *known =
        origin && !find(contexts, event->context) ? add(contexts, event->context) : NULL;
    if (!known)
        return;
    char clean[ORIGIN_SIZE];
    text_clean_utf8(clean, sizeof clean, origin, strlen(origin));
    snprintf(known->name, sizeof known->name, "%s:%u", clean, event->text.unit);
}

void contexts_learn(struct contexts *contexts, const struct event *event)
{
    struct known_context *known = find(contexts, event->context);
    if (!known)
        known = add(contexts, event->context);
    if (!known)
        return;
    known->kind = event->context_is.kind;
    if (event->context_is.name)
        text_clean_utf8(known->name, sizeof known->name, event->context_is.name, event->context_is.n);
}

static const char *kind_name(const struct known_context *known)
{
    static const char *const names[] = {[CONTEXT_UNKNOWN] = "unknown",
                                        [CONTEXT_THREAD] = "thread",
                                        [CONTEXT_INTERRUPT] = "isr",
                                        [CONTEXT_IDLE] = "idle"};
    return names[known ? known->kind : CONTEXT_UNKNOWN];
}

static void name_context(const struct contexts *contexts, uint32_t context, struct snapshot_context *row)
{
    const struct known_context *known = find(contexts, context);
    row->kind = kind_name(known);
    if (known && *known->name)
        memcpy(row->name, known->name, sizeof row->name);
    else if (context == 0)
        strcpy(row->name, "main");
    else
        snprintf(row->name, sizeof row->name, "context %u", context);
}

static void tell_times(const struct livestacks *stacks, uint32_t index, struct snapshot_context *row)
{
    struct livestacks_times times = livestacks_times(stacks, index);
    row->running_ticks = times.running_ticks;
    row->preempted_ticks = times.preempted_ticks;
    row->blocked_ticks = times.blocked_ticks;
    row->has_times = stacks->timed;
    row->has_waits = stacks->switched;
}

struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n)
{
    uint32_t live = livestacks_contexts(stacks);
    bool lanes = live == 0 && marks && marks->count > 0;
    *n = lanes ? CALIBRATIONS : live > 0 ? live : 1;
    struct snapshot_context *rows = calloc(*n, sizeof *rows);
    for (uint32_t i = 0; rows && i < *n; i++) {
        rows[i].changed = sequence; /* few, and not worth watching */
        if (lanes)
            snprintf(rows[i].name, sizeof rows[i].name, "%s", marks_context(i));
        else
            name_context(contexts, live > 0 ? livestacks_context(stacks, i) : 0, &rows[i]);
        if (lanes)
            rows[i].kind = kind_name(NULL);
        else if (live > 0)
            tell_times(stacks, i, &rows[i]);
    }
    return rows;
}
