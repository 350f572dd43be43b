/* route_status.h - the status of the daemon, its source and target, in brief: an answer, and an event. */
#ifndef API_ROUTE_STATUS_H
#define API_ROUTE_STATUS_H

#include "snapshot/snapshot.h"

struct json;
struct site;

/* Writes the status as one object: versions, available exports and dialects, source, target and link. */
void status_write(const struct site *site, const struct snapshot *snapshot, struct json *json);

/* Returns a hash, never 0, of the data that only a status has. Counters are left out, since every delta has
 * them. */
uint64_t status_mark(const struct snapshot *snapshot);

#endif
