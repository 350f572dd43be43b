/* session.c - assembles the parts, and starts and ends the ingest thread. */
#include "session/session.h"

#include "base/clock.h"
#include "base/thread.h"
#include "session/ingest.h"
#include "session/symbol_loader.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

struct session {
    struct ingest ingest;
    struct symbol_loader loader; /* of the ELF; runs while snapshots are published */
    struct board *board;
    struct board *own_board; /* NULL: the caller's board is used */
    struct mailbox *mailbox;
    struct wake wake, ended;
    struct wake done; /* rung when the thread has ended */
    atomic_bool stop;
    pthread_t thread;
    bool started, is_quiet;
};

struct session *session_new(const struct session_settings *settings, struct board *board, struct error *err)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        error_set(err, "Out of memory while preparing the session.");
        return NULL;
    }
    session->is_quiet = settings->is_quiet;
    if (!wake_init(&session->wake, err))
        goto free_session;
    if (!wake_init(&session->ended, err))
        goto fini_wake;
    if (!wake_init(&session->done, err))
        goto fini_ended;
    session->own_board = board ? NULL : board_new();
    session->board = board ? board : session->own_board;
    session->mailbox = mailbox_new(&session->wake);
    if (!session->board || !session->mailbox) {
        error_set(err, "Out of memory while preparing the session.");
        goto free_handoff;
    }
    const struct ingest_ties ties = {
        .board = session->board,
        .mailbox = session->mailbox,
        .wake = &session->wake,
        .ended = &session->ended,
        .stop = &session->stop,
        .publishes = board != NULL,
    };
    if (settings->elfs && settings->elfs->n > 0)
        symbol_loader_init(&session->loader, settings->elfs);
    log_mute(settings->is_quiet);
    bool good = ingest_init(&session->ingest, settings, &ties, err);
    log_mute(false);
    if (good)
        return session;

free_handoff:
    mailbox_free(session->mailbox);
    board_free(session->own_board);
    wake_fini(&session->done);
fini_ended:
    wake_fini(&session->ended);
fini_wake:
    wake_fini(&session->wake);
free_session:
    free(session);
    return NULL;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    session_stop(session);
    symbol_loader_stop(&session->loader);
    ingest_fini(&session->ingest);
    mailbox_close(session->mailbox);
    mailbox_free(session->mailbox);
    board_free(session->own_board);
    wake_fini(&session->done);
    wake_fini(&session->ended);
    wake_fini(&session->wake);
    free(session);
}

static void *run_ingest_thread(void *argument)
{
    struct session *session = argument;
    log_mute(session->is_quiet);
    ingest_run(&session->ingest);
    wake_ring(&session->done);
    return NULL;
}

bool session_start(struct session *session, struct error *err)
{
    if (!ingest_start(&session->ingest, err))
        return false;
    int code = thread_start(&session->thread, NULL, run_ingest_thread, session);
    if (code != 0)
        return error_set_errno(err, code, "Cannot start the thread that adds up");
    session->started = true;
    const struct ingest *ingest = &session->ingest;
    if (!ingest->symbols.elfs || !ingest->ties.publishes)
        return true;
    return symbol_loader_start(&session->loader, session->mailbox, ingest->timing.elf_check_ms, err);
}

/* Waits for the thread as long as no piece of its work takes more than `most_ms` from now. Waits in slices,
 * so that time in which the whole process was stopped, by a debugger or a container, counts as one slice. */
static bool await_end(const struct session *session, uint32_t most_ms)
{
    enum { SLICE_MS = 100 };
    struct pollfd done = {.fd = session->done.fd, .events = POLLIN};
    uint64_t piece_ms = 0;
    for (uint32_t waited_ms = 0; waited_ms < most_ms; waited_ms += SLICE_MS) {
        uint64_t since_ms = pulse_since_ms(&session->ingest.pulse);
        if (since_ms == 0 || since_ms != piece_ms)
            waited_ms = 0;
        piece_ms = since_ms;
        if (poll(&done, 1, SLICE_MS) > 0)
            return true;
    }
    return false;
}

bool session_stop_within(struct session *session, uint32_t most_ms)
{
    if (!session->started)
        return true;
    atomic_store(&session->stop, true);
    wake_ring(&session->wake);
    if (!await_end(session, most_ms))
        return false;
    session_stop(session);
    return true;
}

void session_stop(struct session *session)
{
    if (!session->started)
        return;
    session->started = false;
    atomic_store(&session->stop, true);
    wake_ring(&session->wake);
    pthread_join(session->thread, NULL);
    symbol_loader_leave(&session->loader);
}

