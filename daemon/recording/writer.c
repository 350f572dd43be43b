/* writer.c - the thread that writes recordings, and their tapes.
 *
 * The recorder of a tape belongs to the thread once it is passed on. All else is shared under the writer's
 * lock, which is never held while something may block. The jobs that open and end a tape are members of the
 * tape, so that lack of memory cannot keep it from ending. */
#include "recording/writer.h"

#include "base/clock.h"
#include "base/thread.h"
#include "source/pace.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 16 << 20 };

enum job_kind { JOB_OPEN, JOB_KEEP, JOB_END, JOB_REMOVE };

struct job {
    struct job *next;
    struct tape *tape; /* NULL: JOB_REMOVE */
    enum job_kind kind;
    bool has_head; /* it may begin a part */
    size_t again;  /* the bytes before it did not fit into the queue, except this many of them, of the
                      unfinished packet, which are in the head */
    uint64_t now_us;
    uint64_t missing; /* bytes of the line missing before it */
    size_t known_n, unfinished_n, n;
    uint8_t bytes[]; /* known, unfinished, and received bytes; or a path */
};

struct tape {
    struct writer *writer;     /* does not change once set; NULL: there is no thread */
    struct recorder *recorder; /* the thread's; NULL: not open yet, failed or ended */
    char path[PATH_MAX];       /* "" while it is being opened */
    struct tape_place {
        char dir[PATH_MAX];
        uint64_t wall_ns;
        struct recorder_terms terms;
    } place;           /* for JOB_OPEN */
    struct tape *next; /* of those passed to the thread */
    uint64_t written, queued, lost;
    uint64_t missing; /* bytes of the line missing before the next ones */
    bool is_in_gap;
    enum tape_state state;
    struct error why;
    bool is_over;  /* the thread has finished with it */
    bool is_freed; /* free it as soon as it is over */
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

/* Without a writer there is nothing to lock. */
static void writer_lock(struct writer *writer)
{
    if (writer)
        pthread_mutex_lock(&writer->lock);
}

static void writer_unlock(struct writer *writer)
{
    if (writer)
        pthread_mutex_unlock(&writer->lock);
}

/* The space that a job takes in the queue. */
static size_t writer_job_size(const struct job *job)
{
    return sizeof *job + job->known_n + job->unfinished_n + job->n;
}

/* ---- work on a recorder, by either thread ---- */

/* Does the job `about` on a recorder: the head of a part, or after a gap; then the bytes. */
static bool writer_keep_now(struct recorder *recorder, const struct job *about, const struct tape_head *head,
                            const uint8_t *bytes, struct error *err)
{
    uint64_t now_us = about->now_us;
    bool turns = about->has_head && recorder_is_full(recorder, about->n);
    if (turns && !recorder_turn(recorder, err))
        return false;
    if (about->missing > 0)
        recorder_skip(recorder, now_us, about->missing);
    if (turns && !recorder_keep(recorder, now_us, head->known, head->known_n, err))
        return false;
    size_t again = turns ? about->unfinished_n : about->again;
    if (again > 0 &&
        !recorder_keep(recorder, now_us, head->unfinished + about->unfinished_n - again, again, err))
        return false;
    return recorder_keep(recorder, now_us, bytes, about->n, err);
}

static void remove_now(const char *path)
{
    char times[PATH_MAX + sizeof PACE_SUFFIX];
    unlink(path);
    snprintf(times, sizeof times, "%s" PACE_SUFFIX, path);
    unlink(times);
}

/* ---- the thread ---- */

static void wake_waiters(struct writer *writer)
{
    pthread_cond_broadcast(&writer->from_thread);
    if (!writer->is_abandoned)
        wake_ring(writer->wake);
}

static void fail_tape(struct tape *tape, const struct error *why)
{
    tape->state = TAPE_FAILED;
    tape->why = *why;
    if (tape->is_freed) {
        tape->writer->has_failure = true;
        tape->writer->failure = *why;
    }
}

static void drop_recorder(struct writer *writer, struct tape *tape)
{
    struct recorder *recorder = tape->recorder;
    tape->recorder = NULL;
    writer_unlock(writer);
    recorder_free(recorder, NULL);
    writer_lock(writer);
}

static void do_keep(struct writer *writer, struct tape *tape, const struct job *job)
{
    const struct tape_head head = {job->bytes, job->bytes + job->known_n, job->known_n, job->unfinished_n};
    struct error why;
    bool good = false;
    if (tape->recorder) {
        writer_unlock(writer);
        good =
            writer_keep_now(tape->recorder, job, &head, job->bytes + job->known_n + job->unfinished_n, &why);
        writer_lock(writer);
        tape->written = recorder_bytes(tape->recorder);
    }
    tape->queued -= job->n;
    if (!tape->recorder || good)
        return;
    fail_tape(tape, &why);
    drop_recorder(writer, tape);
    wake_waiters(writer);
}

static void do_open(struct writer *writer, struct tape *tape)
{
    const struct tape_place *place = &tape->place;
    struct error why;
    writer_unlock(writer);
    struct recorder *recorder = recorder_new_in(place->dir, place->wall_ns, &place->terms, &why);
    writer_lock(writer);
    tape->recorder = recorder;
    if (recorder) {
        tape->state = TAPE_OPEN;
        strcpy(tape->path, recorder_path(recorder));
    } else {
        fail_tape(tape, &why);
    }
    wake_waiters(writer);
}

static void unlink_tape(struct writer *writer, struct tape *tape)
{
    struct tape **at = &writer->tapes;
    while (*at != tape)
        at = &(*at)->next;
    *at = tape->next;
}

static void do_end(struct writer *writer, struct tape *tape)
{
    struct recorder *recorder = tape->recorder;
    struct error why;
    if (recorder) {
        writer_unlock(writer);
        if (tape->end.missing > 0)
            recorder_skip(recorder, tape->end.now_us, tape->end.missing);
        bool good = recorder_flush(recorder, &why);
        writer_lock(writer);
        tape->written = recorder_bytes(recorder);
        tape->state = good ? TAPE_WRITTEN : TAPE_FAILED;
        tape->recorder = NULL;
        writer_unlock(writer);
        good = recorder_free(recorder, good ? &why : NULL) && good;
        writer_lock(writer);
        tape->state = TAPE_KEPT;
        if (!good)
            fail_tape(tape, &why);
    }
    unlink_tape(writer, tape);
    tape->is_over = true;
    if (tape->is_freed)
        free(tape);
    wake_waiters(writer);
}

static void do_job(struct writer *writer, struct job *job)
{
    switch (job->kind) {
    case JOB_OPEN: do_open(writer, job->tape); return; /* it is a member of the tape */
    case JOB_KEEP: do_keep(writer, job->tape, job); break;
    case JOB_END: do_end(writer, job->tape); return; /* it was a member of the tape */
    case JOB_REMOVE:
        writer_unlock(writer);
        remove_now((const char *)job->bytes);
        writer_lock(writer);
        break;
    }
    writer->used -= writer_job_size(job);
    free(job);
}

/* The tape whose flush is due first; NULL: nothing waits. */
static struct tape *next_to_flush(const struct writer *writer, uint64_t *deadline_ms)
{
    struct tape *next = NULL;
    *deadline_ms = UINT64_MAX;
    for (struct tape *tape = writer->tapes; tape; tape = tape->next) {
        if (!tape->recorder || recorder_deadline_ms(tape->recorder) >= *deadline_ms)
            continue;
        *deadline_ms = recorder_deadline_ms(tape->recorder);
        next = tape;
    }
    return next;
}

static void flush_tape(struct writer *writer, struct tape *tape)
{
    struct error why;
    writer_unlock(writer);
    bool good = recorder_flush(tape->recorder, &why);
    writer_lock(writer);
    if (good)
        return;
    fail_tape(tape, &why);
    drop_recorder(writer, tape);
    wake_waiters(writer);
}

static void wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ms)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ms / 1000),
                                   .tv_nsec = (long)(until_ms % 1000) * 1000000};
    if (until_ms == UINT64_MAX)
        pthread_cond_wait(condition, mutex);
    else
        pthread_cond_timedwait(condition, mutex, &until);
}

