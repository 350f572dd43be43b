/* test_transaction.c - one command to the device: its tries, and the handling of late ACKs. */
#include "device/transaction.h"

#include <criterion/criterion.h>

static struct transaction begun(uint8_t code)
{
    struct transaction transaction = {.answer_ms = 500};
    transaction_begin(&transaction, TRANSACTION_OURS, &(struct mp_command){.code = code});
    return transaction;
}

Test(transaction, three_tries_are_all_that_a_command_gets)
{
    struct transaction transaction = begun(MP_GET_STATUS);
    for (uint64_t now_ms = 1000; now_ms < 2500; now_ms += 500) {
        cr_assert_not(transaction_is_worn_out(&transaction));
        transaction_try(&transaction, now_ms);
        cr_assert_eq(transaction.deadline_ms, now_ms + 500);
    }
    cr_assert(transaction_is_worn_out(&transaction));
}

Test(transaction, it_is_open_until_it_ends_or_is_dropped)
{
    struct transaction transaction = begun(MP_GET_STATUS);
    cr_assert(transaction_is(&transaction, MP_GET_STATUS));
    cr_assert_not(transaction_is(&transaction, MP_START));
    transaction_end(&transaction, 1000);
    cr_assert_not(transaction_is_open(&transaction));
    cr_assert_not(transaction_is(&transaction, MP_GET_STATUS));

    transaction = begun(MP_START);
    transaction_drop(&transaction);
    cr_assert_not(transaction_is_open(&transaction));
}

Test(transaction, a_second_ack_may_come_only_after_a_second_try)
{
    struct transaction transaction = begun(MP_START);
    transaction_try(&transaction, 1000);
    transaction_end(&transaction, 1100);
    cr_assert_eq(transaction.ack_clear_ms, 0, "one try has one answer");

    transaction_begin(&transaction, TRANSACTION_OURS, &(struct mp_command){.code = MP_START});
    transaction_try(&transaction, 2000);
    transaction_try(&transaction, 2500);
    transaction_end(&transaction, 2600);
    cr_assert_eq(transaction.ack_clear_ms, 3100);

    transaction_reset(&transaction, 2700);
    cr_assert_eq(transaction.ack_clear_ms, 2700, "on a new line nothing old arrives");
}

Test(transaction, a_question_is_not_answered_by_ack)
{
    cr_assert_not(transaction_needs_ack(MP_GET_STATUS));
    cr_assert_not(transaction_needs_ack(MP_GET_METADATA));
    cr_assert(transaction_needs_ack(MP_START));
    struct transaction transaction = begun(MP_GET_STATUS);
    transaction_try(&transaction, 1000);
    transaction_try(&transaction, 1500);
    transaction_end(&transaction, 1600);
    cr_assert_eq(transaction.ack_clear_ms, 0);
}