void session_stopped_by(struct session *session, enum snapshot_end why)
{
    atomic_store(&session->ingest.work.stopped_by, (int)why);
}

int session_ended_fd(const struct session *session)
{
    return session->ended.fd;
}

bool session_has_worked(const struct session *session)
{
    return atomic_load(&session->ingest.work.is_done);
}

bool session_worked(const struct session *session, struct error *err)
{
    const struct ingest_work *work = &session->ingest.work;
    const enum snapshot_end end = session->ingest.shown.measurement.end;
    bool has_left = end == SNAPSHOT_END_SOURCE || end == SNAPSHOT_END_GONE;
    return work->calls == 0 || session_has_worked(session) ||
           error_set(err, "%.200s was called %llu of %llu times (--work), then the %s; %s a smaller --work.",
                     work->function, (unsigned long long)work->counted, (unsigned long long)work->calls,
                     has_left ? "program ended" : "measurement ended",
                     has_left ? "let it run longer, or give" : "give more --duration, or");
}

bool session_succeeded(const struct session *session, struct error *err)
{
    if (!*session->ingest.failure.text)
        return true;
    return error_set(err, "%s", session->ingest.failure.text);
}

static bool explain_silence(const struct ingest *ingest, struct error *err)
{
    const char *spec = source_spec(ingest->source);
    if (source_is_finite(ingest->source))
        return error_set(err, "%s is empty, so there is no profile; record it again.", spec);
    if (!ingest->connection.was_open)
        return error_set(
            err,
            "%s was never there to be read, so there is no profile; connect the board, or look for its "
            "port with --list-ports.",
            spec);
    return error_set(
        err,
        "Not one byte came from %s, so there is no profile; is the device powered, its transmit line "
        "connected, and its speed this one?",
        spec);
}

static bool explain_nonsense(const struct ingest *ingest, uint64_t bytes, struct error *err)
{
    const char *spec = source_spec(ingest->source), *looks_like = ingest->shown.looks_like;
    const char *dialect = decoder_dialect(ingest->decoder)->id;
    if (ingest->shown.disguise)
        return error_set(err, "Nothing in the %llu bytes of %s can be read as %s, so there is no profile. %s",
                         (unsigned long long)bytes, spec, dialect, ingest->shown.disguise);
    if (looks_like)
        return error_set(
            err, "Nothing in the %llu bytes of %s makes sense as %s; they look like %s: use --dialect %s.",
            (unsigned long long)bytes, spec, dialect, looks_like, looks_like);
    return error_set(
        err,
        "Nothing in the %llu bytes of %s makes sense as %s, so there is no profile; check the speed of "
        "both sides, or name what it is with --dialect.",
        (unsigned long long)bytes, spec, dialect);
}

bool session_heard(const struct session *session, struct error *err)
{
    const struct ingest *ingest = &session->ingest;
    struct snapshot_link link = {0};
    decoder_tell(ingest->decoder, &link);
    examiner_tell(&ingest->examiner, ingest->decoder, &link);
    if (link.bytes == 0)
        return explain_silence(ingest, err);
    return link.packets > 0 || link.records > 0 || session_empty(session) ||
           explain_nonsense(ingest, link.bytes, err);
}

/* On a live line, the same bytes mean a stuck line. */
const char *session_empty(const struct session *session)
{
    const struct ingest *ingest = &session->ingest;
    return source_is_finite(ingest->source) ? decoder_empty(ingest->decoder) : NULL;
}

bool session_ran(const struct session *session, struct error *err)
{
    uint64_t mute_ms = session->ingest.target.told.mute_ms;
    if (session->ingest.device.start_unanswered)
        return error_set(
            err, "The device said who it is and never answered START, so whether it profiled is not known; "
                 "check that its program goes on to poll the agent.");
    return !mute_ms || error_set(err,
                                 "The device answered nothing at the end, and had sent nothing for %.1f s; "
                                 "check that its program runs and goes on to poll the agent.",
                                 (double)mute_ms / 1000);
}

bool session_recorded(const struct session *session, struct error *err)
{
    const struct error *why = &session->ingest.recording.promise_broken;
    return *why->text ? error_set(err, "%s", why->text) : true;
}

struct mailbox *session_mailbox(struct session *session)
{
    return session->mailbox;
}

const struct pulse *session_pulse(const struct session *session)
{
    return &session->ingest.pulse;
}

uint64_t session_bytes_read(const struct session *session)
{
    return atomic_load_explicit(&session->ingest.bytes_read, memory_order_relaxed);
}

struct snapshot *session_snapshot(struct session *session)
{
    return board_read(session->board);
}
