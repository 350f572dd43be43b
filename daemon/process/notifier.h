/* notifier.h - tells the service manager how the program is, as sd_notify(3) does. */
#ifndef PROCESS_NOTIFIER_H
#define PROCESS_NOTIFIER_H

#include <stdint.h>

struct notifier {
    int fd;               /* -1: nobody wants to know */
    uint64_t watchdog_us; /* the manager restarts a program that is silent for this long; 0: it does not */
};

/* Connects to the socket that NOTIFY_SOCKET names, and takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID
 * out of the environment. To be called before rights are given up. */
void notifier_open(struct notifier *notifier);
void notifier_close(struct notifier *notifier);

/* Says for example "READY=1". Nothing is waited for; what the manager has no room for is lost. */
void notifier_tell(const struct notifier *notifier, const char *state);

#endif
