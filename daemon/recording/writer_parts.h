/* writer_parts.h - what a writer and its tapes are made of; for writer.c and tape.c only.
 *
 * The recorder of a tape belongs to the thread as soon as it is handed over. All else is shared under the
 * writer's lock, which is never held while something may wait. The jobs that open and end a tape are part of
 * the tape, so that memory which is used up cannot keep one from ending. */
#ifndef RECORDING_WRITER_PARTS_H
#define RECORDING_WRITER_PARTS_H

#include "recording/writer.h"

#include <limits.h>
#include <pthread.h>

enum job_kind { JOB_OPEN, JOB_KEEP, JOB_END, JOB_REMOVE };

struct job {
    struct job *next;
    struct tape *tape; /* NULL: JOB_REMOVE */
    enum job_kind kind;
    bool has_head; /* it may begin a part */
    size_t again;  /* what it follows found no room in the queue, but so many bytes of it, of the unfinished
                      packet, are at hand still */
    uint64_t now_us;
    uint64_t missing; /* bytes of the line before it */
    size_t known_n, unfinished_n, n;
    uint8_t bytes[]; /* known, unfinished, and what came; or a path */
};

struct tape {
    struct writer *writer;     /* does not change once it is handed over; NULL: there is no thread */
    struct recorder *recorder; /* the thread's; NULL: it is not open yet, has failed or ended */
    char path[PATH_MAX];       /* "" while it is being opened */
    struct tape_place {
        char dir[PATH_MAX];
        uint64_t wall_ns;
        struct recorder_terms terms;
    } place;           /* what JOB_OPEN makes it by */
    struct tape *next; /* of those that are handed over */
    uint64_t written, queued, lost;
    uint64_t missing; /* bytes of the line before what is kept next */
    bool is_in_gap;
    enum tape_state state;
    struct error why;
    bool is_over;  /* the thread is through with it */
    bool is_freed; /* as soon as it is over */
    struct job open, end;
};

struct writer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t to_thread, from_thread;
    const struct wake *wake;
    size_t room, used;
    struct job *first, **last;
    struct tape *tapes;
    bool is_busy, stop, is_abandoned;
    bool has_failure;
    struct error failure;
};

/* Nothing is locked where there is no writer. */
void writer_lock(struct writer *writer);
void writer_unlock(struct writer *writer);

/* How much room a job takes in the queue. */
size_t writer_job_size(const struct job *job);

/* Under the lock: hands a job to the thread. */
void writer_queue(struct writer *writer, struct job *job);

/* Does what `about` says to a recorder: the head of a part, or of what follows a gap; then the bytes. */
bool writer_keep_now(struct recorder *recorder, const struct job *about, const struct tape_head *head,
                     const uint8_t *bytes, struct error *err);

#endif
