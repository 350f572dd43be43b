/* ingest_init.c - makes the parts of the ingest thread, in the order in which they need one another. */
#include "session/ingest.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

static bool make_source(struct ingest *ingest, const struct source_settings *settings, struct error *err)
{
    ingest->source = source_new(settings, err);
    return ingest->source && (!source_is_finite(ingest->source) || source_open(ingest->source, err));
}

/* Before the ELF is read, which may take seconds: what comes meanwhile waits in the ring. */
static bool begin_reading(struct ingest *ingest, const struct session_settings *settings, struct error *err)
{
    const struct session_timing *timing = &ingest->timing;
    connection_init(&ingest->connection, ingest->source, timing->retry_first_ms, timing->retry_most_ms);
    if (source_is_finite(ingest->source))
        return true;
    if (!source_read_ahead(ingest->source, settings->ring, err))
        return false;
    if (settings->elfs && settings->elfs->n > 0)
        connection_begin(&ingest->connection, clock_monotonic_ms());
    return true;
}

static bool make_decoder(struct ingest *ingest, const struct session_settings *settings, struct error *err)
{
    struct dialect_settings dialect_settings = settings->dialect_settings;
    if (!program_init(&ingest->program, &ingest->symbols, err))
        return false;
    program_show(&ingest->program, &dialect_settings);
    struct event_out out = {ingest_events, ingest};
    ingest->decoder = decoder_new(settings->dialect, &dialect_settings, &out, err);
    return ingest->decoder != NULL;
}

static bool make_profile(struct ingest *ingest, struct error *err)
{
    ingest->buffer = malloc(INGEST_BUFFER_SIZE);
    ingest->profile = profile_new(NULL);
    if (!ingest->buffer || !ingest->profile)
        return error_set(err, "Out of memory while preparing the profile.");
    profile_set_symbols(ingest->profile, ingest->symbols.current);
    return true;
}

static bool make_recording(struct ingest *ingest, const struct session_settings *settings, struct error *err)
{
    const char *path = settings->record_path;
    const struct recorder_terms terms = {.flush_ms = ingest->timing.record_flush_ms,
                                         .most = settings->record_most};
    if (!recording_init(&ingest->recording, settings->record_dir, &terms, err))
        return false;
    if (path && source_reads_file(ingest->source, path))
        return error_set(err, "%s is the capture that is being read; record into another file.", path);
    return !path || recording_begin_at(&ingest->recording, path, err);
}

enum { KEEP_MS = 5000, KEEP_FILES = 16, KEEP_MIB = 64 };

static bool make_keeper(struct ingest *ingest, const struct session_settings *settings, struct error *err)
{
    const struct keeper_terms terms = {.dir = settings->keep_dir,
                                       .around_ms = settings->keep_ms ? settings->keep_ms : KEEP_MS,
                                       .files = settings->keep_files ? settings->keep_files : KEEP_FILES,
                                       .most = settings->keep_most ? settings->keep_most
                                                                   : (uint64_t)KEEP_MIB << 20,
                                       .flush_ms = ingest->timing.record_flush_ms};
    return keeper_init(&ingest->keeper, &terms, err);
}

/* The parts that cannot fail. */
static void make_rest(struct ingest *ingest, const struct session_settings *settings)
{
    const struct session_timing *timing = &ingest->timing;
    const struct device_timing device_timing = {.answer_ms = timing->answer_ms,
                                                .describe_ms = timing->describe_ms,
                                                .status_ms = timing->status_ms,
                                                .slow_ms = timing->slow_ms};
    bool control = settings->control && source_can_write(ingest->source) &&
                   decoder_dialect(ingest->decoder)->framing == DIALECT_FRAMED;
    target_init(&ingest->target, settings->dialect ? settings->dialect->ticks_per_second : 0);
    device_init(&ingest->device, &device_timing, control);
    ingest->baud_home = settings->source.baud;
    device_raise_baud(&ingest->device, settings->baud_most);
    if (settings->visits)
        device_visit(&ingest->device);
    if (settings->measures)
        device_begin_own(&ingest->device);
    ingest->target.told.mode_wanted = settings->mode;
    device_want_mode(&ingest->device, settings->mode, decoder_dialect(ingest->decoder)->versions, 0);

    ingest->beat.every_ms = timing->update_ms;
    struct snapshot_source *shown = &ingest->shown;
    snprintf(shown->port, sizeof shown->port, "%s", settings->source.spec);
    shown->dialect = settings->dialect ? settings->dialect->id : "auto";
    shown->baud_wanted = settings->source.baud;
    shown->listen_only = !control;
}

bool ingest_init(struct ingest *ingest, const struct session_settings *settings,
                 const struct ingest_ties *ties, struct error *err)
{
    *ingest = (struct ingest){.ties = *ties, .timing = session_timing_complete(&settings->timing)};
    ingest->pulse.most_ms = ingest->timing.stuck_ms;
    if (make_source(ingest, &settings->source, err) && begin_reading(ingest, settings, err) &&
        symbols_init(&ingest->symbols, settings->elfs, err) && make_decoder(ingest, settings, err) &&
        make_profile(ingest, err) && make_recording(ingest, settings, err) &&
        make_keeper(ingest, settings, err)) {
        make_rest(ingest, settings);
        if (ingest_begin_trigger(ingest, settings->trigger, err) &&
            ingest_begin_limits(ingest, settings->limits, settings->limits_n, err) &&
            ingest_begin_work(ingest, settings, err))
            return true;
    }
    ingest_fini(ingest);
    return false;
}

bool ingest_start(struct ingest *ingest, struct error *err)
{
    if (source_is_finite(ingest->source))
        return true;
    ingest->writer = writer_new(0, ingest->ties.wake, err);
    recording_write_by(&ingest->recording, ingest->writer);
    keeper_write_by(&ingest->keeper, ingest->writer);
    return ingest->writer != NULL;
}

void ingest_fini(struct ingest *ingest)
{
    recording_fini(&ingest->recording);
    keeper_fini(&ingest->keeper);
    writer_free(ingest->writer);
    profile_free(ingest->profile);
    free(ingest->buffer);
    examiner_fini(&ingest->examiner);
    decoder_free(ingest->decoder);
    program_fini(&ingest->program);
    symbols_fini(&ingest->symbols);
    source_free(ingest->source);
}
