/* client.c - sends requests to a miniprofd over HTTP/1.1, one per connection. */
#include "client/client.h"

#include "base/clock.h"
#include "base/jsonio.h"
#include "base/resolve.h"
#include "base/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, SCHEME = 7, SOCKET_SCHEME = 5 };

/* Reads unix:PATH. */
static bool find_socket(struct client *client, const char *option, const char *url, struct error *err)
{
    const char *path = url + SOCKET_SCHEME;
    if (!*path || strlen(path) >= sizeof client->file.sun_path)
        return error_set(err, "%s unix:PATH takes the path of a socket, of at most %zu characters, not '%s'.",
                         option, sizeof client->file.sun_path - 1, path);
    client->file.sun_family = AF_UNIX;
    memcpy(client->file.sun_path, path, strlen(path) + 1);
    snprintf(client->name, sizeof client->name, "%s", url);
    client->header = "localhost";
    return true;
}

/* Reads [http://]HOST[:PORT][/], where HOST may be an IPv6 address in brackets, or unix:PATH. */
static bool find_server(struct client *client, const char *option, const char *url, struct error *err)
{
    if (!strncmp(url, "unix:", SOCKET_SCHEME))
        return find_socket(client, option, url, err);
    client->header = client->name;
    bool has_scheme = !strncmp(url, "http://", SCHEME);
    const char *rest = url + (has_scheme ? SCHEME : 0);
    bool good =
        (has_scheme || (!strstr(url, "://") && strchr(url, ':'))) && strlen(rest) < sizeof client->name;
    if (good) {
        snprintf(client->name, sizeof client->name, "%.*s", (int)strcspn(rest, "/"), rest);
        const char *end = client->name + (client->name[0] == '[' ? strcspn(client->name, "]") : 0);
        const char *colon = strchr(end, ':');
        int n = (int)(colon ? colon - client->name : (ptrdiff_t)strlen(client->name));
        bool brackets = client->name[0] == '[' && n > 1 && client->name[n - 1] == ']';
        snprintf(client->host, sizeof client->host, "%.*s", brackets ? n - 2 : n, client->name + brackets);
        snprintf(client->port, sizeof client->port, "%s", colon ? colon + 1 : "80");
        good = *client->host && (brackets || !strchr(client->host, '[')) &&
               (rest[strlen(client->name)] == '\0' || !strcmp(rest + strlen(client->name), "/"));
    }
    return good ||
           error_set(err, "%s takes an address such as http://127.0.0.1:7777, or unix:PATH, not '%s'.",
                     option, url);
}

/* Waits for events. False with ETIMEDOUT at the deadline. */
static bool wait_for(int fd, short events, uint64_t until_ms)
{
    struct pollfd ready = {.fd = fd, .events = events};
    uint64_t now_ms;
    while ((now_ms = clock_monotonic_ms()) < until_ms) {
        int n = poll(&ready, 1, (int)(until_ms - now_ms));
        if (n > 0 || (n < 0 && errno != EINTR))
            return n > 0;
    }
    errno = ETIMEDOUT;
    return false;
}

static bool complete_connect(int fd, const struct sockaddr *address, socklen_t size, uint64_t until_ms)
{
    int code;
    socklen_t n = sizeof code;
    if (connect(fd, address, size) == 0)
        return true;
    if (errno != EINPROGRESS || !wait_for(fd, POLLOUT, until_ms) ||
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &n) != 0)
        return false;
    errno = code;
    return code == 0;
}

/* Returns a connected socket, or -1 with errno. */
static int connect_one(int family, const struct sockaddr *address, socklen_t size, uint64_t until_ms)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || complete_connect(fd, address, size, until_ms))
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static int report_unreachable(const struct client *client, struct error *err)
{
    struct error why;
    error_set_errno(&why, errno, "Cannot reach a miniprofd at %s", client->name);
    size_t n = strlen(why.text);
    error_set(err, "%.*s. Start one (miniprofd --port SOURCE --elf FILE), or name another address with --at.",
              (int)(n > 0 && why.text[n - 1] == '.' ? n - 1 : n), why.text);
    return -1;
}

/* Connects to a unix: socket. A nonblocking connect to one fails when its queue is full, and is retried. */
static int connect_to_file(const struct client *client, uint64_t until_ms, struct error *err)
{
    enum { AGAIN_MS = 10 };
    int fd;
    do
        fd = connect_one(AF_UNIX, (const struct sockaddr *)&client->file, sizeof client->file, until_ms);
    while (fd < 0 && errno == EAGAIN && clock_monotonic_ms() < until_ms && poll(NULL, 0, AGAIN_MS) == 0);
    return fd < 0 ? report_unreachable(client, err) : fd;
}

static int connect_to_host(const struct client *client, uint64_t until_ms, struct error *err)
{
    const struct addrinfo *found = NULL;
    int fd = -1, code = 0;
    struct resolve *resolve = resolve_new(client->host, client->port, err);
    if (!resolve)
        return -1;
    if (!wait_for(resolve_fd(resolve), POLLIN, until_ms)) {
        resolve_free(resolve);
        error_set(err, "No name server says in time which host %s is.", client->name);
        return -1;
    }
    if (resolve_ask(resolve, &found, err) != RESOLVE_FOUND) {
        resolve_free(resolve);
        return -1;
    }
    for (const struct addrinfo *next = found; next && fd < 0; next = next->ai_next) {
        fd = connect_one(next->ai_family, next->ai_addr, next->ai_addrlen, until_ms);
        code = errno;
    }
    resolve_free(resolve);
    errno = code;
    return fd < 0 ? report_unreachable(client, err) : fd;
}

