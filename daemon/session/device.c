/* device.c - the conversation with the device.
 *
 *             connect             it told who it is, or lives and cannot tell
 *     AWAY -------------> MEETING ----------------------------.
 *                          ^   |                              |
 *     it fell silent, or   |   | the same, and it may have    |
 *     restarted, from any  |   | restarted while it could     v
 *     phase of the talk    |   v not be heard           (DESCRIBING)
 *                          '- CHECKING ---------------------->|
 *                                       STATUS is asked for   '--> STARTING <---> WATCHING
 *
 *     DESCRIBING is left out when it did not tell who it is, or was asked before: once after it was connected
 *     or restarted, and when something was set there. What it answers, or that it does not, is no error: many
 *     do not know DESCRIBE. It says in which modes the device can be started.
 *
 *     STARTING ---> WATCHING  START is answered by ACK, or the user wants it stopped
 *     STARTING <--- WATCHING  STATUS says that it does not profile, or the user wants it started
 *     any ---> AWAY           the line went away
 *     any ---> STOPPING       the daemon ends, and the device profiles because of us
 *     any ---> STOPPED        it ends, and there is nothing to stop, or STOP is answered or given up
 *
 * Each phase has one thing to say, and plan() is where it stands; what became of it is judged in conclude(),
 * what the device says by itself in hear_metadata() and hear_status(). Between two commands of a phase the
 * user's get through, one at a time. Another phase is a line in the enum, one in the switch of plan(), one
 * in that of conclude_ours(), and the place that enters it.
 *
 * A device that leaves a command of ours unanswered three times is silent: it is listened to, and asked for
 * METADATA at a slow pace until it answers. */
#include "session/device.h"

#include "protocol/tree.h"

#include <assert.h>

void device_init(struct device *device, const struct device_timing *timing, bool control)
{
    *device = (struct device){
        .timing = *timing,
        .control = control,
        .transaction = {.answer_ms = timing->answer_ms, .describe_ms = timing->describe_ms},
        .profiling_wanted = true,
    };
}

/* ---- from phase to phase ---- */

static bool is_in_talk(const struct device *device)
{
    return device->phase >= PHASE_MEETING && device->phase <= PHASE_WATCHING;
}

static void meet(struct device *device, uint64_t at_ms)
{
    device->phase = PHASE_MEETING;
    device->meet_ms = at_ms;
    device->started = false;
}

/* A device that was just connected, or began anew: all is due at once. */
static void meet_anew(struct device *device, uint64_t now_ms)
{
    meet(device, now_ms);
    device->start_ms = device->status_ms = now_ms;
    device->named = device->described = false;
    device->versions = 0;
}

/* To DESCRIBING, STARTING or WATCHING, by what is known and wanted. */
static void settle(struct device *device)
{
    if (device->named && !device->described)
        device->phase = PHASE_DESCRIBING;
    else
        device->phase = device->profiling_wanted && !device->started ? PHASE_STARTING : PHASE_WATCHING;
}

/* What is known or wanted changed. */
static void resettle(struct device *device)
{
    if (device->phase == PHASE_STARTING || device->phase == PHASE_WATCHING)
        settle(device);
}

/* Which mode START is to ask for. */
static enum mode mode_to_ask(const struct device *device)
{
    return mode_choose(device->mode_wanted, device->overloaded, device->versions, device->versions_read);
}

/* What the device offers, or is to do, changed. */
static void review_mode(struct device *device, uint64_t now_ms)
{
    bool is_otherwise =
        device->mode != mode_to_ask(device) || (device->mode == MODE_TREE && device->flat != device->crowded);
    if (device->started && is_otherwise) {
        device->started = false;
        device->start_ms = now_ms;
    }
    resettle(device);
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

/* It told who it is, or lives and cannot tell. */
static void met(struct device *device)
{
    if (device->phase != PHASE_MEETING)
        return;
    if (device->watch.unsure)
        device->phase = PHASE_CHECKING;
    else
        settle(device);
}

static void fall_silent(struct device *device, uint64_t now_ms)
{
    device->silent = true;
    restart_watch_lose_sight(&device->watch);
    meet(device, now_ms + device->timing.slow_ms);
}

static void restarted(struct device *device, uint64_t now_ms)
{
    if (!is_in_talk(device))
        return;
    if (device->transaction.owner == TRANSACTION_OURS)
        transaction_drop(&device->transaction); /* it never saw that */
    meet_anew(device, now_ms);
}

static void answer_user(struct device *device, enum device_answer answer)
{
    if (device->order.waits)
        device->order.answer = answer;
    device->order.waits = false;
}

void device_connect(struct device *device, uint64_t now_ms)
{
    transaction_reset(&device->transaction, now_ms);
    restart_watch_connect(&device->watch);
    device->silent = false;
    if (device->control && device->phase != PHASE_STOPPED)
        meet_anew(device, now_ms);
}

void device_disconnect(struct device *device)
{
    bool leaving = device->phase == PHASE_STOPPING || device->phase == PHASE_STOPPED;
    device->phase = leaving ? PHASE_STOPPED : PHASE_AWAY;
    transaction_drop(&device->transaction);
    device->silent = false;
    answer_user(device, DEVICE_AWAY);
}

void device_stop(struct device *device, uint64_t now_ms)
{
    bool runs = is_in_talk(device) && device->started_ever && !device->silent && !device->visits;
    device->phase = runs ? PHASE_STOPPING : PHASE_STOPPED;
    answer_user(device, DEVICE_AWAY);
    /* There is no time to wait for the answer to anything else. */
    transaction_reset(&device->transaction, now_ms);
}

/* ---- what to send ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct plan {
    uint8_t code;
    uint64_t due_ms; /* UINT64_MAX: never */
};

