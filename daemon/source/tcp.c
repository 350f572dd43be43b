/* tcp.c - a byte stream over TCP: ser2net, the servers of debug probes, QEMU.
 *
 * Opening is a state machine that source_read() drives: resolve the host name, then try its addresses one
 * after the other, each for a limited time. No step blocks, so an unreachable host never blocks the
 * thread. */
#include "base/clock.h"
#include "base/resolve.h"
#include "source/stream.h"
#include "source/telnet.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TELNET_OPTIONS_KNOWN = 50 }; /* options that servers begin with have low numbers */
enum { CONNECT_TIMEOUT_MS = 5000, KEEPALIVE_IDLE_S = 10, KEEPALIVE_INTERVAL_S = 5, KEEPALIVE_PROBES = 3 };

/* In bytes: Linux's usual maximum for a socket (net.core.rmem_max). It uses the same again for its own data,
 * so about this much is offered to the sender. */
enum { ROOM = 212992 };

/* The fastest UARTs send 1.2 MB/s: 120 KB in the longest interval. */
static const struct stream_pace pace = {.least_ms = 4, .most_ms = 100, .welcome = 160 * 1024};

struct tcp_source {
    struct source base;
    char host[256];
    char port[8];
    struct resolve *resolve;          /* NULL: closed */
    const struct addrinfo *addresses; /* the one being tried and those after it; NULL: still resolving */
    int fd;                           /* -1: none yet */
    uint64_t deadline_ms;             /* for the address being tried */
    uint8_t head[3], head_n;          /* the first bytes received */
};

static bool connect_refused(struct error *err, const struct tcp_source *tcp, int code)
{
    switch (code) {
    case ECONNREFUSED:
        return error_set(
            err,
            "Nobody listens at %s port %s; start the program that serves the stream, or check the "
            "port.",
            tcp->host, tcp->port);
    case ETIMEDOUT:
        return error_set(err, "%s port %s does not answer; check the address, the network and firewalls.",
                         tcp->host, tcp->port);
    default:
        return error_set_errno(err, code, "Cannot connect to %s port %s; check the address and the network",
                               tcp->host, tcp->port);
    }
}

/* A peer that vanished is detected, commands are sent without delay, and a server that sends while nothing is
 * read is not blocked: Linux begins with space for 64 KiB. */
static void tune_socket(int fd)
{
    static const struct {
        int level, name, value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        {SOL_SOCKET, SO_RCVBUF, ROOM},
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE_S},
        {IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S},
        {IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof options[i].value);
}

/* Starts connecting to the next address that allows it; returns false with errno if none does. */
static bool try_next(struct tcp_source *tcp)
{
    int code = EADDRNOTAVAIL;
    for (; tcp->addresses; tcp->addresses = tcp->addresses->ai_next) {
        const struct addrinfo *a = tcp->addresses;
        tcp->fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
        if (tcp->fd >= 0) {
            tune_socket(tcp->fd);
            tcp->deadline_ms = clock_monotonic_ms() + CONNECT_TIMEOUT_MS;
            if (connect(tcp->fd, a->ai_addr, a->ai_addrlen) == 0 || errno == EINPROGRESS)
                return true;
        }
        code = errno;
        if (tcp->fd >= 0)
            close(tcp->fd);
        tcp->fd = -1;
    }
    errno = code;
    return false;
}

/* 0 if connected, EINPROGRESS if not yet, otherwise the error. */
static int connect_result(const struct tcp_source *tcp)
{
    struct pollfd wait = {.fd = tcp->fd, .events = POLLOUT};
    if (poll(&wait, 1, 0) <= 0)
        return clock_monotonic_ms() < tcp->deadline_ms ? EINPROGRESS : ETIMEDOUT;
    int code = 0;
    socklen_t size = sizeof code;
    getsockopt(tcp->fd, SOL_SOCKET, SO_ERROR, &code, &size);
    return code;
}

static enum source_result carry_on(struct tcp_source *tcp, struct error *err)
{
    if (!tcp->addresses) {
        switch (resolve_ask(tcp->resolve, &tcp->addresses, err)) {
        case RESOLVE_WAITING: return SOURCE_QUIET;
        case RESOLVE_FAILED: return SOURCE_GONE;
        case RESOLVE_FOUND: break;
        }
        if (!try_next(tcp)) {
            connect_refused(err, tcp, errno);
            return SOURCE_GONE;
        }
    }
    int code = connect_result(tcp);
    while (code != 0 && code != EINPROGRESS) {
        close(tcp->fd);
        tcp->fd = -1;
        tcp->addresses = tcp->addresses->ai_next;
        if (!tcp->addresses || !try_next(tcp)) {
            connect_refused(err, tcp, code);
            return SOURCE_GONE;
        }
        code = connect_result(tcp);
    }
    tcp->base.is_open = code == 0;
    return SOURCE_QUIET;
}

static bool tcp_open(struct source *source, struct error *err)
{
    struct tcp_source *tcp = (struct tcp_source *)source;
    tcp->head_n = 0;
    tcp->resolve = resolve_new(tcp->host, tcp->port, err);
    return tcp->resolve && carry_on(tcp, err) != SOURCE_GONE;
}

