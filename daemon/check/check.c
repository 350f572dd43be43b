/* check.c - `miniprofd check`: reads or measures profiles, compares them, reports, and sets the exit status. */
#include "check/check.h"

#include "base/error_end.h"
#include "base/text.h"
#include "check/convert.h"
#include "check/history.h"
#include "check/measure.h"
#include "check/nameless.h"
#include "check/check_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, USAGE = 2, REGRESSION = 3, INCONCLUSIVE = 4 };

/* Writes a report to `path`, or to standard output if that is NULL. */
static bool write_report(const struct report *form, const char *path, const struct gate *gate,
                         const struct gate_result *result, struct error *err)
{
    struct sink_fd out;
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (fd < 0)
        return error_set_errno(err, errno, "Cannot write the report %s", path);
    sink_fd_init(&out, fd);
    form->write(gate, result, &out.sink);
    bool good = sink_fd_flush(&out);
    if (path && close(fd) != 0 && good) {
        good = false;
        out.error_number = errno;
    }
    return good || error_set_errno(err, out.error_number, "Cannot write %s%s",
                                   path ? "the report " : "to standard output", path ? path : "");
}

/* Writes the error into all reports, too, so that none is left over from an earlier run. */
static int report_refusal(const struct check_options *options, int status, const struct error *why)
{
    struct error err;
    char *text = text_clean_utf8_dup(why->text, strlen(why->text));
    const struct gate_result result = {.inconclusive = text ? text : "Out of memory."};
    for (size_t i = 0; i < options->reports_n; i++) {
        const struct check_report *report = &options->reports[i];
        if (!write_report(report->form, report->path, &options->gate, &result, &err))
            status = error_end(FAILED, err.text);
    }
    free(text);
    return status;
}

static int refuse_check(const struct check_options *options, int status, const struct error *why)
{
    return report_refusal(options, error_end(status, why->text), why);
}

static int write_check_reports(const struct check_options *options, const struct gate_result *result)
{
    struct error err;
    bool is_told = false;
    for (size_t i = 0; i < options->reports_n; i++) {
        const struct check_report *report = &options->reports[i];
        is_told |= !report->path;
        if (!write_report(report->form, report->path, &options->gate, result, &err))
            return error_end(FAILED, err.text);
    }
    if (!is_told && !write_report(&report_text, NULL, &options->gate, result, &err))
        return error_end(FAILED, err.text);
    return result->slower + result->more_calls + result->broken + result->failed_gone ? REGRESSION
           : result->unjudged                                                         ? INCONCLUSIVE
                                                                                      : DONE;
}

/* Returns the exit status for the outcome of reading, DONE if successful. */
static int judge_reading(const struct check_options *options, enum measured_outcome outcome,
                         const struct error *why)
{
    if (outcome == MEASURED_OK)
        return DONE;
    return refuse_check(options, outcome == MEASURED_UNREADABLE ? FAILED : INCONCLUSIVE, why);
}

static int read_profile(const struct check_options *options, struct measured *measured, const char *path)
{
    struct error err = {""};
    enum measured_outcome outcome = measured_read(measured, path, &err);
    return judge_reading(options, outcome, &err);
}

/* Reads the baseline or baselines, if any, and the second run. */
static int read_old(const struct check_options *options, struct history *old)
{
    struct error err = {""};
    enum measured_outcome outcome =
        options->baseline ? history_read(old, options->baseline, &err) : MEASURED_OK;
    if (outcome == MEASURED_OK && options->again) {
        outcome = measured_read(&old->profiles[old->n], options->again, &err);
        old->n += outcome == MEASURED_OK;
    }
    return judge_reading(options, outcome, &err);
}

struct profiles {
    struct history old; /* the baseline and its other runs */
    struct measured after;
};

static bool convert_all(const struct gate *gate, struct profiles *profiles, struct error *err)
{
    struct measured *sides[HISTORY_MOST + 2];
    size_t n = 0;
    for (; n < profiles->old.n; n++)
        sides[n] = &profiles->old.profiles[n];
    sides[n++] = &profiles->after;
    return convert(gate, sides, n, err);
}

static int judge_profiles(const struct check_options *options, struct profiles *profiles)
{
    struct gate_result result;
    struct error err = {""};
    const struct history *old = &profiles->old;
    const struct gate_sides sides = {.before = old->n > 0 ? &old->profiles[0] : NULL,
                                     .others = &old->profiles[1],
                                     .others_n = old->n > 0 ? old->n - 1 : 0,
                                     .after = &profiles->after};
    if (!convert_all(&options->gate, profiles, &err) || !gate_hold(&options->gate, &sides, &result, &err))
        return refuse_check(options, INCONCLUSIVE, &err);
    places_find(&options->places, &result);
    int status = write_check_reports(options, &result);
    gate_result_fini(&result);
    return status;
}

/* Measures, and reads the resulting profile. */
static int measure_profile(struct check_options *options, struct measured *measured)
{
    char path[MEASURE_PATH_SIZE];
    struct error err = {""};
    enum measure_outcome outcome = measure(options->passed_on, options->keep, path, &err);
    if (outcome == MEASURE_USAGE)
        return USAGE;
    if (outcome != MEASURE_DONE && *err.text)
        return refuse_check(options, FAILED, &err);
    if (outcome != MEASURE_DONE) { /* the measuring process has printed the reason */
        error_set(&err, "Measuring failed; the log of miniprofd check says why.");
        return report_refusal(options, FAILED, &err);
    }
    int status = read_profile(options, measured, path);
    if (!options->keep)
        unlink(path);
    return status;
}

/* Reads the baseline before measuring: --keep may replace it, and if it is damaged, measuring would be useless. */
static int run_check(struct check_options *options)
{
    struct profiles *profiles = calloc(1, sizeof *profiles);
    if (!profiles)
        return error_end(FAILED, "Out of memory.");
    int status = read_old(options, &profiles->old);
    if (status == DONE)
        status = options->against ? read_profile(options, &profiles->after, options->against)
                                  : measure_profile(options, &profiles->after);
    if (status == DONE && options->against)
        nameless_tell(&profiles->after); /* for a new measurement, the measuring process has reported it */
    if (status == DONE)
        status = judge_profiles(options, profiles);
    history_fini(&profiles->old);
    measured_fini(&profiles->after);
    free(profiles);
    return status;
}

int check_run(int argc, char *const *argv)
{
    struct check_options options;
    struct error err = {""};
    int status;
    if (!check_options_parse(&options, argc, argv, &err))
        status = arguments_refuse(&check_arguments, &err);
    else if (!options.help)
        status = run_check(&options);
    else
        status = arguments_help(&check_arguments);
    check_options_fini(&options);
    return status;
}
