/* ingest.c - the ingest thread.
 *
 * A loop does what is due, then sleeps until the next thing is due, bytes arrive, or another thread wakes it.
 * Each part has a deadline, so there is no polling. A source that always has bytes (a file) is read without
 * sleep, with orders and updates in between. */
#include "session/ingest.h"

#include "base/clock.h"
#include "protocol/frame.h"
#include "recording/parts.h"
#include "symbol/nearest.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t earlier_us(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- ends of the session other than by its user ---- */

/* Ends: enough calls of the function of --work, or a device that is gone. */

enum { GONE_MS = 3000, NEVER_THERE_MS = 10000 };

/* True unless the ELF lacks the name, so that waiting for it would never end. */
static bool may_come(const struct ingest *ingest, const char *name, struct error *err)
{
    const struct symtab *symtab = ingest->symbols.current;
    if (!symtab || strncmp(name, "0x", 2) == 0 || symtab_find_name(symtab, name) != SYMTAB_NONE)
        return true;
    uint32_t nearest = symtab_nearest(symtab, name);
    if (nearest == SYMTAB_NONE)
        return error_set(err, "--work names the function '%.80s', and %.120s has no functions.", name,
                         ingest->symbols.name);
    return error_set(err, "--work names the function '%.80s', which %.120s lacks; the nearest is '%.120s'.",
                     name, ingest->symbols.name, symtab_at(symtab, nearest)->name);
}

/* Stores when the session ends. Returns false with an error for an unknown function. */
static bool ingest_begin_work(struct ingest *ingest, const struct session_settings *settings,
                              struct error *err)
{
    ingest->work.function = settings->work;
    ingest->work.calls = settings->work_calls;
    ingest->work.ends_when_gone = settings->ends_when_gone;
    return settings->work_calls == 0 || may_come(ingest, settings->work, err);
}

/* Counts calls; returns true once, when the work is done. */
static bool ingest_has_worked(struct ingest *ingest)
{
    struct ingest_work *work = &ingest->work;
    if (work->calls == 0 || atomic_load(&work->is_done) || device_awaits_own_run(&ingest->device))
        return false;
    work->counted = profile_calls_of(ingest->profile, work->function, &work->row);
    if (work->counted < work->calls)
        return false;
    atomic_store(&work->is_done, true);
    return true;
}

/* The time when a live source counts as gone for good, or as missing for good; UINT64_MAX: never. */
static uint64_t ingest_gone_ms(const struct ingest *ingest)
{
    const struct connection *connection = &ingest->connection;
    if (!ingest->work.ends_when_gone || source_is_finite(ingest->source))
        return UINT64_MAX;
    if (connection->state == STATE_LOST)
        return connection->lost_ms + GONE_MS;
    return connection->state == STATE_CONNECTING && !connection->was_open
               ? ingest->work.begun_ms + NEVER_THERE_MS
               : UINT64_MAX;
}

/* ---- the parts ---- */

/* Made in the order of their dependencies. */

static bool make_source(struct ingest *ingest, const struct source_settings *settings, struct error *err)
{
    ingest->source = source_new(settings, err);
    return ingest->source && (!source_is_finite(ingest->source) || source_open(ingest->source, err));
}

/* Called before the ELF is read, which may take seconds: bytes received meanwhile wait in the ring. */
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

/* Makes the parts that cannot fail. */
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
    shown->measurement =
        (struct snapshot_measurement){.is_set = settings->measures,
                                      .function = settings->work_calls > 0 ? settings->work : NULL,
                                      .calls = settings->work_calls};
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

/* ---- the wire ---- */

