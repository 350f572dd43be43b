/* wake.c - wakes a thread that sleeps in poll(). */
#include "base/wake.h"

#include "base/linux_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>
#if HAS_LINUX_CALLS
#include <sys/eventfd.h>
#endif

/* Opens both descriptors. False when that fails. */
static bool bell_open(struct wake *wake)
{
#if HAS_LINUX_CALLS
    wake->fd = wake->ring_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return wake->fd >= 0;
#else
    int ends[2] = {-1, -1};
    bool good = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
    wake->fd = ends[0];
    wake->ring_fd = ends[1];
    return good;
#endif
}

bool wake_init(struct wake *wake, struct error *err)
{
    if (!bell_open(wake))
        return error_set_errno(err, errno,
                               "Cannot make an eventfd, check the limit on open files (ulimit -n)");
    return true;
}

void wake_fini(struct wake *wake)
{
    if (wake->ring_fd != wake->fd)
        close(wake->ring_fd);
    close(wake->fd);
    wake->fd = wake->ring_fd = -1;
}

void wake_ring(const struct wake *wake)
{
    uint64_t one = 1;
    /* Fails only when the counter or pipe is full, and then the thread is being woken already. */
    ssize_t n = write(wake->ring_fd, &one, sizeof one);
    (void)n;
}

void wake_clear(const struct wake *wake)
{
    uint64_t rings[HAS_LINUX_CALLS ? 1 : 64];
    ssize_t n;
    do /* one read empties an eventfd */
        n = read(wake->fd, rings, sizeof rings);
    while (!HAS_LINUX_CALLS && n == (ssize_t)sizeof rings);
}
