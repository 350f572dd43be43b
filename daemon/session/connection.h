/* connection.h - keeps the source open: connects, detects that it is lost, and reconnects. */
#ifndef SESSION_CONNECTION_H
#define SESSION_CONNECTION_H

#include "snapshot/snapshot.h"
#include "source/source.h"

/* The longest interval between attempts at a missing source. */
enum { CONNECTION_LOOK_MS = 200 };

struct connection {
    struct source *source; /* borrowed */
    uint32_t retry_first_ms, retry_most_ms;
    enum snapshot_state state;
    struct error trouble; /* why it is not connected; "" if there is no problem */
    bool trying;          /* opened, but bytes cannot flow yet */
    bool was_open;        /* ever */
    uint64_t reconnects;
    uint64_t next_try_ms;
    uint64_t made_ms;  /* when it was last connected */
    uint64_t lost_ms;  /* when it was last lost */
    uint32_t retry_ms; /* the delay after the next failure */
};

/* After a failure the next attempt is made `retry_first_ms` later; the delay is doubled each time, up to
 * `retry_most_ms`, or up to CONNECTION_LOOK_MS while the source is missing. Nothing is opened yet. */
void connection_init(struct connection *connection, struct source *source, uint32_t retry_first_ms,
                     uint32_t retry_most_ms);

enum connection_news {
    CONNECTION_NOTHING,
    CONNECTION_CHANGED, /* `state` or `trouble` has changed */
    CONNECTION_MADE,    /* bytes can flow in both directions */
};

/* Makes a first attempt to open the source; connection_step() returns its result later. If a thread reads the
 * source (source_read_ahead()), bytes received until then are kept. */
void connection_begin(struct connection *connection, uint64_t now_ms);

/* Tries to open the source if that is due. To be called at the deadline and after each read. */
enum connection_news connection_step(struct connection *connection, uint64_t now_ms);

/* Closes the source after a read returned GONE, for the reason `why`. Returns true if that is new. */
bool connection_lose(struct connection *connection, const struct error *why, uint64_t now_ms);

/* Closes the source for good at its end. `why` is an error, or NULL. */
void connection_end(struct connection *connection, const struct error *why);

/* When connection_step() is to be called; UINT64_MAX: only when the source wakes the caller. */
uint64_t connection_deadline_ms(const struct connection *connection);

/* True if there is a source to poll and read. */
bool connection_is_readable(const struct connection *connection);

#endif
