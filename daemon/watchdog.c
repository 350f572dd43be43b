/* watchdog.c - has the service manager restart the program when the ingest thread is stuck. */
#include "watchdog.h"

#include <stddef.h>

void watchdog_open(struct watchdog *watchdog)
{
    *watchdog = (struct watchdog){.every_ms = 0};
    notifier_open(&watchdog->notifier);
    watchdog->every_ms = watchdog->notifier.watchdog_us / 2000; /* twice as often as need be */
}

void watchdog_close(struct watchdog *watchdog)
{
    notifier_close(&watchdog->notifier);
}

void watchdog_ready(struct watchdog *watchdog, const struct pulse *pulse, uint64_t now_ms)
{
    watchdog->pulse = pulse;
    watchdog->next_ms = now_ms;
    notifier_tell(&watchdog->notifier, "READY=1");
}

uint64_t watchdog_deadline_ms(const struct watchdog *watchdog)
{
    return watchdog->every_ms && watchdog->pulse ? watchdog->next_ms : UINT64_MAX;
}

void watchdog_follow(struct watchdog *watchdog, uint64_t now_ms)
{
    if (now_ms < watchdog_deadline_ms(watchdog))
        return;
    watchdog->next_ms = now_ms + watchdog->every_ms;
    if (pulse_stuck_ms(watchdog->pulse, now_ms) == 0)
        notifier_tell(&watchdog->notifier, "WATCHDOG=1");
}

void watchdog_end(struct watchdog *watchdog)
{
    notifier_tell(&watchdog->notifier, "STOPPING=1");
    watchdog->pulse = NULL;
}
