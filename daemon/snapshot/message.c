/* message.c - reference counts of messages. */
#include "snapshot/message.h"

#include <stdlib.h>

const struct snapshot_message *message_ref(struct message *message)
{
    atomic_fetch_add_explicit(&message->references, 1, memory_order_relaxed);
    return &message->told;
}

void message_unref(struct message *message)
{
    if (atomic_fetch_sub_explicit(&message->references, 1, memory_order_acq_rel) == 1)
        free(message);
}

void messages_release(const struct snapshot_message **rows, uint32_t count)
{
    for (uint32_t i = 0; rows && i < count; i++)
        message_unref((struct message *)(uintptr_t)rows[i]);
    free(rows);
}
