/* device_run.c - draws conclusions from what a device reports about its start and its run.
 *
 * Another number of its start proves a restart. The same number, and the same run, prove that the run goes
 * on: a device that restarted does not profile. Another run proves nothing here: its packets say whose they
 * are. */

#include "protocol/tree.h"
#include "device/device_private.h"

/* True when it profiles in that mode and form. */
static bool is_under_way(const struct event_run *run, enum mode mode, bool is_flat)
{
    return run->is_on && run->mode == mode && run->is_flat == is_flat;
}

/* True for the run that we began. */
static bool is_ours(const struct device *device, const struct event_run *run)
{
    return device->run.is_known && run->number == device->run.number &&
           is_under_way(run, device->mode, device->flat);
}

bool device_run_hear(struct device *device, const struct event_run *run, uint64_t now_ms)
{
    device->run.is_told = run->is_told;
    device->closes = run->is_told;
    device->has_other_cores = run->is_told && run->has_other_cores;
    if (!run->is_told)
        return false;
    /* A restarted device does not profile, but in version 1 its program may have begun to by itself. */
    bool is_just_begun = !device->run.is_known && device->started;
    bool contradicts = run->mode > MODE_CALLS && is_under_way(run, device->mode, device->flat) &&
                       (is_just_begun || is_ours(device, run));
    if (restart_watch_boot(&device->watch, run->boot, contradicts, now_ms)) {
        device->run.is_known = false;
        return true;
    }
    if (device->started && is_under_way(run, device->mode, device->flat)) {
        device->run.is_joined &= run->number == device->run.number;
        device->run.is_known = true;
        device->run.number = run->number;
    }
    return false;
}

/* True when a run may have been begun by this session, if that matters: a measuring session does not count
 * anything from before. A START that was given up may have been executed; then the run has another number
 * than before. */
static bool may_be_ours(const struct device *device, const struct event_run *run)
{
    bool is_another = !device->run.is_foreign || run->number != device->run.foreign;
    return !device->begins_own || device->resumes || (device->start_unanswered && is_another);
}

/* True when our run continues, or any run in the wanted mode: START would end it, and its calls would be
 * lost. A run that an unwanted trigger slows down is not joined. */
static bool goes_on(const struct device *device, const struct event_run *run)
{
    struct mp_command disarm;
    bool is_known_start = run->boot && device->watch.boot == run->boot;
    if (device->started || !run->is_told)
        return false;
    if (is_known_start && is_ours(device, run))
        return true;
    return device->profiling_wanted && may_be_ours(device, run) &&
           is_under_way(run, device_plan_mode(device), run->is_flat) &&
           (device->has_trigger || !found_settings_disarm(&device->settings, &disarm));
}

void device_run_resume(struct device *device, const struct event_run *run)
{
    bool goes = goes_on(device, run);
    if (!device->started) {
        device->run.is_foreign = device->begins_own && !goes && run->is_told && run->is_on;
        device->run.foreign = run->number;
    }
    if (!goes)
        return;
    if (!is_ours(device, run))
        device->run.is_joined = !device->begins_own && !device->start_unanswered;
    device->started = device->started_ever = device->run.is_known = true;
    device->start_unanswered = device->resumes = false;
    device->mode = (enum mode)run->mode;
    device->flat = run->is_flat;
    device->crowded |= run->is_flat;
    device->run.number = run->number;
}

bool device_awaits_own_run(const struct device *device)
{
    bool is_unknown = device->phase >= PHASE_MEETING && device->phase <= PHASE_DESCRIBING;
    return device->begins_own && device->profiling_wanted && !device->started_ever && !device->silent &&
           (is_unknown || device->run.is_foreign);
}

void device_run_send(const struct device *device, struct mp_command *command)
{
    bool is_again = device->transaction.tries > 1 ||
                    (device->start_unanswered && device->transaction.owner == TRANSACTION_OURS);
    /* START would begin another run while one is active, and counts of a tree would not add up with it. */
    bool is_under_way = device->started;
    if (command->code != MP_START || !device->run.is_told || device->run.is_foreign ||
        !(is_again || is_under_way))
        return;
    if (command->length == 0)
        command->payload[0] = MODE_CALLS;
    command->payload[1] = (uint8_t)((command->length > 1 ? command->payload[1] : 0) | MP_START_RESUMES);
    command->length = 2;
}
