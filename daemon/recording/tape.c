/* tape.c - a recording that is being written, as whoever hands in its bytes sees it. */
#include "recording/writer_parts.h"

#include <stdlib.h>
#include <string.h>

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
    pthread_cond_signal(&writer->to_thread); /* what was kept before is flushed some time */
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

/* A copy of what is to be kept, unless there is no room for it. */
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

/* A figure of the tape that the thread may be changing. */
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
