/* test_live_orders.c - orders of other threads to a running session. */
#include "live.h"

#include <pthread.h>

Test(live_orders, commands_of_others_are_carried_out_and_answered)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    cr_assert_eq(command(&bench, MP_STOP), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_GET_STATUS), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_GET_METADATA), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_DONE);
    cr_assert_eq(command(&bench, MP_SET_CONFIG), ORDER_DONE);
    cr_assert_eq(fake_heard(&bench.fake, MP_START), 1, "stopped, it stays so");
    cr_assert_eq(command(&bench, MP_START), ORDER_DONE);
    fake_set_refuses(&bench.fake, true);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_REFUSED);
    fake_set_refuses(&bench.fake, false);
    cr_assert_eq(bench.shown->link.target_resets, 0);
    bench_fini(&bench);
}

Test(live_orders, an_unanswered_command_is_reported)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.timing.answer_ms = 10;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_set_deaf(&bench.fake, true);
    cr_assert_eq(command(&bench, MP_RESET_BUFFERS), ORDER_SILENT);
    bench_fini(&bench);
}

static void *ask_for_status(void *argument)
{
    struct bench *bench = argument;
    for (int i = 0; i < 10; i++)
        cr_assert_eq(command(bench, MP_GET_STATUS), ORDER_DONE);
    return NULL;
}

Test(live_orders, many_can_ask_at_once)
{
    struct bench bench;
    pthread_t askers[4];
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, is_connected);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&askers[i], NULL, ask_for_status, &bench), 0);
    for (unsigned i = 0; i < 20; i++)
        fake_send_rounds(&bench.fake, 1, 100 * i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(askers[i], NULL);
    bench_await(&bench, has_twenty_rounds);
    bench_fini(&bench);
}

static bool was_cleared(const struct snapshot *s)
{
    return s->cleared_at > 1;
}

Test(live_orders, the_profile_can_be_cleared)
{
    struct bench bench;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    fake_send_rounds(&bench.fake, 20, 0);
    bench_await(&bench, has_twenty_rounds);
    struct order order = {.kind = ORDER_CLEAR};
    cr_assert_eq(mailbox_ask(session_mailbox(bench.session), &order), ORDER_DONE);
    const struct snapshot *s = bench_await(&bench, was_cleared);
    cr_assert_eq(bench_calls_of(s, 0x1000), 0);
    fake_send_rounds(&bench.fake, 10, 10000);
    bench_await(&bench, bench_has_ten_rounds);
    bench_fini(&bench);
}

Test(live_orders, without_control_the_device_hears_nothing)
{
    struct bench bench;
    bench_init(&bench, true);
    bench.settings.control = false;
    bench_start(&bench);
    bench_await(&bench, is_connected);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, bench_has_ten_rounds);
    cr_assert(s->source.listen_only);
    cr_assert_eq(command(&bench, MP_START), ORDER_NO_DEVICE);
    session_stop(bench.session);
    for (unsigned code = 0; code < 8; code++)
        cr_assert_eq(fake_heard(&bench.fake, (enum mp_command_code)code), 0);
    bench_fini(&bench);
}
