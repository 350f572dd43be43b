/* message.h - one message, shared by the ring of the newest ones and by snapshots; it never changes. */
#ifndef SNAPSHOT_MESSAGE_H
#define SNAPSHOT_MESSAGE_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* A message in one block of memory, freed with its last reference. */
struct message {
    struct snapshot_message told; /* first, so that one is found from the other */
    atomic_uint references;
    size_t size;  /* bytes, with the texts */
    char texts[]; /* what `told` points to */
};

/* Takes one reference more, and returns the message in the form that a snapshot shows. */
const struct snapshot_message *message_ref(struct message *message);
void message_unref(struct message *message);

/* Gives back the references that message_ref() made `rows` of, `count` of them, and frees the array; NULL is
 * fine. */
void messages_release(const struct snapshot_message **rows, uint32_t count);

#endif
