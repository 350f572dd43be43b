/* test_baud.c - the host changes the rate of the line: when it changes, what is sent meanwhile, and how the target
 * returns to the first rate. */
#include "sim/sim.h"

#include <criterion/criterion.h>

enum { HOME = 115200, FAST = 921600, TRIAL_US = 1000000, AWAY_US = 3000000, A_LITTLE_US = 1000 };

/* Passes time as on a board: the agent polls often enough for a counter of 24 bits. */
static void pass_polling_us(uint64_t us)
{
    for (; us > 100000; us -= 100000) {
        sim_pass_us(100000);
        mpt_poll();
    }
    sim_pass_us(us);
    mpt_poll();
}

static void start_at(uint32_t baud)
{
    sim_start(NULL);
    sim.baud = HOME;
    sim_config(MPT_CONFIG_BAUD, baud);
    cr_assert_eq(sim_answer(), MP_ACK);
}

static void prove(void)
{
    sim_command(MP_GET_STATUS);
    cr_assert_eq(sim_answer(), MP_STATUS);
}

Test(baud, it_is_a_setting_with_a_range)
{
    struct mp_description description;
    struct mp_setting setting;

    start_at(FAST);
    sim_command(MP_DESCRIBE);
    const struct heard *heard = sim_hear();
    struct mp_bytes bytes = mp_bytes_over(heard->description, heard->description_size);
    cr_assert(mp_description_decode(&description, &bytes));
    cr_assert_eq(description.settings, MPT_WINDOWS ? 8 : 4);
    for (int i = 0; i < 4; i++)
        cr_assert(mp_setting_decode(&setting, &bytes));
    cr_assert_eq(setting.key, MPT_CONFIG_BAUD);
    cr_assert_eq(setting.least, MPT_PORT_BAUD_LEAST);
    cr_assert_eq(setting.most, MPT_PORT_BAUD_MOST);
    cr_assert_eq(setting.value, FAST);
    cr_assert_arr_eq(setting.name, "baud", setting.name_length);
    cr_assert_arr_eq(setting.unit, "Bd", setting.unit_length);
    for (int i = 4; i < description.settings; i++)
        cr_assert(mp_setting_decode(&setting, &bytes));
    cr_assert_eq(bytes.left, (MPT_VERSION_3 ? MP_HOOK_FORMS : 1) * MP_HOOK_TICKS + MP_DESCRIPTION_RUN);
}

Test(baud, the_vector_of_the_specification_sets_it)
{
    static const uint8_t vector[] = {0x55, 0x06, 0x05, 0x04, 0x00, 0x10, 0x0E, 0x00, 0x00, 0x00, 0x00, 0x82};

    sim_start(NULL);
    sim_receive(vector, sizeof vector);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_eq(sim.baud, FAST);
}

Test(baud, an_impossible_rate_is_refused)
{
    sim_start(NULL);
    sim.baud = HOME;
    for (int i = 0; i < 3; i++) {
        sim_config(MPT_CONFIG_BAUD,
                   (uint32_t[]){MPT_PORT_BAUD_LEAST - 1, MPT_PORT_BAUD_MOST + 1, SIM_IMPOSSIBLE_BAUD}[i]);
        cr_assert_eq(sim_answer(), MP_NACK);
    }
    cr_assert_eq(sim.baud, HOME);
    pass_polling_us(AWAY_US);
    cr_assert_eq(sim.baud, HOME);
}

Test(baud, the_rate_that_it_has_is_no_change)
{
    sim_start(NULL);
    sim.baud = 0;
    sim_config(MPT_CONFIG_BAUD, HOME);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_eq(sim.baud, 0, "nothing was set");
}

Test(baud, the_rate_changes_after_the_answer_was_sent)
{
    sim_start(NULL);
    sim.baud = HOME;
    sim.is_sending = true;
    sim_config(MPT_CONFIG_BAUD, FAST);
    sim_command(MP_GET_STATUS); /* it arrives at the new rate, and must not be answered at the old one */
    for (int i = 0; i < 5; i++)
        cr_assert(mpt_poll(), "more is left to do");
    cr_assert_eq(sim.baud, HOME);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim.is_sending = false;
    mpt_poll();
    cr_assert_eq(sim.baud, FAST);
    cr_assert_eq(sim_answer(), MP_STATUS);
}

