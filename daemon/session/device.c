/* device.c - the conversation with the device.
 *
 * By itself: METADATA until it answers, then START if profiling is wanted, then STATUS again and again. A
 * device that leaves a command unanswered three times is silent: it is listened to, and asked for METADATA at
 * a slow pace until it answers. Between its own commands the user's get through, one at a time.
 *
 * A restart shows in one of two ways: METADATA that nobody asked for, or a count of captured records that
 * fell. */
#include "session/device.h"

#include "session/target.h"

#include <assert.h>

enum { TRIES = 3 };

void device_init(struct device *device, const struct device_timing *timing, bool control)
{
    *device = (struct device){.timing = *timing, .control = control, .profiling_wanted = true};
}

static void forget(struct device *device, uint64_t now_ms)
{
    device->knows_target = device->started = false;
    device->next_metadata_ms = device->next_start_ms = device->next_status_ms = now_ms;
}

void device_connect(struct device *device, uint64_t now_ms)
{
    device->connected = device->control;
    device->asker = DEVICE_NOBODY;
    device->silent = device->heard = false;
    device->metadata_expected = 0;
    device->hold_until_ms = now_ms;
    device->check_restart = device->has_captured;
    forget(device, now_ms);
}

void device_disconnect(struct device *device)
{
    device->connected = false;
    device->asker = DEVICE_NOBODY;
    device->silent = false;
    if (device->user_waits)
        device->user_answer = DEVICE_AWAY;
    device->user_waits = false;
    device->stopped = device->stopping;
}

/* ---- what to send ---- */

static bool answered_by_ack(uint8_t code)
{
    return code != MP_GET_METADATA && code != MP_GET_STATUS;
}

static void take_up(struct device *device, enum device_asker asker, struct mp_command command)
{
    device->command = command;
    device->asker = asker;
    device->tries = 0;
    device->deadline_ms = 0;
}

static void take_up_own(struct device *device, uint8_t code)
{
    take_up(device, DEVICE_ITSELF, (struct mp_command){.code = code});
}

static void fall_silent(struct device *device, uint64_t now_ms)
{
    device->silent = true;
    device->knows_target = device->started = false;
    device->check_restart = device->has_captured;
    device->next_metadata_ms = now_ms + device->timing.slow_ms;
}

/* The outstanding command is over. */
static void conclude(struct device *device, enum device_answer answer, uint64_t now_ms)
{
    enum device_asker asker = device->asker;
    device->asker = DEVICE_NOBODY;
    if (answer != DEVICE_SILENT)
        device->silent = false;
    if (answered_by_ack(device->command.code) && device->tries > 1)
        device->hold_until_ms = now_ms + device->timing.answer_ms;
    if (device->command.code == MP_START && answer == DEVICE_ACK)
        device->started = device->started_ever = true;
    if (asker == DEVICE_USER) {
        device->user_answer = answer;
        device->user_waits = false;
    }
    if (asker == DEVICE_STOPPING)
        device->stopped = true;
    if (asker != DEVICE_ITSELF)
        return;
    if (answer == DEVICE_SILENT) {
        if (device->command.code == MP_GET_METADATA && device->heard)
            device->knows_target = true; /* it is alive, and just does not know that command */
        else
            fall_silent(device, now_ms);
    } else if (answer == DEVICE_NACK) { /* it cannot, or not now */
        device->knows_target |= device->command.code == MP_GET_METADATA;
        if (device->command.code == MP_START)
            device->next_start_ms = now_ms + device->timing.slow_ms;
    }
}

/* Chooses the next command; false when there is nothing to say now. */
static bool choose(struct device *device, uint64_t now_ms)
{
    bool may_need_ack = now_ms >= device->hold_until_ms;
    if (device->stopping) {
        if (device->stopped || !may_need_ack)
            return false;
        take_up(device, DEVICE_STOPPING, (struct mp_command){.code = MP_STOP});
        return true;
    }
    if (device->user_waits) {
        if (answered_by_ack(device->user_command.code) && !may_need_ack)
            return false;
        take_up(device, DEVICE_USER, device->user_command);
        return true;
    }
    if (!device->knows_target) {
        if (now_ms < device->next_metadata_ms)
            return false;
        take_up_own(device, MP_GET_METADATA);
        return true;
    }
    if (device->profiling_wanted && !device->started && !device->check_restart &&
        now_ms >= device->next_start_ms && may_need_ack) {
        take_up_own(device, MP_START);
        return true;
    }
    if (device->check_restart || now_ms >= device->next_status_ms) {
        device->check_restart = false;
        take_up_own(device, MP_GET_STATUS);
        device->next_status_ms = now_ms + device->timing.status_ms;
        return true;
    }
    return false;
}

bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command)
{
    if (!device->connected)
        return false;
    if (device->asker != DEVICE_NOBODY) {
        if (now_ms < device->deadline_ms)
            return false;
        if (device->tries == TRIES)
            conclude(device, DEVICE_SILENT, now_ms);
    }
    if (device->asker == DEVICE_NOBODY && !choose(device, now_ms))
        return false;
    device->tries++;
    device->deadline_ms = now_ms + device->timing.answer_ms;
    switch (device->command.code) {
    case MP_GET_METADATA:
        device->metadata_expected++;
        device->metadata_expected_until_ms = now_ms + TRIES * device->timing.answer_ms;
        break;
    case MP_START:
    case MP_RESET_BUFFERS: device->captured_drops = true; break;
    default: break;
    }
    *command = device->command;
    return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t device_deadline_ms(const struct device *device)
{
    if (!device->connected)
        return UINT64_MAX;
    if (device->asker != DEVICE_NOBODY)
        return device->deadline_ms;
    if (device->stopping)
        return device->stopped ? UINT64_MAX : device->hold_until_ms;
    if (device->user_waits)
        return answered_by_ack(device->user_command.code) ? device->hold_until_ms : 0;
    if (!device->knows_target)
        return device->next_metadata_ms;
    if (device->check_restart)
        return 0;
    if (device->profiling_wanted && !device->started)
        return earlier(later(device->next_start_ms, device->hold_until_ms), device->next_status_ms);
    return device->next_status_ms;
}

/* ---- what it says ---- */

static bool is_outstanding(const struct device *device, uint8_t code)
{
    return device->asker != DEVICE_NOBODY && device->command.code == code;
}

static void restarted(struct device *device, uint64_t now_ms)
{
    if (device->asker == DEVICE_ITSELF)
        device->asker = DEVICE_NOBODY; /* it never saw that */
    device->has_captured = device->captured_drops = device->check_restart = false;
    forget(device, now_ms);
}

static bool hear_metadata(struct device *device, uint64_t now_ms)
{
    bool asked_for = device->metadata_expected > 0 && now_ms < device->metadata_expected_until_ms;
    /* Twice in a row is once: a start-up message beside the answer to our question. */
    bool restart = !asked_for && device->heard;
    device->metadata_expected = asked_for ? device->metadata_expected - 1 : 0;
    device->heard = false;
    if (restart)
        restarted(device, now_ms);
    if (is_outstanding(device, MP_GET_METADATA))
        conclude(device, DEVICE_ACK, now_ms);
    device->knows_target = true;
    device->silent = false;
    return restart;
}

static bool hear_status(struct device *device, const struct event *event, uint64_t now_ms)
{
    uint32_t captured = event->status.records_captured;
    bool restart =
        device->has_captured && !device->captured_drops && target_counter_fell(device->captured, captured);
    device->heard = true;
    device->silent = false;
    if (is_outstanding(device, MP_GET_STATUS))
        conclude(device, DEVICE_ACK, now_ms);
    if (restart) {
        restarted(device, now_ms);
        device->heard = false;
    } else if (!event->status.profiling && device->profiling_wanted && device->started) {
        device->started = false; /* it lost that somehow */
        device->next_start_ms = now_ms;
    }
    device->has_captured = true;
    device->captured_drops = false;
    device->captured = captured;
    return restart;
}

static void hear_answer(struct device *device, bool ack, uint64_t now_ms)
{
    device->heard = true;
    if (device->asker == DEVICE_NOBODY)
        return;
    /* An ACK cannot be for what has an answer of its own: it is a late one. */
    if (answered_by_ack(device->command.code) || !ack)
        conclude(device, ack ? DEVICE_ACK : DEVICE_NACK, now_ms);
}

bool device_hear(struct device *device, const struct event *event, uint64_t now_ms)
{
    switch (event->kind) {
    case EVENT_TARGET: return hear_metadata(device, now_ms);
    case EVENT_STATUS: return hear_status(device, event, now_ms);
    case EVENT_ANSWER: hear_answer(device, event->answer.ack, now_ms); return false;
    case EVENT_CALL: device->heard = true; return false;
    default: return false;
    }
}

/* ---- what others want ---- */

void device_ask(struct device *device, const struct mp_command *command)
{
    assert(!device->user_waits);
    if (command->code == MP_START || command->code == MP_STOP)
        device->profiling_wanted = command->code == MP_START;
    device->user_command = *command;
    device->user_waits = device->connected && !device->stopping;
    device->user_answer = device->user_waits ? DEVICE_PENDING : DEVICE_AWAY;
}

enum device_answer device_user_answer(const struct device *device)
{
    return device->user_answer;
}

void device_stop(struct device *device, uint64_t now_ms)
{
    device->stopping = true;
    device->stopped = !device->connected || !device->started_ever || device->silent;
    if (device->user_waits)
        device->user_answer = DEVICE_AWAY;
    device->user_waits = false;
    /* No time to wait for the answer to anything else. */
    if (device->asker != DEVICE_NOBODY)
        device->asker = DEVICE_NOBODY;
    device->hold_until_ms = now_ms;
}

bool device_has_stopped(const struct device *device)
{
    return device->stopped;
}

bool device_is_silent(const struct device *device)
{
    return device->connected && device->silent;
}
