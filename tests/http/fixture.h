/* fixture.h - a profile, a board and a mailbox with a thread that answers it: everything that the web server
 * needs. */
#ifndef TESTS_HTTP_FIXTURE_H
#define TESTS_HTTP_FIXTURE_H

#include "base/wake.h"
#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "api/http.h"
#include "api/site.h"
#include "profile/profile.h"
#include "support/random.h"

#include <pthread.h>

struct fixture {
    struct wake wake;
    struct board *board;
    struct mailbox *mailbox;
    struct http_settings settings;
    struct site site; /* when fixture_open_site() was called */

    pthread_mutex_t lock; /* over what follows: the ingest thread's model */
    struct profile *profile;
    struct snapshot_source source;
    struct snapshot_target target;
    struct snapshot_link link;
    enum order_result answer; /* to the next commands, and to orders to record */
    struct error why;         /* ... to the latter, when it is no */
    struct order last_command;
    unsigned commands;
    bool ending;
    pthread_t ingest;
};

/* Creates everything except a web server. A first, empty snapshot is published. */
void fixture_init(struct fixture *fixture);
void fixture_fini(struct fixture *fixture);

/* Handlers without a socket, at 127.0.0.1:7777. fixture_fini() closes it. */
void fixture_open_site(struct fixture *fixture);

/* Asks the site. `extra` (NULL: nothing) holds further headers and the body; Host is localhost:7777 unless it
 * says otherwise. The caller ends with response_fini(). */
struct response fixture_ask(struct fixture *fixture, const char *method, const char *target,
                            const struct request *extra);

/* Reads a body that is produced while it is sent, so that response_bytes() has it. False when it failed. */
bool fixture_drain(struct response *response);

/* Asks and returns the parsed body, which the caller frees. NULL when it is not JSON. */
struct jsonio;
struct jsonio *fixture_json(struct fixture *fixture, const char *method, const char *target,
                            const struct request *extra, unsigned *status);

/* Adds calls, all placed, and one byte of the link, and publishes a snapshot. */
void fixture_feed(struct fixture *fixture, struct test_random *random, size_t calls);

/* Adds a call of each of `functions` functions, from `ticks` on, and publishes a snapshot: a long update. */
void fixture_feed_functions(struct fixture *fixture, uint32_t functions, uint64_t ticks);

/* Publishes a new snapshot. */
void fixture_publish(struct fixture *fixture);

#endif
