/* connections.h - keeps the list of connections, and closes some when there are too many.
 *
 * A connection costs a thread, and their number is limited. A client that sends no request, sends it slowly, or
 * does not read its answer must not block others. So a request has a total time limit. When there are too many
 * connections, the one with the oldest incomplete request is closed. If there is none, it is the one that has not
 * read anything for longest. So a page can always connect beside any number of idle connections. A client that
 * disconnects while it waits for an answer is noticed at once.
 *
 * All functions may be called from any thread. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdint.h>

struct board;

enum connection_state {
    CONNECTION_ASKS,    /* its request is incomplete or has not begun */
    CONNECTION_WAITS,   /* for its answer */
    CONNECTION_TAKES,   /* its answer is being sent */
    CONNECTION_LEAVING, /* was shut down, or has disconnected */
};

struct connection;

/* From `crowded` connections on, one is closed for each new one. A request must be complete within `request_s`
 * seconds. The board is nudged when a client disconnects. NULL with an error when the system gives no thread or
 * descriptor. */
struct connections *connections_new(struct board *board, unsigned crowded, unsigned request_s,
                                    struct error *err);

/* Call this after all connections are removed. */
void connections_free(struct connections *all);

/* Adds a client's socket, which the caller owns. NULL when memory is used up: the client is then not supervised.
 * All functions below accept NULL. */
struct connection *connections_add(struct connections *all, int fd);

/* Removes a connection. Call this before its socket is closed. */
void connections_remove(struct connection *connection);

/* Sets the state. `slot` is the slot that it uses meanwhile (struct response), or NULL. */
void connection_becomes(struct connection *connection, enum connection_state state, const atomic_uint *slot);

/* True once the client has disconnected, so that its answer is not needed. */
const atomic_bool *connection_gone(const struct connection *connection);

/* Frees a slot when all are used, for the next request. Closes the connection with such a slot that has not read
 * anything for longest, at least a second. If there is none, closes the one that has had its slot for longest, if
 * that is more than `turn_ms` (0: closes none). So a client that takes all slots cannot block others. */
void connections_make_room(struct connections *all, const atomic_uint *slot, uint64_t turn_ms);

#endif
