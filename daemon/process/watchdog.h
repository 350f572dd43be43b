/* watchdog.h - has the service manager restart the program when the ingest thread is stuck: the manager gets messages
 * only while that thread makes progress. Also ends the program even if something hangs. */
#ifndef PROCESS_WATCHDOG_H
#define PROCESS_WATCHDOG_H

#include "process/pulse.h"
#include "process/notifier.h"

/* How long one piece of work, and the final cleanup, may delay the end. */
enum { WATCHDOG_HANG_MS = 1500, WATCHDOG_CLEANUP_MS = 1500 };

struct watchdog {
    struct notifier notifier;
    const struct pulse *pulse; /* borrowed */
    uint64_t every_ms;         /* 0: no service manager watches */
    uint64_t next_ms;
};

/* Finds the service manager. Call this before privileges are dropped. */
void watchdog_open(struct watchdog *watchdog);
void watchdog_close(struct watchdog *watchdog);

/* Reports that the program is ready, and begins to watch `pulse`. */
void watchdog_ready(struct watchdog *watchdog, const struct pulse *pulse, uint64_t now_ms);

/* Returns the monotonic time of the next watchdog_follow(), UINT64_MAX for never. */
uint64_t watchdog_deadline_ms(const struct watchdog *watchdog);

/* Sends a keep-alive message if it is due and the thread makes progress. */
void watchdog_follow(struct watchdog *watchdog, uint64_t now_ms);

/* Reports that the program is ending, and stops watching. */
void watchdog_end(struct watchdog *watchdog);

/* From here on the program only cleans up. It ends with `status` after `ms` milliseconds even if that hangs, for
 * example on a disk that does not respond. */
void watchdog_end_within(uint32_t ms, int status);

/* Logs an error and ends the program with `status` at once, because the ingest thread hangs and nothing can be freed.
 * Deletes the file `token` if that is not "". */
_Noreturn void watchdog_give_up(const char *token, int status);

#endif
