/* watchdog.h - has the service manager restart the program when the ingest thread is stuck: it hears from us
 * only while that thread is well. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "exchange/pulse.h"
#include "process/notifier.h"

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

/* Tells that all is well, if it is due, and is. */
void watchdog_follow(struct watchdog *watchdog, uint64_t now_ms);

/* Tells that the program ends, and that nothing more is watched. */
void watchdog_end(struct watchdog *watchdog);

#endif
