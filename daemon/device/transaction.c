/* transaction.c - one command to the device, from the first try until it is answered or given up. */
#include "device/transaction.h"

#include <assert.h>

enum { TRIES = 3 };

void transaction_reset(struct transaction *transaction, uint64_t now_ms)
{
    transaction_drop(transaction);
    transaction->ack_clear_ms = now_ms;
}

void transaction_drop(struct transaction *transaction)
{
    transaction->owner = TRANSACTION_NOBODYS;
}

void transaction_begin(struct transaction *transaction, enum transaction_owner owner,
                       const struct mp_command *command)
{
    assert(!transaction_is_open(transaction));
    transaction->owner = owner;
    transaction->command = *command;
    transaction->tries_most = TRIES;
    transaction->try_ms = transaction->answer_ms;
    transaction->tries = 0;
    transaction->deadline_ms = 0;
}

void transaction_pace(struct transaction *transaction, unsigned tries_most, uint32_t try_ms)
{
    transaction->tries_most = tries_most;
    transaction->try_ms = try_ms;
}

void transaction_try(struct transaction *transaction, uint64_t now_ms)
{
    transaction->tries++;
    transaction->deadline_ms = now_ms + transaction->try_ms;
}

void transaction_end(struct transaction *transaction, uint64_t now_ms)
{
    uint8_t code = transaction->command.code;
    transaction_drop(transaction);
    if ((transaction_needs_ack(code) || code == MP_DESCRIBE) && transaction->tries > 1)
        transaction->ack_clear_ms = now_ms + transaction->try_ms;
}

bool transaction_is_open(const struct transaction *transaction)
{
    return transaction->owner != TRANSACTION_NOBODYS;
}

bool transaction_is(const struct transaction *transaction, uint8_t code)
{
    return transaction_is_open(transaction) && transaction->command.code == code;
}

bool transaction_is_worn_out(const struct transaction *transaction)
{
    return transaction->tries == transaction->tries_most;
}

bool transaction_needs_ack(uint8_t code)
{
    return code != MP_GET_METADATA && code != MP_GET_STATUS && code != MP_DESCRIBE;
}
