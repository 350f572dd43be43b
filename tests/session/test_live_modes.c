/* test_live_modes.c - a session with a device that describes itself. */
#include "live.h"
#include "protocol/compact_writer.h"
#include "protocol/tree_writer.h"
#include "support/stream.h"

/* A dialect that reads these versions, so that they are requested. */
static struct dialect dialect_that_reads(uint32_t versions)
{
    struct dialect dialect = *dialect_find("miniprof");
    dialect.versions = versions;
    return dialect;
}

static bool is_in_stream(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_STREAM;
}

static bool is_in_calls(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_CALLS;
}

Test(live_modes, the_description_is_shown_and_selects_the_mode)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_in_stream);
    cr_assert_eq(fake_version(&bench.fake), 2);
    const struct snapshot_description *said = &s->target.description;
    cr_assert(said->is_known && said->versions == 6 && said->ring_calls == 64 && said->stack_depth == 32);
    cr_assert_eq(said->setting_count, 1);
    const struct snapshot_setting *shortest = snapshot_setting_find(said, "shortest");
    cr_assert_not_null(shortest);
    cr_assert(shortest->key == 2 && shortest->least == 0 && shortest->most == 1000);
    cr_assert_str_eq(shortest->unit, "us");
    cr_assert_null(snapshot_setting_find(said, "short"));
    cr_assert_str_eq(s->source.detail, "");
    bench_fini(&bench);
}

Test(live_modes, a_device_that_does_not_describe_itself_is_started_as_ever)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, is_in_calls);
    cr_assert_not(s->target.description.is_known);
    cr_assert_eq(s->target.ticks_per_second, 1000000);
    fake_await(&bench.fake, MP_GET_STATUS, 5);
    cr_assert_eq(fake_heard(&bench.fake, MP_DESCRIBE), 1);
    cr_assert_eq(fake_version(&bench.fake), 1);
    bench_fini(&bench);
}

static bool has_a_sentence_of_modes(const struct snapshot *s)
{
    return strstr(s->source.detail,
                  "Mode tree is not available with this device; it profiles in mode stream.");
}

Test(live_modes, an_unavailable_mode_is_reported)
{
    struct dialect dialect = dialect_that_reads(0xE);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    bench.settings.mode = MODE_TREE;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    const struct snapshot *s = bench_await(&bench, has_a_sentence_of_modes);
    cr_assert_eq(s->target.mode_wanted, MODE_TREE);
    cr_assert_eq(fake_version(&bench.fake), 2);
    bench_fini(&bench);
}

static bool describes_itself_no_more(const struct snapshot *s)
{
    return s->link.target_resets > 0 && !s->target.description.is_known && is_in_calls(s);
}

Test(live_modes, after_a_restart_it_is_asked_again)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    bench_await(&bench, is_in_stream);
    fake_set_versions(&bench.fake, 0);
    fake_restart(&bench.fake, true);
    bench_await(&bench, describes_itself_no_more);
    bench_fini(&bench);
}

static bool shows_the_setting(const struct snapshot *s)
{
    return s->target.description.is_known;
}

Test(live_modes, a_setting_is_confirmed_after_it_was_read_back)
{
    struct bench bench;
    bench_init(&bench, true);
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    bench_await(&bench, shows_the_setting);
    for (uint32_t value = 1; value < 6; value++) {
        struct order order = {
            .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {2, (uint8_t)value}, .payload_n = 5};
        cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
        struct snapshot *now = session_snapshot(bench.session);
        cr_assert_eq(now->target.description.settings[0].value, value);
        snapshot_unref(now);
    }
    cr_assert_eq(fake_setting(&bench.fake), 5);
    struct order order = {
        .kind = ORDER_COMMAND, .command = COMMAND_CONFIG, .payload = {2, 0, 0, 1}, .payload_n = 5};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_REFUSED);
    cr_assert_eq(fake_heard(&bench.fake, MP_DESCRIBE), 6);
    bench_fini(&bench);
}

static enum order_result want(struct bench *bench, enum mode mode)
{
    struct order order = {.kind = ORDER_MODE, .mode = mode};
    return mailbox_ask(session_mailbox(bench->session), &order);
}

