/* test_ledger.c - the sentences about losses. */
#include "ledger/ledger.h"

#include <criterion/criterion.h>

static void expect_reason(const struct ledger_cleared *cleared, const char *sentence)
{
    char reasons[LEDGER_REASONS_MAX][LEDGER_SENTENCE];
    struct ledger ledger = {.cleared[BY_ELF] = *cleared};
    cr_assert_eq(ledger_reasons(&ledger, reasons, LEDGER_REASONS_MAX), 1);
    cr_expect_str_eq(reasons[0], sentence);
}

Test(ledger, calls_discarded_with_an_elf_are_reported)
{
    expect_reason(&(struct ledger_cleared){.times = 1, .calls = 1, .own_ns = 999999},
                  "1 call had been counted when the ELF was replaced by one of another build, and are not in "
                  "here: 1000 us of own time.");
    expect_reason(
        &(struct ledger_cleared){.times = 1, .calls = 2, .own_ns = 1000000},
        "2 calls had been counted when the ELF was replaced by one of another build, and are not in "
        "here: 0.001 s of own time.");
    expect_reason(
        &(struct ledger_cleared){.times = 3, .calls = 0},
        "0 calls had been counted when the ELF was replaced by one of another build, and are not in "
        "here (3 times).");
}

Test(ledger, a_single_loss_is_singular)
{
    char reason[LEDGER_SENTENCE];
    struct ledger ledger = {.booked[ACCOUNT_RECORDS_LOST] = 1, .booked[ACCOUNT_PACKETS_BAD] = 2};
    cr_assert(ledger_reason(&ledger, ACCOUNT_RECORDS_LOST, reason));
    cr_expect_str_eq(reason, "1 record of calls were lost.");
    cr_assert(ledger_reason(&ledger, ACCOUNT_PACKETS_BAD, reason));
    cr_expect_str_eq(reason, "2 packets came damaged, or could not be read.");
    cr_expect_not(ledger_reason(&ledger, ACCOUNT_OVERFLOWS, reason));
    cr_expect_not(ledger_reason(&ledger, ACCOUNT_TICKS_UNKNOWN, reason));
}
