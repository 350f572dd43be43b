/* test_commands.c - the agent answers the host. */
#include "sim/sim.h"

#include <criterion/criterion.h>

Test(commands, metadata_is_sent_unasked_at_the_start)
{
    static const struct mpt_target target = {
        .clock_hz = 48000000, .fw_version = "v1.2.3", .text = "123456789", .text_bytes = 9};

    mpt_init(&target);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 1);
    cr_assert_eq(heard->types[0], MP_METADATA);
    cr_assert_eq(heard->metadata.mcu_clock_hz, 48000000);
    cr_assert_eq(heard->metadata.timer_hz, 1000000,
                 "times on the wire are microseconds whatever the counter's rate");
    cr_assert_eq(heard->metadata.elf_build_id, 0xCBF43926, "the check value of zlib's CRC-32");
    cr_assert_arr_eq(heard->metadata.fw_version, "v1.2.3\0\0\0\0\0\0\0\0\0\0", MP_FW_VERSION_SIZE);
}

Test(commands, a_version_of_more_than_sixteen_characters_is_cut_and_no_text_means_no_build_id)
{
    static const struct mpt_target target = {.fw_version = "0123456789abcdefghij"};

    mpt_init(&target);
    const struct heard *heard = sim_hear();
    cr_assert_arr_eq(heard->metadata.fw_version, "0123456789abcdef", MP_FW_VERSION_SIZE);
    cr_assert_eq(heard->metadata.elf_build_id, 0);
}

Test(commands, each_of_the_six_commands_is_answered)
{
    sim_start(NULL);
    sim_command(MP_START);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert(mpt_is_profiling());
    sim_command(MP_STOP);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_not(mpt_is_profiling());
    sim_command(MP_GET_STATUS);
    cr_assert_eq(sim_answer(), MP_STATUS);
    sim_command(MP_RESET_BUFFERS);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_command(MP_GET_METADATA);
    cr_assert_eq(sim_answer(), MP_METADATA);
    sim_config(MPT_CONFIG_PACKET_RECORDS, 7);
    cr_assert_eq(sim_answer(), MP_ACK);
}

Test(commands, commands_in_one_go_are_answered_one_by_one_in_order)
{
    sim_start(NULL);
    sim_command(MP_GET_METADATA);
    sim_command(0x77);
    sim_command(MP_START);
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 4);
    cr_assert_arr_eq(heard->types, ((uint8_t[]){MP_METADATA, MP_NACK, MP_ACK, MP_STATUS}), 4);
    cr_assert_eq(heard->status.is_profiling, 1);
}

Test(commands, unknown_commands_are_refused_and_damaged_ones_ignored)
{
    sim_start(NULL);
    sim_command(0);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_command(8);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_command(255);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_receive((const uint8_t[]){0x55, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x57}, 12);
    cr_assert_eq(sim_hear()->n_packets, 0);
    cr_assert_not(mpt_is_profiling());
}

Test(commands, settings_out_of_range_unknown_or_of_another_length_are_refused)
{
    static const struct {
        uint8_t key;
        uint32_t value;
        uint8_t answer;
    } cases[] = {
        {MPT_CONFIG_PACKET_RECORDS, 0, MP_NACK},
        {MPT_CONFIG_PACKET_RECORDS, 1, MP_ACK},
        {MPT_CONFIG_PACKET_RECORDS, MPT_PACKET_RECORDS, MP_ACK},
        {MPT_CONFIG_PACKET_RECORDS, MPT_PACKET_RECORDS + 1, MP_NACK}, /* more has no room in the packet */
        {MPT_CONFIG_MIN_DURATION_US, 0, MP_ACK},
        {MPT_CONFIG_MIN_DURATION_US, 85899345, MP_ACK}, /* 2^31 ticks of 25 MHz */
        {MPT_CONFIG_MIN_DURATION_US, 85899346, MP_NACK},
        {MPT_CONFIG_MIN_DURATION_US, UINT32_MAX, MP_NACK},
        {MPT_CONFIG_MAX_DEPTH, 0, MP_NACK},
        {MPT_CONFIG_MAX_DEPTH, 1, MP_ACK},
        {MPT_CONFIG_MAX_DEPTH, MPT_STACK_DEPTH, MP_ACK},
        {MPT_CONFIG_MAX_DEPTH, MPT_STACK_DEPTH + 1, MP_NACK},
        {0, 1, MP_NACK},
        {4, 1, MP_NACK},
        {MPT_CONFIG_APPLICATION, 1, MP_NACK}, /* this application accepts none */
    };
    sim_start(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sim_config(cases[i].key, cases[i].value);
        cr_assert_eq(sim_answer(), cases[i].answer, "key %u, value %u", cases[i].key, cases[i].value);
    }
    sim_command(MP_SET_CONFIG);
    cr_assert_eq(sim_answer(), MP_NACK, "without a payload");
}

