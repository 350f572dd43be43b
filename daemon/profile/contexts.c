/* contexts.c - names the target's contexts. */
#include "profile/contexts.h"

#include "base/scarcity.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALIBRATIONS = 4, TAIL_SIZE = 20 /* ":2047 @65535/65535" */ };

struct known_context {
    char name[sizeof((struct snapshot_context *)0)->name];   /* "" when none was reported */
    char former[sizeof((struct snapshot_context *)0)->name]; /* the name before */
    uint8_t kind;                                            /* enum event_context_kind */
    bool is_reported; /* the target sent its kind, and maybe its name */
    bool is_numbered; /* the name is a default: a word and a number */
    bool are_several; /* several tasks had this number, and the time of each is unknown */
};

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
    if (!scarcity_grow(&contexts->known, capacity, sizeof *contexts->known))
        return false;
    contexts->capacity = capacity;
    return true;
}

static struct known_context *find_known_context(const struct contexts *contexts, uint32_t context)
{
    uint32_t place = map_find(&contexts->by_context, context);
    return place == MAP_NONE ? NULL : &contexts->known[place];
}

/* Returns NULL when there are too many, or memory is used up. */
static struct known_context *add_known_context(struct contexts *contexts, uint32_t context)
{
    if (!make_room(contexts) || !map_set(&contexts->by_context, context, contexts->count))
        return NULL;
    contexts->known[contexts->count] = (struct known_context){0};
    return &contexts->known[contexts->count++];
}

void contexts_hear(struct contexts *contexts, const struct event *event)
{
    const char *origin = event->text.message ? event->text.message->origin : NULL;
    struct known_context *known = origin && !find_known_context(contexts, event->context)
                                      ? add_known_context(contexts, event->context)
                                      : NULL;
    if (!known)
        return;
    char tail[TAIL_SIZE];
    const struct event_message *message = event->text.message;
    size_t n = (size_t)snprintf(tail, sizeof tail, ":%u", event->text.unit);
    if (message->has_channel)
        n += (size_t)snprintf(tail + n, sizeof tail - n, " @%u/%u", message->master, message->channel);
    text_clean_utf8(known->name, sizeof known->name - n, origin, strlen(origin));
    memcpy(known->name + strlen(known->name), tail, n + 1);
}

static void learn_name(struct contexts *contexts, const struct event *event)
{
    struct known_context *known = find_known_context(contexts, event->context);
    if (!known)
        known = add_known_context(contexts, event->context);
    bool is_default = event->flags & EVENT_NUMBERED;
    if (!known)
        return;
    if (!is_default || !known->is_reported)
        known->kind = event->context_is.kind;
    known->is_reported |= !is_default;
    bool has_name = *known->name && !known->is_numbered;
    if (!event->context_is.name || (is_default && has_name))
        return;
    known->is_numbered = is_default;
    memcpy(known->former, known->name, sizeof known->former);
    text_clean_utf8(known->name, sizeof known->name, event->context_is.name, event->context_is.n);
}

/* True when the event is about a different context than the one that had the number before. */
static bool is_another(const struct contexts *contexts, const struct event *event)
{
    const struct known_context *known = find_known_context(contexts, event->context);
    if (!known || !*known->name || known->is_numbered || known->are_several ||
        event->flags & EVENT_NUMBERED || !event->context_is.name || event->context_is.n == 0)
        return false;
    char name[sizeof known->name];
    text_clean_utf8(name, sizeof name, event->context_is.name, event->context_is.n);
    return strcmp(name, known->name) != 0;
}

/* Gives context `to` the name that `context` had before it was last renamed. */
static void keep_former_name(struct contexts *contexts, uint32_t context, uint32_t to)
{
    struct known_context *ended = add_known_context(contexts, to);
    const struct known_context *known = find_known_context(contexts, context); /* adding may have moved it */
    if (!ended || !known)
        return;
    *ended = *known;
    memcpy(ended->name, known->former, sizeof ended->name);
}

/* Marks the context: it cannot be distinguished from others that had its number. */
static void mark_as_several(struct contexts *contexts, uint32_t context)
{
    struct known_context *known = find_known_context(contexts, context);
    if (!known)
        return;
    known->are_several = true;
}

void contexts_clear(struct contexts *contexts)
{
    for (uint32_t i = 0; i < contexts->count; i++)
        contexts->known[i].are_several = false;
}

void contexts_learn(struct contexts *contexts, const struct event *event, struct livestacks *stacks,
                    bool is_counted)
{
    bool is_other = is_another(contexts, event) && !(event->flags & EVENT_KEPT);
    learn_name(contexts, event);
    uint32_t ended = is_other && !is_counted ? livestacks_rename(stacks, event->context) : LIVESTACKS_NONE;
    bool is_too_many = is_other && !is_counted && ended == LIVESTACKS_NONE && livestacks_are_full(stacks);
    stacks->over_limit += is_too_many;
    if (is_other && (is_counted || is_too_many))
        mark_as_several(contexts, event->context);
    if (ended != LIVESTACKS_NONE)
        keep_former_name(contexts, event->context, ended);
}

