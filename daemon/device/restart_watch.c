/* restart_watch.c - detects restarts of the device. */
#include "device/restart_watch.h"

#include "protocol/packet.h"
#include "device/target.h"

void restart_watch_connect(struct restart_watch *watch)
{
    watch->heard = false;
    watch->metadata_expected = 0;
    watch->boot_is_unsteady = false;
    restart_watch_lose_sight(watch);
}

void restart_watch_lose_sight(struct restart_watch *watch)
{
    watch->is_unsure = watch->has_captured;
}

void restart_watch_send(struct restart_watch *watch, uint8_t code)
{
    switch (code) {
    case MP_GET_METADATA: watch->metadata_expected++; break;
    case MP_START:
    case MP_RESET_BUFFERS: watch->captured_drops = true; break;
    default: break;
    }
}

void restart_watch_begin_anew(struct restart_watch *watch)
{
    watch->heard = watch->has_captured = watch->captured_drops = watch->is_unsure = false;
    watch->metadata_expected = 0;
    watch->boot = 0; /* the new one is not reported yet */
}

bool restart_watch_metadata(struct restart_watch *watch)
{
    bool asked_for = watch->metadata_expected > 0;
    /* Two in a row count once: a start-up message beside the answer to our question. */
    bool restart = !asked_for && watch->heard;
    watch->metadata_expected -= asked_for;
    watch->heard = false;
    if (restart)
        restart_watch_begin_anew(watch);
    return restart;
}

bool restart_watch_status(struct restart_watch *watch, uint32_t captured)
{
    bool restart =
        watch->has_captured && !watch->captured_drops && target_counter_fell(watch->captured, captured);
    watch->heard = true;
    if (restart)
        restart_watch_begin_anew(watch);
    watch->has_captured = true;
    watch->captured_drops = false;
    watch->captured = captured;
    return restart;
}

bool restart_watch_boot(struct restart_watch *watch, uint32_t boot, bool contradicts, uint64_t now_ms)
{
    enum { STEADY_MS = 2000 };
    bool differs = boot && watch->boot && boot != watch->boot;
    bool is_soon = watch->boot_ms && now_ms - watch->boot_ms < STEADY_MS;
    watch->boot_is_unsteady |= differs && (contradicts || is_soon);
    bool restart = differs && !watch->boot_is_unsteady;
    if (restart) {
        restart_watch_begin_anew(watch);
        watch->boot_ms = now_ms;
    }
    if (boot)
        watch->boot = boot;
    return restart;
}
