/* server.h - an HTTP server: passes each request to a callback, and sends its answer. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "server/access.h"
#include "server/listen.h"

struct board;

/* All pointers are borrowed until server_stop(). */
struct server_settings {
    struct listen_address *address; /* server_start() sets the chosen port */
    const struct access *access;    /* has the header lines of every answer */
    struct board *board;            /* nudged when a client disconnects, since streams wait there */
    uint32_t stuck_s;               /* time after which a client that reads nothing is dropped */
    uint32_t request_s;             /* time limit for receiving a request */
    /* Makes the answer; `response` is response_init()ed. Called on several of the server's threads at a time. */
    void (*answer)(void *user, struct request *request, struct response *response);
    void *user;
};

/* Starts a server on its own threads, which block all signals. NULL with an error when the address is in use or
 * not of this machine, or the system gives no thread or memory. */
struct server *server_start(const struct server_settings *settings, struct error *err);

/* Returns its address as written by listen_url(). The text lives as long as `server`. */
const char *server_address(const struct server *server);

/* Closes every connection, and returns when the last thread has ended. Close board and mailbox before, since
 * answers may wait for these. */
void server_stop(struct server *server);

#endif
