/* messages.c - the newest text messages of the target. */
#include "profile/messages.h"

#include "base/scarcity.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool messages_init(struct messages *messages)
{
    *messages = (struct messages){.ring = calloc(MESSAGES_MAX, sizeof(struct message *))};
    return messages->ring != NULL;
}

void messages_clear(struct messages *messages)
{
    for (uint32_t i = 0; i < messages->count; i++)
        message_unref(messages->ring[(messages->first + i) % MESSAGES_MAX]);
    messages->first = messages->count = 0;
    messages->bytes = 0;
    messages->told = messages->dropped = 0;
}

void messages_fini(struct messages *messages)
{
    if (messages->ring)
        messages_clear(messages);
    free(messages->ring);
}

static void drop_oldest(struct messages *messages)
{
    messages->bytes -= messages->ring[messages->first]->size;
    message_unref(messages->ring[messages->first]);
    messages->first = (messages->first + 1) % MESSAGES_MAX;
    messages->count--;
    messages->dropped++;
}

/* A text from the target, and where to store its clean copy. */
struct part {
    const char *text; /* NULL when there is none */
    size_t n;
    const char **kept;
};

static struct part part_of(const char *text, const char **kept)
{
    return (struct part){text, text ? strlen(text) : 0, kept};
}

void messages_add(struct messages *messages, const struct event *event, uint64_t sequence)
{
    static const struct event_message nothing;
    const struct event_message *more = event->text.message ? event->text.message : &nothing;
    struct snapshot_message told = {
        .number = messages->told++,
        .ticks = event->ticks,
        .severity = event->text.severity,
        .origin = event->text.origin,
        .unit = event->text.unit,
        .is_call = more->is_call,
        .has_timestamp = more->has_timestamp,
        .has_checksum = more->has_checksum,
        .timestamp = more->timestamp,
        .context_timestamp = more->context_timestamp,
        .checksum = more->checksum,
        .raw_length = more->raw_length,
        .changed = sequence,
    };
    const char *kept[6] = {0};
    const struct part parts[6] = {
        {event->text.text, event->text.n, &kept[0]},
        part_of(more->status, &kept[1]),
        part_of(more->type, &kept[2]),
        part_of(more->origin, &kept[3]),
        part_of(more->location, &kept[4]),
        part_of(more->collateral, &kept[5]),
    };
    size_t size = 0;
    for (size_t i = 0; i < 6; i++)
        size += parts[i].text ? text_clean_utf8(NULL, 0, parts[i].text, parts[i].n) + 1 : 0;
    struct message *message = scarcity_watch(malloc(sizeof *message + size));
    if (!message)
        return;
    char *at = message->texts;
    for (size_t i = 0; i < 6; i++) {
        if (!parts[i].text)
            continue;
        *parts[i].kept = at;
        at += text_clean_utf8(at, (size_t)(message->texts + size - at), parts[i].text, parts[i].n) + 1;
    }
    told.text = kept[0] ? kept[0] : "";
    told.status = kept[1];
    told.type = kept[2];
    told.origin_name = kept[3];
    told.location = kept[4];
    told.collateral = kept[5];
    message->told = told;
    message->size = sizeof *message + size;
    atomic_init(&message->references, 1);
    while (messages->count == MESSAGES_MAX ||
           (messages->count > 0 && messages->bytes + message->size > MESSAGES_BYTES_MAX))
        drop_oldest(messages);
    messages->bytes += message->size;
    messages->ring[(messages->first + messages->count++) % MESSAGES_MAX] = message;
}

const struct snapshot_message **messages_freeze(const struct messages *messages)
{
    const struct snapshot_message **frozen = malloc((messages->count + 1) * sizeof *frozen);
    if (!frozen)
        return NULL;
    for (uint32_t i = 0; i < messages->count; i++) {
        frozen[i] = message_ref(messages->ring[(messages->first + i) % MESSAGES_MAX]);
    }
    return frozen;
}
