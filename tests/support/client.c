/* client.c - a small HTTP client for tests. */
#include "support/client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 120000 };

bool client_open(struct client *client, unsigned port)
{
    *client = (struct client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sink_buffer_init(&client->in);
    sink_buffer_init(&client->events);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(client->fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return true;
    client_close(client);
    return false;
}

void client_close(struct client *client)
{
    close(client->fd);
    sink_buffer_fini(&client->in);
    sink_buffer_fini(&client->events);
    free(client->head);
    *client = (struct client){.fd = -1};
}

void client_send_raw(struct client *client, const char *text)
{
    for (size_t n = strlen(text); n > 0;) {
        ssize_t sent = send(client->fd, text, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the server has answered already; the test checks how */
        text += sent;
        n -= (size_t)sent;
    }
}

void client_send(struct client *client, const char *method, const char *target, const char *headers,
                 const char *body)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    sink_printf(&out.sink, "%s %s HTTP/1.1\r\n", method, target);
    if (!headers || !strcasestr(headers, "Host:"))
        sink_text(&out.sink, "Host: localhost\r\n");
    sink_text(&out.sink, headers ? headers : "");
    if (body)
        sink_printf(&out.sink, "Content-Length: %zu\r\n", strlen(body));
    sink_printf(&out.sink, "\r\n%s", body ? body : "");
    client_send_raw(client, out.bytes);
    sink_buffer_fini(&out);
}

/* Receives more bytes. False at the end. */
static bool receive(struct client *client)
{
    struct pollfd ready = {.fd = client->fd, .events = POLLIN};
    char part[16384];
    if (poll(&ready, 1, PATIENCE_MS) != 1)
        return false;
    ssize_t n = recv(client->fd, part, sizeof part, 0);
    if (n <= 0)
        return false;
    sink_write(&client->in.sink, part, (size_t)n);
    return true;
}

static void forget(struct client *client, size_t n)
{
    memmove(client->in.bytes, client->in.bytes + n, client->in.n - n + 1);
    client->in.n -= n;
}

/* Waits for `mark`. Returns the offset behind it, 0 when it does not arrive. */
static size_t wait_for(struct client *client, const char *mark)
{
    for (;;) {
        const char *found = client->in.n ? memmem(client->in.bytes, client->in.n, mark, strlen(mark)) : NULL;
        if (found)
            return (size_t)(found - client->in.bytes) + strlen(mark);
        if (!receive(client))
            return 0;
    }
}

bool client_read_head(struct client *client)
{
    size_t n = wait_for(client, "\r\n\r\n");
    free(client->head);
    client->head = n ? strndup(client->in.bytes, n) : NULL;
    if (!n || sscanf(client->head, "HTTP/1.%*d %u", &client->status) != 1)
        return false;
    forget(client, n);
    const char *encoding = client_header(client, "Transfer-Encoding");
    client->chunked = encoding && strcmp(encoding, "chunked") == 0;
    return true;
}

const char *client_header(struct client *client, const char *name)
{
    static _Thread_local char value[1024];
    for (const char *line = strstr(client->head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        size_t n = strlen(name);
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':') {
            const char *from = line + 2 + n + 1;
            from += strspn(from, " ");
            snprintf(value, sizeof value, "%.*s", (int)strcspn(from, "\r"), from);
            return value;
        }
    }
    return NULL;
}

/* Moves the next chunk to `body`. False at the last one, or when the connection ends. */
static bool take_chunk(struct client *client, struct sink_buffer *body)
{
    size_t line = wait_for(client, "\r\n");
    size_t n = line ? strtoul(client->in.bytes, NULL, 16) : 0;
    while (line && client->in.n < line + n + 2)
        if (!receive(client))
            line = 0;
    if (!line)
        return false;
    sink_write(&body->sink, client->in.bytes + line, n);
    forget(client, line + n + 2);
    return n > 0;
}

struct sink_buffer client_read_body(struct client *client)
{
    struct sink_buffer body;
    sink_buffer_init(&body);
    const char *length = client_header(client, "Content-Length");
    if (client->chunked) {
        while (take_chunk(client, &body))
            ;
    } else {
        size_t n = length ? strtoul(length, NULL, 10) : SIZE_MAX;
        while (client->in.n < n && receive(client))
            ;
        n = client->in.n < n ? client->in.n : n;
        if (n) {
            sink_write(&body.sink, client->in.bytes, n);
            forget(client, n);
        }
    }
    return body;
}

unsigned client_ask(unsigned port, const char *method, const char *target, const char *headers,
                    const char *body, struct sink_buffer *reply)
{
    struct client client;
    unsigned status = 0;
    struct sink_buffer bytes;
    sink_buffer_init(&bytes);
    if (client_open(&client, port)) {
        client_send(&client, method, target, headers, body);
        if (client_read_head(&client)) {
            status = client.status;
            if (strcmp(method, "HEAD") != 0)
                bytes = client_read_body(&client);
        }
        client_close(&client);
    }
    if (reply)
        *reply = bytes;
    else
        sink_buffer_fini(&bytes);
    return status;
}

static void take_line(struct client_event *event, const char *line, size_t n)
{
    if (n >= 7 && memcmp(line, "event: ", 7) == 0)
        snprintf(event->name, sizeof event->name, "%.*s", (int)(n - 7), line + 7);
    else if (n >= 4 && memcmp(line, "id: ", 4) == 0)
        snprintf(event->id, sizeof event->id, "%.*s", (int)(n - 4), line + 4);
    else if (n >= 6 && memcmp(line, "data: ", 6) == 0)
        sink_write(&event->data.sink, line + 6, n - 6);
    else if (n >= 1 && line[0] == ':')
        strcpy(event->name, ":");
}

bool client_read_event(struct client *client, struct client_event *event)
{
    *event = (struct client_event){0};
    sink_buffer_init(&event->data);
    struct sink_buffer *text = &client->events;
    const char *end;
    while (!(end = text->n ? memmem(text->bytes, text->n, "\n\n", 2) : NULL))
        if (!take_chunk(client, text))
            return false;
    for (const char *line = text->bytes; line <= end;) {
        size_t n = (size_t)((const char *)memchr(line, '\n', (size_t)(end + 1 - line)) - line);
        take_line(event, line, n);
        line += n + 1;
    }
    size_t taken = (size_t)(end - text->bytes) + 2;
    memmove(text->bytes, text->bytes + taken, text->n - taken + 1);
    text->n -= taken;
    return true;
}

void client_event_fini(struct client_event *event)
{
    sink_buffer_fini(&event->data);
}

unsigned client_port(const char *url)
{
    return (unsigned)strtoul(strrchr(url, ':') + 1, NULL, 10);
}
