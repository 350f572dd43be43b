/* board.h - where the newest snapshot hangs: one thread posts, any number read or wait. */
#ifndef HANDOFF_BOARD_H
#define HANDOFF_BOARD_H

#include "snapshot/snapshot.h"

#include <stdatomic.h>

/* NULL when memory is used up. */
struct board *board_new(void);

/* To be called when no thread is inside any other call on it. */
void board_free(struct board *board);

/* Publishes `snapshot`, taking over the caller's reference, and wakes all that wait. */
void board_post(struct board *board, struct snapshot *snapshot);

/* Returns the newest snapshot, with a reference that is the caller's; NULL before the first post. */
struct snapshot *board_read(struct board *board);

/* Waits until a snapshot with a sequence other than `seen` hangs there, and returns it as board_read() does;
 * NULL when `timeout_ms` passed first, the board was closed, or `*leave` became true (NULL: it never does)
 * and board_nudge() was called. */
struct snapshot *board_wait(struct board *board, uint64_t seen, uint64_t timeout_ms,
                            const atomic_bool *leave);

/* Waiting threads check whether to leave. */
void board_nudge(struct board *board);

/* Ends waiting: from now on board_wait() returns NULL at once, in every thread. board_read() still works. */
void board_close(struct board *board);
bool board_closed(struct board *board);

#endif
