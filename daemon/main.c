/* main.c - starts everything, waits, and stops it in order. No other file chooses the exit status of the
 * daemon. */
#include "annex/annex.h"
#include "announce/announcement.h"
#include "base/error_end.h"
#include "cli/commands.h"
#include "cli/defaults.h"
#include "base/clock.h"
#include "handoff/board.h"
#include "export/export.h"
#include "api/http.h"
#include "server/token.h"
#include "cli/needs.h"
#include "cli/options.h"
#include "cli/ports.h"
#include "cli/progress.h"
#include "cli/version.h"
#include "process/confinement.h"
#include "process/process.h"
#include "process/signals.h"
#include "session/session.h"
#include "snapshot/unnamed.h"
#include "source/rivals.h"
#include "process/watchdog.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_LIMIT = 3, EXIT_INCOMPLETE = 4 };

enum { DIALECTS_MAX = 16, FIRST_SNAPSHOT_MS = 5000 };

_Static_assert((int)OPTIONS_LIMITS_MAX == (int)BOUNDS_MAX, "what can be given can be set");

/* The parts of the program in the order of their start. They are stopped in reverse order. */
struct program {
    struct session_settings settings;
    struct replay replay;
    struct options options;
    struct board *board; /* NULL without a web server */
    struct session *session;
    struct http *http;
    struct announcement *announcement; /* NULL: none */
    struct watchdog watchdog;
    struct progress progress;
    struct http_dialect dialects[DIALECTS_MAX];
    struct http_source_path source_paths[OPTIONS_SOURCE_PATHS_MAX];
    char own_token[PATH_MAX]; /* the file of a generated token; "": none */
    bool ignores_hangup;
    bool has_exported;
    uint64_t shortages;   /* allocations that failed before the export */
    bool elf_was_partial; /* at the export */
};

/* --help, --version, --list-ports */
static int answer_information_option(const struct options *options)
{
    struct error err;
    struct sink_fd out;
    sink_fd_init(&out, STDOUT_FILENO);
    if (options->help)
        options_write_help(&out.sink);
    else if (options->version)
        version_write(&out.sink, options->is_verbose);
    else if (!ports_write(&out.sink, options->json, &err))
        return error_end(EXIT_FAILED, err.text);
    if (sink_fd_flush(&out))
        return EXIT_DONE;
    error_set_errno(&err, out.error_number, "Cannot write to standard output");
    return error_end(EXIT_FAILED, err.text);
}

/* True when the session ends by itself or has no page, so that its counts are one measurement. */
static bool is_measurement(const struct options *options)
{
    return !options->http || options->work_calls > 0 || options->duration_s > 0 || options->exports_n > 0;
}

/* Reads the files that the options name. No thread runs yet, and a signal still ends the program at once. */
static bool prepare_session(struct program *program, struct error *err)
{
    const struct options *options = &program->options;
    program->settings = (struct session_settings){
        .source = {.spec = options->port,
                   .baud = options->baud,
                   .speed = options->speed,
                   .dtr = options->dtr,
                   .rts = options->rts},
        .dialect = options->dialect,
        .dialect_settings = {.settings = options->dialect_settings, .n = options->dialect_settings_n},
        .elfs = &options->elfs,
        .record_path = options->record,
        .record_dir = options->record_dir,
        .record_most = options->record_most,
        .baud_most = options->baud_max,
        .work = options->work,
        .work_calls = options->work_calls,
        .ends_when_gone = options->ends_when_gone,
        .measures = is_measurement(options),
        .mode = options->mode,
        .trigger = options->trigger,
        .keep_dir = options->keep_dir,
        .keep_ms = options->breach_seconds * 1000,
        .keep_files = options->breach_files,
        .keep_most = options->breach_most,
        .limits = options->limits,
        .limits_n = options->limits_n,
        .control = options->control,
    };
    program->session = session_new(&program->settings, program->board, err);
    return program->session != NULL;
}