static void send_commands(struct ingest *ingest, uint64_t now_ms)
{
    struct mp_command command;
    ingest_follow_baud(ingest, now_ms);
    while (device_next(&ingest->device, now_ms, &command)) {
        uint8_t bytes[MP_COMMAND_SIZE];
        struct error err;
        mp_command_encode(&command, bytes);
        /* A command that could not be sent gets no answer, and is then sent again. */
        if (!source_write(ingest->source, bytes, sizeof bytes, &err))
            log_write(LOG_DEBUG, "%s", err.text);
        else if (command.code == MP_GET_STATUS || command.code == MP_GET_METADATA)
            answers_ask(&ingest->answers, clock_monotonic_ns() / 1000);
    }
    ingest_follow_baud(ingest, now_ms); /* giving up a command can change the rate */
}

/* The next bytes do not continue the last ones. */
static void break_off(struct ingest *ingest)
{
    examiner_break(&ingest->examiner, ingest->decoder);
    decoder_break(ingest->decoder);
}

static void lose_connection(struct ingest *ingest, const struct error *why, uint64_t now_ms)
{
    if (connection_lose(&ingest->connection, why, now_ms))
        ingest->urgent = true;
    break_off(ingest);
    ingest_tell_dialect(ingest);
    device_disconnect(&ingest->device);
}

/* Completed work takes precedence over other reasons. */
static enum snapshot_end find_end(const struct ingest *ingest, bool is_gone)
{
    enum snapshot_end stopped_by = (enum snapshot_end)atomic_load(&ingest->work.stopped_by);
    if (atomic_load(&ingest->work.is_done))
        return SNAPSHOT_END_WORK;
    if (stopped_by != SNAPSHOT_GOES_ON)
        return stopped_by;
    if (source_is_finite(ingest->source))
        return SNAPSHOT_END_SOURCE;
    return is_gone ? SNAPSHOT_END_GONE : SNAPSHOT_END_SIGNAL;
}

/* Nothing more will come: places and shows everything, and reports the end. Does not wait for a stalled
 * disk. */
static void end_ingest(struct ingest *ingest, const struct error *why, uint64_t now_ms)
{
    enum { DISK_MS = 1000 };
    const bool is_gone = now_ms >= ingest_gone_ms(ingest);
    connection_end(&ingest->connection, why);
    recording_close(&ingest->recording);
    if (why)
        ingest->failure = *why;
    examiner_finish(&ingest->examiner, ingest->decoder);
    decoder_finish(ingest->decoder);
    ingest_has_worked(ingest); /* the last call may have waited for more bytes */
    loss_confirm(&ingest->loss);
    ingest_follow_limits(ingest);
    keeper_finish(&ingest->keeper);
    pulse_rest(&ingest->pulse); /* waiting does not count as work */
    writer_drain(ingest->writer, now_ms + DISK_MS);
    pulse_begin(&ingest->pulse, clock_monotonic_ms());
    keeper_rest(&ingest->keeper, now_ms);
    ingest_answer_recording(ingest);
    recording_finish(&ingest->recording);
    ingest_tell_dialect(ingest);
    device_disconnect(&ingest->device);
    ingest->shown.measurement.end = find_end(ingest, is_gone);
    ingest_publish(ingest, now_ms, true);
    wake_ring(ingest->ties.ended);
}

/* Reading a live source a little late saves wake-ups, but must not block the sender, nor delay the answer to a
 * command. */
static uint64_t gather_ms(const struct ingest *ingest)
{
    enum { ANSWER_MS = 20 };
    uint64_t most_ms = earlier_us(ingest->timing.gather_ms, source_patience_ms(ingest->source));
    return device_awaits_answer(&ingest->device) ? earlier_us(most_ms, ANSWER_MS) : most_ms;
}

/* The arrival time for recorded bytes, never earlier than the start of the recording. */
static uint64_t recorded_us(struct ingest *ingest)
{
    bool is_live = !source_is_finite(ingest->source);
    uint64_t came_us = is_live ? source_arrival_us(ingest->source) : clock_monotonic_ns() / 1000;
    if (came_us > ingest->recorded_us)
        ingest->recorded_us = came_us;
    return ingest->recorded_us;
}

