/* ingest_orders.c - executes the orders of the mailbox: a command is sent to the device and waits for its
 * answer; others are done at once. */
#include "session/ingest.h"

#include "base/clock.h"
#include "protocol/description.h"

#include <assert.h>
#include <string.h>

/* ---- the trigger ---- */

/* The condition for a window: sent to a device that keeps windows; otherwise the profile checks it. */

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

static void answer_order(struct ingest *ingest, struct order *order, enum order_result result)
{
    ingest->urgent = true;
    if (ingest->ties.publishes)
        ingest_publish(ingest, clock_monotonic_ms(), false); /* for the sender of the order */
    mailbox_answer(ingest->ties.mailbox, order, result);
}

/* Executes an order on triggers, and answers it once the device knows the trigger. */
static void ingest_order_trigger(struct ingest *ingest, struct order *order)
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
        answer_order(ingest, order, ORDER_REFUSED);
    else if (trigger_is_settled(trigger))
        answer_order(ingest, order, ORDER_DONE);
    else
        ingest->trigger_order = order;
}

/* Logs the result of the last trigger sent to the device. */
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
    answer_order(ingest, order, *trigger->why.text ? ORDER_REFUSED : ORDER_DONE);
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
        (void)trigger_take_back(trigger, &ingest->target.told.description); /* the device profiled already */
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

/* ---- limits ---- */

/* Limits are set at the start, and changed by orders; broken ones are reported. */

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

/* Executes an order to set or remove a limit. */
static void ingest_order_limit(struct ingest *ingest, struct order *order)
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
        ingest_publish(ingest, clock_monotonic_ms(), false); /* for the sender of the order */
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
    /* Without a page they are all reported at the end. */
    if (ingest->ties.publishes && log_gate_open(&ingest->limits_gate))
        log_write(LOG_WARNING, "The limit %s was broken: %s at tick %llu.", limit, value,
                  (unsigned long long)worst->ticks);
}

void ingest_follow_limits(struct ingest *ingest)
{
    struct snapshot_breach worst;
    char limit[BOUND_TEXT_SIZE];
    if (device_awaits_own_run(&ingest->device)) /* earlier calls are not compared with them */
        return;
    while (profile_breached(ingest->profile, &worst, limit, sizeof limit))
        if (*limit)
            tell_breach(ingest, &worst, limit);
}

/* ---- orders ---- */