static bool start_http(struct program *program, struct error *err)
{
    const struct options *options = &program->options;
    size_t n = 0;
    for (; dialect_registry[n] && n < DIALECTS_MAX; n++)
        program->dialects[n] = (struct http_dialect){.id = dialect_registry[n]->id,
                                                     .title = dialect_registry[n]->title,
                                                     .summary = dialect_registry[n]->summary};
    for (size_t i = 0; i < options->source_paths_n; i++)
        program->source_paths[i] = (struct http_source_path){.from = options->source_paths[i].from,
                                                             .to = options->source_paths[i].to};
    program->replay = (struct replay){session_replay, &program->settings};
    struct http_settings settings = {
        .listen = options->listen,
        .webroot = options->webroot,
        .token_file = *program->own_token ? program->own_token : options->token_file,
        .version = MINIPROFD_VERSION,
        .board = program->board,
        .mailbox = session_mailbox(program->session),
        .replay = &program->replay,
        .pulse = session_pulse(program->session),
        .dialects = program->dialects,
        .dialect_n = n,
        .source_paths = program->source_paths,
        .source_path_n = options->source_paths_n,
        .source_any = options->source_any,
        .frame_origins = options->frame_origins,
        .frame_origin_n = options->frame_origins_n,
        .metrics_functions = options->metrics_functions,
    };
    program->http = http_start(&settings, err);
    return program->http != NULL;
}

/* Prints the page's address. Waits for a signal, too, so that a full pipe without a reader cannot block the
 * end. */
static void print_address(const struct http *http, int signals)
{
    struct pollfd fds[] = {{.fd = STDOUT_FILENO, .events = POLLOUT}, {.fd = signals, .events = POLLIN}};
    if (poll(fds, 2, -1) < 0 || !fds[0].revents)
        return;
    struct sink_fd out;
    fflush(stdout);
    sink_fd_init(&out, STDOUT_FILENO);
    sink_printf(&out.sink, "listening on %s\n", http_address(http));
    http_write_ways_in(http, &out.sink);
    sink_fd_flush(&out);
}

/* Returns true on a signal while the file is locked: wait_for_the_end() handles it. */
static bool announce_program(struct program *program, int signals, struct error *err)
{
    bool is_over = false;
    const struct options *options = &program->options;
    struct announcement_settings settings = {options->announce,   http_address(program->http),
                                             options->board_name, options->port,
                                             MINIPROFD_VERSION,   program->board};
    if (options->announce)
        program->announcement = announcement_begin(&settings, signals, &is_over, err);
    return program->announcement || is_over || !options->announce;
}

static bool prepare_program(struct program *program, struct error *err)
{
    const struct options *options = &program->options;
    for (size_t i = 0; i < options->exports_n; i++)
        if (!export_check_path(options->exports[i].exporter, options->exports[i].path, err))
            return false;
    if (options->http) {
        /* Checks the address first: if it is in use, the device is not touched. */
        if (!http_address_is_free(options->listen, err))
            return false;
        program->board = board_new();
        if (!program->board)
            return error_set(err, "Out of memory.");
    }
    return prepare_session(program, err);
}

static bool start_program(struct program *program, int signals, struct error *err)
{
    if (program->options.http && !start_http(program, err))
        return false;
    if (!session_start(program->session, err))
        return false;
    if (program->http) {
        /* A client may send a request as soon as the address is printed, so wait for the first snapshot. */
        snapshot_unref(board_wait(program->board, 0, FIRST_SNAPSHOT_MS, NULL));
        if (*program->own_token)
            log_write(LOG_INFO, "The token is in %s, for programs.", program->own_token);
        if (!announce_program(program, signals, err))
            return false;
        print_address(program->http, signals);
    }
    watchdog_ready(&program->watchdog, session_pulse(program->session), clock_monotonic_ms());
    if (program->http) {
        char status[512];
        snprintf(status, sizeof status, "STATUS=Listening on %s", http_address(program->http));
        notifier_tell(&program->watchdog.notifier, status);
    }
    return true;
}

