/* query.c - reads the numbers of a request's query and path. */
#include "api/query.h"

#include <string.h>

bool query_numbers(const struct request *request, const struct request_number *numbers, size_t n,
                   struct response *response)
{
    struct error err;
    if (request_read_query(request, numbers, n, &err))
        return true;
    response_problem(response, 400, "%s", err.text);
    return false;
}

bool query_has(const struct request *request, const char *name)
{
    size_t n = strlen(name);
    for (const char *field = request->query; field && *field;) {
        size_t field_n = strcspn(field, "&");
        if (field_n >= n && strncmp(field, name, n) == 0 && (field_n == n || field[n] == '='))
            return true;
        field += field_n;
        field += *field == '&';
    }
    return false;
}

bool query_none(const struct request *request, struct response *response)
{
    return query_numbers(request, NULL, 0, response);
}

bool query_range(const struct request *request, const struct snapshot *snapshot,
                 const struct request_number *more, size_t n, struct query_range *range,
                 struct response *response)
{
    uint64_t newest, pause;
    if (!snapshot_told_range(snapshot, &range->from, &newest))
        range->from = newest = 0;
    range->to = UINT64_MAX;
    struct request_number numbers[3 + QUERY_MORE_MOST] = {
        {"from", &range->from}, {"to", &range->to}, {"pause", &pause}};
    for (size_t i = 0; i < n; i++)
        numbers[3 + i] = more[i];
    if (!query_numbers(request, numbers, 3 + n, response))
        return false;
    if (range->to == UINT64_MAX)
        range->to = newest > range->from ? newest : range->from;
    if (range->from <= range->to)
        return true;
    response_problem(response, 400, "The first tick, 'from', lies after the last, 'to'.");
    return false;
}

bool query_function(const struct request *request, uint64_t *id, struct response *response)
{
    if (request_parse_u64(request->argument, strcspn(request->argument, "/"), id))
        return true;
    response_problem(response, 400, "A function's id is a number, as the snapshot has it.");
    return false;
}