static void record_bytes(struct ingest *ingest, const uint8_t *bytes, size_t n)
{
    uint64_t now_us = recorded_us(ingest);
    struct tape_head head = {0};
    if (!ingest->examiner.undo) { /* else the decoder's bytes differ from those recorded */
        head.known = decoder_introduction(ingest->decoder, &head.known_n);
        head.unfinished = decoder_unfinished(ingest->decoder, &head.unfinished_n);
    }
    if (recording_keep(&ingest->recording, now_us, &head, bytes, n))
        ingest->urgent = true;
    if (keeper_take(&ingest->keeper, now_us, bytes, n))
        ingest->urgent = true;
}

/* The number of bytes to decode at once. While recording, a part of the recording must hold several slices:
 * it begins at the packet in progress, which is known only from decoded bytes. If work ends the session,
 * slices are small, so that few bytes follow its end. */
static size_t slice_size(const struct ingest *ingest, size_t n)
{
    enum { SLICE = 16 * 1024, WORK_SLICE = 1024 };
    _Static_assert(SLICE <= RECORDER_LEAST / PARTS_MOST / 4, "a part has room for slices and for its head");
    if (ingest->work.calls > 0)
        return WORK_SLICE;
    return recording_is_on(&ingest->recording) ? SLICE : n;
}

/* Records and decodes what was read. Returns true if no more of a finite source is to be read, because its
 * work is done. For a device, the session's owner stops it, and the device sends its remaining data. */
static bool ingest_bytes(struct ingest *ingest, const uint8_t *bytes, size_t n)
{
    size_t most = slice_size(ingest, n);
    uint64_t arrival_us = source_arrival_us(ingest->source);
    bool is_enough = false;
    ingest_pass_time(ingest, arrival_us);
    for (size_t taken = 0; taken < n && !is_enough; taken += most) {
        size_t slice = n - taken < most ? n - taken : most;
        record_bytes(ingest, bytes + taken, slice);
        examiner_feed(&ingest->examiner, ingest->decoder, bytes + taken, slice);
        if (!ingest_has_worked(ingest))
            continue;
        is_enough = source_is_finite(ingest->source);
        if (!is_enough)
            wake_ring(ingest->ties.ended);
    }
    ingest_follow_clock(ingest, arrival_us);
    return is_enough;
}

static uint64_t idle_deadline_ms(const struct ingest *ingest)
{
    /* Standard input can be quiet, too, but only the detection of the dialect is ended then, not a packet. */
    bool may_wait = source_is_finite(ingest->source) && decoder_choice(ingest->decoder) != DECODER_UNDECIDED;
    bool waits = !ingest->idle_told && !may_wait &&
                 (decoder_is_waiting(ingest->decoder) || examiner_is_waiting(&ingest->examiner)) &&
                 ingest->connection.state == STATE_CONNECTED;
    return waits ? ingest->heard_ms + ingest->timing.idle_ms : UINT64_MAX;
}

/* Handles a quiet line. Only a read without result shows that: sent bytes may not be read yet. */
static void follow_silence(struct ingest *ingest, uint64_t now_ms)
{
    if (now_ms < idle_deadline_ms(ingest))
        return;
    ingest->idle_told = true;
    examiner_idle(&ingest->examiner, ingest->decoder);
    decoder_idle(ingest->decoder);
    ingest_tell_dialect(ingest);
}

/* Handles bytes dropped before those just read, as a gap. */
static void follow_dropped(struct ingest *ingest)
{
    uint64_t dropped = source_dropped(ingest->source);
    if (dropped == ingest->dropped)
        return;
    uint64_t missing = dropped - ingest->dropped;
    if (log_gate_open(&ingest->dropped_gate))
        log_write(LOG_WARNING,
                  source_is_finite(ingest->source)
                      ? "%s has a gap: the machine that recorded it had no room for %llu bytes."
                      : "This machine does not keep up with %s: %llu bytes found no room in the buffer of "
                        "the line.",
                  source_spec(ingest->source), (unsigned long long)missing);
    recording_skip(&ingest->recording, missing);
    keeper_skip(&ingest->keeper, missing);
    ingest->dropped = dropped;
    ingest->changed = true;
    break_off(ingest);
}

