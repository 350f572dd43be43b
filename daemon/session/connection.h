/* connection.h - keeps the source open: tries, notices that it went, tries again. */
#ifndef SESSION_CONNECTION_H
#define SESSION_CONNECTION_H

#include "snapshot/snapshot.h"
#include "source/source.h"

/* What is missing is looked for at least as often. */
enum { CONNECTION_LOOK_MS = 200 };

struct connection {
    struct source *source; /* borrowed */
    uint32_t retry_first_ms, retry_most_ms;
    enum snapshot_state state;
    struct error trouble; /* why it is not connected; "" while there is nothing to say */
    bool trying;          /* opened, but bytes cannot flow yet */
    bool was_open;        /* ever */
    uint64_t reconnects;
    uint64_t next_try_ms;
    uint64_t made_ms;  /* when it was last made */
    uint64_t lost_ms;  /* when it was last lost */
    uint32_t retry_ms; /* the wait after the next failure */
};

/* After a failure the next attempt is made `retry_first_ms` later, then after twice that each time, up to
 * `retry_most_ms`; while the source is missing, up to CONNECTION_LOOK_MS. Nothing is opened yet. */
void connection_init(struct connection *connection, struct source *source, uint32_t retry_first_ms,
                     uint32_t retry_most_ms);

enum connection_news {
    CONNECTION_NOTHING,
    CONNECTION_CHANGED, /* `state` or `trouble` did */
    CONNECTION_MADE,    /* bytes can flow, both ways */
};

/* Makes a first attempt to open the source, of which connection_step() tells later what came. Where a thread
 * reads it (source_read_ahead()), what comes until then is kept. */
void connection_begin(struct connection *connection, uint64_t now_ms);

/* Tries to open the source when that is due. To be called at the deadline and after each read. */
enum connection_news connection_step(struct connection *connection, uint64_t now_ms);

/* Closes the source, which said GONE, and why. True when that is news. */
bool connection_lose(struct connection *connection, const struct error *why, uint64_t now_ms);

/* Closes the source, which ended, for good. `why` is NULL when it did so in good order. */
void connection_end(struct connection *connection, const struct error *why);

/* When connection_step() has something to do; UINT64_MAX: only when the source wakes us. */
uint64_t connection_deadline_ms(const struct connection *connection);

/* True when there is a source to poll and read. */
bool connection_is_readable(const struct connection *connection);

#endif
