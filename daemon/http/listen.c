/* listen.c - where the server listens. */
#include "http/listen.h"

#include "http/request.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_SIZE = 64, BACKLOG = 128 };

static bool not_an_address(const char *text, struct error *err)
{
    return error_set(err,
                     "'%.80s' is no address to listen on: write ADDRESS:PORT with a numeric address, such as "
                     "127.0.0.1:7777 or [::1]:7777.",
                     text);
}

bool listen_parse(const char *text, struct listen_address *address, struct error *err)
{
    const char *colon = strrchr(text, ':');
    uint64_t port;
    if (!colon || !request_parse_u64(colon + 1, strlen(colon + 1), &port) || port > 65535)
        return not_an_address(text, err);

    bool bracketed = text[0] == '[' && colon > text + 1 && colon[-1] == ']';
    const char *from = bracketed ? text + 1 : text;
    size_t n = (size_t)(colon - from) - (bracketed ? 1 : 0);
    char host[HOST_SIZE];
    if (n == 0 || n >= sizeof host)
        return not_an_address(text, err);
    memcpy(host, from, n);
    host[n] = '\0';
    if (!bracketed && strcmp(host, "localhost") == 0)
        strcpy(host, "127.0.0.1");

    *address = (struct listen_address){0};
    if (bracketed && inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        address->loopback = IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
    } else if (!bracketed && inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        address->loopback = ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
    } else {
        return not_an_address(text, err);
    }
    return true;
}

static socklen_t size_of(const struct listen_address *address)
{
    return address->any.sa_family == AF_INET6 ? sizeof address->v6 : sizeof address->v4;
}

void listen_url(const struct listen_address *address, char out[static LISTEN_URL_SIZE])
{
    char host[INET6_ADDRSTRLEN];
    if (address->any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof host);
        snprintf(out, LISTEN_URL_SIZE, "http://[%s]:%u/", host, ntohs(address->v6.sin6_port));
    } else {
        inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
        snprintf(out, LISTEN_URL_SIZE, "http://%s:%u/", host, ntohs(address->v4.sin_port));
    }
}

static bool explain(const struct listen_address *address, int code, struct error *err)
{
    char url[LISTEN_URL_SIZE];
    listen_url(address, url);
    switch (code) {
    case EADDRINUSE:
        return error_set(err,
                         "The address %s is taken, perhaps by another miniprofd: end that one, or let "
                         "--listen 127.0.0.1:0 pick a free port.",
                         url);
    case EADDRNOTAVAIL:
        return error_set(err, "The address %s is none of this machine's: choose another with --listen.", url);
    case EACCES:
        return error_set(
            err, "The address %s may not be listened on: choose a port above 1023 with --listen.", url);
    default: return error_set_errno(err, code, "Cannot listen on %s", url);
    }
}

int listen_open(struct listen_address *address, struct error *err)
{
    socklen_t size = size_of(address);
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        goto failed;
    /* A port whose last connections are still dying may be taken again; one that is listened on may not. */
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, &address->any, size) < 0 || listen(fd, BACKLOG) < 0 ||
        getsockname(fd, &address->any, &size) < 0)
        goto failed;
    return fd;

failed:
    explain(address, errno, err);
    if (fd >= 0)
        close(fd);
    return -1;
}
