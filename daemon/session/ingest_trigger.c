/* ingest_trigger.c - the call that is worth a window: the device is told of it where it keeps windows, and
 * elsewhere the profile watches for it. */
#include "session/ingest.h"

#include "base/clock.h"

void ingest_watch(struct ingest *ingest)
{
    uint64_t hz = ingest->target.told.ticks_per_second;
    profile_set_clock(ingest->profile, hz);
    bool is_known = ingest->trigger.told.state != TRIGGER_OFF && hz > 0;
    profile_watch(ingest->profile, is_known ? ingest->trigger.told.address : 0,
                  trigger_ticks(&ingest->trigger, hz));
}

bool ingest_begin_trigger(struct ingest *ingest, const char *text, struct error *err)
{
    struct limit limit;
    ingest_watch(ingest);
    if (!text)
        return true;
    if (!limit_parse(text, &limit, err) ||
        !trigger_set(&ingest->trigger, &limit, ingest->symbols.current, ingest->symbols.name, err))
        return false;
    ingest_watch(ingest);
    return true;
}

static void answer(struct ingest *ingest, struct order *order, enum order_result result)
{
    ingest->urgent = true;
    if (ingest->ties.publishes)
        ingest_publish(ingest, clock_monotonic_ms(), false); /* who asked gets to see what came of it */
    mailbox_answer(ingest->ties.mailbox, order, result);
}

void ingest_order_trigger(struct ingest *ingest, struct order *order)
{
    struct trigger *trigger = &ingest->trigger;
    bool done = true;
    if (order->is_for_now)
        done = trigger_ask(trigger, &ingest->target.told.description, &order->why);
    else if (*order->limit.name)
        done =
            trigger_set(trigger, &order->limit, ingest->symbols.current, ingest->symbols.name, &order->why);
    else
        trigger_clear(trigger);
    ingest_watch(ingest);
    if (!done)
        answer(ingest, order, ORDER_REFUSED);
    else if (trigger_is_settled(trigger))
        answer(ingest, order, ORDER_DONE);
    else
        ingest->trigger_order = order;
}

/* What became of the last that the device was told. */
static void tell_outcome(struct ingest *ingest)
{
    const struct trigger *trigger = &ingest->trigger;
    char text[LIMIT_TEXT_SIZE];
    limit_write(&trigger->told.limit, text, sizeof text);
    ingest->urgent = true;
    if (*trigger->why.text)
        log_write(LOG_WARNING, "%s", trigger->why.text);
    else if (trigger->told.state == TRIGGER_ARMED)
        log_write(LOG_INFO, "The device keeps a window whenever %s.", text);
    struct order *order = ingest->trigger_order;
    ingest->trigger_order = NULL;
    if (!order)
        return;
    order->why = trigger->why;
    answer(ingest, order, *trigger->why.text ? ORDER_REFUSED : ORDER_DONE);
}

void ingest_follow_trigger(struct ingest *ingest)
{
    struct trigger *trigger = &ingest->trigger;
    struct mp_command command;
    bool was_settled = trigger_is_settled(trigger);
    device_want_trigger(&ingest->device, trigger->told.state != TRIGGER_OFF);
    if (trigger->is_asked)
        trigger_hear(trigger, device_user_answer(&ingest->device));
    bool was_tree = trigger->counts_tree;
    trigger_follow(trigger, device_mode(&ingest->device) == MODE_TREE);
    if (!was_tree)
        (void)trigger_take_back(trigger, &ingest->target.told.description); /* of one that profiled already */
    if (!ingest->order && trigger_next(trigger, &ingest->target.told.description, &command))
        device_ask(&ingest->device, &command, clock_monotonic_ms());
    if ((!was_settled || ingest->trigger_order) && trigger_is_settled(trigger))
        tell_outcome(ingest);
}

void ingest_end_trigger(struct ingest *ingest)
{
    if (ingest->trigger_order)
        mailbox_answer(ingest->ties.mailbox, ingest->trigger_order, ORDER_CLOSED);
    ingest->trigger_order = NULL;
}
