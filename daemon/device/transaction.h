/* transaction.h - one command to the device, from when it is first sent until it is answered or given up.
 *
 * One is outstanding at a time, since ACK and NACK do not say for what (protocol/SPEC.md section 1). */
#ifndef DEVICE_TRANSACTION_H
#define DEVICE_TRANSACTION_H

#include "protocol/packet.h"

#include <stdbool.h>
#include <stdint.h>

enum transaction_owner { TRANSACTION_NOBODYS, TRANSACTION_OURS, TRANSACTION_USERS };

struct transaction {
    uint32_t answer_ms; /* how long the device may take to answer one try, where nothing else is said */
    enum transaction_owner owner; /* NOBODYS: no command is outstanding, and the next five mean nothing */
    struct mp_command command;
    unsigned tries_most;   /* how often it may be sent */
    uint32_t try_ms;       /* how long one try may take */
    unsigned tries;        /* how often it has been sent */
    uint64_t deadline_ms;  /* when the last try is given up */
    uint64_t ack_clear_ms; /* before then an ACK may be a late one for the command before */
};

/* No command is outstanding, and no late answer to an earlier one is expected: the line is a new one, or
 * nobody cares any more. */
void transaction_reset(struct transaction *transaction, uint64_t now_ms);

/* Forgets the outstanding command: nobody will answer it. */
void transaction_drop(struct transaction *transaction);

/* The command becomes the outstanding one, of which there must be none. The first try is due at once. */
void transaction_begin(struct transaction *transaction, enum transaction_owner owner,
                       const struct mp_command *command);

/* Has the outstanding command, which was not sent yet, tried otherwise than commands are. */
void transaction_pace(struct transaction *transaction, unsigned tries_most, uint32_t try_ms);

/* Counts a try that is sent now. */
void transaction_try(struct transaction *transaction, uint64_t now_ms);

/* The command was answered, or is given up. One that was sent more than once may be answered by as many ACKs,
 * or DESCRIBE by as many NACKs: for as long as a try may take the next command that needs an ACK
 * has to wait. */
void transaction_end(struct transaction *transaction, uint64_t now_ms);

/* True when a command is outstanding, and whether it is `code`. */
bool transaction_is_open(const struct transaction *transaction);
bool transaction_is(const struct transaction *transaction, uint8_t code);

/* True when the outstanding command was sent as often as it may be. */
bool transaction_is_worn_out(const struct transaction *transaction);

/* True when an ACK answers the command: the others have a packet of their own as answer. Any
 * can be NACKed. */
bool transaction_needs_ack(uint8_t code);

#endif
