/* stream.h - reading and writing a non-blocking descriptor of a terminal or a socket. */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/transport.h"

/* Reads like source_read(), but never ENDED; the caller knows the words for GONE. */
enum source_result stream_read(int fd, void *bytes, size_t room, size_t *n);

/* Both do what source_ops.write does. */
ssize_t stream_write(int fd, const void *bytes, size_t n); /* terminals */
ssize_t stream_send(int fd, const void *bytes, size_t n);  /* sockets */

/* How long the bytes of a stream may wait, see source_patience_ms(), and how many are welcome after that: as
 * many as the system holds without holding up the sender, and as one read takes. */
struct stream_pace {
    uint32_t least_ms, most_ms;
    size_t welcome;
};

/* The patience after a read of n bytes. A stream that trickles is read more and more seldom, which saves
 * wake-ups; one at the pace of the last stretch is never to bring more than is welcome. */
uint32_t stream_patience_ms(const struct stream_pace *pace, uint32_t patience_ms, size_t n);

/* What to wait for: bytes, and room when some wait to be sent. */
struct source_wait stream_wait(const struct source *source, int fd);

#endif
