/* test_live_limits.c - limits on figures of functions, set and removed while a session runs. */
#include "live.h"

#include <stdio.h>
#include <string.h>

static enum order_result set_limit(struct bench *bench, const char *text, struct order *order)
{
    *order = (struct order){.kind = ORDER_LIMIT};
    cr_assert(bound_parse(text, &order->bound, &order->why), "%s", order->why.text);
    return mailbox_ask(session_mailbox(bench->session), order);
}

static enum order_result end_limit(struct bench *bench, uint32_t id, struct order *order)
{
    *order = (struct order){.kind = ORDER_LIMIT_END, .bound_id = id};
    return mailbox_ask(session_mailbox(bench->session), order);
}

static bool has_limit(const struct snapshot *s)
{
    return s->bounds.count == 1;
}

static bool is_kept(const struct snapshot *s)
{
    return has_limit(s) && s->bounds.rows[0].state == BOUND_KEPT;
}

static bool is_broken(const struct snapshot *s)
{
    return has_limit(s) && s->bounds.rows[0].state == BOUND_BROKEN;
}

static bool has_none(const struct snapshot *s)
{
    return s->bounds.count == 0 && s->bounds.changed > 0;
}

/* The callee of a round takes 4 ticks of 1 us; a broken limit is reported with its value in the limit's unit. */
Test(live_limits, are_kept_or_broken_from_the_order_on)
{
    struct bench bench;
    struct order order;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    cr_assert_eq(set_limit(&bench, "0x00002000:max<10us", &order), ORDER_DONE, "%s", order.why.text);
    bench_await(&bench, has_limit);
    fake_send_rounds(&bench.fake, 10, 0);
    const struct snapshot *s = bench_await(&bench, is_kept);
    cr_expect_eq(s->bounds.rows[0].id, order.bound_id);
    cr_expect_eq(s->bounds.told, 0);
    cr_assert_eq(end_limit(&bench, order.bound_id, &order), ORDER_DONE);
    bench_await(&bench, has_none);

    cr_assert_eq(set_limit(&bench, "0x00002000:max<3us", &order), ORDER_DONE, "%s", order.why.text);
    fake_send_rounds(&bench.fake, 1, 2000);
    s = bench_await(&bench, is_broken);
    cr_expect_eq(s->bounds.breaches[0].bound, order.bound_id);
    cr_expect_float_eq(s->bounds.breaches[0].value, 4000, 0.5, "%f ns", s->bounds.breaches[0].value);
    bench_fini(&bench);
}

Test(live_limits, a_removed_limit_cannot_be_removed_again)
{
    struct bench bench;
    struct order order;
    bench_init(&bench, true);
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    cr_assert_eq(set_limit(&bench, "0x00002000:max<10us", &order), ORDER_DONE, "%s", order.why.text);
    uint32_t id = order.bound_id;
    cr_assert_eq(end_limit(&bench, id, &order), ORDER_DONE);
    cr_assert_eq(end_limit(&bench, id, &order), ORDER_REFUSED);
    char said[64];
    snprintf(said, sizeof said, "There is no limit %u any more.", (unsigned)id);
    cr_expect_str_eq(order.why.text, said);
    bench_fini(&bench);
}

/* One more replaces the oldest ordered one; those of the command line stay. */
Test(live_limits, a_new_limit_replaces_the_oldest_ordered_one)
{
    struct bench bench;
    struct order order;
    struct bound given;
    struct error err = {""};
    uint32_t second = 0;
    bench_init(&bench, true);
    cr_assert(bound_parse("0x00001000:max<99us", &given, &err), "%s", err.text);
    bench.settings.limits = &given;
    bench.settings.limits_n = 1;
    bench_start(&bench);
    bench_await(&bench, bench_is_profiling);
    for (unsigned i = 1; i < BOUNDS_MAX; i++) {
        char text[64];
        snprintf(text, sizeof text, "0x00002000:max<%uus", 10 + i);
        cr_assert_eq(set_limit(&bench, text, &order), ORDER_DONE, "%s", order.why.text);
        second = i == 2 ? order.bound_id : second;
    }
    cr_assert_eq(set_limit(&bench, "0x00001000:max<10us", &order), ORDER_DONE, "%s", order.why.text);
    struct snapshot *snapshot = session_snapshot(bench.session);
    cr_expect_eq(snapshot->bounds.count, BOUNDS_MAX);
    cr_expect_eq(snapshot->bounds.rows[0].bound.value, given.value);
    cr_expect_eq(snapshot->bounds.rows[1].id, second);
    cr_expect_eq(snapshot->bounds.rows[BOUNDS_MAX - 1].id, order.bound_id);
    snapshot_unref(snapshot);
    bench_fini(&bench);
}

/* As with --limit on the command line: a 65th ends the start with an error. */
Test(live_limits, more_than_there_is_room_for_end_the_start)
{
    struct bench bench;
    struct bound bounds[BOUNDS_MAX + 1];
    struct error err = {""};
    bench_init(&bench, true);
    for (unsigned i = 0; i <= BOUNDS_MAX; i++) {
        char text[64];
        snprintf(text, sizeof text, "0x00002000:max<%uus", 10 + i);
        cr_assert(bound_parse(text, &bounds[i], &err), "%s", err.text);
    }
    bench.settings.limits = bounds;
    bench.settings.limits_n = BOUNDS_MAX + 1;
    cr_assert_null(session_new(&bench.settings, bench.board, &err));
    cr_expect_neq(strlen(err.text), 0);
    bench_fini(&bench);
}