/* The target in the published snapshot after an order was answered. */
static struct snapshot_target now(struct bench *bench)
{
    struct snapshot *snapshot = session_snapshot(bench->session);
    struct snapshot_target target = snapshot->target;
    snapshot_unref(snapshot);
    return target;
}

/* The first vector of SPEC.md section 10.7: calls of 0x08000080 and 0x08000100. */
static void fake_send_stream(struct fake *fake)
{
    static const uint8_t payload[] = {0x02, 0x13, 0x07, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x00,
                                      0x01, 0xC0, 0x80, 0x82, 0x80, 0x40, 0x0A, 0xC0, 0x7F, 0x0A, 0x14,
                                      0x0A, 0x80, 0x0A, 0x0A, 0x14, 0x0A, 0x0A, 0x0A, 0x14, 0x0A};
    struct stream stream = {0};
    stream_packet(&stream, MP_PROFILE_DATA, payload, sizeof payload);
    fake_send(fake, stream.bytes, stream.n);
    stream_fini(&stream);
}

static bool shows_the_stream(const struct snapshot *s)
{
    return bench_calls_of(s, 0x08000080) > 0;
}

Test(live_modes, a_change_of_mode_applies_at_once)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.dialect = &dialect;
    bench.settings.mode = MODE_CALLS;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    bench_await(&bench, is_in_calls);
    fake_send_rounds(&bench.fake, 10, 0);
    bench_await(&bench, bench_has_ten_rounds);

    cr_assert_eq(want(&bench, MODE_STREAM), ORDER_DONE);
    cr_assert_eq(fake_version(&bench.fake), 2);
    cr_assert_eq(now(&bench).mode, MODE_STREAM);
    cr_assert_eq(now(&bench).mode_wanted, MODE_STREAM);
    fake_send_stream(&bench.fake);
    const struct snapshot *s = bench_await(&bench, shows_the_stream);
    cr_assert_eq(bench_calls_of(s, 0x1000), 0);
    cr_assert_eq(s->target.ticks_per_second, 48000000, "of the description");

    unsigned starts = fake_heard(&bench.fake, MP_START);
    cr_assert_eq(want(&bench, MODE_TREE), ORDER_DONE, "which it does not have");
    cr_assert_eq(now(&bench).mode, MODE_STREAM);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), starts, "so it goes on");

    cr_assert_eq(want(&bench, MODE_CALLS), ORDER_DONE);
    fake_send_rounds(&bench.fake, 10, 0);
    s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert_eq(bench_calls_of(s, 0x08000080), 0);
    cr_assert_eq(s->target.ticks_per_second, 1000000);

    cr_assert_eq(command(&bench, MP_STOP), ORDER_DONE);
    starts = fake_heard(&bench.fake, MP_START);
    cr_assert_eq(want(&bench, MODE_STREAM), ORDER_DONE);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), starts, "one that is stopped is not started for that");
    cr_assert_eq(command(&bench, MP_START), ORDER_DONE);
    cr_assert_eq(fake_version(&bench.fake), 2);
    fake_set_refuses(&bench.fake, true);
    cr_assert_eq(want(&bench, MODE_CALLS), ORDER_REFUSED);
    bench_fini(&bench);
}

Test(live_modes, a_mode_is_kept_for_a_device_that_comes_later)
{
    struct dialect dialect = dialect_that_reads(6);
    struct bench bench;
    bench_init(&bench, false);
    bench.settings.dialect = &dialect;
    fake_set_versions(&bench.fake, 6);
    bench_start(&bench);
    cr_assert_eq(want(&bench, MODE_CALLS), ORDER_DONE);
    fake_plug_in(&bench.fake);
    bench_await(&bench, is_in_calls);
    cr_assert_eq(fake_heard(&bench.fake, MP_DESCRIBE), 1);
    bench_fini(&bench);
}

Test(live_modes, without_control_there_is_no_mode_to_choose)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    cr_assert_eq(want(&bench, MODE_STREAM), ORDER_NO_DEVICE);
    bench_fini(&bench);
}