/* Logs what is incomplete, since most export formats cannot contain that. */
static void warn_of_losses(const struct snapshot *snapshot)
{
    const struct snapshot_reasons reasons = snapshot_incomplete(snapshot);
    for (size_t i = 0; i < reasons.n; i++)
        log_write(LOG_WARNING, "The profile is incomplete: %s", reasons.text[i]);
    const uint64_t *booked = snapshot->ledger.booked;
    /* too late to change how a recording was made */
    bool is_recorded = snapshot->source.recorded_wall_ns > 0;
    if (!is_recorded && booked[ACCOUNT_RECORDS_LOST] + booked[ACCOUNT_OVERFLOWS] > 0)
        log_write(LOG_WARNING, "To lose less, use --mode tree or a faster line (--baud-max), or instrument "
                               "less.");
    struct error unnamed;
    if (snapshot_unnamed(snapshot, &unnamed))
        log_write(LOG_WARNING, "%s", unnamed.text);
}

/* Writes all exports, even if some fail. Earlier errors are logged, the last one is returned in *err. */
static bool write_exports(struct program *program, struct error *err)
{
    if (program->has_exported || program->options.exports_n == 0)
        return true;
    struct snapshot *snapshot = session_snapshot(program->session);
    bool good = snapshot != NULL || error_set(err, "Out of memory while exporting.");
    if (good)
        warn_of_losses(snapshot);
    for (size_t i = 0; snapshot && i < program->options.exports_n; i++) {
        struct error why;
        if (export_to_path(program->options.exports[i].exporter, snapshot, program->options.exports[i].path,
                           &why))
            continue;
        if (!good)
            log_write(LOG_ERROR, "%s", err->text);
        *err = why;
        good = false;
    }
    program->shortages = snapshot ? snapshot->ledger.booked[ACCOUNT_SHORTAGES] : 0;
    program->elf_was_partial = snapshot && snapshot->source.elf_is_partial;
    snapshot_unref(snapshot);
    program->has_exported = true;
    return good;
}

/* False when the daemon itself lost data. Losses on the line are reported in the profile instead. */
static bool had_all(const struct program *program, struct error *err)
{
    if (program->elf_was_partial)
        return error_set(err,
                         "An ELF was not read as a whole (see above), so what was exported lacks lines or "
                         "readable names.");
    return program->shortages == 0 ||
           error_set(err, "Out of memory on the way, so what was exported is incomplete: give the program "
                          "more, or export less at once.");
}

/* True when the user waits for a profile, so that an empty one is an error. With a page alone it is not. */
static bool is_batch(const struct program *program)
{
    return !program->options.http || program->options.exports_n > 0;
}

/* True when the profile is not empty, or when a valid source contained nothing, which is logged as a warning. */
static bool has_measured(const struct program *program, struct error *err)
{
    struct snapshot *snapshot = session_snapshot(program->session);
    if (!snapshot)
        return error_set(err, "Out of memory.");
    bool has_some = snapshot_has_some(snapshot);
    snapshot_unref(snapshot);
    const char *empty = has_some ? NULL : session_empty(program->session);
    if (empty)
        log_write(LOG_WARNING, "%s", empty);
    return has_some || empty ||
           error_set(err, "Nothing was measured: no call, sample, checkpoint or message came; are the "
                          "functions compiled with the profiler's hooks, and did they run?");
}

