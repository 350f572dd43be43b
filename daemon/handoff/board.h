/* board.h - publishes the newest snapshot: one thread posts, any number of threads read or wait. */
#ifndef HANDOFF_BOARD_H
#define HANDOFF_BOARD_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* Returns NULL when memory is used up. */
struct board *board_new(void);

/* Call this when no other thread uses the board. */
void board_free(struct board *board);

/* Publishes `snapshot`, taking over the caller's reference, and wakes waiting threads. */
void board_post(struct board *board, struct snapshot *snapshot);

/* Returns the newest snapshot with a reference that the caller owns. NULL before the first post. */
struct snapshot *board_read(struct board *board);

/* Waits for a snapshot with a sequence other than `seen`, and returns it like board_read(). NULL after `timeout_ms`,
 * when the board is closed, or when `*leave` is true (NULL: never) and board_nudge() was called. */
struct snapshot *board_wait(struct board *board, uint64_t seen, uint64_t timeout_ms,
                            const atomic_bool *leave);

/* Makes waiting threads check `*leave`. */
void board_nudge(struct board *board);

/* Ends waiting: from now on board_wait() returns NULL at once, in every thread. board_read() still works. */
void board_close(struct board *board);
bool board_closed(struct board *board);

#endif
