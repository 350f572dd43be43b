/* port.c - a serial port or another terminal under /dev: through libserialport if possible, else plain
 * termios. One program at a time. */
#include "source/port.h"

#include "base/clock.h"
#include "source/guard.h"
#include "source/control_lines.h"
#include "source/serial.h"
#include "source/stream.h"
#include "source/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct port_source {
    struct source base;
    char path[SOURCE_PORT_PATH_SIZE];
    struct source_settings settings;
    uint64_t pulse_end_ms; /* while a pulse is on the lines: its end; 0: no pulse */
    struct guard guard;
    struct serial *serial; /* NULL: fd is of tty.c */
    int fd;                /* -1: closed */
    int lock;              /* keeps other programs out; -1: closed */
};

static bool port_access_denied(struct error *err, const char *path)
{
    struct stat node;
    struct group group, *found = NULL;
    char names[4096];
    if (stat(path, &node) == 0 && (node.st_mode & S_IRGRP) && (node.st_mode & S_IWGRP))
        getgrgid_r(node.st_gid, &group, names, sizeof names, &found);
    if (!found)
        return error_set(
            err, "You may not open %s; ask its owner or an administrator for read and write access.", path);
    return error_set(
        err,
        "You may not open %s: it belongs to group %s; add yourself with 'sudo usermod -aG %s $USER', "
        "then log out and in again.",
        path, found->gr_name, found->gr_name);
}

bool port_error_open(struct error *err, const char *path, int code)
{
    switch (code) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
        return error_set(err, "There is no %s; plug the device in, or look for its name with --list-ports.",
                         path);
    case EACCES:
    case EPERM: return port_access_denied(err, path);
    case EBUSY:
    case EWOULDBLOCK:
        return error_set(err, "Another program has %s open; close it there ('fuser %s' shows which).", path,
                         path);
    case ENOTTY:
        return error_set(err, "%s is no serial port or terminal; to read a capture, use file:%s.", path,
                         path);
    default: return error_set_errno(err, code, "Cannot open %s; check the device and its cable", path);
    }
}

/* Locks the port before anything is set, so that a program that has it keeps its rate, bits and unsent data.
 * It has its own descriptor, since libserialport changes settings while opening. The lock only affects
 * programs that check it, including root. */