static void tcp_close(struct source *source)
{
    struct tcp_source *tcp = (struct tcp_source *)source;
    if (tcp->fd >= 0)
        close(tcp->fd);
    tcp->fd = -1;
    tcp->addresses = NULL;
    resolve_free(tcp->resolve);
    tcp->resolve = NULL;
}

static struct source_wait tcp_poll(const struct source *source)
{
    const struct tcp_source *tcp = (const struct tcp_source *)source;
    if (source->is_open)
        return stream_wait(source, tcp->fd);
    if (tcp->fd < 0)
        return (struct source_wait){.fd = resolve_fd(tcp->resolve), .events = POLLIN, .timeout_ms = -1};
    uint64_t now_ms = clock_monotonic_ms();
    int left_ms = now_ms < tcp->deadline_ms ? (int)(tcp->deadline_ms - now_ms) : 0;
    return (struct source_wait){.fd = tcp->fd, .events = POLLOUT, .timeout_ms = left_ms};
}

/* A Telnet server begins with an option. Without Telnet, only packets without 0xFF would arrive undamaged,
 * which is hard to diagnose. */
static void look_for_telnet(struct tcp_source *tcp, const uint8_t *bytes, size_t n)
{
    const uint8_t *head = tcp->head;
    if (tcp->head_n == sizeof tcp->head)
        return;
    for (size_t at = 0; at < n && tcp->head_n < sizeof tcp->head; at++)
        tcp->head[tcp->head_n++] = bytes[at];
    const char *address = strchr(tcp->base.spec, ':');
    if (address && tcp->head_n == sizeof tcp->head && head[0] == TELNET_IAC && head[1] >= TELNET_WILL &&
        head[1] <= TELNET_DONT && head[2] < TELNET_OPTIONS_KNOWN)
        error_set(
            &tcp->base.remark,
            "%s port %s speaks Telnet, so what comes is not what the device sends; use --port rfc2217%s.",
            tcp->host, tcp->port, address);
}

static enum source_result tcp_read(struct source *source, void *bytes, size_t room, size_t *n,
                                   struct error *err)
{
    struct tcp_source *tcp = (struct tcp_source *)source;
    if (!source->is_open) {
        enum source_result result = carry_on(tcp, err);
        if (!source->is_open)
            return result;
    }
    enum source_result result = stream_read(tcp->fd, bytes, room, n);
    if (result == SOURCE_DATA)
        source->patience_ms = stream_patience_ms(&pace, source->patience_ms, *n);
    if (result == SOURCE_DATA)
        look_for_telnet(tcp, bytes, *n);
    if (result == SOURCE_GONE)
        error_set(err, "%s port %s closed the connection; check the program that serves the stream.",
                  tcp->host, tcp->port);
    return result;
}

static ssize_t tcp_write(struct source *source, const void *bytes, size_t n)
{
    return stream_send(((struct tcp_source *)source)->fd, bytes, n);
}

static void tcp_free(struct source *source)
{
    free(source);
}

static const struct source_ops tcp_ops = {
    .patience_ms = 4,
    .free = tcp_free,
    .open = tcp_open,
    .close = tcp_close,
    .poll = tcp_poll,
    .read = tcp_read,
    .write = tcp_write,
};

/* Splits HOST:PORT or [HOST]:PORT. */
static bool parse_tcp_address(struct tcp_source *tcp, const char *spec, const char *address,
                              struct error *err)
{
    const char *host = address, *colon = strrchr(address, ':'), *host_end = colon;
    if (colon && host[0] == '[' && colon[-1] == ']') {
        host++;
        host_end--;
    } else if (colon && memchr(host, ':', (size_t)(colon - host))) {
        return error_set(err, "Put the IPv6 address of '%s' in brackets, as in [::1]:4000.", spec);
    }
    if (!colon || host_end <= host || (size_t)(host_end - host) >= sizeof tcp->host)
        return error_set(err, "'%s' needs a host and a port, as in %.*slocalhost:4000 or %.*s[::1]:4000.",
                         spec, (int)(address - spec), spec, (int)(address - spec), spec);
    char *end;
    unsigned long port = strtoul(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end || port == 0 || port > 65535 || end - colon > 6)
        return error_set(err, "'%s' in '%s' is no port; use a number from 1 to 65535.", colon + 1, spec);
    memcpy(tcp->host, host, (size_t)(host_end - host));
    strcpy(tcp->port, colon + 1);
    return true;
}

struct source *tcp_source_new(const struct source_settings *settings, const char *address, struct error *err)
{
    struct tcp_source *tcp = calloc(1, sizeof *tcp);
    if (!tcp) {
        error_set(err, "Out of memory while preparing %s.", settings->spec);
        return NULL;
    }
    tcp->base.ops = &tcp_ops;
    tcp->fd = -1;
    if (!parse_tcp_address(tcp, settings->spec, address, err)) {
        free(tcp);
        return NULL;
    }
    return &tcp->base;
}
