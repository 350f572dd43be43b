/* watchdog.c - has the service manager restart the program when the ingest thread is stuck, and ends the program even
 * if something hangs. */
#include "process/watchdog.h"

#include "base/log.h"
#include "base/thread.h"

#include <poll.h>
#include <stddef.h>
#include <unistd.h>

static struct {
    uint32_t ms;
    int status;
} last;

void watchdog_open(struct watchdog *watchdog)
{
    *watchdog = (struct watchdog){.every_ms = 0};
    notifier_open(&watchdog->notifier);
    watchdog->every_ms = watchdog->notifier.watchdog_us / 2000; /* twice as often as required */
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

static void *end_late(void *unused)
{
    poll(NULL, 0, (int)last.ms);
    log_write(
        LOG_WARNING,
        "Something hangs, maybe a disk, so the program ends without waiting for it; check that the disks "
        "that it reads and writes answer.");
    _exit(last.status);
}

void watchdog_end_within(uint32_t ms, int status)
{
    pthread_t thread;
    last.ms = ms;
    last.status = status;
    if (thread_start(&thread, NULL, end_late, NULL) == 0)
        pthread_detach(thread);
}

void watchdog_give_up(const char *token, int status)
{
    log_write(LOG_ERROR,
              "The thread that decodes has hung over one piece of work, so the program ends without "
              "its last figures; please report it, with a recording if there is one.");
    if (*token)
        unlink(token);
    _exit(status);
}
