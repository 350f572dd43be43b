/* message.h - one immutable message, shared by snapshots and the ring of the newest messages. */
#ifndef SNAPSHOT_MESSAGE_H
#define SNAPSHOT_MESSAGE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* A message in one block of memory, freed with its last reference. */
struct message {
    struct snapshot_message told; /* first, so that a pointer to it is one to the message */
    atomic_uint references;
    size_t size;  /* bytes, with the texts */
    char texts[]; /* what `told` points to */
};

/* Adds a reference and returns the message as snapshots show it. */
const struct snapshot_message *message_ref(struct message *message);
void message_unref(struct message *message);

/* Releases `count` references that message_ref() returned, and frees the array. NULL is allowed. */
void messages_release(const struct snapshot_message **rows, uint32_t count);

#endif
