/* check.c - `miniprofd check`: reads or measures, compares, tells, and its exit status. */
#include "check/check.h"

#include "check/measure.h"
#include "check/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, USAGE = 2, REGRESSION = 3, INCONCLUSIVE = 4 };

static int say(int status, const struct error *err)
{
    fputs("miniprofd: ", stderr);
    for (const unsigned char *c = (const unsigned char *)err->text; *c; c++)
        fputc(*c < 0x20 || *c == 0x7F ? '?' : *c, stderr);
    fputc('\n', stderr);
    return status;
}

/* A report at `path`, or on standard output where that is NULL. */
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

static int tell(const struct check_options *options, const struct gate_result *result)
{
    struct error err;
    bool is_told = false;
    for (size_t i = 0; i < options->reports_n; i++) {
        const struct check_report *report = &options->reports[i];
        is_told |= !report->path;
        if (!write_report(report->form, report->path, &options->gate, result, &err))
            return say(FAILED, &err);
    }
    if (!is_told && !write_report(&report_text, NULL, &options->gate, result, &err))
        return say(FAILED, &err);
    return result->slower + result->broken ? REGRESSION : result->unjudged ? INCONCLUSIVE : DONE;
}

/* Reads a profile, if there is one; DONE, or the exit status when it cannot be had. */
static int read_profile(struct measured *measured, const char *path)
{
    struct error err = {""};
    enum measured_outcome outcome = path ? measured_read(measured, path, &err) : MEASURED_OK;
    return outcome == MEASURED_OK ? DONE : say(outcome == MEASURED_UNREADABLE ? FAILED : INCONCLUSIVE, &err);
}

static int hold(const struct check_options *options, const char *against)
{
    struct measured before = {0}, again = {0}, after = {0};
    struct gate_result result;
    struct error err = {""};
    int status = read_profile(&before, options->baseline);
    if (status == DONE)
        status = read_profile(&again, options->again);
    if (status == DONE)
        status = read_profile(&after, against);
    if (status == DONE && !gate_hold(&options->gate, options->baseline ? &before : NULL,
                                     options->again ? &again : NULL, &after, &result, &err))
        status = say(INCONCLUSIVE, &err);
    else if (status == DONE) {
        status = tell(options, &result);
        gate_result_fini(&result);
    }
    measured_fini(&before);
    measured_fini(&again);
    measured_fini(&after);
    return status;
}

static int run(struct check_options *options)
{
    char path[MEASURE_PATH_SIZE];
    struct error err = {""};
    if (options->against)
        return hold(options, options->against);
    enum measure_outcome outcome = measure(options->passed_on, options->keep, path, &err);
    if (outcome != MEASURE_DONE && *err.text)
        say(FAILED, &err);
    if (outcome != MEASURE_DONE)
        return outcome == MEASURE_USAGE ? USAGE : FAILED;
    int status = hold(options, path);
    if (!options->keep)
        unlink(path);
    return status;
}

int check_run(int argc, char *const *argv)
{
    struct check_options options;
    struct error err = {""};
    int status;
    if (!check_options_parse(&options, argc, argv, &err))
        status = say(USAGE, &err);
    else if (!options.help)
        status = run(&options);
    else
        status = fputs(check_help, stdout) < 0 || fflush(stdout) != 0 ? FAILED : DONE;
    check_options_fini(&options);
    return status;
}
