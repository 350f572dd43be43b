/* watchdog.h - has the service manager restart the program when the ingest thread is stuck: it gets messages
 * only while that thread works. Also ends the program when it would wait for something that hangs. */
#ifndef PROCESS_WATCHDOG_H
#define PROCESS_WATCHDOG_H

#include "process/pulse.h"
#include "process/notifier.h"

/* How long one piece of work and, after all that counts, cleaning up may hold up the end. */
enum { WATCHDOG_HANG_MS = 1500, WATCHDOG_CLEANUP_MS = 1500 };

struct watchdog {
    struct notifier notifier;
    const struct pulse *pulse; /* borrowed */
    uint64_t every_ms;         /* 0: nobody watches */
    uint64_t next_ms;
};

/* Looks who wants to know; to be called before rights are given up. */
void watchdog_open(struct watchdog *watchdog);
void watchdog_close(struct watchdog *watchdog);

/* Tells that the program is up, and begins to watch `pulse`. */
void watchdog_ready(struct watchdog *watchdog, const struct pulse *pulse, uint64_t now_ms);

/* When watchdog_follow() has something to do, of the monotonic clock; UINT64_MAX: never. */
uint64_t watchdog_deadline_ms(const struct watchdog *watchdog);

/* Sends the sign of life, if it is due and the thread works. */
void watchdog_follow(struct watchdog *watchdog, uint64_t now_ms);

/* Tells that the program ends, and that nothing more is watched. */
void watchdog_end(struct watchdog *watchdog);

/* From here on the program only cleans up: it ends with `status` after `ms` milliseconds also when that
 * hangs, as over a disk that does not answer. */
void watchdog_end_within(uint32_t ms, int status);

/* Ends the program with `status` at once, with a sentence, since the ingest thread hangs: nothing can be
 * freed or asked any more. Takes the file `token` along, if that is not "". */
_Noreturn void watchdog_give_up(const char *token, int status);

#endif
