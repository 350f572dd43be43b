/* stream.h - reads and writes a non-blocking descriptor of a terminal or a socket. */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/transport.h"

/* As source_read(), but never ENDED; the caller has the message for GONE. */
enum source_result stream_read(int fd, void *bytes, size_t room, size_t *n);

/* Both implement source_ops.write. */
ssize_t stream_write(int fd, const void *bytes, size_t n); /* terminals */
ssize_t stream_send(int fd, const void *bytes, size_t n);  /* sockets */

/* The time that bytes of a stream may wait, see source_patience_ms(), and the number that may arrive then: as
 * many as the system buffers without blocking the sender, and as one read takes. */
struct stream_pace {
    uint32_t least_ms, most_ms;
    size_t welcome;
};

/* The patience after a read of n bytes. A slow stream is read less and less often, which saves wake-ups; at
 * the rate of the last interval, no more bytes than the limit may arrive. */
uint32_t stream_patience_ms(const struct stream_pace *pace, uint32_t patience_ms, size_t n);

/* Waits for bytes, and for space for sending if some wait to be sent. */
struct source_wait stream_wait(const struct source *source, int fd);

#endif
