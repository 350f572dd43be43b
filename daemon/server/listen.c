/* listen.c - parses and opens the address at which the server listens. */
#include "server/listen.h"

#include "server/request.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_SIZE = 64, BACKLOG = 128 };

static const char unix_scheme[] = "unix:";
enum { UNIX_SCHEME = sizeof unix_scheme - 1 };

static bool not_an_address(const char *text, struct error *err)
{
    return error_set(err,
                     "'%.80s' is no address to listen on: write ADDRESS:PORT with a numeric address, such as "
                     "127.0.0.1:7777 or [::1]:7777, or unix:PATH.",
                     text);
}

static bool parse_unix(const char *path, struct listen_address *address, struct error *err)
{
    *address = (struct listen_address){.is_loopback = true};
    if (!*path || strlen(path) >= sizeof address->un.sun_path)
        return error_set(err,
                         "The path of the socket, 'unix:%.40s', must have 1 to %zu bytes: choose a shorter "
                         "one, or go into its folder.",
                         path, sizeof address->un.sun_path - 1);
    address->un.sun_family = AF_UNIX;
    strcpy(address->un.sun_path, path);
    return true;
}

bool listen_parse(const char *text, struct listen_address *address, struct error *err)
{
    if (strncmp(text, unix_scheme, UNIX_SCHEME) == 0)
        return parse_unix(text + UNIX_SCHEME, address, err);
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
        address->is_loopback = IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
    } else if (!bracketed && inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        address->is_loopback = ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
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
    if (address->any.sa_family == AF_UNIX) {
        snprintf(out, LISTEN_URL_SIZE, "unix:%s", address->un.sun_path);
    } else if (address->any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof host);
        snprintf(out, LISTEN_URL_SIZE, "http://[%s]:%u/", host, ntohs(address->v6.sin6_port));
    } else {
        inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
        snprintf(out, LISTEN_URL_SIZE, "http://%s:%u/", host, ntohs(address->v4.sin_port));
    }
}

static bool explain_listen_failure(const struct listen_address *address, int code, struct error *err)
{
    char url[LISTEN_URL_SIZE];
    listen_url(address, url);
    if (address->any.sa_family == AF_UNIX && code != EADDRINUSE)
        return error_set_errno(err, code, "Cannot listen on %s", url);
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

/* Deletes an existing socket file on which no program listens. True when it did. */
static bool removed_what_was_left(const struct sockaddr_un *un)
{
    struct stat about;
    if (lstat(un->sun_path, &about) != 0 || !S_ISSOCK(about.st_mode))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return false;
    bool nobody = connect(fd, (const struct sockaddr *)un, sizeof *un) < 0 && errno == ECONNREFUSED;
    close(fd);
    return nobody && unlink(un->sun_path) == 0;
}

/* Creates the file with its final mode, so that no other user can ever connect. */
static bool bind_file(int fd, struct listen_address *address)
{
    mode_t before = umask(0177);
    bool good = bind(fd, &address->any, sizeof address->un) == 0;
    if (!good && errno == EADDRINUSE) {
        good = removed_what_was_left(&address->un) && bind(fd, &address->any, sizeof address->un) == 0;
        errno = EADDRINUSE;
    }
    umask(before);
    struct stat about;
    if (good && lstat(address->un.sun_path, &about) == 0) {
        address->device = about.st_dev;
        address->inode = about.st_ino;
    }
    return good;
}

/* Binds, and stores the chosen port in the address. */
static bool bind_port(int fd, struct listen_address *address)
{
    socklen_t size = size_of(address);
    /* Allows a port with connections in TIME_WAIT, but not one that is being listened on. */
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return bind(fd, &address->any, size) == 0 && getsockname(fd, &address->any, &size) == 0;
}

void listen_remove(const struct listen_address *address)
{
    struct stat about;
    if (address->any.sa_family == AF_UNIX && lstat(address->un.sun_path, &about) == 0 &&
        about.st_dev == address->device && about.st_ino == address->inode)
        unlink(address->un.sun_path);
}

int listen_open(struct listen_address *address, struct error *err)
{
    bool is_file = address->any.sa_family == AF_UNIX;
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (is_file ? bind_file(fd, address) : bind_port(fd, address)) && listen(fd, BACKLOG) == 0)
        return fd;
    explain_listen_failure(address, errno, err);
    listen_remove(address);
    if (fd >= 0)
        close(fd);
    return -1;
}
