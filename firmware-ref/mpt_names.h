/* mpt_names.h - what tasks and interrupts are called; not for applications. */
#ifndef MPT_NAMES_H
#define MPT_NAMES_H

#include "mpt.h"
#include "mpt_config.h"
#include "protocol/compact_writer.h"

struct mpt_names {
    const char *volatile task[MPT_TASKS]; /* NULL: it has none */
    const struct mpt_interrupt_name *interrupts;
    volatile uint8_t idle;    /* the task that runs when nothing else does, + 1; 0: not known */
    volatile bool is_changed; /* all are to be sent again */
    uint16_t next;            /* to be sent: tasks, then interrupts */
    bool is_told;             /* all are */
};

extern struct mpt_names mpt_names;

/* Writes what is still to be sent, into the first half of a packet. True when it wrote anything. */
bool mpt_names_tell(struct mp_compact_writer *writer);

/* What a context is called, numbered as on the wire; NULL: it has no name. */
const char *mpt_names_of(uint32_t context, bool *is_idle);

#endif
