/* messages.h - the newest text messages of the target. */
#ifndef PROFILE_MESSAGES_H
#define PROFILE_MESSAGES_H

#include "event.h"
#include "snapshot/message.h"

/* Limits of kept messages, and of their bytes. */
enum { MESSAGES_MAX = 16384, MESSAGES_BYTES_MAX = 32 * 1024 * 1024 };

/* A ring of immutable messages, shared with frozen copies. */
struct messages {
    struct message **ring; /* MESSAGES_MAX elements */
    uint32_t first, count;
    size_t bytes;     /* size of the kept messages */
    uint64_t told;    /* all messages so far */
    uint64_t dropped; /* messages that are no longer kept */
};

/* Makes an empty ring. Returns false when memory is used up. */
bool messages_init(struct messages *messages);
void messages_fini(struct messages *messages);
void messages_clear(struct messages *messages);

/* Keeps the message of an EVENT_TEXT, converted to valid UTF-8. The oldest messages are dropped when there
 * are too many, or they take too much memory. */
void messages_add(struct messages *messages, const struct event *event, uint64_t sequence);

/* Copies the ring: the kept messages, oldest first, each with a reference. messages_release() releases them.
 * NULL when memory is used up. */
const struct snapshot_message **messages_freeze(const struct messages *messages);

#endif
