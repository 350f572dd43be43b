/* ingest_limits.c - the limits that people set: taken over at the start, changed by orders, and what is told
 * of those that are broken. */
#include "session/ingest.h"

#include "base/clock.h"

bool ingest_begin_limits(struct ingest *ingest, const struct bound *bounds, size_t n, struct error *err)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t id;
        if (!profile_add_bound(ingest->profile, &bounds[i], &id, err))
            return false;
        profile_keep_bound(ingest->profile, id);
        const char *doubt = profile_bound_doubt(ingest->profile, id);
        if (*doubt && ingest->ties.publishes)
            log_write(LOG_WARNING, "The limit on %s waits. %s", bounds[i].name, doubt);
    }
    return true;
}

void ingest_order_limit(struct ingest *ingest, struct order *order)
{
    bool done;
    if (order->kind == ORDER_LIMIT) {
        done = profile_add_bound(ingest->profile, &order->bound, &order->bound_id, &order->why);
    } else {
        done = profile_remove_bound(ingest->profile, order->bound_id);
        if (!done)
            error_set(&order->why, "There is no limit %u any more.", (unsigned)order->bound_id);
    }
    ingest->urgent = true;
    if (ingest->ties.publishes)
        ingest_publish(ingest, clock_monotonic_ms(), false); /* who asked gets to see what came of it */
    mailbox_answer(ingest->ties.mailbox, order, done ? ORDER_DONE : ORDER_REFUSED);
}

static void tell_breach(struct ingest *ingest, const struct snapshot_breach *worst, const char *limit)
{
    char value[32];
    size_t n;
    const uint8_t *head = decoder_introduction(ingest->decoder, &n);
    if (keeper_hear(&ingest->keeper, clock_monotonic_ns() / 1000, worst, head, n))
        ingest->urgent = true;
    bound_write_value(worst->figure, worst->value, value, sizeof value);
    /* Without a page they are told at the end, all of them. */
    if (ingest->ties.publishes && log_gate_open(&ingest->limits_gate))
        log_write(LOG_WARNING, "The limit %s was broken: %s at tick %llu.", limit, value,
                  (unsigned long long)worst->ticks);
}

void ingest_follow_limits(struct ingest *ingest)
{
    struct snapshot_breach worst;
    char limit[BOUND_TEXT_SIZE];
    if (device_awaits_own_run(&ingest->device)) /* nothing of before is held to them */
        return;
    while (profile_breached(ingest->profile, &worst, limit, sizeof limit))
        if (*limit)
            tell_breach(ingest, &worst, limit);
}
