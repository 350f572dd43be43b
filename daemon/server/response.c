/* response.c - one answer, independent of the HTTP library. */
#include "server/response.h"

#include "server/cached.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

void response_init(struct response *response)
{
    *response = (struct response){.status = 200};
    sink_buffer_init(&response->body);
}

void response_fini(struct response *response)
{
    sink_buffer_fini(&response->body);
    cached_unref(response->shared);
    if (response->stream)
        response->stream->close(response->stream);
    if (response->slot)
        atomic_fetch_sub(response->slot, 1);
    *response = (struct response){0};
}

void response_clear(struct response *response)
{
    response_fini(response);
    response_init(response);
}

void response_header(struct response *response, const char *name, const char *format, ...)
{
    assert(response->header_n < RESPONSE_HEADERS_MOST);
    struct response_header *header = &response->headers[response->header_n++];
    header->name = name;
    va_list args;
    va_start(args, format);
    vsnprintf(header->value, sizeof header->value, format, args);
    va_end(args);
}

const char *response_header_value(const struct response *response, const char *name)
{
    for (unsigned i = 0; i < response->header_n; i++)
        if (strcasecmp(response->headers[i].name, name) == 0)
            return response->headers[i].value;
    return NULL;
}

const char *response_bytes(const struct response *response, size_t *n)
{
    if (response->shared) {
        *n = response->shared->n;
        return response->shared->bytes;
    }
    *n = response->body.n;
    return response->body.n ? response->body.bytes : "";
}

struct json response_json(struct response *response)
{
    response->media_type = "application/json";
    return (struct json){.sink = &response->body.sink};
}

static const char *title_of(unsigned status)
{
    switch (status) {
    case 400: return "Bad request";
    case 401: return "Not known";
    case 403: return "Forbidden";
    case 404: return "Not found";
    case 405: return "Method not allowed";
    case 409: return "Conflict";
    case 413: return "Too large";
    case 415: return "Media type not taken";
    case 421: return "Misdirected request";
    case 500: return "Internal error";
    case 503: return "Not available";
    case 504: return "No answer from the device";
    default: return "Error";
    }
}

void response_problem(struct response *response, unsigned status, const char *format, ...)
{
    char detail[640];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    response_clear(response);
    struct json json = response_json(response);
    json_object_open(&json, NULL);
    json_text(&json, "title", title_of(status));
    json_u64(&json, "status", status);
    json_text(&json, "detail", detail);
    json_object_close(&json);
    response->status = status;
    response->media_type = "application/problem+json";
}

bool response_take_slot(struct response *response, atomic_uint *taken, unsigned most, const char *answers)
{
    if (response->slot)
        return true;
    response->slot = taken;
    if (atomic_fetch_add(taken, 1) < most)
        return true;
    response_problem(response, 503, "%u %s are on their way already: ask again in a moment.", most, answers);
    response_header(response, "Retry-After", "1");
    response->full = taken;
    return false;
}