/* Commands are sent unchanged. */
#define HAS_CODE_OF_WIRE(id, code, wire, ...)                                                                \
    static_assert((int)COMMAND_##id == (int)(wire), "commands have the codes of the wire");
DEVICE_COMMAND_ROWS(HAS_CODE_OF_WIRE, HAS_CODE_OF_WIRE, HAS_CODE_OF_WIRE)
static_assert(sizeof(((struct order *)0)->payload) == MP_COMMAND_PAYLOAD,
              "a command's payload fits an order's");

static enum order_result result_of(enum device_answer answer)
{
    switch (answer) {
    case DEVICE_ACK: return ORDER_DONE;
    case DEVICE_NACK: return ORDER_REFUSED;
    case DEVICE_SILENT: return ORDER_SILENT;
    default: return ORDER_NO_DEVICE;
    }
}

/* The sender of a setting expects its result on the board, which needs the device's description. */
static bool is_to_be_described(const struct ingest *ingest, enum device_answer answer)
{
    return ingest->order->command == COMMAND_CONFIG && answer == DEVICE_ACK &&
           device_is_describing(&ingest->device);
}

void ingest_answer_command(struct ingest *ingest)
{
    enum device_answer answer = device_user_answer(&ingest->device);
    if (!ingest->order || answer == DEVICE_PENDING || is_to_be_described(ingest, answer))
        return;
    if (ingest->ties.publishes)
        ingest_publish(ingest, clock_monotonic_ms(), false);
    if (answer == DEVICE_NACK && ingest->order->command == COMMAND_CONFIG &&
        ingest->order->payload[0] == MP_SETTING_BAUD)
        error_set(&ingest->order->why, "%s", device_baud_trouble(&ingest->device));
    mailbox_answer(ingest->ties.mailbox, ingest->order, result_of(answer));
    ingest->order = NULL;
    ingest->urgent = true;
}

static void begin_command(struct ingest *ingest, struct order *order)
{
    struct mp_command command = {.code = order->command, .length = order->payload_n};
    assert(order->payload_n <= sizeof command.payload);
    memcpy(command.payload, order->payload, order->payload_n);
    ingest->order = order;
    device_ask(&ingest->device, &command, clock_monotonic_ms());
}

/* Sets the mode; a device that is missing or stopped is started in it the next time. */
static void begin_mode(struct ingest *ingest, struct order *order)
{
    struct device *device = &ingest->device;
    if (!device->control) {
        mailbox_answer(ingest->ties.mailbox, order, ORDER_NO_DEVICE);
        return;
    }
    device_want_mode(device, order->mode, device->versions_read, clock_monotonic_ms());
    ingest->target.told.mode_wanted = order->mode;
    ingest_follow_mode(ingest);
    if (device_is_to_start(device)) {
        order->command = COMMAND_START;
        order->payload_n = 0;
        begin_command(ingest, order);
        ingest_answer_command(ingest);
        return;
    }
    if (ingest->ties.publishes)
        ingest_publish(ingest, clock_monotonic_ms(), false);
    mailbox_answer(ingest->ties.mailbox, order, ORDER_DONE);
}

static bool is_recordable(const struct ingest *ingest, struct error *why)
{
    const char *spec = ingest->shown.port;
    if (ingest->record_order && ingest->record_order->kind == ORDER_RECORD)
        return error_set(
            why,
            "A recording is being begun already, whose file the disk has not made yet; wait until it has.");
    if (ingest->record_order)
        return error_set(why, "The disk is still taking in the recording before, %s; try again then.",
                         ingest->recording.shown.path);
    if (recording_is_on(&ingest->recording))
        return error_set(why, "This is being recorded already, into %s.", ingest->recording.shown.path);
    if (source_is_finite(ingest->source) && strcmp(spec, "-") != 0)
        return error_set(why, "There is nothing to record: %s is a file, which can be copied.", spec);
    if (ingest->connection.state == STATE_ENDED)
        return error_set(why, "There is nothing to record: %s has ended.", spec);
    return true;
}

/* Waits for the disk between reads. */
static void begin_recording(struct ingest *ingest, struct order *order)
{
    size_t n;
    const uint8_t *head = decoder_introduction(ingest->decoder, &n);
    ingest->urgent = true;
    if (!is_recordable(ingest, &order->why)) {
        mailbox_answer(ingest->ties.mailbox, order, ORDER_REFUSED);
        return;
    }
    ingest->recorded_us = clock_monotonic_ns() / 1000;
    if (!recording_begin(&ingest->recording, ingest->recorded_us, head, n, &order->why)) {
        mailbox_answer(ingest->ties.mailbox, order, ORDER_FAILED);
        return;
    }
    ingest->record_order = order;
    ingest_answer_recording(ingest);
}

static enum order_result result_of_recording(struct ingest *ingest, struct order *order)
{
    if (order->kind == ORDER_RECORD && !recording_opened(&ingest->recording, &order->why))
        return ORDER_FAILED;
    if (order->kind == ORDER_RECORD) {
        recording_tell(&ingest->recording, &order->recording);
        return ORDER_DONE;
    }
    if (!recording_end(&ingest->recording, &order->recording, &order->why))
        return ORDER_FAILED;
    if (*order->recording.path)
        return ORDER_DONE;
    error_set(&order->why, "Nothing is being recorded.");
    return ORDER_REFUSED;
}

/* Answers even if there is no time left for the disk. */
void ingest_answer_recording(struct ingest *ingest)
{
    struct order *order = ingest->record_order;
    bool is_last = ingest->connection.state == STATE_ENDED;
    bool waits = recording_is_opening(&ingest->recording) || recording_is_closing(&ingest->recording);
    if (!order || (!is_last && waits))
        return;
    ingest->record_order = NULL;
    ingest->urgent = true;
    mailbox_answer(ingest->ties.mailbox, order, result_of_recording(ingest, order));
}

/* Waits for the disk between reads, too. */
static void end_recording(struct ingest *ingest, struct order *order)
{
    if (ingest->record_order) {
        error_set(&order->why, ingest->record_order->kind == ORDER_RECORD
                                   ? "The disk has not made the file of the recording yet; try again then."
                                   : "The recording is being ended already.");
        mailbox_answer(ingest->ties.mailbox, order, ORDER_REFUSED);
        return;
    }
    recording_close(&ingest->recording);
    ingest->record_order = order;
    ingest_answer_recording(ingest);
}

/* New names are applied in one step, between two reads. */
static void follow_elf(struct ingest *ingest, struct order *order)
{
    struct symbols *symbols = &ingest->symbols;
    if (order->symtab)
        ingest_follow_symbols(ingest, symbols_take(symbols, order->symtab, &ingest->target.told));
    else if (*order->why.text)
        symbols_fail(symbols, order->why.text);
    else
        symbols_expect(symbols);
    ingest->urgent = true;
    mailbox_answer(ingest->ties.mailbox, order, ORDER_DONE);
}

void ingest_follow_orders(struct ingest *ingest)
{
    ingest_answer_command(ingest);
    while (!ingest->order && !ingest->trigger_order && !ingest->trigger.is_asked) {
        struct order *order = mailbox_take(ingest->ties.mailbox);
        if (!order)
            return;
        switch (order->kind) {
        case ORDER_CLEAR:
            ingest_clear(ingest);
            ingest->urgent = true;
            mailbox_answer(ingest->ties.mailbox, order, ORDER_DONE);
            break;
        case ORDER_RECORD: begin_recording(ingest, order); break;
        case ORDER_RECORD_END: end_recording(ingest, order); break;
        case ORDER_SYMBOLS: follow_elf(ingest, order); break;
        case ORDER_MODE: begin_mode(ingest, order); break;
        case ORDER_TRIGGER: ingest_order_trigger(ingest, order); break;
        case ORDER_LIMIT:
        case ORDER_LIMIT_END: ingest_order_limit(ingest, order); break;
        case ORDER_COMMAND:
            begin_command(ingest, order);
            ingest_answer_command(ingest);
            break;
        }
    }
}