void contexts_empty(struct contexts *contexts, struct livestacks *stacks, uint32_t context)
{
    uint32_t ended = livestacks_was_another(stacks, context);
    if (ended != LIVESTACKS_NONE)
        keep_former_name(contexts, context, ended);
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
    const struct known_context *known = find_known_context(contexts, context);
    row->kind = kind_name(known);
    if (known && known->are_several)
        strcpy(row->name, "(several tasks)");
    else if (known && *known->name)
        memcpy(row->name, known->name, sizeof row->name);
    else if (context == 0)
        strcpy(row->name, "main");
    else
        snprintf(row->name, sizeof row->name, "context %u", context);
}

enum { HANDLERS_NONE = -1, HANDLERS_MANY = -2 };

/* Finds, for each context, the only function that was ever outermost in it, or one of the above. */
static void find_handlers(const struct livestacks *stacks, int32_t *handlers, uint32_t n)
{
    const struct calltree *tree = stacks->tree;
    for (uint32_t i = 0; i < n; i++)
        handlers[i] = HANDLERS_NONE;
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct snapshot_node *node = &tree->nodes[i];
        if (node->parent != CALLTREE_ROOT || node->context >= n || node->is_other)
            continue;
        if (stacks->functions->rows[node->function].kind == KIND_FUNCTION)
            handlers[node->context] =
                handlers[node->context] == HANDLERS_NONE ? node->function : HANDLERS_MANY;
    }
}

/* Names an interrupt "SysTick_Handler (15)" instead of "interrupt 15". The number distinguishes interrupts
 * that share a handler. Handlers without a name, which only have an address, are not used. */
static void name_after(const struct snapshot_function *handler, struct snapshot_context *row)
{
    const char *number = strrchr(row->name, ' ');
    if (!number || !handler->name || strncmp(handler->name, "0x", 2) == 0)
        return;
    char numbered[sizeof row->name];
    size_t n = (size_t)snprintf(numbered, sizeof numbered, " (%s)", number + 1);
    if (n >= sizeof numbered / 2)
        return;
    text_clean_utf8(row->name, sizeof row->name - n, handler->name, strlen(handler->name));
    memcpy(row->name + strlen(row->name), numbered, n + 1);
}

/* Names interrupts without a reported name after their handler. Returns false when memory is used up. */
static bool name_interrupts(const struct contexts *contexts, const struct livestacks *stacks,
                            struct snapshot_context *rows, uint32_t n)
{
    int32_t *handlers = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct known_context *known = find_known_context(contexts, livestacks_context(stacks, i));
        if (!known || known->kind != CONTEXT_INTERRUPT || !known->is_numbered)
            continue;
        if (!handlers) {
            handlers = malloc(n * sizeof *handlers);
            if (!handlers)
                return false;
            find_handlers(stacks, handlers, n);
        }
        if (handlers[i] >= 0)
            name_after(&stacks->functions->rows[handlers[i]], &rows[i]);
    }
    free(handlers);
    return true;
}

static void tell_times(const struct livestacks *stacks, uint32_t index, struct snapshot_context *row)
{
    struct livestacks_times times = livestacks_times(stacks, index);
    row->running_ticks = times.running_ticks;
    row->preempted_ticks = times.preempted_ticks;
    row->blocked_ticks = times.blocked_ticks;
    row->has_times = times.is_known;
    row->has_waits = times.is_known && stacks->switched;
}

struct snapshot_context *contexts_freeze(const struct contexts *contexts, const struct livestacks *stacks,
                                         const struct marks *marks, uint64_t sequence, uint32_t *n)
{
    uint32_t live = livestacks_contexts(stacks);
    bool lanes = live == 0 && marks && marks->count > 0;
    *n = lanes ? CALIBRATIONS : live > 0 ? live : 1;
    struct snapshot_context *rows = calloc(*n, sizeof *rows);
    for (uint32_t i = 0; rows && i < *n; i++) {
        rows[i].changed = sequence; /* few rows, so changes are not tracked */
        if (lanes)
            snprintf(rows[i].name, sizeof rows[i].name, "%s", marks_context(i));
        else
            name_context(contexts, live > 0 ? livestacks_context(stacks, i) : 0, &rows[i]);
        if (lanes)
            rows[i].kind = kind_name(NULL);
        else if (live > 0)
            tell_times(stacks, i, &rows[i]);
    }
    if (rows && live > 0 && !name_interrupts(contexts, stacks, rows, live)) {
        free(rows);
        return NULL;
    }
    return rows;
}
