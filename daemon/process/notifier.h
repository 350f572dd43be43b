/* notifier.h - notifies the service manager of the program's state, as sd_notify(3) does. */
#ifndef PROCESS_NOTIFIER_H
#define PROCESS_NOTIFIER_H

#include <stdint.h>

struct notifier {
    int fd;               /* -1: no service manager */
    uint64_t watchdog_us; /* the manager restarts the program after this time without a message; 0: never */
};

/* Connects to the socket that NOTIFY_SOCKET names, and removes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from
 * the environment. Call this before privileges are dropped. */
void notifier_open(struct notifier *notifier);
void notifier_close(struct notifier *notifier);

/* Sends for example "READY=1". Never blocks: a message that does not fit is lost. */
void notifier_tell(const struct notifier *notifier, const char *state);

#endif
