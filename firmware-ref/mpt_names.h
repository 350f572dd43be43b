/* mpt_names.h - the names of tasks and interrupts; not for applications. */
#ifndef MPT_NAMES_H
#define MPT_NAMES_H

#include "mpt.h"
#include "mpt_config.h"
#include "protocol/compact_writer.h"

struct mpt_names {
    const char *volatile task[MPT_TASKS]; /* NULL: it has none */
    const struct mpt_interrupt_name *interrupts;
    volatile uint8_t idle;    /* the task that runs when nothing else does, + 1; 0: unknown */
    volatile bool is_changed; /* all are to be sent again */
    uint16_t next;            /* to be sent next: tasks, then interrupts */
    bool is_told;             /* all are sent */
};

extern struct mpt_names mpt_names;

/* Writes names that are still to be sent, into the first half of a packet. Returns true when it wrote any. */
bool mpt_names_tell(struct mp_compact_writer *writer);

/* Returns the name of a context, numbered as on the wire, or NULL when it has none. */
const char *mpt_names_of(uint32_t context, bool *is_idle);

#endif
