/* wake.c - rings a thread that sleeps in poll(). */
#include "base/wake.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool wake_init(struct wake *wake, struct error *err)
{
    wake->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake->fd < 0)
        return error_set_errno(err, errno,
                               "Cannot make an eventfd, check the limit on open files (ulimit -n)");
    return true;
}

void wake_fini(struct wake *wake)
{
    close(wake->fd);
    wake->fd = -1;
}

void wake_ring(const struct wake *wake)
{
    uint64_t one = 1;
    /* The only failure is a full counter, and then the bell is ringing already. */
    ssize_t n = write(wake->fd, &one, sizeof one);
    (void)n;
}

void wake_clear(const struct wake *wake)
{
    uint64_t count;
    ssize_t n = read(wake->fd, &count, sizeof count);
    (void)n;
}
