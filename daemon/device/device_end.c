/* device_end.c - ends the conversation with the device.
 *
 * A closing packet reports that everything was sent. If data is missing nevertheless, another STOP asks for
 * all sums of the tree and for the closing packet again. So does a quiet line when the closing packet has not
 * arrived. A device that never sends one only costs that many rounds of silence. */
#include "device/device_private.h"

enum { STOPS_MOST = 3 };

struct mp_command device_end_command(const struct device *device)
{
    if (!device->versions)
        return (struct mp_command){.code = MP_STOP};
    return (struct mp_command){.code = MP_STOP, .length = 1, .payload = {MP_STOP_CLOSES}};
}

void device_end_answered(struct device *device, enum device_answer answer)
{
    device->stops++;
    device->ends_mute = answer == DEVICE_SILENT;
    device->phase = answer == DEVICE_SILENT ? PHASE_STOPPED : PHASE_DRAINING;
}

void device_leave(struct device *device)
{
    struct mp_command command;
    if (!device->visits && found_settings_restore(&device->settings, &command))
        device->phase = PHASE_RESTORING;
    else
        device->phase = baud_is_away(&device->baud) ? PHASE_LEAVING : PHASE_STOPPED;
}

void device_heard_out(struct device *device)
{
    if (device->phase == PHASE_DRAINING)
        device_leave(device);
}

/* Sends STOP again. Returns false when it was sent often enough. */
static bool ask_again(struct device *device)
{
    if (device->stops >= STOPS_MOST)
        return false;
    device->phase = PHASE_STOPPING;
    return true;
}

void device_line_is_quiet(struct device *device)
{
    bool is_awaited = device->phase == PHASE_DRAINING && device->closes && !device->closed;
    if (!is_awaited || !ask_again(device))
        device_heard_out(device);
}

void device_end_hear(struct device *device, const struct event *event, uint64_t now_ms)
{
    bool is_ours = device->phase == PHASE_STOPPING || device->phase == PHASE_DRAINING;
    if (!is_ours || !device->versions) /* an unsolicited empty packet */
        return;
    if (transaction_is(&device->transaction, MP_STOP)) { /* it has stopped, and its ACK was lost */
        transaction_end(&device->transaction, now_ms);
        device_end_answered(device, DEVICE_ACK);
    }
    device->closes = true;
    device->closed = event->closed.is_whole;
    if (device->closed || !ask_again(device))
        device_heard_out(device);
}
