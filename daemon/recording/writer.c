/* writer.c - the thread that writes recordings. */
#include "recording/writer_parts.h"

#include "base/clock.h"
#include "base/thread.h"
#include "source/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 16 << 20 };

void writer_lock(struct writer *writer)
{
    if (writer)
        pthread_mutex_lock(&writer->lock);
}

void writer_unlock(struct writer *writer)
{
    if (writer)
        pthread_mutex_unlock(&writer->lock);
}

size_t writer_job_size(const struct job *job)
{
    return sizeof *job + job->known_n + job->unfinished_n + job->n;
}

/* ---- what is done to a recorder, by whichever thread ---- */

bool writer_keep_now(struct recorder *recorder, const struct job *about, const struct tape_head *head,
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

static void tell(struct writer *writer)
{
    pthread_cond_broadcast(&writer->from_thread);
    if (!writer->is_abandoned)
        wake_ring(writer->wake);
}

static void fail(struct tape *tape, const struct error *why)
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
    fail(tape, &why);
    drop_recorder(writer, tape);
    tell(writer);
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
        fail(tape, &why);
    }
    tell(writer);
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
            fail(tape, &why);
    }
    unlink_tape(writer, tape);
    tape->is_over = true;
    if (tape->is_freed)
        free(tape);
    tell(writer);
}

static void do_job(struct writer *writer, struct job *job)
{
    switch (job->kind) {
    case JOB_OPEN: do_open(writer, job->tape); return; /* it is part of the tape */
    case JOB_KEEP: do_keep(writer, job->tape, job); break;
    case JOB_END: do_end(writer, job->tape); return; /* it was part of the tape */
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

static void flush(struct writer *writer, struct tape *tape)
{
    struct error why;
    writer_unlock(writer);
    bool good = recorder_flush(tape->recorder, &why);
    writer_lock(writer);
    if (good)
        return;
    fail(tape, &why);
    drop_recorder(writer, tape);
    tell(writer);
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

/* One thing, or none until there is one. */
static void step(struct writer *writer)
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
        flush(writer, tape);
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

static void *run(void *argument)
{
    struct writer *writer = argument;
    pthread_setname_np(pthread_self(), "mp-recorder");
    writer_lock(writer);
    while (writer->first || !writer->stop)
        step(writer);
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
    int code = thread_start(&writer->thread, NULL, run, writer);
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

/* ---- what is handed in ---- */

void writer_queue(struct writer *writer, struct job *job)
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
