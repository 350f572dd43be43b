/* device.c - the conversation with the device.
 *
 *             connect             it has described itself, or cannot
 *     AWAY -------------> MEETING ----------------------------.
 *                          ^   |                              |
 *     it fell silent, or   |   | the same, and it may have    |
 *     restarted, from any  |   | restarted while it could     v
 *     phase of the talk    |   v not be reached         (DESCRIBING)
 *                          '- CHECKING ---------------------->|
 *                                       STATUS is requested   '--> STARTING <---> WATCHING
 *
 *     STARTING is skipped if the device already profiles as requested: START would begin another run.
 *
 *     DESCRIBING is left out when it did not send METADATA, or was asked before: once after it was connected
 *     or restarted, and when something was set there. What it answers, or that it does not, is no error: many
 *     do not know DESCRIBE. It says in which modes the device can be started.
 *
 *     PREPARING comes before STARTING if a trigger of an earlier session is armed.
 *
 *     TUNING comes before STARTING if the line's rate is to be changed. It is also entered from any phase of the
 *     talk if the device is silent at another rate than that of its start. LEAVING sets that rate again after
 *     DRAINING, in which remaining data is received after STOP. RESTORING comes between the two if the session
 *     changed settings.
 *
 *     STARTING ---> WATCHING  START is answered by ACK, or the user wants it stopped
 *     STARTING <--- WATCHING  STATUS shows that it does not profile, or the user wants it started
 *     any ---> AWAY           the line was disconnected
 *     any ---> STOPPING       the daemon ends, and the device profiles because of us
 *     any ---> STOPPED        the daemon ends, and there is nothing to stop, or STOP is given up
 *     STOPPING -> DRAINING    STOP is answered
 *     DRAINING -> STOPPING    data or the closing packet is missing (device_end.c)
 *     DRAINING -> STOPPED     everything was reported, or the line is quiet
 *
 * Each phase has one command to send, which is in device_plan.c. conclude_command() handles its result;
 * hear_metadata() and hear_status() handle what the device sends by itself. The user's commands are sent in
 * between. To add a phase, add a line to the enum, one to each of the two switches, and code that enters it.
 *
 * A device that leaves one of our commands unanswered three times is silent: METADATA is then requested at a slow
 * pace until it answers. */
#include "device/device.h"

#include "device/device_private.h"
#include "protocol/tree.h"

#include <assert.h>

/* How often METADATA is requested again from a device that sends data: without it, its abilities are unknown. */
enum { NAMES_ASKED = 5 };

void device_init(struct device *device, const struct device_timing *timing, bool control)
{
    *device = (struct device){
        .timing = *timing,
        .control = control,
        .transaction = {.answer_ms = timing->answer_ms},
        .describe_wait_ms = timing->describe_ms,
        .profiling_wanted = true,
    };
}

/* ---- changes of phase ---- */

static bool is_in_talk(const struct device *device)
{
    return device->phase >= PHASE_MEETING && device->phase <= PHASE_WATCHING;
}

static void meet_device(struct device *device, uint64_t at_ms)
{
    device->phase = PHASE_MEETING;
    device->meet_ms = at_ms;
    device->asks_behind = false;
    device->resumes |= device->started;
    device->started = false;
}

/* The device was just connected, or restarted: everything is due at once. */
static void meet_anew(struct device *device, uint64_t now_ms)
{
    meet_device(device, now_ms);
    device->start_ms = device->status_ms = now_ms;
    device->named = device->described = false;
    device->names_left = NAMES_ASKED;
    device->versions = 0;
    device->describe_ms = 0;
    device->closes = device->run.is_told = false;
}

/* Enters DESCRIBING, TUNING, PREPARING, STARTING or WATCHING, by what is known and wanted. */
static void choose_phase(struct device *device, uint64_t now_ms)
{
    struct mp_command command;
    bool starts = device->profiling_wanted && !device->started;
    if (device->named && !device->described)
        device->phase = PHASE_DESCRIBING;
    else if (baud_has_to_do(&device->baud, now_ms))
        device->phase = PHASE_TUNING;
    else if (starts && !device->has_trigger && found_settings_disarm(&device->settings, &command))
        device->phase = PHASE_PREPARING;
    else
        device->phase = starts ? PHASE_STARTING : PHASE_WATCHING;
}

/* Chooses the phase again, after what is known or wanted has changed. */
static void rechoose_phase(struct device *device, uint64_t now_ms)
{
    if (device->phase >= PHASE_PREPARING && device->phase <= PHASE_WATCHING)
        choose_phase(device, now_ms);
}

/* Starts the device again if its mode should be different, after what it offers or what is wanted has
 * changed. */
