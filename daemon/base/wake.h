/* wake.h - wakes a thread that sleeps in poll(). */
#ifndef BASE_WAKE_H
#define BASE_WAKE_H

#include "base/error.h"

/* An eventfd, or a pipe where there is no eventfd. Any thread may ring; one thread polls `fd` for POLLIN
 * and then clears. */
struct wake {
    int fd;
    int ring_fd; /* to write to */
};

bool wake_init(struct wake *wake, struct error *err);
void wake_fini(struct wake *wake);

/* Several rings before a clear are one wake-up. Both functions may be called from a signal handler. */
void wake_ring(const struct wake *wake);
void wake_clear(const struct wake *wake);

#endif