static uint8_t configured_key;
static uint32_t configured_value;

static bool take_setting(uint8_t key, uint32_t value)
{
    configured_key = key;
    configured_value = value;
    return value != 13;
}

Test(commands, the_applications_own_settings_reach_it_and_its_verdict_is_the_answer)
{
    static const struct mpt_target target = {.fw_version = "", .configure = take_setting};

    sim_start(&target);
    sim_config(MPT_CONFIG_APPLICATION + 5, 0x12345678);
    cr_assert_eq(sim_answer(), MP_ACK);
    cr_assert_eq(configured_key, MPT_CONFIG_APPLICATION + 5);
    cr_assert_eq(configured_value, 0x12345678);
    sim_config(MPT_CONFIG_APPLICATION, 13);
    cr_assert_eq(sim_answer(), MP_NACK);
    sim_config(9, 1);
    cr_assert_eq(sim_answer(), MP_NACK);
    cr_assert_eq(configured_key, MPT_CONFIG_APPLICATION, "keys below are not the application's");
}

Test(commands, status_has_captured_records_and_buffer_usage)
{
    sim_start(NULL);
    mpt_start();
    for (int i = 0; i < MPT_RING_RECORDS / 2; i++) {
        sim_enter(0x100);
        sim_exit(0x100);
    }
    sim_command(MP_GET_STATUS);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->types[0], MP_STATUS, "a command is answered before more records are sent");
    cr_assert_eq(heard->status.is_profiling, 1);
    cr_assert_eq(heard->status.records_captured, MPT_RING_RECORDS / 2);
    cr_assert_eq(heard->status.buffer_usage_percent, 50);
    cr_assert_eq(heard->status.buffer_overflows, 0);
}

Test(commands, it_describes_itself_and_its_settings)
{
    struct mp_description description;
    struct mp_setting setting;

    sim_start(NULL);
    sim_config(MPT_CONFIG_MIN_DURATION_US, 12);
    cr_assert_eq(sim_answer(), MP_ACK);
    sim_command(MP_DESCRIBE);
    const struct heard *heard = sim_hear();
    cr_assert_eq(heard->n_packets, 1);
    cr_assert_eq(heard->types[0], MP_DESCRIPTION);
    struct mp_bytes bytes = mp_bytes_over(heard->description, heard->description_size);
    cr_assert(mp_description_decode(&description, &bytes));
    cr_assert_eq(description.versions, 1 << 1 | 1 << 2 | 1 << 3);
    cr_assert_eq(description.tick_hz, MPT_TICK_HZ);
    cr_assert_eq(description.ring_calls, MPT_RING_RECORDS);
    cr_assert_eq(description.settings, 7);
    for (int i = 0; i < 7; i++) {
        cr_assert(mp_setting_decode(&setting, &bytes));
        cr_assert_eq(setting.key, i < 3 ? i + 1 : MPT_CONFIG_WINDOW_FUNCTION + i - 3);
        cr_assert(setting.least <= setting.value && setting.value <= setting.most);
        if (setting.key == MPT_CONFIG_MIN_DURATION_US)
            cr_assert_eq(setting.value, 12);
    }
    cr_assert_eq(bytes.left, (MPT_VERSION_3 ? MP_HOOK_FORMS : 1) * MP_HOOK_TICKS + MP_DESCRIPTION_RUN);
}
