/* stream.h - reading and writing a non-blocking descriptor of a terminal or a socket. */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/transport.h"

/* Reads like source_read(), but never ENDED; the caller knows the words for GONE. */
enum source_result stream_read(int fd, void *bytes, size_t room, size_t *n);

/* Both do what source_ops.write does. */
ssize_t stream_write(int fd, const void *bytes, size_t n); /* terminals */
ssize_t stream_send(int fd, const void *bytes, size_t n);  /* sockets */

/* What to wait for: bytes, and room when some wait to be sent. */
struct source_wait stream_wait(const struct source *source, int fd);

#endif