/* True if something came. */
static bool read_source(struct ingest *ingest, uint64_t now_ms)
{
    size_t n;
    struct error why = {""};
    enum source_result result = source_read(ingest->source, ingest->buffer, INGEST_BUFFER_SIZE, &n, &why);
    follow_dropped(ingest);
    switch (result) {
    case SOURCE_DATA:
        throughput_wake(&ingest->throughput, now_ms, examiner_bytes(&ingest->examiner, ingest->decoder),
                        decoder_records(ingest->decoder));
        atomic_fetch_add_explicit(&ingest->bytes_read, n, memory_order_relaxed);
        if (ingest_bytes(ingest, ingest->buffer, n))
            end_ingest(ingest, NULL, now_ms);
        ingest_follow_limits(ingest);
        ingest_tell_dialect(ingest);
        ingest->heard_ms = now_ms;
        ingest->idle_told = false;
        ingest->changed = true;
        if (n < INGEST_BUFFER_SIZE)
            ingest->gather_until_ms = now_ms + gather_ms(ingest);
        return true;
    case SOURCE_QUIET: follow_silence(ingest, now_ms); break;
    case SOURCE_GONE:
        if (source_is_finite(ingest->source))
            end_ingest(ingest, &why, now_ms);
        else
            lose_connection(ingest, &why, now_ms);
        break;
    case SOURCE_ENDED: end_ingest(ingest, NULL, now_ms); break;
    }
    return false;
}

static void connect_source(struct ingest *ingest, uint64_t now_ms)
{
    switch (connection_step(&ingest->connection, now_ms)) {
    case CONNECTION_NOTHING: return;
    case CONNECTION_CHANGED: break;
    case CONNECTION_MADE:
        ingest->shown.recorded_wall_ns = source_recorded_wall_ns(ingest->source);
        device_connect(&ingest->device, ingest_open_baud(ingest), now_ms);
        target_connect(&ingest->target);
        ingest->answers = (struct answers){0};
        break;
    }
    ingest->urgent = true;
}

/* ---- deadlines ---- */

static bool has_news(const struct ingest *ingest)
{
    return ingest->changed || ingest->urgent || profile_changed(ingest->profile);
}

static uint64_t publish_deadline_ms(const struct ingest *ingest)
{
    if (!ingest->ties.publishes)
        return UINT64_MAX;
    if (ingest->urgent)
        return 0;
    if (has_news(ingest))
        return ingest->beat.next_ms;
    return throughput_deadline_ms(&ingest->throughput, ingest->bytes_shown);
}

/* Logs the source's remark once, until it changes. While there is no open source, the connection reports
 * why. */
static void follow_remark(struct ingest *ingest)
{
    const char *remark = source_remark(ingest->source);
    if (ingest->connection.state != STATE_CONNECTED || strcmp(ingest->remark.text, remark) == 0)
        return;
    error_set(&ingest->remark, "%s", remark);
    ingest->urgent = true;
    if (*remark)
        log_write(LOG_WARNING, "%s", remark);
}

/* The silence after which all was sent: the time of two full packets, but at least quiet_ms. The target sends
 * when its program polls. */
static uint64_t quiet_ms(const struct ingest *ingest)
{
    enum { FULL_PACKET = 1024, BITS_OF_TWO = 2 * 10 };
    uint32_t baud = source_baud(ingest->source), told = ingest->target.told.description.packet_bytes;
    uint64_t bytes = (told ? told : FULL_PACKET) + MP_FRAME_OVERHEAD;
    uint64_t two_ms = baud ? bytes * BITS_OF_TWO * 1000 / baud : 0;
    return two_ms > ingest->timing.quiet_ms ? two_ms : ingest->timing.quiet_ms;
}

