/* device_plan.c - chooses the next command for the device. */
#include "device/device_private.h"

#include "base/smaller.h"
#include "protocol/tree.h"

/* DESCRIBE may take this many times as long as METADATA took, but at least DESCRIBE_LEAST_MS. */
enum { PATIENCE = 8, DESCRIBE_LEAST_MS = 60 };

enum mode device_plan_mode(const struct device *device)
{
    return mode_choose(device->mode_wanted, device->overloaded, device->versions, device->versions_read);
}

bool device_plan_is_in_doubt(const struct device *device)
{
    bool is_needed = device->mode_wanted == MODE_STREAM || device->mode_wanted == MODE_TREE;
    return is_needed && !device->versions && device->profiling_wanted && !device->started;
}

/* True when a device that may only be slow would be started in the wrong mode. */
static bool may_be_slow(const struct device *device)
{
    bool has_choice = device->versions_read >> (MODE_CALLS + 1);
    return device->mode_wanted == MODE_AUTO && has_choice && !device->versions && device->profiling_wanted &&
           !device->started;
}

bool device_plan_describes(const struct device *device, uint8_t code, enum device_answer answer)
{
    return code == MP_DESCRIBE || (code == MP_GET_METADATA && device->asks_behind && answer != DEVICE_SILENT);
}

bool device_plan_describe_is_over(struct device *device, uint8_t code, enum device_answer answer,
                                  uint64_t now_ms)
{
    bool is_unanswered = code == MP_DESCRIBE && answer == DEVICE_SILENT;
    bool is_in_doubt = is_unanswered && device_plan_is_in_doubt(device);
    device->asks_behind = is_unanswered && may_be_slow(device);
    if (is_in_doubt)
        device->describe_ms = now_ms + device->timing.slow_ms;
    if (is_in_doubt || device->asks_behind)
        return false;
    device->described = true;
    if (code != MP_DESCRIBE || answer != DEVICE_ACK)
        baud_offer(&device->baud, NULL);
    return true;
}

/* START only has a payload for versions other than the first. A target ignores unknown flags, and its packets
 * show what it does. */
struct mp_command device_plan_start(const struct device *device)
{
    enum mode mode = device_plan_mode(device);
    if (mode == MODE_CALLS)
        return (struct mp_command){.code = MP_START};
    if (mode == MODE_TREE && device->crowded)
        return (struct mp_command){.code = MP_START, .length = 2, .payload = {MODE_TREE, MP_TREE_WANT_FLAT}};
    if (mode == MODE_TREE)
        return (struct mp_command){.code = MP_START,
                                   .length = 2,
                                   .payload = {MODE_TREE, MP_TREE_WANT_CHAINS | MP_TREE_WANT_EVICTION}};
    return (struct mp_command){.code = MP_START, .length = 1, .payload = {(uint8_t)mode}};
}

uint32_t device_plan_describe_wait(const struct device *device, uint64_t now_ms)
{
    const struct transaction *transaction = &device->transaction;
    uint64_t wait_ms = device->timing.describe_ms;
    if (transaction_is(transaction, MP_GET_METADATA) && transaction->tries == 1) {
        uint64_t took_ms = now_ms + transaction->try_ms - transaction->deadline_ms;
        uint64_t some_ms = larger_u64(took_ms * PATIENCE, DESCRIBE_LEAST_MS);
        wait_ms = some_ms < wait_ms ? some_ms : wait_ms;
    }
    return (uint32_t)wait_ms;
}

/* The next ACK may be a late one for the last command, so that must be over first. */
static struct device_plan plan_command(const struct device *device, const struct mp_command *command,
                                       uint64_t due_ms)
{
    uint64_t clear_ms = transaction_needs_ack(command->code) ? device->transaction.ack_clear_ms : 0;
    return (struct device_plan){TRANSACTION_OURS, *command, larger_u64(due_ms, clear_ms)};
}

static struct device_plan plan_question(const struct device *device, uint8_t code, uint64_t due_ms)
{
    return plan_command(device, &(struct mp_command){.code = code}, due_ms);
}

/* Also requests how many triggers have no window, if the target keeps windows around slow calls, and the
 * number of hooks on cores that are not measured, if it has any. */
static struct device_plan plan_status(const struct device *device)
{
    struct mp_command command = {.code = MP_GET_STATUS};
    if (device->mode == MODE_TREE && found_settings_have_window(&device->settings))
        command.payload[0] |= MP_STATUS_OF_TRIGGERS;
    if (device->has_other_cores)
        command.payload[0] |= MP_STATUS_OF_CORES;
    command.length = command.payload[0] ? 1 : 0;
    return plan_command(device, &command, device->status_ms);
}

/* START also comes before a STATUS that is due, even if it has to wait for answers to the last command. */
static struct device_plan plan_start(const struct device *device, uint64_t now_ms)
{
    struct mp_command command = device_plan_start(device);
    struct device_plan status = plan_question(device, MP_GET_STATUS, device->status_ms);
    uint64_t clear_ms = device->transaction.ack_clear_ms;
    bool is_next = device->start_ms <= larger_u64(larger_u64(now_ms, status.due_ms), clear_ms);
    return is_next ? plan_command(device, &command, device->start_ms) : status;
}

/* Returns the next command of the phase. */
static struct device_plan plan_for_phase(const struct device *device, uint64_t now_ms)
{
    struct mp_command command;
    switch (device->phase) {
    case PHASE_MEETING: return plan_question(device, MP_GET_METADATA, device->meet_ms);
    case PHASE_CHECKING: return plan_question(device, MP_GET_STATUS, 0);
    case PHASE_DESCRIBING:
        return plan_question(device, device->asks_behind ? MP_GET_METADATA : MP_DESCRIBE,
                             device->describe_ms);
    case PHASE_TUNING:
        command = baud_command(&device->baud);
        return plan_command(device, &command, device->baud.due_ms);
    case PHASE_PREPARING:
        if (found_settings_disarm(&device->settings, &command))
            return plan_command(device, &command, 0);
        break;
    case PHASE_STARTING: return plan_start(device, now_ms);
    case PHASE_WATCHING:
        if (!device->named && device->names_left > 0 && device->meet_ms < device->status_ms)
            return plan_question(device, MP_GET_METADATA, device->meet_ms);
        return plan_status(device);
    case PHASE_STOPPING: command = device_end_command(device); return plan_command(device, &command, 0);
    case PHASE_RESTORING:
        if (found_settings_restore(&device->settings, &command))
            return plan_command(device, &command, 0);
        break;
    case PHASE_LEAVING: command = baud_home_command(&device->baud); return plan_command(device, &command, 0);
    case PHASE_AWAY:
    case PHASE_DRAINING:
    case PHASE_STOPPED: break;
    }
    return (struct device_plan){.due_ms = UINT64_MAX};
}

/* While the rate is being changed, nothing else may be sent, since it is unknown which rate the device
 * has. */
struct device_plan device_plan(const struct device *device, uint64_t now_ms)
{
    if (!device->order.waits || device->order.tunes || device->phase == PHASE_TUNING)
        return plan_for_phase(device, now_ms);
    struct device_plan users = plan_command(device, &device->order.command, 0);
    users.owner = TRANSACTION_USERS;
    return users;
}