static bool send_all(int fd, const char *bytes, size_t n, uint64_t until_ms)
{
    while (n > 0) {
        ssize_t sent = wait_for(fd, POLLOUT, until_ms) ? send(fd, bytes, n, MSG_NOSIGNAL) : -1;
        if (sent < 0)
            return false;
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* Reads until the server closes. False at the deadline, or when the answer is far too long. */
static bool receive_all(int fd, struct sink_buffer *answer, uint64_t until_ms)
{
    char part[4096];
    ssize_t n = 0;
    do {
        if (!wait_for(fd, POLLIN, until_ms))
            return false;
        n = recv(fd, part, sizeof part, 0);
        if (n > 0)
            sink_write(&answer->sink, part, (size_t)n);
    } while (n > 0 && !answer->sink.failed);
    return n == 0 && answer->bytes;
}

/* Joins the chunks of a body of n bytes in place. False when the last is missing. */
static bool join_chunks(char *body, size_t n)
{
    char *out = body, *at = body, *const end = body + n, *after;
    for (;;) {
        unsigned long size = strtoul(at, &after, 16);
        char *line = after > at ? memchr(after, '\n', (size_t)(end - after)) : NULL;
        if (!line || line[-1] != '\r' || size > (size_t)(end - (line + 1)))
            return false;
        memmove(out, line + 1, size);
        out += size;
        at = line + 1 + size;
        if (strncmp(at, "\r\n", 2) != 0)
            return false;
        if (size == 0)
            break;
        at += 2;
    }
    *out = '\0';
    return true;
}

/* Returns the value of a header line, NULL when there is none. */
static const char *header_value(const char *head, const char *body, const char *name)
{
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line && line + 4 < body; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':')
            return line + 3 + n + strspn(line + 3 + n, " ");
    return NULL;
}

/* False when the body is shorter than announced, or has a NUL and so is not text. */
static bool body_is_whole(const struct sink_buffer *answer, char *body)
{
    size_t n = (size_t)(answer->bytes + answer->n - body);
    const char *length = header_value(answer->bytes, body, "Content-Length");
    const char *coding = header_value(answer->bytes, body, "Transfer-Encoding");
    if (memchr(body, '\0', n))
        return false;
    if (coding)
        return strncasecmp(coding, "chunked", 7) == 0 && join_chunks(body, n);
    return !length || strtoull(length, NULL, 10) == n;
}

/* Returns a copy of the body for the caller. */
static char *copy_body(const char *body, const struct client *client, struct error *err)
{
    char *copy = strdup(body);
    if (!copy)
        error_set(err, "Out of memory while reading the answer of the miniprofd at %s.", client->name);
    return copy;
}

/* Returns the body of a 200. NULL with the error in another answer. */
static char *read_answer(struct sink_buffer *answer, const struct client *client, struct error *err)
{
    char *body = strstr(answer->bytes, "\r\n\r\n");
    unsigned status = 0;
    if (!body || sscanf(answer->bytes, "HTTP/1.%*1d %3u", &status) != 1) {
        error_set(err, "What answers at %s is no miniprofd.", client->name);
        return NULL;
    }
    body += 4;
    if (!body_is_whole(answer, body)) {
        error_set(err, "The answer of the miniprofd at %s was cut off. Ask again.", client->name);
        return NULL;
    }
    if (status == 200)
        return copy_body(body, client, err);
    struct jsonio *problem = jsonio_parse("The answer", body, strlen(body), NULL);
    const char *detail = jsonio_text(jsonio_member(problem, "detail"));
    if (detail && *detail)
        error_set(err, "%s", detail);
    else
        error_set(err, "What answers at %s says %u.", client->name, status);
    jsonio_free(problem);
    return NULL;
}

bool client_address_is_good(const char *option, const char *url, struct error *err)
{
    struct client client = {""};
    return find_server(&client, option, url, err);
}

bool client_init(struct client *client, const char *option, const char *url, const char *token_file,
                 struct error *err)
{
    *client = (struct client){""};
    return find_server(client, option, url, err) &&
           (!token_file || token_file_read(token_file, client->token, err));
}

char *client_ask(const struct client *client, const char *method, const char *path, const char *body,
                 size_t most, struct error *err)
{
    struct sink_buffer request, answer;
    char *text = NULL;
    uint64_t until_ms = clock_monotonic_ms() + (client->patience_ms ? client->patience_ms : PATIENCE_MS);
    int fd = *client->file.sun_path ? connect_to_file(client, until_ms, err)
                                    : connect_to_host(client, until_ms, err);
    if (fd < 0)
        return NULL;
    sink_buffer_init(&request);
    sink_buffer_init(&answer);
    answer.limit = most;
    sink_printf(&request.sink, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", method, path,
                client->header);
    if (body)
        sink_printf(&request.sink, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    if (*client->token)
        sink_printf(&request.sink, "Authorization: Bearer %s\r\n", client->token);
    sink_printf(&request.sink, "\r\n%s", body ? body : "");
    if (!request.sink.failed && send_all(fd, request.bytes, request.n, until_ms) &&
        receive_all(fd, &answer, until_ms))
        text = read_answer(&answer, client, err);
    else if (answer.sink.failed)
        error_set(err, "The answer of the miniprofd at %s is longer than %zu bytes.", client->name, most);
    else
        error_set(err, "The miniprofd at %s did not answer.", client->name);
    close(fd);
    sink_buffer_fini(&request);
    sink_buffer_fini(&answer);
    return text;
}
