/* sink.h - an output for bytes: a growing buffer, a file, or one that the caller implements.
 *
 * Writers need not check for errors: the sink remembers the first failure and then discards everything. The
 * owner of the sink checks once, at the end. */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct sink {
    /* Takes n bytes. Returning false makes the sink fail permanently. */
    bool (*write)(struct sink *sink, const void *bytes, size_t n);
    bool failed;
    uint64_t written; /* bytes taken so far */
};

void sink_write(struct sink *sink, const void *bytes, size_t n);
void sink_text(struct sink *sink, const char *text);
void sink_char(struct sink *sink, char c);
void sink_u64(struct sink *sink, uint64_t value);
void sink_printf(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A sink into memory. It fails when memory or `limit` (bytes; 0: none) is used up. Set the limit after
 * sink_buffer_init(). */
struct sink_buffer {
    struct sink sink;
    char *bytes; /* n bytes, then a NUL; NULL while empty */
    size_t n;
    size_t capacity;
    size_t limit;
};
void sink_buffer_init(struct sink_buffer *buffer);
void sink_buffer_fini(struct sink_buffer *buffer);
void sink_buffer_clear(struct sink_buffer *buffer);

/* A sink into a file descriptor, which the caller owns, with a buffer of 64 KiB. The caller flushes it before
 * checking for failures. */
struct sink_fd {
    struct sink sink;
    int fd;
    int error_number; /* errno of the first failed write, 0 if none */
    size_t n;
    char buffer[65536];
};
void sink_fd_init(struct sink_fd *file, int fd);
bool sink_fd_flush(struct sink_fd *file);

#endif
