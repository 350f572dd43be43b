/* server.h - an HTTP server: hands each request to whoever started it, and sends what that answers. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "server/access.h"
#include "server/listen.h"

struct board;

/* All of it is borrowed until server_stop(). */
struct server_settings {
    struct listen_address *address; /* server_start() sets the port that was picked in it */
    const struct access *access;    /* whose header lines every answer has */
    struct board *board;            /* is nudged when a client leaves, since streams wait there */
    uint32_t stuck_s;               /* a client that reads nothing for this long is dropped */
    uint32_t request_s;             /* a request must all be there in that time */
    /* Makes the answer; `response` is response_init()ed. Called on threads of the server's own, several at
     * a time. */
    void (*answer)(void *user, struct request *request, struct response *response);
    void *user;
};

/* Starts a server, which answers from here on, on threads of its own that block all signals. NULL with a
 * sentence when the address is taken or not ours, or the system gives no thread or memory. */
struct server *server_start(const struct server_settings *settings, struct error *err);

/* Where it listens, as listen_url() writes it. The text lives as long as `server`. */
const char *server_address(const struct server *server);

/* Closes every connection, and returns when the last thread has ended. What an answer may wait for must be
 * closed before. */
void server_stop(struct server *server);

#endif
