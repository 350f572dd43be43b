/* connections.h - who is connected, what each of them waits for, and who has to go when others must get in.
 *
 * A connection costs a thread, and their number is limited. A client that asks nothing, asks slowly, or does
 * not take what was asked for must not keep that room from others: a request has a total time, however its
 * bytes come; when it gets crowded, the one that has asked for longest without being done goes, and if there
 * is none, the one that has not taken anything for longest. So a page always gets in beside any number of
 * connections that are only held open. A client that leaves while it waits for us is noticed at once.
 *
 * All calls may come from any thread. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdint.h>

struct board;

enum connection_state {
    CONNECTION_ASKS,    /* its request is not all there, or has not begun */
    CONNECTION_WAITS,   /* for us */
    CONNECTION_TAKES,   /* what it was sent is still on its way */
    CONNECTION_LEAVING, /* was shut down, or went */
};

struct connection;

/* From `crowded` connections on, one is shut down for each new one; a request may take `request_s` seconds
 * until it is all there. The board is nudged when a client leaves. NULL with a sentence when the system gives
 * no thread or descriptor. */
struct connections *connections_new(struct board *board, unsigned crowded, unsigned request_s,
                                    struct error *err);

/* To be called when all of them are removed. */
void connections_free(struct connections *all);

/* A client has connected on that socket, which stays the caller's. NULL when memory is used up: it is then
 * not watched over, and NULL is taken by all calls below. */
struct connection *connections_add(struct connections *all, int fd);

/* Its socket is about to be closed. */
void connections_remove(struct connection *connection);

/* `slot` is what it holds on to meanwhile (struct response), or NULL. */
void connection_becomes(struct connection *connection, enum connection_state state, const atomic_uint *slot);

/* True once the client has closed its end: nobody needs what is being made. */
const atomic_bool *connection_gone(const struct connection *connection);

/* There was no such slot left: the one that has not taken anything for longest, and for a second at least,
 * is shut down, so that who asks again gets in. If there is none, the one that has had its slot for longest,
 * if that is more than `turn_ms` (0: any time is fine): a client that takes all slots cannot
 * keep others out. */
void connections_make_room(struct connections *all, const atomic_uint *slot, uint64_t turn_ms);

#endif