static bool port_lock(struct port_source *port, struct error *err)
{
    port->lock = open(port->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->lock < 0)
        return port_error_open(err, port->path, errno);
    if (flock(port->lock, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return port_error_open(err, port->path, EBUSY);
    return true;
}

/* True if the sender does not wait for the reader, so that unread bytes are lost. A pty and a CDC ACM adapter
 * make the sender wait. */
static bool port_drops(int fd)
{
    enum { PTY_FIRST = 136, PTY_LAST = 143, CDC_ACM = 166 };
    struct stat node;
    unsigned kind = fstat(fd, &node) == 0 ? major(node.st_rdev) : 0;
    return (kind < PTY_FIRST || kind > PTY_LAST) && kind != CDC_ACM;
}

/* A socket that is never read would wake the reader endlessly. */
static void port_watch_rivals(struct port_source *port)
{
    port->base.side_fd = port->guard.fd >= 0 ? rivals_fd() : -1;
}

/* Bytes flow from now on. */
static void port_begin(struct port_source *port)
{
    port->pulse_end_ms = 0;
    port->base.lines = lines_read(port->fd);
    guard_begin(&port->guard, port->fd, port->path, &port->settings);
    port_watch_rivals(port);
    port->base.is_open = true;
}

static bool port_open(struct source *source, struct error *err)
{
    struct port_source *port = (struct port_source *)source;
    int code = 0;
    if (!port_lock(port, err))
        return false;
    switch (serial_open(port->path, port->settings.baud, &port->serial, &code)) {
    case SERIAL_OPENED:
        port->fd = serial_fd(port->serial);
        source->baud = serial_baud(port->serial);
        break;
    case SERIAL_FAILED: return port_error_open(err, port->path, code);
    case SERIAL_REFUSED:
        port->fd = tty_open(port->path, port->settings.baud, &code);
        if (port->fd < 0)
            return port_error_open(err, port->path, code);
        source->baud = tty_baud(port->fd);
        break;
    }
    /* Also keeps out programs that do not check the lock, except root. Only for real ports: the other end of
     * a pty would keep this state after we close it. */
    if (port->serial)
        ioctl(port->fd, TIOCEXCL);
    tty_keep_lines(port->fd);
    source->drops = port->settings.drops || port_drops(port->fd);
    port->pulse_end_ms = 0;
    if (lines_set(port->fd, &port->settings))
        port->pulse_end_ms = clock_monotonic_ms() + LINES_PULSE_MS;
    else
        port_begin(port);
    return true;
}

static void port_close(struct source *source)
{
    struct port_source *port = (struct port_source *)source;
    guard_end(&port->guard);
    source->side_fd = -1;
    if (port->serial)
        serial_close(port->serial);
    else if (port->fd >= 0)
        tty_close(port->fd);
    if (port->lock >= 0)
        close(port->lock);
    port->serial = NULL;
    port->fd = port->lock = -1;
}

static bool port_is_missing(const struct source *source)
{
    return access(((const struct port_source *)source)->path, F_OK) < 0;
}

static struct source_wait port_poll(const struct source *source)
{
    const struct port_source *port = (const struct port_source *)source;
    if (!port->pulse_end_ms) {
        struct source_wait wait = stream_wait(source, port->fd);
        wait.timeout_ms = guard_timeout_ms(&port->guard);
        return wait;
    }
    uint64_t now_ms = clock_monotonic_ms(), end_ms = port->pulse_end_ms;
    return (struct source_wait){.fd = -1, .timeout_ms = now_ms < end_ms ? (int)(end_ms - now_ms) : 0};
}

/* Ends the pulse when it is due. */
static enum source_result port_await_pulse(struct port_source *port)
{
    if (clock_monotonic_ms() >= port->pulse_end_ms) {
        lines_end_pulse(port->fd, &port->settings);
        port_begin(port);
    }
    return SOURCE_QUIET;
}

static enum source_result port_read(struct source *source, void *bytes, size_t room, size_t *n,
                                    struct error *err)
{
    struct port_source *port = (struct port_source *)source;
    if (port->pulse_end_ms)
        return port_await_pulse(port);
    enum source_result result = stream_read(port->fd, bytes, room, n);
    if (result == SOURCE_GONE)
        error_set(err, "%s was unplugged or its other end closed; plug it in again.", port->path);
    else if (guard_look(&port->guard, result == SOURCE_DATA, &source->remark))
        source->remarks++;
    port_watch_rivals(port);
    return result;
}

static ssize_t port_write(struct source *source, const void *bytes, size_t n)
{
    return stream_write(((struct port_source *)source)->fd, bytes, n);
}

static void port_set_baud(struct source *source, uint32_t baud)
{
    struct port_source *port = (struct port_source *)source;
    if (port->serial) {
        serial_set_baud(port->serial, baud);
        source->baud = serial_baud(port->serial);
    } else {
        tty_set_baud(port->fd, baud);
        source->baud = tty_baud(port->fd);
    }
    guard_adopt_baud(&port->guard);
}

static void port_free(struct source *source)
{
    free(source);
}

static const struct source_ops port_ops = {
    .patience_ms = 2,
    .free = port_free,
    .open = port_open,
    .close = port_close,
    .is_missing = port_is_missing,
    .poll = port_poll,
    .read = port_read,
    .write = port_write,
    .set_baud = port_set_baud,
};

bool source_port_path(const char *name, char path[static SOURCE_PORT_PATH_SIZE])
{
    int n = snprintf(path, SOURCE_PORT_PATH_SIZE, "%s%s", strchr(name, '/') ? "" : "/dev/", name);
    return n < SOURCE_PORT_PATH_SIZE;
}

struct source *port_source_new(const struct source_settings *settings, const char *name, struct error *err)
{
    if (!*name) {
        error_set(err, "'serial:' needs the name of a port; --list-ports shows those there are.");
        return NULL;
    }
    if (settings->baud == 0 || settings->baud > INT_MAX) {
        error_set(err, "A serial port cannot run at %u baud; use for example --baud 115200.", settings->baud);
        return NULL;
    }
    struct port_source *port = calloc(1, sizeof *port);
    if (!port) {
        error_set(err, "Out of memory while preparing %s.", name);
        return NULL;
    }
    port->base.ops = &port_ops;
    port->fd = port->lock = port->guard.fd = -1;
    port->settings = *settings;
    if (!source_port_path(name, port->path)) {
        error_set(err, "The port name '%.40s...' is too long; make a shorter symbolic link to it.", name);
        goto failed;
    }
    /* A node that can never be a port is reported now; a missing one may still be plugged in. */
    struct stat node;
    if (stat(port->path, &node) == 0 && !S_ISCHR(node.st_mode)) {
        port_error_open(err, port->path, ENOTTY);
        goto failed;
    }
    return &port->base;

failed:
    free(port);
    return NULL;
}
