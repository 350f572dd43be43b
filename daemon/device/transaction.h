/* transaction.h - one command to the device, from the first try until it is answered or given up.
 *
 * Only one is outstanding at a time, since ACK and NACK do not contain the command (protocol/SPEC.md section
 * 1). */
#ifndef DEVICE_TRANSACTION_H
#define DEVICE_TRANSACTION_H

#include "protocol/packet.h"

#include <stdbool.h>
#include <stdint.h>

enum transaction_owner { TRANSACTION_NOBODYS, TRANSACTION_OURS, TRANSACTION_USERS };

struct transaction {
    uint32_t answer_ms;           /* default limit for the answer to one try */
    enum transaction_owner owner; /* NOBODYS: no command is outstanding, and the next five are undefined */
    struct mp_command command;
    unsigned tries_most;   /* limit of tries */
    uint32_t try_ms;       /* limit for one try */
    unsigned tries;        /* tries so far */
    uint64_t deadline_ms;  /* when the last try is given up */
    uint64_t ack_clear_ms; /* before this, an ACK may be a late one for the last command */
};

/* No command is outstanding, and no late answer is expected: the line was connected again, or answers do not
 * matter any more. */
void transaction_reset(struct transaction *transaction, uint64_t now_ms);

/* Forgets the outstanding command: it will not be answered. */
void transaction_drop(struct transaction *transaction);

/* Makes this command the outstanding one; there must be none. The first try is due at once. */
void transaction_begin(struct transaction *transaction, enum transaction_owner owner,
                       const struct mp_command *command);

/* Changes the tries of the outstanding command, which must not have been sent yet. */
void transaction_pace(struct transaction *transaction, unsigned tries_most, uint32_t try_ms);

/* Counts a try, which is sent now. */
void transaction_try(struct transaction *transaction, uint64_t now_ms);

/* The command was answered, or given up. After several tries, more ACKs may follow (for DESCRIBE, NACKs). So
 * the next command that needs an ACK has to wait for the duration of a try. */
void transaction_end(struct transaction *transaction, uint64_t now_ms);

/* True when a command is outstanding; true when it is `code`. */
bool transaction_is_open(const struct transaction *transaction);
bool transaction_is(const struct transaction *transaction, uint8_t code);

/* True when the outstanding command was sent as often as allowed. */
bool transaction_is_worn_out(const struct transaction *transaction);

/* True when the command is answered by ACK; the others are answered by a packet of their own. Any command may
 * be answered by NACK. */
bool transaction_needs_ack(uint8_t code);

#endif
