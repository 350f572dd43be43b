/* response.h - one answer, free of any HTTP library. */
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
    /* Waits until there is something to send, writes up to `room` bytes and returns how many: 0 at the end,
     * -1 when the rest cannot be made. */
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
    atomic_uint *slot;     /* one was taken, and is given back when the answer is sent; NULL: none */
    atomic_uint *full;     /* there was none left of these; NULL: there was, or none was needed */
    uint32_t full_turn_ms; /* how long such a slot may be held while another request finds none; 0: any */
    struct response_header {
        const char *name; /* static */
        char value[RESPONSE_HEADER_SIZE];
    } headers[RESPONSE_HEADERS_MOST];
    unsigned header_n;
};

/* Makes the answer a 200 without a body. */
void response_init(struct response *response);
void response_fini(struct response *response);

/* Throws away what the answer is so far. */
void response_clear(struct response *response);

/* Adds a header line; values are truncated to RESPONSE_HEADER_SIZE. */
void response_header(struct response *response, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a header line says; NULL when there is no such line. */
const char *response_header_value(const struct response *response, const char *name);

/* The n bytes of a body that is no stream. */
const char *response_bytes(const struct response *response, size_t *n);

/* Makes a JSON writer onto the body, and JSON the media type. */
struct json response_json(struct response *response);

/* Counts an answer that holds much in `taken` until it is sent, unless it is counted already. False when
 * there are `most` already: the answer is then a 503 that says what there is too much of (`answers`, a
 * plural). */
bool response_take_slot(struct response *response, atomic_uint *taken, unsigned most, const char *answers);

/* Makes the answer an error of RFC 9457, application/problem+json, with a sentence for the user. */
void response_problem(struct response *response, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