/* Waits for a signal, the end of --duration, or (without a web server) the end of the source. */
static bool wait_for_the_end(struct program *program, int signals, struct error *err)
{
    uint64_t deadline_ms = UINT64_MAX;
    if (program->options.duration_s > 0)
        deadline_ms = clock_monotonic_ms() + (uint64_t)(program->options.duration_s * 1000.0);
    if (!program->http && program->options.log_level > LOG_ERROR)
        progress_begin(&program->progress, program->options.port, clock_monotonic_ms());
    struct pollfd fds[] = {{.fd = signals, .events = POLLIN},
                           {.fd = session_ended_fd(program->session), .events = POLLIN}};
    for (;;) {
        uint64_t now_ms = clock_monotonic_ms(), next_ms = deadline_ms;
        if (now_ms >= deadline_ms) {
            session_stopped_by(program->session, SNAPSHOT_END_DURATION);
            return true;
        }
        watchdog_follow(&program->watchdog, now_ms);
        if (watchdog_deadline_ms(&program->watchdog) < next_ms)
            next_ms = watchdog_deadline_ms(&program->watchdog);
        progress_follow(&program->progress, session_bytes_read(program->session), now_ms);
        if (progress_deadline_ms(&program->progress) < next_ms)
            next_ms = progress_deadline_ms(&program->progress);
        uint64_t left_ms = next_ms - now_ms;
        int timeout_ms = next_ms == UINT64_MAX ? -1 : left_ms > 86400000 ? 86400000 : (int)left_ms;
        if (poll(fds, 2, timeout_ms) < 0 && errno != EINTR)
            return error_set_errno(err, errno, "Cannot wait for events");
        if (fds[0].revents) {
            session_stopped_by(program->session, SNAPSHOT_END_SIGNAL);
            return true;
        }
        if (fds[1].revents) {
            if (!program->http || session_has_worked(program->session))
                return true;
            if (!write_exports(program, err))
                return false;
            fds[1].fd = -1; /* the page still shows what was read */
        }
    }
}

static void log_broken_limit(const struct snapshot_bound *row)
{
    char limit[BOUND_TEXT_SIZE], worst[32];
    bound_write(&row->bound, limit, sizeof limit);
    bound_write_value(row->bound.figure, row->worst.value, worst, sizeof worst);
    log_write(LOG_ERROR, "The limit %s was broken %llu times of %llu; the worst was %s, at tick %llu.", limit,
              (unsigned long long)row->breaches, (unsigned long long)row->judged, worst,
              (unsigned long long)row->worst.ticks);
}

/* Computes the exit status from the limits. Logs broken limits and those that could not be judged, except the
 * last of these, which is returned in *err. */
static int judge_limits(const struct snapshot_bounds *bounds, struct error *err)
{
    int status = EXIT_DONE;
    for (uint32_t i = 0; i < bounds->count; i++) {
        const struct snapshot_bound *row = &bounds->rows[i];
        char limit[BOUND_TEXT_SIZE];
        bound_write(&row->bound, limit, sizeof limit);
        if (row->breaches > 0) {
            log_broken_limit(row);
        } else if (row->state != BOUND_KEPT) {
            if (status == EXIT_FAILED)
                log_write(LOG_ERROR, "%s", err->text);
            error_set(err, "The limit %s was not judged: %s", limit,
                      *row->detail ? row->detail : "Too few calls of it were received; let it run longer.");
            status = EXIT_FAILED;
        }
    }
    if (snapshot_bounds_broken_count(bounds) == 0)
        return status;
    if (status == EXIT_FAILED)
        log_write(LOG_ERROR, "%s", err->text);
    return EXIT_LIMIT;
}

/* Computes the exit status from the measurement. */
static int judge_measurement(struct program *program, struct error *err)
{
    struct snapshot *snapshot = session_snapshot(program->session);
    if (!snapshot)
        return EXIT_DONE; /* already reported */
    int status = judge_limits(&snapshot->bounds, err);
    if (status == EXIT_DONE && program->options.strict && snapshot_incomplete(snapshot).n > 0) {
        if (!program->has_exported)
            warn_of_losses(snapshot);
        status = EXIT_INCOMPLETE;
    }
    snapshot_unref(snapshot);
    return status;
}

static void stop_program(struct program *program)
{
    announcement_end(program->announcement);
    if (program->session)
        session_stop(program->session);
    if (*program->own_token)
        unlink(program->own_token);
    if (program->http)
        http_stop(program->http);
    session_free(program->session);
    board_free(program->board);
    watchdog_close(&program->watchdog);
    annex_stop();
    rivals_stop();
}

