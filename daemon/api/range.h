/* range.h - snapshots for requests that may be about a range of time: ?from=&to= in ticks. */
#ifndef API_RANGE_H
#define API_RANGE_H

#include "server/request.h"
#include "server/response.h"
#include "api/site.h"
#include "snapshot/snapshot.h"

/* Returns the newest snapshot, or that of the pause in the query (pauses.h), with a reference that the caller
 * owns. NULL after answering with 410 when the pause has expired, or 503 as in site_snapshot(). The caller must
 * then call query_numbers(), which rejects a "pause" that is not a number. */
struct snapshot *range_whole(struct site *site, const struct request *request, struct response *response);

/* Returns that snapshot, or the range of it in the query (query_range(), snapshot_window()), with a reference that
 * the caller owns. NULL after answering: 400 for an invalid query, 410 as above, 503 without a snapshot or with too
 * many large answers. */
struct snapshot *range_snapshot(struct site *site, const struct request *request, struct response *response);

/* Takes one of the few slots for answers that keep much memory until they are sent, unless this answer has one.
 * False after answering 503 when all are in use. */
bool range_take_slot(struct site *site, struct response *response);

/* Writes the members "oldest" and "newest", the first and last tick of the timeline's calls, or null without
 * calls. */
void range_write_held(const struct snapshot *snapshot, struct json *json);

#endif