/* When the line counts as quiet if nothing comes. */
static uint64_t quiet_deadline_ms(const struct ingest *ingest)
{
    uint64_t since_ms = ingest->heard_ms > ingest->drain_ms ? ingest->heard_ms : ingest->drain_ms;
    return since_ms + quiet_ms(ingest);
}

/* When reading a stopped device ends, whatever comes. A tree of a device that reports its end may be large,
 * on a slow line. */
static uint64_t drain_end_ms(const struct ingest *ingest)
{
    enum { LARGE_TREE = 5 };
    bool is_large = ingest->device.closes && ingest->device.mode == MODE_TREE;
    return ingest->drain_ms + (uint64_t)ingest->timing.drain_most_ms * (is_large ? LARGE_TREE : 1);
}

static uint64_t drain_deadline_ms(const struct ingest *ingest)
{
    if (!device_is_draining(&ingest->device))
        return UINT64_MAX;
    return earlier_us(quiet_deadline_ms(ingest), drain_end_ms(ingest));
}

/* Reads the remaining data of a stopped device. Only a read without result shows that the line is quiet: sent
 * bytes may not be read yet. */
static void follow_drain(struct ingest *ingest, uint64_t now_ms)
{
    if (!device_is_draining(&ingest->device))
        return;
    if (!ingest->drain_ms)
        ingest->drain_ms = now_ms;
    if (now_ms < drain_deadline_ms(ingest))
        return;
    if (connection_is_readable(&ingest->connection))
        read_source(ingest, now_ms);
    if (now_ms >= drain_end_ms(ingest))
        device_heard_out(&ingest->device);
    else if (device_is_draining(&ingest->device) && now_ms >= quiet_deadline_ms(ingest))
        device_line_is_quiet(&ingest->device);
}

/* Reads answers that arrived in time, before a deadline of the device is checked. */
static void read_before_deadline(struct ingest *ingest, uint64_t now_ms)
{
    uint64_t deadline_ms;
    do
        deadline_ms = device_deadline_ms(&ingest->device);
    while (deadline_ms <= now_ms && ingest->connection.state == STATE_CONNECTED &&
           !source_is_finite(ingest->source) && read_source(ingest, now_ms) &&
           source_arrival_us(ingest->source) / 1000 <= deadline_ms);
}

static void do_what_is_due(struct ingest *ingest, uint64_t now_ms)
{
    connect_source(ingest, now_ms);
    if (now_ms >= ingest_gone_ms(ingest))
        end_ingest(ingest, NULL, now_ms);
    read_before_deadline(ingest, now_ms);
    follow_remark(ingest);
    ingest_follow_orders(ingest);
    ingest_follow_trigger(ingest);
    follow_drain(ingest, now_ms);
    send_commands(ingest, now_ms);
    ingest_answer_command(ingest); /* a command given up is answered, too */
    ingest_judge_mode(ingest, now_ms);
    ingest_follow_mode(ingest);
    if (ingest->silent_shown != device_is_silent(&ingest->device))
        ingest->urgent = true;
    if (recording_flush(&ingest->recording, now_ms))
        ingest->urgent = true;
    ingest_answer_recording(ingest);
    if (keeper_rest(&ingest->keeper, now_ms))
        ingest->urgent = true;
    if (now_ms >= publish_deadline_ms(ingest) || ingest->begins_own_run)
        ingest_publish(ingest, now_ms, false);
    ingest->begins_own_run = false;
}

static uint64_t next_deadline_ms(const struct ingest *ingest)
{
    uint64_t next = connection_deadline_ms(&ingest->connection);
    next = earlier_us(next, device_deadline_ms(&ingest->device));
    next = earlier_us(next, drain_deadline_ms(ingest));
    next = earlier_us(next, recording_deadline_ms(&ingest->recording));
    next = earlier_us(next, keeper_deadline_ms(&ingest->keeper));
    next = earlier_us(next, ingest_gone_ms(ingest));
    return earlier_us(next, publish_deadline_ms(ingest));
}

