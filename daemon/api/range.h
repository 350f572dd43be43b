/* range.h - requests that may be about a stretch of time only: ?from=&to= in ticks. */
#ifndef API_RANGE_H
#define API_RANGE_H

#include "server/request.h"
#include "server/response.h"
#include "api/site.h"
#include "snapshot/snapshot.h"

/* Returns the newest snapshot, or the one that is kept for the pause which the query names (pauses.h), with a
 * reference that is the caller's. NULL with the answer made: 410 when that is kept no more, 503 as
 * site_snapshot(). A "pause" that is no number is left to query_numbers(), which has to follow. */
struct snapshot *range_whole(struct site *site, const struct request *request, struct response *response);

/* Returns that snapshot, or what of it ran in the stretch that the query tells (query_range(),
 * snapshot_window()), with a reference that is the caller's. NULL with the answer made: 400 for a query that
 * cannot be, 410 and 503 when there is no snapshot yet or there are too many large answers. */
struct snapshot *range_snapshot(struct site *site, const struct request *request, struct response *response);

/* Takes one of the few places for answers that hold much until they are sent, unless this answer has one;
 * false with a 503 when all are taken. */
bool range_take_slot(struct site *site, struct response *response);

/* Writes the members "oldest" and "newest", the ticks from and to which calls are held; null
 * while none are. */
void range_write_held(const struct snapshot *snapshot, struct json *json);

#endif
