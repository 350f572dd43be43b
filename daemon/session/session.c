/* session.c - puts the parts together, starts the ingest thread and ends it. */
#include "session/session.h"

#include "session/ingest.h"
#include "session/program.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct session {
    struct ingest ingest;
    struct program program;  /* what the dialect may look up */
    struct board *own_board; /* NULL: the board is the user's */
    struct wake wake, ended;
    atomic_bool stop;
    pthread_t thread;
    bool started;
};

static struct session_timing complete(const struct session_timing *wanted)
{
    static const struct session_timing defaults = {
        .update_ms = 100,
        .answer_ms = 500,
        .status_ms = 1000,
        .slow_ms = 2000,
        .retry_first_ms = 100,
        .retry_most_ms = 2000,
        .idle_ms = 50,
        .gather_ms = 4,
        .elf_check_ms = 1000,
        .record_flush_ms = 1000,
    };
#define CHOSEN(field) .field = wanted->field ? wanted->field : defaults.field
    return (struct session_timing){
        CHOSEN(update_ms),      CHOSEN(answer_ms),       CHOSEN(status_ms), CHOSEN(slow_ms),
        CHOSEN(retry_first_ms), CHOSEN(retry_most_ms),   CHOSEN(idle_ms),   CHOSEN(gather_ms),
        CHOSEN(elf_check_ms),   CHOSEN(record_flush_ms),
    };
#undef CHOSEN
}

static bool open_finite(struct source *source, struct error *err)
{
    return !source_is_finite(source) || source_open(source, err);
}

static bool prepare_recording(struct ingest *ingest, const struct session_settings *settings,
                              struct error *err)
{
    const char *path = settings->record_path;
    if (!recording_init(&ingest->recording, settings->record_dir, ingest->timing.record_flush_ms, err))
        return false;
    if (path && source_reads_file(ingest->source, path))
        return error_set(err, "%s is the capture that is being read; record into another file.", path);
    return !path || recording_begin_at(&ingest->recording, path, err);
}

static void show_source(struct ingest *ingest, const struct session_settings *settings)
{
    struct snapshot_source *shown = &ingest->shown;
    snprintf(shown->port, sizeof shown->port, "%s", settings->source.spec);
    shown->dialect = settings->dialect->id;
    shown->provides = settings->dialect->provides;
    shown->baud_wanted = settings->source.baud;
    shown->listen_only = !ingest->device.control;
}

struct session *session_new(const struct session_settings *settings, struct board *board, struct error *err)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        error_set(err, "Out of memory while preparing the session.");
        return NULL;
    }
    struct ingest *ingest = &session->ingest;
    ingest->timing = complete(&settings->timing);
    ingest->stop = &session->stop;
    if (!wake_init(&session->wake, err))
        goto free_session;
    if (!wake_init(&session->ended, err))
        goto fini_wake;
    ingest->wake = &session->wake;
    ingest->ended = &session->ended;
    if (!ingest_init(ingest, err))
        goto fini_ended;
    if (!(ingest->source = source_new(&settings->source, err)) || !open_finite(ingest->source, err))
        goto free_source;
    if (!symbols_init(&ingest->symbols, settings->elf_path, err))
        goto free_source;
    struct dialect_settings dialect_settings = settings->dialect_settings;
    if (!program_init(&session->program, &ingest->symbols, err))
        goto fini_symbols;
    program_show(&session->program, &dialect_settings);
    struct event_out out = {ingest_events, ingest};
    if (!(ingest->decoder = decoder_new(settings->dialect, &dialect_settings, &out, err)))
        goto fini_program;
    session->own_board = board ? NULL : board_new();
    ingest->board = board ? board : session->own_board;
    ingest->publishes = board != NULL;
    ingest->mailbox = mailbox_new(&session->wake);
    ingest->profile = profile_new(NULL);
    if (!ingest->board || !ingest->mailbox || !ingest->profile) {
        error_set(err, "Out of memory while preparing the profile.");
        goto free_profile;
    }
    profile_set_symbols(ingest->profile, ingest->symbols.current);
    if (!prepare_recording(ingest, settings, err))
        goto free_profile;

    connection_init(&ingest->connection, ingest->source, ingest->timing.retry_first_ms,
                    ingest->timing.retry_most_ms);
    target_init(&ingest->target, settings->dialect->ticks_per_second);
    bool control =
        settings->control && source_can_write(ingest->source) && settings->dialect->framing == DIALECT_FRAMED;
    device_init(&ingest->device,
                &(struct device_timing){
                    .answer_ms = ingest->timing.answer_ms,
                    .status_ms = ingest->timing.status_ms,
                    .slow_ms = ingest->timing.slow_ms,
                },
                control);
    show_source(ingest, settings);
    return session;

free_profile:
    profile_free(ingest->profile);
    mailbox_free(ingest->mailbox);
    board_free(session->own_board);
    decoder_free(ingest->decoder);
fini_program:
    program_fini(&session->program);
fini_symbols:
    symbols_fini(&ingest->symbols);
free_source:
    source_free(ingest->source);
    ingest_fini(ingest);
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
    struct ingest *ingest = &session->ingest;
    recording_fini(&ingest->recording);
    profile_free(ingest->profile);
    mailbox_close(ingest->mailbox);
    mailbox_free(ingest->mailbox);
    board_free(session->own_board);
    decoder_free(ingest->decoder);
    program_fini(&session->program);
    symbols_fini(&ingest->symbols);
    source_free(ingest->source);
    ingest_fini(ingest);
    wake_fini(&session->ended);
    wake_fini(&session->wake);
    free(session);
}

static void *run(void *argument)
{
    ingest_run(argument);
    return NULL;
}

/* The thread is deaf to signals: they are the main thread's. */
bool session_start(struct session *session, struct error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&session->thread, NULL, run, &session->ingest);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        return error_set_errno(err, code, "Cannot start the thread that reads");
    session->started = true;
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
}

int session_ended_fd(const struct session *session)
{
    return session->ended.fd;
}

bool session_succeeded(const struct session *session, struct error *err)
{
    if (!*session->ingest.failure.text)
        return true;
    return error_set(err, "%s", session->ingest.failure.text);
}

bool session_heard(const struct session *session, struct error *err)
{
    const struct ingest *ingest = &session->ingest;
    if (source_is_finite(ingest->source) || decoder_bytes(ingest->decoder) > 0)
        return true;
    return error_set(
        err,
        ingest->connection.was_open
            ? "Not one byte came from %s, so there is no profile; is the device powered, and its "
              "transmit line connected?"
            : "%s was never there to be read, so there is no profile.",
        source_spec(ingest->source));
}

bool session_recorded(const struct session *session, struct error *err)
{
    const struct error *why = &session->ingest.recording.promise_broken;
    return *why->text ? error_set(err, "%s", why->text) : true;
}

struct mailbox *session_mailbox(struct session *session)
{
    return session->ingest.mailbox;
}

struct snapshot *session_snapshot(struct session *session)
{
    return board_read(session->ingest.board);
}
