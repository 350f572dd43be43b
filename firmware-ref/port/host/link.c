/* link.c - the host board's UART.
 *
 * Like a UART, it loses bytes that are sent while no host is connected: without a client a socket link drops
 * them. A pty keeps as many as its buffer takes. */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

enum { WIRE_BYTES = 256 };

static struct {
    int listener; /* -1: the link is a pty or a pair of descriptors */
    int in, out;  /* -1: no client */
    int slave;    /* a pty's other end; -1: no pty */
    bool is_full; /* the last write did not take all */
    bool is_over;
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of a Unix socket, to be removed */
} link_state = {.listener = -1, .in = -1, .out = -1, .slave = -1};

static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Leaves errno unchanged. */
static bool give_up(int fd)
{
    int why = errno;

    if (fd >= 0)
        close(fd);
    errno = why;
    return false;
}

void mpt_link_open_fds(int read_fd, int write_fd)
{
    set_nonblocking(read_fd);
    set_nonblocking(write_fd);
    link_state.in = read_fd;
    link_state.out = write_fd;
}

bool mpt_link_open_pty(char *address)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    char path[MPT_LINK_ADDRESS];
    struct termios raw;

    if (master < 0 || grantpt(master) || unlockpt(master) || ptsname_r(master, path, sizeof path))
        return give_up(master);
    memcpy(address, path, sizeof path);
    /* The other end of the pty stays open here, so the line exists whether or not a host has opened it. */
    int slave = open(address, O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (slave < 0 || tcgetattr(slave, &raw)) {
        give_up(slave);
        return give_up(master);
    }
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    link_state.slave = slave;
    mpt_link_open_fds(master, master);
    return true;
}

void mpt_link_be_uart(uint32_t baud, const struct mpt_uart_faults *faults)
{
    mpt_uart_open(link_state.slave, baud, faults);
}

static bool listen_on(int fd, const struct sockaddr *address, socklen_t size)
{
    if (fd < 0 || bind(fd, address, size) || listen(fd, 1))
        return give_up(fd);
    set_nonblocking(fd);
    link_state.listener = fd;
    return true;
}

bool mpt_link_open_tcp(uint16_t port, char *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in where = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof where;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (!listen_on(fd, (struct sockaddr *)&where, size))
        return false;
    getsockname(fd, (struct sockaddr *)&where, &size);
    snprintf(address, MPT_LINK_ADDRESS, "tcp:127.0.0.1:%u", ntohs(where.sin_port));
    return true;
}

/* Removes only a socket, to make room for the new one. */
static void remove_socket(const char *path)
{
    struct stat entry;

    if (!lstat(path, &entry) && S_ISSOCK(entry.st_mode))
        unlink(path);
}

bool mpt_link_open_unix(const char *path, char *address)
{
    struct sockaddr_un where = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof where.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(where.sun_path, path, strlen(path) + 1);
    remove_socket(path);
    if (!listen_on(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&where, sizeof where))
        return false;
    memcpy(link_state.path, path, strlen(path) + 1);
    snprintf(address, MPT_LINK_ADDRESS, "unix:%s", path);
    return true;
}

static void hang_up(void)
{
    if (link_state.listener >= 0) {
        close(link_state.in);
        link_state.in = link_state.out = -1;
    }
    link_state.is_over = link_state.listener < 0;
}

bool mpt_link_is_over(void)
{
    return link_state.is_over;
}

/* Writes bytes that the wire changes, in pieces. Bytes that do not fit are lost, as on a wire. */
static ssize_t write_as_uart(const uint8_t *bytes, size_t n)
{
    uint8_t wire[WIRE_BYTES];
    size_t taken = n < sizeof wire ? n : sizeof wire;

    memcpy(wire, bytes, taken);
    size_t left = mpt_uart_send(wire, taken);
    ssize_t written = left ? write(link_state.out, wire, left) : 0;

    return written < 0 || left == taken ? written : (ssize_t)taken;
}

size_t mpt_link_write(const uint8_t *bytes, size_t n)
{
    if (link_state.out < 0 || link_state.is_over)
        return n;
    /* A host that has disconnected must not end the program by a signal. */
    ssize_t written = link_state.listener >= 0 ? send(link_state.out, bytes, n, MSG_NOSIGNAL)
                      : mpt_uart_baud()        ? write_as_uart(bytes, n)
                                               : write(link_state.out, bytes, n);

    if (written < 0 && errno != EAGAIN && errno != EINTR) {
        hang_up();
        return n;
    }
    link_state.is_full = written < (ssize_t)n;
    return written < 0 ? 0 : (size_t)written;
}

size_t mpt_link_read(uint8_t *bytes, size_t n)
{
    if (link_state.in < 0 || link_state.is_over)
        return 0;
    ssize_t got = read(link_state.in, bytes, n);

    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        hang_up();
        return 0;
    }
    return got < 0 ? 0 : mpt_uart_pass(bytes, (size_t)got);
}

void mpt_link_wait(int limit_ms)
{
    bool is_connected = link_state.in >= 0;
    struct pollfd fds[2] = {
        {.fd = is_connected ? link_state.in : link_state.listener, .events = POLLIN},
        {.fd = is_connected && link_state.is_full ? link_state.out : -1, .events = POLLOUT},
    };

    if (link_state.is_over)
        return;
    if (poll(fds, 2, limit_ms) <= 0 || is_connected || !(fds[0].revents & POLLIN))
        return;
    int client = accept4(link_state.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (client >= 0)
        link_state.in = link_state.out = client;
}

/* Bytes written to a pty's master are lost if it is closed before they are read. Nothing reports when they
 * are read, so this polls. */
static void drain_pty(int limit_ms)
{
    int waiting = 0;

    while (limit_ms-- > 0 && !ioctl(link_state.slave, FIONREAD, &waiting) && waiting > 0)
        poll(NULL, 0, 1);
}

/* A socket that is closed with unread bytes may lose bytes that are still to be sent, so this waits until the
 * host's end is closed. */
static void drain_socket(int limit_ms)
{
    uint8_t unheard[64];
    struct pollfd fd = {.fd = link_state.in, .events = POLLIN};

    shutdown(link_state.out, SHUT_WR);
    while (poll(&fd, 1, limit_ms) > 0 && recv(link_state.in, unheard, sizeof unheard, MSG_DONTWAIT) > 0)
        ;
}

void mpt_link_finish(int limit_ms)
{
    if (link_state.slave >= 0)
        drain_pty(limit_ms);
    else if (link_state.in >= 0 && link_state.listener >= 0)
        drain_socket(limit_ms);
    if (link_state.path[0])
        unlink(link_state.path);
    mpt_link_abandon();
}

void mpt_link_abandon(void)
{
    int *const all[] = {&link_state.listener, &link_state.in, &link_state.out, &link_state.slave};

    if (link_state.out == link_state.in)
        link_state.out = -1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (*all[i] >= 0)
            close(*all[i]);
        *all[i] = -1;
    }
    link_state.is_over = true;
}
