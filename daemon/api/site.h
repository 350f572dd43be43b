/* site.h - the data of all handlers. Passes a request through access checks, routes and compression. */
#ifndef API_SITE_H
#define API_SITE_H

#include "export/roster.h"
#include "api/cache.h"
#include "server/access.h"
#include "server/files.h"
#include "api/http_settings.h"
#include "api/pauses.h"
#include "api/recorded.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SITE_RUN_SIZE = 9 };

/* Shared by all threads. After site_init(), only members that are atomic or have their own lock change. */
struct site {
    struct http_settings settings;
    struct access access;
    struct files files;
    struct pauses pauses;
    struct recorded recorded;
    struct cache *cache;
    pthread_mutex_t roster_lock;
    struct roster roster;     /* of /metrics */
    char run[SITE_RUN_SIZE];  /* identifies this run, since each run counts its sequences from the start */
    atomic_uint listeners;    /* open event streams */
    atomic_uint exports;      /* exports and ranges being made or sent */
    atomic_uint annotations;  /* answers with lines and instructions being made or sent */
    atomic_uint examinations; /* checks of /api/doctor being made or sent */
    atomic_uint profiles;     /* pprof profiles that wait for their duration */
    atomic_uint replays;      /* recordings being read */
};

/* False with an error when a file of the settings is invalid, or the address needs a token. */
bool site_init(struct site *site, const struct http_settings *settings, const struct listen_address *address,
               struct error *err);
void site_fini(struct site *site);

/* Answers the request. `response` is response_init()ed. */
void site_answer(struct site *site, struct request *request, struct response *response);

/* Returns the newest snapshot with a reference that the caller owns. NULL after answering 503 when there is none
 * yet. */
struct snapshot *site_snapshot(struct site *site, struct response *response);

/* Keeps the snapshot, with a reference of its own, as what a viewer has paused, and answers with its id. In
 * route_pause.c. */
void pause_answer(struct site *site, struct snapshot *snapshot, struct response *response);

#endif