/* What the phase has to say next, judged at `now_ms`: START goes before a STATUS that is due, too, even if it
 * has to wait for answers to the command before. */
static struct plan plan(const struct device *device, uint64_t now_ms)
{
    struct plan status = {MP_GET_STATUS, device->status_ms};
    switch (device->phase) {
    case PHASE_MEETING: return (struct plan){MP_GET_METADATA, device->meet_ms};
    case PHASE_CHECKING: return (struct plan){MP_GET_STATUS, 0};
    case PHASE_DESCRIBING: return (struct plan){MP_DESCRIBE, 0};
    case PHASE_STARTING: {
        uint64_t clear_ms = device->transaction.ack_clear_ms;
        struct plan start = {MP_START, later(device->start_ms, clear_ms)};
        return device->start_ms <= later(later(now_ms, status.due_ms), clear_ms) ? start : status;
    }
    case PHASE_WATCHING: return status;
    case PHASE_STOPPING: return (struct plan){MP_STOP, device->transaction.ack_clear_ms};
    case PHASE_AWAY:
    case PHASE_STOPPED: break;
    }
    return (struct plan){.due_ms = UINT64_MAX};
}

/* START has no payload but where it asks for another version than the first. */
static struct mp_command command_of(const struct device *device, uint8_t code)
{
    enum mode mode = code == MP_START ? mode_to_ask(device) : MODE_CALLS;
    if (mode == MODE_CALLS)
        return (struct mp_command){.code = code};
    if (mode == MODE_TREE && device->crowded)
        return (struct mp_command){.code = code, .length = 2, .payload = {MODE_TREE, MP_TREE_WANT_FLAT}};
    return (struct mp_command){.code = code, .length = 1, .payload = {(uint8_t)mode}};
}

static uint64_t order_due_ms(const struct device *device)
{
    return transaction_needs_ack(device->order.command.code) ? device->transaction.ack_clear_ms : 0;
}

/* Takes up the next command; false when there is nothing to say now. */
static bool choose(struct device *device, uint64_t now_ms)
{
    if (device->order.waits) {
        if (now_ms < order_due_ms(device))
            return false;
        transaction_begin(&device->transaction, TRANSACTION_USERS, &device->order.command);
        return true;
    }
    struct plan next = plan(device, now_ms);
    if (now_ms < next.due_ms)
        return false;
    struct mp_command command = command_of(device, next.code);
    transaction_begin(&device->transaction, TRANSACTION_OURS, &command);
    if (next.code == MP_GET_STATUS)
        device->status_ms = now_ms + device->timing.status_ms;
    if (device->phase == PHASE_CHECKING)
        settle(device); /* which is not acted upon before the STATUS is answered */
    return true;
}

static void conclude(struct device *device, enum device_answer answer, uint64_t now_ms);

bool device_next(struct device *device, uint64_t now_ms, struct mp_command *command)
{
    struct transaction *transaction = &device->transaction;
    if (transaction_is_open(transaction)) {
        if (now_ms < transaction->deadline_ms)
            return false;
        if (transaction_is_worn_out(transaction))
            conclude(device, DEVICE_SILENT, now_ms);
    }
    if (!transaction_is_open(transaction) && !choose(device, now_ms))
        return false;
    transaction_try(transaction, now_ms);
    *command = transaction->command;
    restart_watch_send(&device->watch, command->code, now_ms + transaction_longest_ms(transaction));
    return true;
}

uint64_t device_deadline_ms(const struct device *device)
{
    if (transaction_is_open(&device->transaction))
        return device->transaction.deadline_ms;
    return device->order.waits ? order_due_ms(device) : plan(device, 0).due_ms;
}

/* ---- what it says ---- */