/* Sends a packet of the stream with ten calls, after ten lost ones. */
static void send_half_of_the_stream(struct fake *fake, uint32_t packet)
{
    struct stream stream = {0};
    struct mp_compact_writer writer;
    uint8_t payload[300];
    mp_compact_begin(&writer, payload, sizeof payload, 16, 0,
                     &(struct mp_compact_head){.run = 1, .number = 40 * packet + 20, .time = 1000 * packet});
    for (uint32_t i = 0; i < 10; i++) {
        cr_assert(mp_compact_enter(&writer, 0x1000, 1000 * packet + 10 * i));
        cr_assert(mp_compact_exit(&writer, 0x1000, 1000 * packet + 10 * i + 5));
    }
    stream_packet(&stream, MP_PROFILE_DATA, payload, mp_compact_end(&writer, false));
    fake_send(fake, stream.bytes, stream.n);
    stream_fini(&stream);
}

static bool is_in_a_tree_and_says_why(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_TREE &&
           strstr(s->source.detail, "The line could not carry the stream");
}

Test(live_modes, a_stream_too_large_for_the_line_switches_to_tree)
{
    struct bench bench;
    bench_init(&bench, true);
    fake_set_versions(&bench.fake, 0xE);
    bench_start(&bench);
    bench_await(&bench, is_in_stream);
    for (uint32_t packet = 0; fake_version(&bench.fake) != 3; packet++) {
        send_half_of_the_stream(&bench.fake, packet);
        fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 1);
    }
    bench_await(&bench, is_in_a_tree_and_says_why);
    struct order order = {.kind = ORDER_MODE, .mode = MODE_STREAM};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
    bench_await(&bench, is_in_stream);
    bench_fini(&bench);
}

/* Sends a packet of the tree: calls of a node, and equally many without room. */
static void send_half_of_the_tree(struct fake *fake, uint32_t packet)
{
    struct stream stream = {0};
    struct mp_tree_writer writer;
    uint8_t payload[200 + MP_TREE_RECORD_MAX];
    const struct mp_tree_head head = {.run = 1,
                                      .number = packet,
                                      .hz = 1000000,
                                      .time = 1000 * packet,
                                      .elapsed = 1000 * packet,
                                      .nodes = 1,
                                      .room = 1};
    const struct mp_tree_row row = {.node = 0,
                                    .parent = MP_TREE_NO_PARENT,
                                    .function = 0x1000,
                                    .calls = 50 * packet,
                                    .ticks = 100 * packet};
    const struct mp_tree_sums sums = {.other_calls = 50 * packet, .other_ticks = 100 * packet};
    mp_tree_begin(&writer, payload, 200, 0, &head);
    cr_assert(mp_tree_write_sums(&writer, 0, &sums));
    cr_assert(mp_tree_write_row(&writer, &row));
    cr_assert(mp_tree_write_chains(&writer, &(struct mp_tree_chains){1024, 240, 27}));
    stream_packet(&stream, MP_PROFILE_DATA, payload, writer.at);
    fake_send(fake, stream.bytes, stream.n);
    stream_fini(&stream);
}

static bool is_in_a_tree(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.mode == MODE_TREE;
}

static bool says_that_the_tree_is_estimated(const struct snapshot *s)
{
    return bench_is_profiling(s) && s->target.tree.nodes == 1 && s->target.tree.needed == 1486 &&
           strstr(s->source.detail, "more nodes than the target has room for") &&
           strstr(s->source.detail, "about 1,500 nodes, 40 KB: build the agent with -DMPT_TREE_NODES=1500.");
}

Test(live_modes, a_full_tree_is_restarted_flat_and_reported)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.mode = MODE_TREE;
    fake_set_versions(&bench.fake, 0xE);
    bench_start(&bench);
    bench_await(&bench, is_in_a_tree);
    unsigned starts = fake_heard(&bench.fake, MP_START);
    for (uint32_t packet = 1; fake_heard(&bench.fake, MP_START) == starts; packet++) {
        send_half_of_the_tree(&bench.fake, packet);
        fake_await(&bench.fake, MP_GET_STATUS, fake_heard(&bench.fake, MP_GET_STATUS) + 1);
    }
    bench_await(&bench, says_that_the_tree_is_estimated);
    bench_fini(&bench);
}