/* Drops privileges before any untrusted input is read. Starts the annex in between, since it drops more than
 * the daemon. */
static bool confine_program(struct program *program, struct error *err)
{
    const struct options *options = &program->options;
    struct confinement needs;
    watchdog_open(&program->watchdog);
    if (options->http && options->token_file && !strcmp(options->token_file, "auto") &&
        !token_make(program->own_token, err))
        return false;
    needs_of(options, program->own_token, &needs);
    if (!rivals_start(options->port, !options->unconfined, err))
        log_write(LOG_WARNING, "%s", err->text);
    if (!options->unconfined)
        confinement_restrict_rights(&needs);
    if (options->elfs.n > 0 && !annex_start(!options->unconfined, err))
        return false;
    _Static_assert((int)CONFINEMENT_ANNEX_MOST == (int)ANNEX_SERVERS, "each of them may be killed");
    needs.annex_n = annex_processes(needs.annex);
    if (!options->unconfined)
        confinement_restrict_calls(&needs);
    log_write(LOG_DEBUG, "Confined by: %s.", confinement_in_force());
    return true;
}

static int run_daemon(struct program *program)
{
    struct error err = {0};
    program->ignores_hangup = program->options.http && !signals_have_terminal();
    if (!confine_program(program, &err) || !prepare_program(program, &err)) {
        stop_program(program);
        return error_end(EXIT_FAILED, err.text);
    }
    int signals = signals_open(program->ignores_hangup);
    if (signals < 0) {
        error_set_errno(&err, errno, "Cannot listen for signals, check the limit on open files (ulimit -n)");
        stop_program(program);
        return error_end(EXIT_FAILED, err.text);
    }
    bool good = start_program(program, signals, &err) && wait_for_the_end(program, signals, &err);
    progress_end(&program->progress);
    watchdog_end(&program->watchdog);
    annex_give_up();
    announcement_leave(program->announcement);
    if (good) {
        if (!session_stop_within(program->session, WATCHDOG_HANG_MS))
            watchdog_give_up(program->own_token, EXIT_FAILED);
        if (program->options.exports_n > 0 && !program->has_exported)
            signals_release(signals);
        bool is_for_others = is_batch(program);
        good = session_succeeded(program->session, &err) &&
               (!is_for_others || session_heard(program->session, &err)) && write_exports(program, &err) &&
               session_recorded(program->session, &err) && had_all(program, &err) &&
               (!is_for_others || (session_ran(program->session, &err) && has_measured(program, &err))) &&
               session_worked(program->session, &err);
    }
    int status = good && is_batch(program) ? judge_measurement(program, &err) : EXIT_DONE;
    if (program->options.http && status != EXIT_FAILED) /* the page has already reported it */
        status = EXIT_DONE;
    if (!good || status == EXIT_FAILED)
        status = error_end(EXIT_FAILED, err.text);
    watchdog_end_within(WATCHDOG_CLEANUP_MS, status);
    stop_program(program);
    close(signals);
    return status;
}

int main(int argc, char **argv)
{
    static struct program program;
    struct error err;
    int status;
    process_begin();
    log_begin();
    const struct command *command = argc > 1 ? command_named(argv[1]) : NULL;
    if (command)
        return command_run(command, argc - 1, argv + 1);
    if (argc > 1 && command_is_misspelt(argv[1], &err))
        return arguments_refuse(&options_arguments, &err);
    if (!options_parse(&program.options, argc, argv, &err)) {
        status = arguments_refuse(&options_arguments, &err);
    } else if (program.options.help || program.options.version || program.options.list_ports) {
        status = answer_information_option(&program.options);
    } else {
        log_set_level(program.options.log_level);
        defaults_warn_of_unknown(&options_arguments);
        status = run_daemon(&program);
    }
    options_free(&program.options);
    return status;
}
