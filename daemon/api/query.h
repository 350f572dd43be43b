/* query.h - reads the numbers of a request's query, and the function's id in its path. Functions return false for
 * invalid ones, after answering with a 400 and the reason. */
#ifndef API_QUERY_H
#define API_QUERY_H

#include "server/request.h"
#include "server/response.h"
#include "snapshot/snapshot.h"

/* True when the request has no query. Most routes accept none. */
bool query_none(const struct request *request, struct response *response);

/* True when the query has this parameter. query_numbers() checks its value. */
bool query_has(const struct request *request, const char *name);

/* Reads up to n numbers of the query, see request_read_query(). */
bool query_numbers(const struct request *request, const struct request_number *numbers, size_t n,
                   struct response *response);

/* A stretch of the timeline, both ticks included. */
struct query_range {
    uint64_t from, to;
};

/* The description of the parameter of routes that may answer from a pause (range_whole()). */
#define QUERY_PAUSE                                                                                          \
    {                                                                                                        \
        "pause", "Answers from the snapshot that this pause keeps; from the newest when left out."           \
    }

/* The description of the parameters of routes that may answer for a range. */
#define QUERY_RANGE                                                                                          \
    {                                                                                                        \
        {"from", "First tick of the stretch; the oldest of the timeline when only 'to' is given."},          \
            {"to", "Last tick of the stretch; the newest when only 'from' is given."}, QUERY_PAUSE,          \
    }

enum { QUERY_MORE_MOST = 2 };

/* Reads the range of "from" and "to". The query may also have "pause" (range_whole()) and the n numbers of `more`, at
 * most QUERY_MORE_MOST. Defaults are the oldest and the newest tick of the timeline of `snapshot`, or 0 when that is
 * empty. */
bool query_range(const struct request *request, const struct snapshot *snapshot,
                 const struct request_number *more, size_t n, struct query_range *range,
                 struct response *response);

/* Reads the function's id in the path. Does not check whether the function exists. */
bool query_function(const struct request *request, uint64_t *id, struct response *response);

#endif
