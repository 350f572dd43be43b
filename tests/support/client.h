/* client.h - a small HTTP client that sends and returns bytes unchanged. */
#ifndef SUPPORT_CLIENT_H
#define SUPPORT_CLIENT_H

#include "base/sink.h"

#include <stdbool.h>

/* A connection to 127.0.0.1. Each read times out after 2 minutes, so that a failing test ends.
 */
struct client {
    int fd;
    struct sink_buffer in; /* bytes received and not yet consumed */
    /* the reply that is being read */
    unsigned status;
    char *head; /* status line and header lines */
    bool chunked;
    struct sink_buffer events; /* of an event stream: bytes unpacked and not yet consumed */
};

/* False when no server listens there. */
bool client_open(struct client *client, unsigned port);
void client_close(struct client *client);

/* Sends `method target HTTP/1.1` with Host, the further header lines (each with its CRLF) and the body. */
void client_send(struct client *client, const char *method, const char *target, const char *headers,
                 const char *body);
void client_send_raw(struct client *client, const char *text);

/* Reads up to the empty line and sets status and head. False when the connection ended first. */
bool client_read_head(struct client *client);

/* The value of a header line, or NULL; valid until the next call. */
const char *client_header(struct client *client, const char *name);

/* Reads the whole body of a reply with a head. The caller ends with sink_buffer_fini(). */
struct sink_buffer client_read_body(struct client *client);

/* Sends a request on a new connection and returns the status; 0 when there was no answer. body may be NULL. */
unsigned client_ask(unsigned port, const char *method, const char *target, const char *headers,
                    const char *body, struct sink_buffer *reply);

/* One server-sent event; a comment has the name ":". */
struct client_event {
    char name[16];
    char id[64];
    struct sink_buffer data;
};

/* Waits for the next event of a reply with a head. False when the stream ended or 2 minutes passed. */
bool client_read_event(struct client *client, struct client_event *event);
void client_event_fini(struct client_event *event);

/* The port of "http://127.0.0.1:PORT/". */
unsigned client_port(const char *url);

#endif