/* Sleeps until something is due, another thread wakes it, or the source is readable; returns true to read
 * it. */
static bool wait_for_work(struct ingest *ingest)
{
    uint64_t now_ms = clock_monotonic_ms(), deadline_ms = next_deadline_ms(ingest);
    uint64_t read_ms = UINT64_MAX; /* then the source is read, even if poll() shows nothing */
    struct pollfd fds[2] = {{.fd = ingest->ties.wake->fd, .events = POLLIN}, {.fd = -1}};
    if (connection_is_readable(&ingest->connection)) {
        /* Bytes can wait until a snapshot is published, which reads them first. */
        read_ms = earlier_us(ingest->gather_until_ms, publish_deadline_ms(ingest));
        if (now_ms >= read_ms) {
            struct source_wait source = source_poll(ingest->source);
            fds[1] = (struct pollfd){.fd = source.fd, .events = source.events};
            read_ms = idle_deadline_ms(ingest);
            if (source.timeout_ms >= 0)
                read_ms = earlier_us(read_ms, now_ms + (uint64_t)source.timeout_ms);
        }
    }
    bool read_at_deadline = read_ms <= deadline_ms;
    deadline_ms = earlier_us(deadline_ms, read_ms);
    int timeout_ms = -1;
    if (deadline_ms != UINT64_MAX)
        timeout_ms = deadline_ms > now_ms ? (int)earlier_us(deadline_ms - now_ms, 60000) : 0;
    pulse_rest(&ingest->pulse);
    int ready = poll(fds, 2, timeout_ms);
    pulse_begin(&ingest->pulse, clock_monotonic_ms());
    if (fds[0].revents)
        wake_clear(ingest->ties.wake);
    return fds[1].revents || (read_at_deadline && ready == 0);
}

static void step_ingest(struct ingest *ingest)
{
    if (wait_for_work(ingest))
        read_source(ingest, clock_monotonic_ms());
    do_what_is_due(ingest, clock_monotonic_ms());
}

/* Stops the device, gives it time to answer, and reads to the end: data sent meanwhile still counts. Then
 * restores its settings, including the trigger; a trigger being sent is completed first. */
static void stop_device(struct ingest *ingest)
{
    while (!trigger_is_settled(&ingest->trigger) && ingest->connection.state == STATE_CONNECTED)
        step_ingest(ingest);
    uint64_t since_ms = clock_monotonic_ms();
    device_stop(&ingest->device, since_ms);
    while (!device_has_stopped(&ingest->device) && ingest->connection.state == STATE_CONNECTED)
        step_ingest(ingest);
    ingest->target.told.is_unclosed = device_is_unclosed(&ingest->device);
    if (!device_ends_mute(&ingest->device))
        return;
    uint64_t quiet_ms = clock_monotonic_ms() - ingest->heard_ms;
    bool is_mute = ingest->heard_ms < since_ms && quiet_ms >= ingest->timing.answer_ms;
    ingest->target.told.mute_ms = is_mute ? quiet_ms : 0;
    ingest->target.told.is_deaf = !is_mute;
}

void ingest_run(struct ingest *ingest)
{
    pthread_setname_np(pthread_self(), "mp-ingest");
    uint64_t now_ms = clock_monotonic_ms();
    pulse_begin(&ingest->pulse, now_ms);
    ingest->throughput.since_ms = now_ms;
    ingest->work.begun_ms = now_ms;
    ingest->urgent = true;
    do_what_is_due(ingest, now_ms);
    while (!atomic_load(ingest->ties.stop))
        step_ingest(ingest);

    stop_device(ingest);
    ingest_answer_command(ingest);
    ingest_end_trigger(ingest);
    mailbox_close(ingest->ties.mailbox);
    if (ingest->connection.state != STATE_ENDED)
        end_ingest(ingest, NULL, clock_monotonic_ms());
    pulse_rest(&ingest->pulse);
}
