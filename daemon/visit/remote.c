/* remote.c - an errand through the daemon that has the device: HTTP/1.1, one connection an order. */
#include "visit/errand.h"

#include "base/json.h"
#include "base/jsonio.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    PATIENCE_S = 20,
    HOST_SIZE = 256,
    TOKEN_SIZE = 1025,
    ANSWER_MOST = 1 << 20,
    SCHEME = 7,
    SOCKET_SCHEME = 5
};

struct place {
    char host[HOST_SIZE], port[8]; /* to connect to; none at a socket in a file */
    struct sockaddr_un file;
    char name[HOST_SIZE];   /* for people */
    const char *header;     /* Host, as the request has it */
    char token[TOKEN_SIZE]; /* "": none */
};

/* unix:PATH */
static bool find_socket(struct place *place, const char *url, struct error *err)
{
    const char *path = url + SOCKET_SCHEME;
    if (!*path || strlen(path) >= sizeof place->file.sun_path)
        return error_set(err,
                         "--at unix:PATH takes the path of a socket, of at most %zu characters, not '%s'.",
                         sizeof place->file.sun_path - 1, path);
    place->file.sun_family = AF_UNIX;
    memcpy(place->file.sun_path, path, strlen(path) + 1);
    snprintf(place->name, sizeof place->name, "%s", url);
    place->header = "localhost";
    return true;
}

/* http://HOST[:PORT][/], HOST may be an IPv6 address in brackets; or unix:PATH. */
static bool find_place(struct place *place, const char *url, struct error *err)
{
    if (!strncmp(url, "unix:", SOCKET_SCHEME))
        return find_socket(place, url, err);
    place->header = place->name;
    const char *rest = url + SCHEME;
    bool good = !strncmp(url, "http://", SCHEME) && strlen(rest) < sizeof place->name;
    if (good) {
        snprintf(place->name, sizeof place->name, "%.*s", (int)strcspn(rest, "/"), rest);
        const char *end = place->name + (place->name[0] == '[' ? strcspn(place->name, "]") : 0);
        const char *colon = strchr(end, ':');
        int n = (int)(colon ? colon - place->name : (ptrdiff_t)strlen(place->name));
        bool brackets = place->name[0] == '[' && n > 1 && place->name[n - 1] == ']';
        snprintf(place->host, sizeof place->host, "%.*s", brackets ? n - 2 : n, place->name + brackets);
        snprintf(place->port, sizeof place->port, "%s", colon ? colon + 1 : "80");
        good = *place->host && (brackets || !strchr(place->host, '[')) &&
               (rest[strlen(place->name)] == '\0' || !strcmp(rest + strlen(place->name), "/"));
    }
    return good ||
           error_set(err, "--at takes an address such as http://127.0.0.1:7777, or unix:PATH, not '%s'.",
                     url);
}

static bool read_token(struct place *place, const char *path, struct error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set_errno(err, errno, "Cannot read the token file %s", path);
    bool good = fgets(place->token, sizeof place->token, file) != NULL;
    fclose(file);
    place->token[strcspn(place->token, "\r\n \t")] = '\0';
    return (good && *place->token) || error_set(err, "The token file %s holds no token.", path);
}

/* -1 with errno. */
static int connect_one(int family, int type, int protocol, const struct sockaddr *address, socklen_t size)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = socket(family, type | SOCK_CLOEXEC, protocol);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, address, size) == 0)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static int unreachable(const struct place *place, struct error *err)
{
    error_set_errno(err, errno, "Cannot reach a miniprofd at %s", place->name);
    return -1;
}

static int connect_to(const struct place *place, struct error *err)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    int fd = -1;
    if (*place->file.sun_path) {
        fd = connect_one(AF_UNIX, SOCK_STREAM, 0, (const struct sockaddr *)&place->file, sizeof place->file);
        return fd < 0 ? unreachable(place, err) : fd;
    }
    int code = getaddrinfo(place->host, place->port, &hints, &found);
    if (code != 0) {
        error_set(err, "Cannot find %s: %s.", place->name, gai_strerror(code));
        return -1;
    }
    for (const struct addrinfo *next = found; next && fd < 0; next = next->ai_next) {
        fd = connect_one(next->ai_family, next->ai_socktype, next->ai_protocol, next->ai_addr,
                         next->ai_addrlen);
        code = errno;
    }
    freeaddrinfo(found);
    errno = code;
    return fd < 0 ? unreachable(place, err) : fd;
}

