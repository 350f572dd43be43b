/* link.c - the host board's UART, and the two functions of the port that use it.
 *
 * As with a UART, bytes that are sent while nobody listens are lost: without a client a socket link swallows
 * them. A pty keeps what its buffer takes. */
#include "link.h"

#include "mpt_port.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

static struct {
    int listener; /* -1: the link is a pty or a pair of descriptors */
    int in, out;  /* -1: no client */
    bool is_full; /* the last write did not take all */
} link_state = {.listener = -1, .in = -1, .out = -1};

static void fail(const char *what)
{
    fprintf(stderr, "example-host: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void announce(const char *address)
{
    printf("%s\n", address);
    fflush(stdout);
}

static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void link_open_fds(int read_fd, int write_fd)
{
    signal(SIGPIPE, SIG_IGN);
    set_nonblocking(read_fd);
    set_nonblocking(write_fd);
    link_state.in = read_fd;
    link_state.out = write_fd;
}

void link_open_pty(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    struct termios raw;

    if (master < 0 || grantpt(master) || unlockpt(master))
        fail("no pty could be had");
    /* Our own descriptor of the other end stays open: the line exists whether or not someone has opened it.
     */
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (slave < 0 || tcgetattr(slave, &raw))
        fail("the pty could not be opened");
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    link_open_fds(master, master);
    announce(ptsname(master));
}

static void listen_on(int fd, const struct sockaddr *address, socklen_t size)
{
    signal(SIGPIPE, SIG_IGN);
    if (fd < 0 || bind(fd, address, size) || listen(fd, 1))
        fail("cannot listen there");
    set_nonblocking(fd);
    link_state.listener = fd;
}

void link_open_tcp(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char name[32];

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    listen_on(fd, (struct sockaddr *)&address, size);
    getsockname(fd, (struct sockaddr *)&address, &size);
    snprintf(name, sizeof name, "tcp:127.0.0.1:%u", ntohs(address.sin_port));
    announce(name);
}

void link_open_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char name[sizeof address.sun_path + 8];

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path);
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    unlink(path);
    listen_on(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&address, sizeof address);
    snprintf(name, sizeof name, "unix:%s", path);
    announce(name);
}

static void hang_up(void)
{
    if (link_state.listener < 0)
        exit(0);
    close(link_state.in);
    link_state.in = link_state.out = -1;
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    if (link_state.out < 0)
        return n;
    ssize_t written = write(link_state.out, bytes, n);

    if (written < 0 && errno != EAGAIN && errno != EINTR) {
        hang_up();
        return n;
    }
    link_state.is_full = written < (ssize_t)n;
    return written < 0 ? 0 : (size_t)written;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    if (link_state.in < 0)
        return 0;
    ssize_t got = read(link_state.in, bytes, n);

    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        hang_up();
        return 0;
    }
    return got < 0 ? 0 : (size_t)got;
}

void link_wait(int limit_ms)
{
    bool is_connected = link_state.in >= 0;
    struct pollfd fds[2] = {
        {.fd = is_connected ? link_state.in : link_state.listener, .events = POLLIN},
        {.fd = is_connected && link_state.is_full ? link_state.out : -1, .events = POLLOUT},
    };

    if (poll(fds, 2, limit_ms) <= 0 || is_connected || !(fds[0].revents & POLLIN))
        return;
    int client = accept4(link_state.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (client >= 0)
        link_state.in = link_state.out = client;
}
