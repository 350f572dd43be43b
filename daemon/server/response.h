/* response.h - one answer, independent of the HTTP library. */
#ifndef SERVER_RESPONSE_H
#define SERVER_RESPONSE_H

#include "base/json.h"
#include "base/sink.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cached;

/* A body that is made while it is sent. */
struct stream {
    /* Waits until there is data, writes up to `room` bytes and returns their number: 0 at the end, -1 when the
     * rest cannot be made. */
    ssize_t (*read)(struct stream *stream, char *to, size_t room);
    void (*close)(struct stream *stream);
};

enum { RESPONSE_HEADERS_MOST = 8, RESPONSE_HEADER_SIZE = 192 };

/* Exactly one of `stream`, `shared` and `body` is the body. */
struct response {
    unsigned status;
    const char *media_type; /* static */
    struct sink_buffer body;
    struct cached *shared; /* a reference */
    struct stream *stream;
    atomic_uint *slot; /* a slot that is released when the answer is sent; NULL: none */
    atomic_uint *full; /* the kind of slot of which none was free; NULL: none was missing */
    /* how long such a slot may be used while another request finds none; 0: no limit */
    uint32_t full_turn_ms;
    struct response_header {
        const char *name; /* static */
        char value[RESPONSE_HEADER_SIZE];
    } headers[RESPONSE_HEADERS_MOST];
    unsigned header_n;
};

/* Makes the answer a 200 without a body. */
void response_init(struct response *response);
void response_fini(struct response *response);

/* Discards the answer made so far. */
void response_clear(struct response *response);

/* Adds a header line; values are truncated to RESPONSE_HEADER_SIZE. */
void response_header(struct response *response, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the value of a header line, NULL when there is none. */
const char *response_header_value(const struct response *response, const char *name);

/* Returns the n bytes of a body that is not a stream. */
const char *response_bytes(const struct response *response, size_t *n);

/* Returns a JSON writer for the body, and sets the media type to JSON. */
struct json response_json(struct response *response);

/* Takes a slot for an answer that uses much memory: counts it in `taken` until it is sent, unless it has a slot
 * already. False when `most` are in use; the answer is then a 503 that names `answers` (a plural). */
bool response_take_slot(struct response *response, atomic_uint *taken, unsigned most, const char *answers);

/* Makes the answer an error of RFC 9457, application/problem+json, with a sentence for the user. */
void response_problem(struct response *response, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
