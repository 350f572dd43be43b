/* reader.c - a thread that reads a live source into a ring.
 *
 * Each read is a piece, with its length and arrival time. Reads within a millisecond share a piece. Whenever
 * the ring is empty it is filled from its start again, so that a fast user touches little of it. A full ring
 * is not read into, which makes the sender wait. If the sender would not wait, reading continues, and bytes
 * that do not fit are counted in the next piece. */
#include "source/reader.h"

#include "base/clock.h"
#include "base/smaller.h"
#include "base/thread.h"
#include "base/wake.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECES = 1 << 16,
    PIECE_US = 1000,
    READ_MOST = 160 * 1024, /* per read: at least what can arrive in the longest wait, see stream.h */
    SPAN_US = 100 * 1000,   /* bytes taken at once arrived within this time, and so have one arrival time */
};

struct piece {
    uint64_t end; /* end of its bytes, counted as `head` */
    uint64_t first_us, last_us;
    uint64_t dropped; /* bytes missing before it */
};

struct reader {
    struct source *source;
    pthread_t thread;
    struct wake to_thread, to_taker;
    /* Used by the taker only: when the last bytes taken arrived, the bytes missing before them, and a copy of
     * the source's remark. */
    uint64_t arrival_us, dropped;
    struct error remark;
    unsigned remarks_taken;

    pthread_mutex_t lock; /* of the source and all members below, except bytes not yet taken */
    bool stop;
    bool runs;          /* the source is to be read */
    bool was_open;      /* it is open, as last reported by the thread */
    bool is_known_open; /* ... and known to the taker */
    unsigned remarks;   /* of the source, as last reported by the thread */
    bool is_short;      /* the last read did not fill its space */
    bool taker_sleeps, is_rung;
    bool is_gone;                       /* after the bytes in the ring */
    uint64_t dropped_all, dropped_last; /* in all; and after the bytes in the ring */
    struct error why;
    uint8_t *ring;
    size_t room;
    uint64_t head, tail;  /* bytes put and taken since it was last empty; modulo room they are positions */
    struct piece *pieces; /* a ring, too */
    size_t first, count;
};

static void wake_taker(struct reader *reader)
{
    if (!reader->taker_sleeps)
        return;
    reader->taker_sleeps = false;
    reader->is_rung = true;
    wake_ring(&reader->to_taker);
}

static void note_piece(struct reader *reader, size_t n)
{
    uint64_t now_us = clock_monotonic_ns() / 1000;
    struct piece *last = &reader->pieces[(reader->first + reader->count + PIECES - 1) % PIECES];
    reader->head += n;
    if (reader->count > 0 && now_us - last->first_us < PIECE_US && reader->dropped_last == 0) {
        last->end = reader->head;
        last->last_us = now_us;
        return;
    }
    reader->pieces[(reader->first + reader->count++) % PIECES] = (struct piece){
        .end = reader->head, .first_us = now_us, .last_us = now_us, .dropped = reader->dropped_last};
    reader->dropped_last = 0;
}

static bool is_full(const struct reader *reader)
{
    return reader->head - reader->tail == reader->room || reader->count == PIECES;
}

/* True if a read is possible now. */
static bool has_room(const struct reader *reader)
{
    return !is_full(reader) || reader->source->drops;
}

/* Reads what the system has. */
static void read_once(struct reader *reader)
{
    struct source *source = reader->source;
    size_t at = reader->head % reader->room, n = 0;
    uint8_t lost[4096];
    if (source->is_open && source->outgoing_n > 0)
        source_send_outgoing(source);
    if (!has_room(reader))
        return;
    bool drops = is_full(reader);
    size_t free_n = reader->room - (size_t)(reader->head - reader->tail);
    size_t room = drops ? sizeof lost : smaller_u64(smaller_u64(reader->room - at, free_n), READ_MOST);
    enum source_result result =
        source->ops->read(source, drops ? lost : reader->ring + at, room, &n, &reader->why);
    reader->is_short = result == SOURCE_DATA && n < room;
    if (result == SOURCE_DATA && drops) {
        reader->dropped_all += n;
        reader->dropped_last += n;
    } else if (result == SOURCE_DATA) {
        note_piece(reader, n);
    }
    if (result == SOURCE_GONE || result == SOURCE_ENDED) {
        reader->is_gone = true;
        reader->runs = false;
    }
    bool is_news =
        result != SOURCE_QUIET || source->is_open != reader->was_open || source->remarks != reader->remarks;
    reader->was_open = source->is_open;
    reader->remarks = source->remarks;
    if (is_news)
        wake_taker(reader);
}