static void review_mode(struct device *device, uint64_t now_ms)
{
    bool is_otherwise = device->mode != device_plan_mode(device) ||
                        (device->mode == MODE_TREE && device->flat != device->crowded);
    if (device->started && is_otherwise) {
        device->started = false;
        device->start_ms = now_ms;
    }
    rechoose_phase(device, now_ms);
}

void device_want_mode(struct device *device, enum mode wanted, uint32_t versions_read, uint64_t now_ms)
{
    device->mode_wanted = wanted;
    device->versions_read = versions_read;
    device->overloaded = device->crowded = false;
    review_mode(device, now_ms);
}

void device_crowded(struct device *device, uint64_t now_ms)
{
    device->crowded = true;
    review_mode(device, now_ms);
}

void device_overloaded(struct device *device, uint64_t now_ms)
{
    device->overloaded = true;
    review_mode(device, now_ms);
}

void device_visit(struct device *device)
{
    device->visits = true;
    device->profiling_wanted = false;
}

/* The device has described itself, or cannot: leaves MEETING. */
static void device_was_met(struct device *device, uint64_t now_ms)
{
    if (device->phase != PHASE_MEETING)
        return;
    if (device->watch.is_unsure)
        device->phase = PHASE_CHECKING;
    else
        choose_phase(device, now_ms);
}

static void answer_user(struct device *device, enum device_answer answer)
{
    if (device->order.waits)
        device->order.answer = answer;
    device->order.waits = device->order.tunes = false;
}

/* Drops the request for another rate, since the device does not answer. */
static void refuse_wish(struct device *device)
{
    device->baud.wish = 0;
    if (device->order.tunes)
        answer_user(device, DEVICE_SILENT);
}

/* If the device is at another rate, it may still answer at its home rate. */
static void fall_silent(struct device *device, uint64_t now_ms)
{
    if (baud_give_up(&device->baud, now_ms)) {
        device->phase = PHASE_TUNING;
        device->described = false; /* the described setting has another rate */
        return;
    }
    device->silent = true;
    refuse_wish(device);
    restart_watch_lose_sight(&device->watch);
    /* its description will show whether it is still the same run */
    device->described &= !device->run.is_told;
    meet_device(device, now_ms + device->timing.slow_ms);
}

static void handle_device_restart(struct device *device, uint64_t now_ms)
{
    if (!is_in_talk(device))
        return;
    if (device->transaction.owner == TRANSACTION_OURS)
        transaction_drop(&device->transaction); /* it has not seen that command */
    baud_restart(&device->baud);
    found_settings_restart(&device->settings);
    device->started = device->resumes = false;
    meet_anew(device, now_ms);
}

void device_connect(struct device *device, uint32_t baud, uint64_t now_ms)
{
    baud_open(&device->baud, baud);
    transaction_reset(&device->transaction, now_ms);
    restart_watch_connect(&device->watch);
    device->silent = false;
    if (device->control && device->phase != PHASE_STOPPED)
        meet_anew(device, now_ms);
}

void device_disconnect(struct device *device)
{
    bool leaving = device->phase >= PHASE_STOPPING;
    device->phase = leaving ? PHASE_STOPPED : PHASE_AWAY;
    baud_open(&device->baud, 0);
    transaction_drop(&device->transaction);
    device->silent = false;
    answer_user(device, DEVICE_AWAY);
}

void device_stop(struct device *device, uint64_t now_ms)
{
    bool talks = is_in_talk(device) && !device->silent;
    device->ends_mute = is_in_talk(device) && device->silent;
    bool runs = talks && device->started_ever && !device->visits;
    device->phase = runs ? PHASE_STOPPING : PHASE_STOPPED;
    if (talks && !runs)
        device_leave(device);
    answer_user(device, DEVICE_AWAY);
    transaction_reset(&device->transaction, now_ms); /* there is no time to wait for another answer */
}

/* ---- sending ---- */

/* Begins the next command. Returns false when there is none now. */
static bool choose_command(struct device *device, uint64_t now_ms)
{
    struct device_plan next = device_plan(device, now_ms);
    if (now_ms < next.due_ms)
        return false;
    transaction_begin(&device->transaction, next.owner, &next.command);
    if (next.owner == TRANSACTION_USERS)
        return true;
    if (next.command.code == MP_DESCRIBE)
        transaction_pace(&device->transaction, 3, device->describe_wait_ms);
    device->tunes = device->phase == PHASE_TUNING;
    if (device->tunes)
        baud_pace(&device->baud, &device->transaction);
    if (next.command.code == MP_GET_STATUS)
        device->status_ms = now_ms + device->timing.status_ms;
    if (next.command.code == MP_GET_METADATA && device->phase == PHASE_WATCHING)
        device->names_left--;
    if (device->phase == PHASE_CHECKING)
        choose_phase(device, now_ms); /* the new phase acts after the answer to STATUS */
    return true;
}

static void conclude_command(struct device *device, enum device_answer answer, uint64_t now_ms);

bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command)
{
    struct transaction *transaction = &device->transaction;
    if (transaction_is_open(transaction)) {
        if (now_ms < transaction->deadline_ms)
            return false;
        if (transaction_is_worn_out(transaction))
            conclude_command(device, DEVICE_SILENT, now_ms);
    }
    if (!transaction_is_open(transaction) && !choose_command(device, now_ms))
        return false;
    transaction_try(transaction, now_ms);
    *command = transaction->command;
    device_run_send(device, command);
    restart_watch_send(&device->watch, command->code);
    return true;
}

uint64_t device_deadline_ms(const struct device *device)
{
    if (transaction_is_open(&device->transaction))
        return device->transaction.deadline_ms;
    return device_plan(device, 0).due_ms;
}

/* ---- receiving ---- */

/* A step in changing the line's rate has ended. */
static void conclude_step(struct device *device, enum device_answer answer, uint64_t now_ms)
{
    static const enum baud_answer answers[] = {
        [DEVICE_ACK] = BAUD_YES, [DEVICE_NACK] = BAUD_NO, [DEVICE_SILENT] = BAUD_SILENCE};
    enum baud_outcome outcome = baud_conclude(&device->baud, answers[answer], now_ms);
    if (outcome == BAUD_GOES_ON)
        return;
    if (device->order.tunes && outcome != BAUD_LOST)
        answer_user(device, outcome == BAUD_CHANGED ? DEVICE_ACK : DEVICE_NACK);
    if (outcome == BAUD_LOST)
        fall_silent(device, now_ms);
    else
        choose_phase(device, now_ms);
}

/* A setting was restored, or cannot be. After silence, no further ones are restored. */
static void conclude_setting(struct device *device, const struct mp_command *command,
                             enum device_answer answer, uint64_t now_ms)
{
    if (answer == DEVICE_NACK)
        found_settings_refused(&device->settings, command);
    if (is_in_talk(device) && answer == DEVICE_SILENT)
        fall_silent(device, now_ms);
    else if (is_in_talk(device))
        rechoose_phase(device, now_ms);
    else if (device->phase == PHASE_RESTORING && answer != DEVICE_SILENT)
        device_leave(device);
    else
        device->phase = PHASE_STOPPED;
}

/* A command of ours has ended. */
static void conclude_ours(struct device *device, const struct mp_command *command, enum device_answer answer,
                          uint64_t now_ms)
{
    if (device->phase == PHASE_TUNING && device->tunes) {
        conclude_step(device, answer, now_ms);
        return;
    }
    if (device_plan_describes(device, command->code, answer)) {
        if (device_plan_describe_is_over(device, command->code, answer, now_ms) &&
            device->phase == PHASE_DESCRIBING)
            choose_phase(device, now_ms);
        return;
    }
    switch (command->code) {
    case MP_STOP: device_end_answered(device, answer); return;
    case MP_SET_CONFIG: conclude_setting(device, command, answer, now_ms); return;
    case MP_GET_METADATA:
        /* The device works, but does not know that command, or cannot answer it now: its answer may have been
         * lost. */
        if (answer == DEVICE_NACK)
            device->names_left = 0;
        if (answer == DEVICE_NACK ||
            (answer == DEVICE_SILENT && device->watch.heard && !device->asks_behind)) {
            device->meet_ms = now_ms + device->timing.slow_ms;
            device_was_met(device, now_ms);
            return;
        }
        break;
    case MP_START:
        device->start_unanswered = answer == DEVICE_SILENT;
        if (answer == DEVICE_NACK) /* it cannot, or not now */
            device->start_ms = now_ms + device->timing.slow_ms;
        break;
    default: break;
    }
    if (answer == DEVICE_SILENT)
        fall_silent(device, now_ms);
}

/* The outstanding command has ended. */
static void conclude_command(struct device *device, enum device_answer answer, uint64_t now_ms)
{
    enum transaction_owner owner = device->transaction.owner;
    const struct mp_command command = device->transaction.command;
    uint8_t code = command.code;
    transaction_end(&device->transaction, now_ms);
    if (answer != DEVICE_SILENT)
        device->silent = false;
    if (code == MP_START && answer == DEVICE_ACK) {
        device->run.is_joined &= device->started; /* then the run continues */
        device->run.is_foreign = false;
        device->started = device->started_ever = true;
        device->start_unanswered = false;
        device->mode = command.length > 0 ? (enum mode)command.payload[0] : MODE_CALLS;
        device->flat = command.length > 1 && command.payload[1] & MP_TREE_WANT_FLAT;
        device->run.is_known = false;
        device->described &= !device->run.is_told; /* its description now contains the number of that run */
        review_mode(device, now_ms);
    }
    device->run.is_joined &= owner != TRANSACTION_USERS || code != MP_STOP || answer != DEVICE_ACK;
    if (code == MP_SET_CONFIG && answer != DEVICE_NACK)
        found_settings_sent(&device->settings, &command);
    if (code == MP_SET_CONFIG && answer == DEVICE_ACK && device->versions) {
        device->described = false; /* the value that it describes is shown, not the requested one */
        rechoose_phase(device, now_ms);
    }
    if (owner == TRANSACTION_USERS)
        answer_user(device, answer);
    else
        conclude_ours(device, &command, answer, now_ms);
}

