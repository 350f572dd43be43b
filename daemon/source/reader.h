/* reader.h - a thread that reads a live source into a ring, also while the consumer of the bytes is busy; for
 * the files of this room only.
 *
 * The thread and the users of the source share it under the reader's lock. Nothing that may wait is done
 * while it is held; only the thread itself looks at a terminal under it, which may wait for the kernel. */
#ifndef SOURCE_READER_H
#define SOURCE_READER_H

#include "source/transport.h"

/* Starts the thread for `source` (borrowed), which is not open yet, with a ring of `room` bytes. NULL with a
 * sentence. */
struct reader *reader_new(struct source *source, size_t room, struct error *err);

/* Ends the thread; the source is closed. NULL is fine. */
void reader_free(struct reader *reader);

/* Whatever is done with the source is done in between. */
void reader_lock(struct reader *reader);
void reader_unlock(struct reader *reader);

/* Under the lock: has the thread look at the source again, since there is something to send, or
 * another rate. */
void reader_rouse(struct reader *reader);

/* Under the lock: the source was opened, or is being closed. What was not taken is forgotten. */
void reader_begin(struct reader *reader);
void reader_end(struct reader *reader);

/* Under the lock: what source_is_open() is to answer. Nothing is handed out before it has been true. */
bool reader_is_open(struct reader *reader);

/* What source_poll(), source_read(), source_arrival_us(), source_dropped() and source_remark() are to
 * answer. A read that finds
 * nothing has asked the system, too. */
struct source_wait reader_poll(struct reader *reader);
enum source_result reader_take(struct reader *reader, void *bytes, size_t room, size_t *n, struct error *err);
uint64_t reader_arrival_us(const struct reader *reader);
uint64_t reader_dropped(const struct reader *reader);
const char *reader_remark(struct reader *reader);

#endif
