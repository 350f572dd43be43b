/* board.c - publishes the newest snapshot. */
#include "handoff/board.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct board {
    pthread_mutex_t lock; /* held only to swap or read the pointer and the flag */
    pthread_cond_t posted;
    struct snapshot *newest;
    bool is_closed;
};

struct board *board_new(void)
{
    struct board *board = calloc(1, sizeof *board);
    if (!board)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&board->lock, NULL);
    pthread_cond_init(&board->posted, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return board;
}

void board_free(struct board *board)
{
    if (!board)
        return;
    snapshot_unref(board->newest);
    pthread_cond_destroy(&board->posted);
    pthread_mutex_destroy(&board->lock);
    free(board);
}

void board_post(struct board *board, struct snapshot *snapshot)
{
    pthread_mutex_lock(&board->lock);
    struct snapshot *before = board->newest;
    board->newest = snapshot;
    pthread_mutex_unlock(&board->lock);
    pthread_cond_broadcast(&board->posted); /* after unlocking, so that woken threads get the lock at once */
    snapshot_unref(before);
}

struct snapshot *board_read(struct board *board)
{
    pthread_mutex_lock(&board->lock);
    struct snapshot *newest = board->newest ? snapshot_ref(board->newest) : NULL;
    pthread_mutex_unlock(&board->lock);
    return newest;
}

static struct timespec deadline_after(uint64_t timeout_ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(timeout_ms / 1000);
    t.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

struct snapshot *board_wait(struct board *board, uint64_t seen, uint64_t timeout_ms, const atomic_bool *leave)
{
    struct timespec deadline = deadline_after(timeout_ms);
    struct snapshot *found = NULL;
    pthread_mutex_lock(&board->lock);
    for (;;) {
        if (board->is_closed || (leave && atomic_load(leave)))
            break;
        if (board->newest && board->newest->sequence != seen) {
            found = snapshot_ref(board->newest);
            break;
        }
        if (pthread_cond_timedwait(&board->posted, &board->lock, &deadline) == ETIMEDOUT)
            break;
    }
    pthread_mutex_unlock(&board->lock);
    return found;
}

void board_nudge(struct board *board)
{
    pthread_mutex_lock(&board->lock);
    pthread_cond_broadcast(&board->posted);
    pthread_mutex_unlock(&board->lock);
}

void board_close(struct board *board)
{
    pthread_mutex_lock(&board->lock);
    board->is_closed = true;
    pthread_cond_broadcast(&board->posted);
    pthread_mutex_unlock(&board->lock);
}

bool board_closed(struct board *board)
{
    pthread_mutex_lock(&board->lock);
    bool closed = board->is_closed;
    pthread_mutex_unlock(&board->lock);
    return closed;
}