static bool send_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);
        if (sent < 0)
            return false;
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* Reads to the end, which the server makes; false when that did not come, or far too much. */
static bool receive_all(int fd, struct sink_buffer *answer)
{
    char part[4096];
    ssize_t n;
    while ((n = recv(fd, part, sizeof part, 0)) > 0)
        sink_write(&answer->sink, part, (size_t)n);
    return n == 0 && !answer->sink.failed && answer->bytes;
}

/* The body of a 200. NULL with the sentence that another answer has. */
static char *read_answer(const struct sink_buffer *answer, const struct place *place, struct error *err)
{
    const char *body = strstr(answer->bytes, "\r\n\r\n");
    unsigned status = 0;
    if (!body || sscanf(answer->bytes, "HTTP/1.%*1d %3u", &status) != 1) {
        error_set(err, "What answers at %s is no miniprofd.", place->name);
        return NULL;
    }
    body += 4;
    if (status == 200)
        return strdup(body);
    struct jsonio *problem = jsonio_parse("The answer", body, strlen(body), NULL);
    const char *detail = jsonio_text(jsonio_member(problem, "detail"));
    if (detail)
        error_set(err, "%s", detail);
    else
        error_set(err, "What answers at %s says %u.", place->name, status);
    jsonio_free(problem);
    return NULL;
}

static char *post(const struct place *place, const char *what, const char *body, struct error *err)
{
    struct sink_buffer request, answer;
    char *text = NULL;
    int fd = connect_to(place, err);
    if (fd < 0)
        return NULL;
    sink_buffer_init(&request);
    sink_buffer_init(&answer);
    answer.limit = ANSWER_MOST;
    sink_printf(&request.sink,
                "POST /api/v1/device/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                "Content-Length: %zu\r\nConnection: close\r\n",
                what, place->header, strlen(body));
    if (*place->token)
        sink_printf(&request.sink, "Authorization: Bearer %s\r\n", place->token);
    sink_printf(&request.sink, "\r\n%s", body);
    if (!request.sink.failed && send_all(fd, request.bytes, request.n) && receive_all(fd, &answer))
        text = read_answer(&answer, place, err);
    else
        error_set(err, "The miniprofd at %s did not answer.", place->name);
    close(fd);
    sink_buffer_fini(&request);
    sink_buffer_fini(&answer);
    return text;
}

static char *set(const struct place *place, const struct errand_setting *setting, struct error *err)
{
    struct sink_buffer body;
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    json_text(&json, "name", setting->name);
    json_u64(&json, "value", setting->value);
    json_object_close(&json);
    char *answer = body.sink.failed ? NULL : post(place, "config", body.bytes, err);
    sink_buffer_fini(&body);
    return answer;
}

static char *set_window(const struct place *place, const char *window, struct error *err)
{
    struct sink_buffer body;
    sink_buffer_init(&body);
    struct json json = {.sink = &body.sink};
    json_object_open(&json, NULL);
    if (!strcmp(window, "now"))
        json_bool(&json, "now", true);
    else
        json_text(&json, "when", strcmp(window, "off") != 0 ? window : NULL);
    json_object_close(&json);
    char *answer = body.sink.failed ? NULL : post(place, "trigger", body.bytes, err);
    sink_buffer_fini(&body);
    return answer;
}

char *errand_remote(const struct errand *errand, struct error *err)
{
    struct place place = {""};
    if (!find_place(&place, errand->at, err) ||
        (errand->token_file && !read_token(&place, errand->token_file, err)))
        return NULL;
    if (errand->kind == ERRAND_WINDOW)
        return set_window(&place, errand->window, err);
    bool asks = errand->kind == ERRAND_STATUS || errand->kind == ERRAND_CONFIG;
    char *answer = NULL;
    if (errand->settings_n == 0)
        answer = post(&place, asks ? "status" : errand_word(errand->kind), "{}", err);
    if (answer && !asks) {
        free(answer);
        answer = post(&place, "status", "{}", err);
    }
    for (size_t i = 0; i < errand->settings_n; i++) {
        free(answer);
        answer = set(&place, &errand->settings[i], err);
        if (!answer)
            break;
    }
    return answer;
}