/* A command of ours is over. */
static void conclude_ours(struct device *device, uint8_t code, enum device_answer answer, uint64_t now_ms)
{
    switch (code) {
    case MP_STOP: device->phase = PHASE_STOPPED; return;
    case MP_GET_METADATA:
        /* It is alive, and just does not know that command, or cannot tell now. */
        if (answer == DEVICE_NACK || (answer == DEVICE_SILENT && device->watch.heard)) {
            met(device);
            return;
        }
        break;
    case MP_DESCRIBE:
        device->described = true;
        if (device->phase == PHASE_DESCRIBING)
            settle(device);
        return;
    case MP_START:
        if (answer == DEVICE_NACK) /* it cannot, or not now */
            device->start_ms = now_ms + device->timing.slow_ms;
        break;
    default: break;
    }
    if (answer == DEVICE_SILENT)
        fall_silent(device, now_ms);
}

/* The outstanding command is over. */
static void conclude(struct device *device, enum device_answer answer, uint64_t now_ms)
{
    enum transaction_owner owner = device->transaction.owner;
    const struct mp_command command = device->transaction.command;
    uint8_t code = command.code;
    transaction_end(&device->transaction, now_ms);
    if (answer != DEVICE_SILENT)
        device->silent = false;
    if (code == MP_START && answer == DEVICE_ACK) {
        device->started = device->started_ever = true;
        device->mode = command.length > 0 ? (enum mode)command.payload[0] : MODE_CALLS;
        device->flat = command.length > 1;
        review_mode(device, now_ms);
    }
    if (code == MP_SET_CONFIG && answer == DEVICE_ACK && device->versions) {
        device->described = false; /* what it says is set there is shown, not what was asked for */
        resettle(device);
    }
    if (owner == TRANSACTION_USERS)
        answer_user(device, answer);
    else
        conclude_ours(device, code, answer, now_ms);
}

static bool hear_metadata(struct device *device, uint64_t now_ms)
{
    bool restart = restart_watch_metadata(&device->watch, now_ms);
    if (restart)
        restarted(device, now_ms);
    device->named = true;
    if (transaction_is(&device->transaction, MP_GET_METADATA))
        conclude(device, DEVICE_ACK, now_ms);
    met(device);
    device->silent = false;
    return restart;
}

static bool hear_status(struct device *device, const struct event *event, uint64_t now_ms)
{
    bool restart = restart_watch_status(&device->watch, event->status.records_captured);
    device->silent = false;
    if (transaction_is(&device->transaction, MP_GET_STATUS))
        conclude(device, DEVICE_ACK, now_ms);
    if (restart) {
        restarted(device, now_ms);
    } else if (!event->status.profiling && device->profiling_wanted && device->started) {
        device->started = false; /* it lost that somehow */
        device->start_ms = now_ms;
        resettle(device);
    }
    return restart;
}

/* It may come late, when it was given up already. */
static void hear_description(struct device *device, const struct event_description *description,
                             uint64_t now_ms)
{
    restart_watch_hear(&device->watch);
    device->silent = false;
    device->described = true;
    device->versions = description->versions ? description->versions : 1u << MODE_CALLS;
    if (transaction_is(&device->transaction, MP_DESCRIBE))
        conclude(device, DEVICE_ACK, now_ms);
    review_mode(device, now_ms);
}

static void hear_answer(struct device *device, bool ack, uint64_t now_ms)
{
    restart_watch_hear(&device->watch);
    if (!transaction_is_open(&device->transaction))
        return;
    /* An ACK cannot be for what has an answer of its own: it is a late one. */
    if (transaction_needs_ack(device->transaction.command.code) || !ack)
        conclude(device, ack ? DEVICE_ACK : DEVICE_NACK, now_ms);
}

bool device_hear(struct device *device, const struct event *event, uint64_t now_ms)
{
    switch (event->kind) {
    case EVENT_TARGET: return hear_metadata(device, now_ms);
    case EVENT_STATUS: return hear_status(device, event, now_ms);
    case EVENT_DESCRIPTION: hear_description(device, event->description, now_ms); return false;
    case EVENT_ANSWER: hear_answer(device, event->answer.ack, now_ms); return false;
    case EVENT_CALL: device_hear_calls(device); return false;
    default: return false;
    }
}

/* ---- what others want ---- */

void device_ask(struct device *device, const struct mp_command *command)
{
    assert(!device->order.waits);
    if (command->code == MP_START || command->code == MP_STOP)
        device->profiling_wanted = command->code == MP_START;
    resettle(device);
    device->order.command = command->code == MP_START ? command_of(device, MP_START) : *command;
    device->order.waits = is_in_talk(device);
    device->order.answer = device->order.waits ? DEVICE_PENDING : DEVICE_AWAY;
}

enum device_answer device_user_answer(const struct device *device)
{
    return device->order.answer;
}

enum mode device_mode(const struct device *device)
{
    return device->started ? device->mode : MODE_AUTO;
}

bool device_is_to_start(const struct device *device)
{
    return device->phase == PHASE_STARTING;
}

bool device_is_describing(const struct device *device)
{
    return device->phase == PHASE_DESCRIBING;
}

bool device_has_stopped(const struct device *device)
{
    return device->phase == PHASE_STOPPED;
}

bool device_is_silent(const struct device *device)
{
    return device->silent;
}
