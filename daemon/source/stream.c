/* stream.c - reads and writes a non-blocking descriptor of a terminal or a socket. */
#include "source/stream.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* poll() comes first because a terminal in raw mode reads 0 both when it is quiet and when it is unplugged:
 * only "readable" with 0 bytes means gone. */
enum source_result stream_read(int fd, void *bytes, size_t room, size_t *n)
{
    *n = 0;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, 0) < 0)
        return errno == EINTR ? SOURCE_QUIET : SOURCE_GONE;
    if (!(wait.revents & POLLIN))
        return wait.revents ? SOURCE_GONE : SOURCE_QUIET;
    ssize_t got = read(fd, bytes, room);
    if (got > 0) {
        *n = (size_t)got;
        return SOURCE_DATA;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? SOURCE_QUIET : SOURCE_GONE;
}

static ssize_t sent_bytes_or_error(ssize_t sent)
{
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

ssize_t stream_write(int fd, const void *bytes, size_t n)
{
    return sent_bytes_or_error(write(fd, bytes, n));
}

ssize_t stream_send(int fd, const void *bytes, size_t n)
{
    return sent_bytes_or_error(send(fd, bytes, n, MSG_NOSIGNAL));
}

uint32_t stream_patience_ms(const struct stream_pace *pace, uint32_t patience_ms, size_t n)
{
    if (n * (patience_ms + 1) > pace->welcome * patience_ms)
        return pace->least_ms;
    return patience_ms < pace->most_ms ? patience_ms + 1 : pace->most_ms;
}

struct source_wait stream_wait(const struct source *source, int fd)
{
    short events = POLLIN;
    if (source->outgoing_n > 0)
        events |= POLLOUT;
    return (struct source_wait){.fd = fd, .events = events, .timeout_ms = -1};
}