/* Waits; returns true if the source is to be read. Reading a little late saves wake-ups
 * (source_patience_ms()). */
static bool wait_for_bytes(struct reader *reader)
{
    struct source_wait wait = {.fd = -1, .timeout_ms = -1};
    pthread_mutex_lock(&reader->lock);
    int side_fd = -1;
    int patience_ms = reader->runs && reader->is_short ? (int)reader->source->patience_ms : 0;
    if (reader->runs && patience_ms == 0 && has_room(reader)) {
        wait = reader->source->ops->poll(reader->source);
        side_fd = reader->source->side_fd;
    }
    reader->is_short = false;
    pthread_mutex_unlock(&reader->lock);
    struct pollfd fds[] = {{.fd = reader->to_thread.fd, .events = POLLIN},
                           {.fd = wait.fd, .events = wait.events},
                           {.fd = side_fd, .events = POLLIN}};
    int ready = poll(fds, 3, patience_ms ? patience_ms : wait.timeout_ms);
    if (fds[0].revents)
        wake_clear(&reader->to_thread);
    return patience_ms == 0 && (fds[1].revents || fds[2].revents || ready == 0);
}

static void *run_reader(void *argument)
{
    struct reader *reader = argument;
    pthread_setname_np(pthread_self(), "mp-reader");
    for (;;) {
        bool is_due = wait_for_bytes(reader);
        pthread_mutex_lock(&reader->lock);
        bool stop = reader->stop;
        /* The source may have been closed and opened again: then there is nothing to read yet. */
        if (is_due && reader->runs && !stop)
            read_once(reader);
        pthread_mutex_unlock(&reader->lock);
        if (stop)
            return NULL;
    }
}

static void free_parts(struct reader *reader)
{
    pthread_mutex_destroy(&reader->lock);
    free(reader->pieces);
    free(reader->ring);
    free(reader);
}

/* While the thread waits for the lock, the holder inherits its priority (if chrt set one). */
static void make_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t inherits;
    pthread_mutexattr_init(&inherits);
    pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT);
    if (pthread_mutex_init(lock, &inherits) != 0)
        pthread_mutex_init(lock, NULL);
    pthread_mutexattr_destroy(&inherits);
}

struct reader *reader_new(struct source *source, size_t room, struct error *err)
{
    struct reader *reader = calloc(1, sizeof *reader);
    int code;
    if (!reader) {
        error_set(err, "Out of memory while preparing %s.", source_spec(source));
        return NULL;
    }
    make_lock(&reader->lock);
    reader->source = source;
    reader->room = room;
    reader->ring = malloc(room);
    reader->pieces = malloc(PIECES * sizeof *reader->pieces);
    if (!reader->ring || !reader->pieces) {
        error_set(err, "Out of memory while preparing %s.", source_spec(source));
        goto free_reader;
    }
    if (!wake_init(&reader->to_thread, err))
        goto free_reader;
    if (!wake_init(&reader->to_taker, err))
        goto fini_wake;
    code = thread_start(&reader->thread, NULL, run_reader, reader);
    if (code == 0)
        return reader;
    error_set_errno(err, code, "Cannot start the thread that reads %s", source_spec(source));
    wake_fini(&reader->to_taker);
fini_wake:
    wake_fini(&reader->to_thread);
free_reader:
    free_parts(reader);
    return NULL;
}

void reader_free(struct reader *reader)
{
    if (!reader)
        return;
    reader_lock(reader);
    reader->stop = true;
    reader_unlock(reader);
    wake_ring(&reader->to_thread);
    pthread_join(reader->thread, NULL);
    wake_fini(&reader->to_taker);
    wake_fini(&reader->to_thread);
    free_parts(reader);
}

void reader_lock(struct reader *reader)
{
    pthread_mutex_lock(&reader->lock);
}

void reader_unlock(struct reader *reader)
{
    pthread_mutex_unlock(&reader->lock);
}

void reader_rouse(struct reader *reader)
{
    wake_ring(&reader->to_thread);
}

static void forget_read_bytes(struct reader *reader)
{
    reader->head = reader->tail = reader->first = reader->count = 0;
    reader->dropped = reader->dropped_all;
    reader->dropped_last = 0;
    reader->is_gone = reader->is_short = reader->was_open = reader->is_known_open = false;
}

void reader_begin(struct reader *reader)
{
    forget_read_bytes(reader);
    reader->was_open = reader->source->is_open;
    reader->runs = true;
    reader_rouse(reader);
}

