/* query.h - what a request asks for in numbers: those of its query, and a function's id in its path. Whatever
 * cannot be is answered here, with a 400 that says what is wrong. */
#ifndef API_QUERY_H
#define API_QUERY_H

#include "server/request.h"
#include "server/response.h"
#include "snapshot/snapshot.h"

/* True when the request has no query, as most must not. */
bool query_none(const struct request *request, struct response *response);

/* True when the query has this parameter, whatever its value: that query_numbers() looks at. */
bool query_has(const struct request *request, const char *name);

/* Reads the n numbers that may stand in the query, see request_read_query(). */
bool query_numbers(const struct request *request, const struct request_number *numbers, size_t n,
                   struct response *response);

/* A stretch of the timeline, both ticks included. */
struct query_range {
    uint64_t from, to;
};

/* How a route announces that it may answer from what a viewer has paused (range_whole()). */
#define QUERY_PAUSE                                                                                          \
    {                                                                                                        \
        "pause", "Answers from the snapshot that this pause keeps; from the newest when left out."           \
    }

/* How a route whose answer may be about a stretch only describes its query. */
#define QUERY_RANGE                                                                                          \
    {                                                                                                        \
        {"from", "First tick of the stretch; the oldest of the timeline when only 'to' is given."},          \
            {"to", "Last tick of the stretch; the newest when only 'from' is given."}, QUERY_PAUSE,          \
    }

/* Reads the stretch that "from" and "to" tell; "pause" (range_whole()) and `more` (NULL: none) may stand
 * there, too. One that is left out is the oldest or the newest tick of the timeline of `snapshot`, or 0 when
 * that holds nothing. */
bool query_range(const struct request *request, const struct snapshot *snapshot,
                 const struct request_number *more, struct query_range *range, struct response *response);

/* Reads the function's id that stands in the path. True when there is such a function is not looked at. */
bool query_function(const struct request *request, uint64_t *id, struct response *response);

#endif
