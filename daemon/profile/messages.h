/* messages.h - the newest text messages of the target. */
#ifndef PROFILE_MESSAGES_H
#define PROFILE_MESSAGES_H

#include "event.h"
#include "snapshot/message.h"

/* The most messages that are kept, and the most bytes of them. */
enum { MESSAGES_MAX = 16384, MESSAGES_BYTES_MAX = 32 * 1024 * 1024 };

/* A ring of messages that never change; frozen copies share them. */
struct messages {
    struct message **ring; /* MESSAGES_MAX places */
    uint32_t first, count;
    size_t bytes;     /* that the kept ones take */
    uint64_t told;    /* how many came in all */
    uint64_t dropped; /* how many older ones are gone */
};

/* Makes an empty ring. False when memory is used up. */
bool messages_init(struct messages *messages);
void messages_fini(struct messages *messages);
void messages_clear(struct messages *messages);

/* Keeps what an EVENT_TEXT says, made valid UTF-8; the oldest go when there are too many or they take too
 * much memory. */
void messages_add(struct messages *messages, const struct event *event, uint64_t sequence);

/* Copies the ring: the kept messages, oldest first, each with a reference, which messages_release() gives
 * back. NULL when memory is used up. */
const struct snapshot_message **messages_freeze(const struct messages *messages);

#endif
