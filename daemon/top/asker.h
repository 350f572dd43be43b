/* asker.h - sends requests to the daemon from another thread, so that keys are handled meanwhile. */
#ifndef TOP_ASKER_H
#define TOP_ASKER_H

#include "client/client.h"
#include "top/reading.h"

struct asker {
    struct client client;
    int wishes[2], answers[2]; /* pipes to the thread and from it */
};

/* Starts the thread; the caller has set `client` before. The asker must not be moved or freed until the program
 * ends, since the thread, which may be waiting for a server, is never joined. False with an error. */
bool asker_start(struct asker *asker, struct error *err);

/* Requests a snapshot. Only one request at a time. */
void asker_ask(struct asker *asker);

/* Returns a descriptor that is readable when the answer is available. */
int asker_fd(const struct asker *asker);

/* Returns the answer, which the caller frees. NULL with an error when there is none. */
struct reading *asker_take(struct asker *asker, struct error *err);

#endif
