/* unix.c - a byte stream over a Unix domain socket. */
#include "source/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket has space for 278 writes, and a UART emulated by QEMU writes each byte separately. A line at 20
 * KB/s or more gains nothing from patience: the kernel's cost of freeing a buffer for each byte remains
 * (docs/performance.md). */
static const struct stream_pace pace = {.least_ms = 1, .most_ms = 4, .welcome = 96};

struct unix_source {
    struct source base;
    struct sockaddr_un address;
    int fd; /* -1: closed */
};

static bool unix_error(struct error *err, const char *path, int code)
{
    switch (code) {
    case ENOENT:
        return error_set(err, "There is no socket %s; start the program that makes it, or check the path.",
                         path);
    case ECONNREFUSED:
        return error_set(err, "Nobody listens at the socket %s; start the program that serves it.", path);
    case EAGAIN:
        return error_set(err, "The program behind the socket %s does not accept more connections.", path);
    case EACCES:
        return error_set(err, "You may not use the socket %s; ask its owner for write access to it.", path);
    default: return error_set_errno(err, code, "Cannot connect to the socket %s", path);
    }
}

/* Never "in progress": a Unix socket connects at once or not at all. */
static bool unix_open(struct source *source, struct error *err)
{
    struct unix_source *u = (struct unix_source *)source;
    u->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (u->fd < 0)
        return error_set_errno(err, errno, "Cannot make a socket for %s", u->address.sun_path);
    if (connect(u->fd, (const struct sockaddr *)&u->address, sizeof u->address) < 0)
        return unix_error(err, u->address.sun_path, errno);
    source->is_open = true;
    return true;
}

static void unix_close(struct source *source)
{
    struct unix_source *u = (struct unix_source *)source;
    if (u->fd >= 0)
        close(u->fd);
    u->fd = -1;
}

static struct source_wait unix_poll(const struct source *source)
{
    return stream_wait(source, ((const struct unix_source *)source)->fd);
}

static enum source_result unix_read(struct source *source, void *bytes, size_t room, size_t *n,
                                    struct error *err)
{
    struct unix_source *u = (struct unix_source *)source;
    enum source_result result = stream_read(u->fd, bytes, room, n);
    if (result == SOURCE_DATA)
        source->patience_ms = stream_patience_ms(&pace, source->patience_ms, *n);
    if (result == SOURCE_GONE)
        error_set(err, "The program behind the socket %s closed the connection; start it again.",
                  u->address.sun_path);
    return result;
}

static ssize_t unix_write(struct source *source, const void *bytes, size_t n)
{
    return stream_send(((struct unix_source *)source)->fd, bytes, n);
}

static void unix_free(struct source *source)
{
    free(source);
}

static const struct source_ops unix_ops = {
    .patience_ms = 1,
    .free = unix_free,
    .open = unix_open,
    .close = unix_close,
    .poll = unix_poll,
    .read = unix_read,
    .write = unix_write,
};

struct source *unix_source_new(const struct source_settings *settings, const char *path, struct error *err)
{
    struct unix_source *u = calloc(1, sizeof *u);
    if (!u) {
        error_set(err, "Out of memory while preparing unix:%s.", path);
        return NULL;
    }
    u->base.ops = &unix_ops;
    u->fd = -1;
    u->address.sun_family = AF_UNIX;
    if (!*path || strlen(path) >= sizeof u->address.sun_path) {
        error_set(err, "'unix:%s' needs the path of a socket, of at most %zu bytes.", path,
                  sizeof u->address.sun_path - 1);
        free(u);
        return NULL;
    }
    strcpy(u->address.sun_path, path);
    return &u->base;
}
