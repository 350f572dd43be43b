/* reader.h - a thread that reads a live source into a ring, even while the user of the bytes is busy. Only
 * for files of this room.
 *
 * The thread and the users share the source under the reader's lock. Nothing that may block is done under it,
 * except that the thread reads a terminal, which may wait for the kernel. */
#ifndef SOURCE_READER_H
#define SOURCE_READER_H

#include "source/transport.h"

/* Starts the thread for `source` (borrowed), which is not open yet, with a ring of `room` bytes. Returns NULL
 * with an error on failure. */
struct reader *reader_new(struct source *source, size_t room, struct error *err);

/* Ends the thread; the source is closed. Accepts NULL. */
void reader_free(struct reader *reader);

/* All use of the source must be between these calls. */
void reader_lock(struct reader *reader);
void reader_unlock(struct reader *reader);

/* Under the lock: makes the thread poll the source again, after data to send or another rate. */
void reader_rouse(struct reader *reader);

/* Under the lock: the source was opened, or is being closed. Bytes not taken are dropped. */
void reader_begin(struct reader *reader);
void reader_end(struct reader *reader);

/* Under the lock: the result of source_is_open(). No bytes are returned before it has been true. */
bool reader_is_open(struct reader *reader);

/* Implement source_poll(), source_read(), source_arrival_us(), source_dropped() and source_remark(). A read
 * that finds nothing has also polled the system. */
struct source_wait reader_poll(struct reader *reader);
enum source_result reader_take(struct reader *reader, void *bytes, size_t room, size_t *n, struct error *err);
uint64_t reader_arrival_us(const struct reader *reader);
uint64_t reader_dropped(const struct reader *reader);
const char *reader_remark(struct reader *reader);

#endif