/* Does one job or flush, or waits for one. */
static void step_writer(struct writer *writer)
{
    uint64_t deadline_ms;
    struct job *job = writer->first;
    struct tape *tape = next_to_flush(writer, &deadline_ms);
    bool is_due = tape && clock_monotonic_ms() >= deadline_ms;
    if (!job && !is_due) {
        wait_until(&writer->to_thread, &writer->lock, deadline_ms);
        return;
    }
    writer->is_busy = true;
    if (is_due) {
        flush_tape(writer, tape);
    } else {
        writer->first = job->next;
        if (!writer->first)
            writer->last = &writer->first;
        do_job(writer, job);
    }
    writer->is_busy = false;
    if (!writer->first)
        pthread_cond_broadcast(&writer->from_thread);
}

static void free_parts(struct writer *writer)
{
    pthread_cond_destroy(&writer->from_thread);
    pthread_cond_destroy(&writer->to_thread);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

static void *run_writer(void *argument)
{
    struct writer *writer = argument;
    pthread_setname_np(pthread_self(), "mp-recorder");
    writer_lock(writer);
    while (writer->first || !writer->stop)
        step_writer(writer);
    bool is_abandoned = writer->is_abandoned;
    writer_unlock(writer);
    if (is_abandoned)
        free_parts(writer);
    return NULL;
}

struct writer *writer_new(size_t room, const struct wake *wake, struct error *err)
{
    struct writer *writer = calloc(1, sizeof *writer);
    pthread_condattr_t monotonic;
    if (!writer) {
        error_set(err, "Out of memory while preparing to record.");
        return NULL;
    }
    writer->room = room ? room : ROOM;
    writer->wake = wake;
    writer->last = &writer->first;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&writer->to_thread, &monotonic);
    pthread_cond_init(&writer->from_thread, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int code = thread_start(&writer->thread, NULL, run_writer, writer);
    if (code == 0)
        return writer;
    error_set_errno(err, code, "Cannot start the thread that writes recordings");
    free_parts(writer);
    return NULL;
}

bool writer_drain(struct writer *writer, uint64_t until_ms)
{
    if (!writer)
        return true;
    writer_lock(writer);
    while ((writer->first || writer->is_busy) && clock_monotonic_ms() < until_ms)
        wait_until(&writer->from_thread, &writer->lock, until_ms);
    bool is_drained = !writer->first && !writer->is_busy;
    writer_unlock(writer);
    return is_drained;
}

void writer_free(struct writer *writer)
{
    if (!writer)
        return;
    writer_lock(writer);
    pthread_t thread = writer->thread;
    bool is_drained = !writer->first && !writer->is_busy;
    writer->stop = true;
    writer->is_abandoned = !is_drained;
    pthread_cond_signal(&writer->to_thread);
    writer_unlock(writer);
    if (!is_drained) {
        pthread_detach(thread);
        return;
    }
    pthread_join(thread, NULL);
    free_parts(writer);
}

bool writer_take_failure(struct writer *writer, struct error *why)
{
    if (!writer)
        return false;
    writer_lock(writer);
    bool has_failure = writer->has_failure;
    *why = writer->failure;
    writer->has_failure = false;
    writer_unlock(writer);
    return has_failure;
}

/* ---- passing jobs on ---- */

/* Under the lock: passes a job to the thread. */
static void writer_queue(struct writer *writer, struct job *job)
{
    job->next = NULL;
    *writer->last = job;
    writer->last = &job->next;
    pthread_cond_signal(&writer->to_thread);
}

void writer_remove(struct writer *writer, const char *path)
{
    size_t n = strlen(path) + 1;
    struct job *job = writer ? malloc(sizeof *job + n) : NULL;
    if (!job) {
        remove_now(path);
        return;
    }
    *job = (struct job){.kind = JOB_REMOVE, .n = n};
    memcpy(job->bytes, path, n);
    writer_lock(writer);
    writer->used += writer_job_size(job);
    writer_queue(writer, job);
    writer_unlock(writer);
}

/* ---- tapes, as seen by the thread that hands in their bytes ---- */

struct tape *tape_new(struct recorder *recorder, struct error *err)
{
    struct tape *tape = calloc(1, sizeof *tape);
    if (!tape) {
        error_set(err, "Out of memory while preparing the recording %s.", recorder_path(recorder));
        recorder_free(recorder, NULL);
        return NULL;
    }
    tape->recorder = recorder;
    strcpy(tape->path, recorder_path(recorder));
    tape->end = (struct job){.kind = JOB_END, .tape = tape};
    return tape;
}

static void link_tape(struct tape *tape, struct writer *writer)
{
    tape->next = writer->tapes;
    writer->tapes = tape;
}

struct tape *tape_open(struct writer *writer, const char *dir, uint64_t now_wall_ns,
                       const struct recorder_terms *terms, struct error *err)
{
    if (!writer) {
        struct recorder *recorder = recorder_new_in(dir, now_wall_ns, terms, err);
        return recorder ? tape_new(recorder, err) : NULL;
    }
    struct tape *tape = strlen(dir) < sizeof tape->place.dir ? calloc(1, sizeof *tape) : NULL;
    if (!tape) {
        error_set(err, "Out of memory while preparing a recording in %.300s.", dir);
        return NULL;
    }
    strcpy(tape->place.dir, dir);
    tape->place.wall_ns = now_wall_ns;
    tape->place.terms = *terms;
    tape->state = TAPE_OPENING;
    tape->writer = writer;
    tape->open = (struct job){.kind = JOB_OPEN, .tape = tape};
    tape->end = (struct job){.kind = JOB_END, .tape = tape};
    writer_lock(writer);
    link_tape(tape, writer);
    writer_queue(writer, &tape->open);
    writer_unlock(writer);
    return tape;
}

void tape_hand_over(struct tape *tape, struct writer *writer)
{
    if (!writer || tape->writer || !tape->recorder)
        return;
    recorder_wait_for_room(tape->recorder);
    tape->written = recorder_bytes(tape->recorder);
    tape->writer = writer;
    writer_lock(writer);
    link_tape(tape, writer);
    pthread_cond_signal(&writer->to_thread); /* so that earlier bytes are flushed in time */
    writer_unlock(writer);
}

void tape_skip(struct tape *tape, uint64_t n)
{
    tape->missing += n;
}

static bool has_failed(const struct tape *tape, struct error *err)
{
    if (tape->state == TAPE_FAILED)
        error_set(err, "%s", tape->why.text);
    return tape->state == TAPE_FAILED;
}

/* Without a thread. */
static bool keep_here(struct tape *tape, const struct job *about, const struct tape_head *head,
                      const uint8_t *bytes, struct error *err)
{
    if (writer_keep_now(tape->recorder, about, head, bytes, err))
        return true;
    tape->state = TAPE_FAILED;
    tape->why = *err;
    tape->written = recorder_bytes(tape->recorder);
    recorder_free(tape->recorder, NULL);
    tape->recorder = NULL;
    return false;
}

/* Copies the bytes, if the queue has space. */
static struct job *copy_job(const struct writer *writer, const struct job *about,
                            const struct tape_head *head, const uint8_t *bytes)
{
    size_t size = writer_job_size(about);
    struct job *job = writer->used + size <= writer->room ? malloc(size) : NULL;
    if (!job)
        return NULL;
    *job = *about;
    if (about->has_head) {
        memcpy(job->bytes, head->known, head->known_n);
        memcpy(job->bytes + head->known_n, head->unfinished, head->unfinished_n);
    }
    memcpy(job->bytes + job->known_n + job->unfinished_n, bytes, about->n);
    return job;
}

bool tape_keep(struct tape *tape, uint64_t now_us, const struct tape_head *head, const uint8_t *bytes,
               size_t n, struct error *err)
{
    struct writer *writer = tape->writer;
    struct job about = {.kind = JOB_KEEP,
                        .tape = tape,
                        .has_head = head != NULL,
                        .now_us = now_us,
                        .missing = tape->missing,
                        .n = n};
    if (head) {
        about.known_n = head->known_n;
        about.unfinished_n = head->unfinished_n;
    }
    writer_lock(writer);
    bool good = !has_failed(tape, err);
    if (good && writer) {
        if (tape->is_in_gap && head)
            about.again = head->unfinished_n < tape->missing ? head->unfinished_n : tape->missing;
        about.missing -= about.again;
        struct job *job = copy_job(writer, &about, head, bytes);
        tape->is_in_gap = !job;
        tape->lost += job ? 0 : n;
        tape->lost -= job ? about.again : 0;
        tape->missing = job ? 0 : tape->missing + n;
        if (job) {
            writer->used += writer_job_size(job);
            tape->queued += n;
            writer_queue(writer, job);
        }
    }
    writer_unlock(writer);
    if (writer || !good)
        return good;
    tape->missing = 0;
    return keep_here(tape, &about, head, bytes, err);
}

bool tape_flush(struct tape *tape, uint64_t now_ms, struct error *err)
{
    writer_lock(tape->writer);
    bool good = !has_failed(tape, err);
    writer_unlock(tape->writer);
    if (!good || now_ms < tape_deadline_ms(tape) || recorder_flush(tape->recorder, err))
        return good;
    tape->state = TAPE_FAILED;
    tape->why = *err;
    return false;
}

uint64_t tape_deadline_ms(const struct tape *tape)
{
    return tape->writer || !tape->recorder ? UINT64_MAX : recorder_deadline_ms(tape->recorder);
}

const char *tape_path(const struct tape *tape)
{
    return tape->path;
}

uint64_t tape_bytes(struct tape *tape)
{
    struct writer *writer = tape->writer;
    writer_lock(writer);
    uint64_t bytes =
        writer || !tape->recorder ? tape->written + tape->queued : recorder_bytes(tape->recorder);
    writer_unlock(writer);
    return bytes;
}

/* Reads a figure of the tape that the thread may be changing. */
static uint64_t read_figure(const struct tape *tape, const uint64_t *figure)
{
    writer_lock(tape->writer);
    uint64_t value = *figure;
    writer_unlock(tape->writer);
    return value;
}

uint64_t tape_queued(struct tape *tape)
{
    return read_figure(tape, &tape->queued);
}

uint64_t tape_lost(struct tape *tape)
{
    return read_figure(tape, &tape->lost);
}

void tape_end(struct tape *tape)
{
    struct writer *writer = tape->writer;
    tape->end.missing = tape->missing;
    if (writer) {
        writer_lock(writer);
        writer_queue(writer, &tape->end);
        writer_unlock(writer);
        return;
    }
    struct recorder *recorder = tape->recorder;
    if (!recorder)
        return;
    if (tape->missing > 0)
        recorder_skip(recorder, 0, tape->missing);
    tape->written = recorder_bytes(recorder);
    tape->recorder = NULL;
    bool kept = recorder_free(recorder, tape->state == TAPE_FAILED ? NULL : &tape->why);
    if (tape->state != TAPE_FAILED)
        tape->state = kept ? TAPE_KEPT : TAPE_FAILED;
}

enum tape_state tape_state(struct tape *tape, struct error *why)
{
    struct writer *writer = tape->writer;
    writer_lock(writer);
    enum tape_state state = tape->state;
    if (why)
        *why = tape->why;
    writer_unlock(writer);
    return state;
}

void tape_free(struct tape *tape)
{
    if (!tape)
        return;
    struct writer *writer = tape->writer;
    writer_lock(writer);
    bool is_over = !writer || tape->is_over;
    tape->is_freed = true;
    writer_unlock(writer);
    if (is_over)
        free(tape);
}