void reader_end(struct reader *reader)
{
    forget_read_bytes(reader);
    reader->runs = false;
    reader_rouse(reader);
}

bool reader_is_open(struct reader *reader)
{
    reader->is_known_open = reader->source->is_open;
    return reader->is_known_open;
}

/* True if the taker has something to do at once. */
static bool has_news(const struct reader *reader)
{
    return reader->head > reader->tail || reader->dropped_last > 0 || reader->is_gone ||
           (reader->source->is_open && !reader->is_known_open) ||
           reader->source->remarks != reader->remarks_taken;
}

struct source_wait reader_poll(struct reader *reader)
{
    reader_lock(reader);
    bool news = has_news(reader);
    reader->taker_sleeps = !news;
    reader_unlock(reader);
    return (struct source_wait){.fd = reader->to_taker.fd, .events = POLLIN, .timeout_ms = news ? 0 : -1};
}

/* The number of bytes at the front that arrived at about the same time. */
static size_t choose_piece(struct reader *reader, size_t room)
{
    struct piece *first = &reader->pieces[reader->first];
    reader->dropped += first->dropped;
    first->dropped = 0;
    size_t n = (size_t)(first->end - reader->tail);
    room = smaller_u64(room, reader->room - reader->tail % reader->room);
    reader->arrival_us = first->last_us;
    for (size_t i = 1; i < reader->count && n < room; i++) {
        const struct piece *piece = &reader->pieces[(reader->first + i) % PIECES];
        if (piece->last_us - first->first_us > SPAN_US || piece->dropped > 0)
            break;
        n = (size_t)(piece->end - reader->tail);
        reader->arrival_us = piece->last_us;
    }
    return smaller_u64(n, room);
}

static void release_read_bytes(struct reader *reader, size_t n)
{
    bool was_full = is_full(reader);
    reader->tail += n;
    while (reader->count > 0 && reader->pieces[reader->first].end <= reader->tail) {
        reader->first = (reader->first + 1) % PIECES;
        reader->count--;
    }
    if (reader->tail == reader->head)
        reader->head = reader->tail = reader->first = 0;
    if (was_full && !is_full(reader))
        reader_rouse(reader);
}

/* True if the system has, or may have, bytes. Polled without the lock: polling a terminal waits for the
 * kernel's worker that brings its bytes, and the thread must not wait for that twice. */
static bool may_have_more(struct reader *reader)
{
    struct source_wait wait = reader->source->ops->poll(reader->source);
    struct pollfd fds[] = {{.fd = wait.fd, .events = wait.events},
                           {.fd = reader->source->side_fd, .events = POLLIN}};
    if (wait.fd < 0 || wait.timeout_ms == 0)
        return true;
    reader_unlock(reader);
    int ready = poll(fds, 2, 0);
    reader_lock(reader);
    return ready != 0;
}

/* True if the source is to be read and the ring is empty. */
static bool is_drained(const struct reader *reader)
{
    return reader->runs && reader->head == reader->tail;
}

enum source_result reader_take(struct reader *reader, void *bytes, size_t room, size_t *n, struct error *err)
{
    enum source_result result = SOURCE_QUIET;
    *n = 0;
    reader_lock(reader);
    reader->taker_sleeps = false;
    if (reader->is_rung)
        wake_clear(&reader->to_taker);
    reader->is_rung = false;
    if (is_drained(reader) && may_have_more(reader) && is_drained(reader))
        read_once(reader);
    bool may_have = reader->is_known_open || !reader->source->is_open;
    if (may_have && reader->head > reader->tail) {
        *n = choose_piece(reader, room);
        result = SOURCE_DATA;
    } else if (may_have && reader->dropped_last > 0) {
        reader->dropped += reader->dropped_last;
        reader->dropped_last = 0;
    } else if (may_have && reader->is_gone) {
        if (err)
            *err = reader->why;
        result = SOURCE_GONE;
    }
    const uint8_t *from = reader->ring + reader->tail % reader->room;
    reader_unlock(reader);
    if (*n == 0)
        return result;
    memcpy(bytes, from, *n);
    reader_lock(reader);
    release_read_bytes(reader, *n);
    reader_unlock(reader);
    return result;
}

uint64_t reader_arrival_us(const struct reader *reader)
{
    return reader->arrival_us;
}

uint64_t reader_dropped(const struct reader *reader)
{
    return reader->dropped;
}

const char *reader_remark(struct reader *reader)
{
    reader_lock(reader);
    reader->remark = reader->source->remark;
    reader->remarks_taken = reader->source->remarks;
    reader_unlock(reader);
    return reader->remark.text;
}