Test(baud, nothing_is_sent_unasked_until_a_command_comes_at_the_new_rate)
{
    start_at(FAST);
    mpt_start();
    for (int i = 0; i < 20; i++) {
        sim_enter(0x100);
        sim_pass_us(A_LITTLE_US);
        sim_exit(0x100);
        mpt_poll();
    }
    cr_assert_eq(sim_hear()->n_packets, 0);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->types[0], MP_STATUS);
    cr_assert_eq(heard->n_records, 20, "the ring has held them");
}

Test(baud, a_rate_at_which_no_command_comes_is_left_after_a_second)
{
    start_at(FAST);
    pass_polling_us(TRIAL_US - A_LITTLE_US);
    cr_assert_eq(sim.baud, FAST);
    sim_receive((const uint8_t[]){0xD4, 0x55, 0x99, 0x55, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59, 0x13}, 16);
    pass_polling_us(2 * A_LITTLE_US);
    cr_assert_eq(sim.baud, HOME, "bytes that are no command prove nothing");
    sim_command(MP_GET_STATUS);
    cr_assert_eq(sim_answer(), MP_STATUS);
}

Test(baud, a_rate_in_use_is_kept_and_left_when_no_command_has_come_for_three_seconds)
{
    start_at(FAST);
    prove();
    for (int i = 0; i < 10; i++) {
        pass_polling_us(AWAY_US - A_LITTLE_US);
        cr_assert_eq(sim.baud, FAST);
        prove();
    }
    pass_polling_us(AWAY_US + A_LITTLE_US);
    cr_assert_eq(sim.baud, HOME);
    pass_polling_us(10 * AWAY_US);
    cr_assert_eq(sim.baud, HOME, "where it stays");
}

Test(baud, a_command_that_waits_to_be_read_counts_however_late_it_is_polled_for)
{
    start_at(FAST);
    sim_command(MP_GET_STATUS);
    sim_pass_us(500000);
    mpt_keep_time();
    sim_pass_us(600000);
    cr_assert_eq(sim_answer(), MP_STATUS);
    cr_assert_eq(sim.baud, FAST);
}

/* Calls come faster than they can be sent, so that each poll finds something to send. */
Test(baud, a_busy_program_returns_to_the_first_rate)
{
    start_at(FAST);
    prove();
    mpt_start();
    for (uint64_t us = 0; us < AWAY_US + A_LITTLE_US; us += A_LITTLE_US) {
        for (int i = 0; i < 2 * MPT_RING_RECORDS; i++) {
            sim_enter(0x100);
            sim_exit(0x100);
        }
        sim_pass_us(A_LITTLE_US);
        mpt_poll();
    }
    cr_assert_eq(sim.baud, HOME);
}

Test(baud, asked_for_the_rate_of_its_start_it_stays_there)
{
    start_at(FAST);
    prove();
    sim_config(MPT_CONFIG_BAUD, HOME);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_eq(sim.baud, HOME);
    mpt_start();
    sim_enter(0x100);
    sim_exit(0x100);
    cr_assert_eq(sim_hear()->n_packets, 0);
    pass_polling_us(TRIAL_US + MPT_FLUSH_US);
    cr_assert_eq(sim_hear()->n_records, 1, "which it sends without a request");
    pass_polling_us(AWAY_US);
    cr_assert_eq(sim.baud, HOME);
}

Test(baud, a_second_change_that_fails_leads_to_the_rate_of_the_start)
{
    start_at(FAST);
    prove();
    sim_config(MPT_CONFIG_BAUD, 3000000);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_eq(sim.baud, 3000000);
    pass_polling_us(TRIAL_US + A_LITTLE_US);
    cr_assert_eq(sim.baud, HOME);
}
