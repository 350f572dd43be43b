/* asker.h - asks the daemon on a thread of its own, so that keys are answered meanwhile. */
#ifndef TOP_ASKER_H
#define TOP_ASKER_H

#include "client/client.h"
#include "top/reading.h"

struct asker {
    struct client client;
    int wishes[2], answers[2]; /* pipes to the thread and from it */
};

/* Starts the thread, for the client that the caller has made in it. The asker must stay where it is until the
 * program ends: nobody waits for a thread that waits for a server. False with a sentence. */
bool asker_start(struct asker *asker, struct error *err);

/* Asks for a snapshot. One at a time. */
void asker_ask(struct asker *asker);

/* Readable when the answer is there. */
int asker_fd(const struct asker *asker);

/* Takes the answer, which the caller frees; NULL with a sentence when there is none. */
struct reading *asker_take(struct asker *asker, struct error *err);

#endif