static bool hear_metadata(struct device *device, uint64_t now_ms)
{
    device->describe_wait_ms = device_plan_describe_wait(device, now_ms);
    bool restart = restart_watch_metadata(&device->watch);
    if (restart)
        handle_device_restart(device, now_ms);
    bool was_named = device->named;
    device->named = true;
    if (transaction_is(&device->transaction, MP_GET_METADATA))
        conclude_command(device, DEVICE_ACK, now_ms);
    if (!was_named)
        rechoose_phase(device, now_ms);
    device_was_met(device, now_ms);
    device->silent = false;
    return restart;
}

static bool hear_status(struct device *device, const struct event *event, uint64_t now_ms)
{
    bool restart = restart_watch_status(&device->watch, event->status.records_captured);
    device->silent = false;
    device->start_unanswered &= !event->status.profiling;
    if (transaction_is(&device->transaction, MP_GET_STATUS))
        conclude_command(device, DEVICE_ACK, now_ms);
    bool resumes = device->resumes && event->status.profiling;
    device->resumes = false;
    if (restart) {
        handle_device_restart(device, now_ms);
    } else if (resumes || (!event->status.profiling && device->profiling_wanted && device->started)) {
        device->started = resumes; /* otherwise it stopped for an unknown reason */
        device->start_ms = now_ms;
        rechoose_phase(device, now_ms);
    }
    return restart;
}

/* A description may arrive late, after it was given up. */
static bool hear_description(struct device *device, const struct event_description *description,
                             uint64_t now_ms)
{
    restart_watch_hear(&device->watch);
    device->silent = false;
    if (device_run_hear(device, &description->run, now_ms)) {
        handle_device_restart(device, now_ms);
        return true;
    }
    device->describe_ms = 0;
    device->described = true;
    device->asks_behind = false;
    device->versions = description->versions ? description->versions : 1u << MODE_CALLS;
    baud_offer(&device->baud, description);
    found_settings_hear(&device->settings, description);
    device_run_resume(device, &description->run);
    if (transaction_is(&device->transaction, MP_DESCRIBE))
        conclude_command(device, DEVICE_ACK, now_ms);
    else if (device->phase == PHASE_DESCRIBING) /* it was given up */
        choose_phase(device, now_ms);
    review_mode(device, now_ms);
    if (device->phase == PHASE_RESTORING && !transaction_is_open(&device->transaction))
        device_leave(device); /* there may be nothing left to restore */
    return false;
}

static void hear_answer(struct device *device, bool ack, uint64_t now_ms)
{
    restart_watch_hear(&device->watch);
    if (!transaction_is_open(&device->transaction))
        return;
    /* Commands with an answer of their own are not answered by ACK: this one is late. */
    if (transaction_needs_ack(device->transaction.command.code) || !ack)
        conclude_command(device, ack ? DEVICE_ACK : DEVICE_NACK, now_ms);
}

bool device_hear(struct device *device, const struct event *event, uint64_t now_ms)
{
    switch (event->kind) {
    case EVENT_TARGET: return hear_metadata(device, now_ms);
    case EVENT_STATUS: return hear_status(device, event, now_ms);
    case EVENT_DESCRIPTION: return hear_description(device, event->description, now_ms);
    case EVENT_ANSWER: hear_answer(device, event->answer.ack, now_ms); return false;
    case EVENT_CLOSED: device_end_hear(device, event, now_ms); return false;
    case EVENT_CALL: device_hear_calls(device); return false;
    default: return false;
    }
}

/* ---- orders ---- */

void device_ask(struct device *device, const struct mp_command *command, uint64_t now_ms)
{
    struct device_order *order = &device->order;
    assert(!order->waits);
    if (command->code == MP_START || command->code == MP_STOP)
        device->profiling_wanted = command->code == MP_START;
    order->command = command->code == MP_START ? device_plan_start(device) : *command;
    order->waits = is_in_talk(device);
    order->answer = order->waits ? DEVICE_PENDING : DEVICE_AWAY;
    order->tunes = order->waits && baud_is_set_by(&device->baud, command);
    if (order->tunes && !baud_take_wish(&device->baud, command))
        answer_user(device, DEVICE_NACK);
    else if (order->tunes && device->silent)
        refuse_wish(device);
    rechoose_phase(device, now_ms);
}
