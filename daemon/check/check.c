/* check.c - the command line of `miniprofd check`, and its exit status. */
#include "check/check.h"

#include "check/gate.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, USAGE = 2, REGRESSION = 3, INCONCLUSIVE = 4 };

struct options {
    const char *baseline, *against;
    const struct gate_format *format;
    struct gate gate;
    regex_t only, ignore; /* compiled where the gate points at them */
    bool help;
};

static const char help[] =
    "usage: miniprofd check --baseline BEFORE.json --against AFTER.json [options]\n"
    "Tells which functions became slower, of two files that --export json or the page wrote.\n"
    "\n"
    "  --max-regress SHARE   let through so much more of the time before (default 5%)\n"
    "  --min-delta TIME      let through so much more time: ns, us, ms, s (default 0.5us); a function fails\n"
    "                        that exceeds both\n"
    "  --metric METRIC       total-mean (default): time of a call with its callees, whatever the number of\n"
    "                        calls; self-mean: without them; p99: what 99 of 100 calls do not exceed\n"
    "  --only REGEX          compare functions whose name it matches (extended, as grep -E has it)\n"
    "  --ignore REGEX        do not compare these\n"
    "  --min-calls N         compare functions with so many calls on both sides (default 1)\n"
    "  --max-loss SHARE      of each profile so much may be missing (default 0.1%)\n"
    "  --format FORMAT       text (default), json, gcc (file:line:col: warning: ...), github (::error ...)\n"
    "\n"
    "exit status: 0 nothing became slower; 1 failed; 2 wrong usage; 3 something became slower; 4 nobody can\n"
    "  tell: no function in both, too much lost, another ELF, a damaged or newer file\n";

static int say(int status, const struct error *err)
{
    fputs("miniprofd: ", stderr);
    for (const unsigned char *c = (const unsigned char *)err->text; *c; c++)
        fputc(*c < 0x20 || *c == 0x7F ? '?' : *c, stderr);
    fputc('\n', stderr);
    return status;
}

/* A number that is not negative, and what stands behind it. */
static bool number(const char *text, double *out, const char **unit)
{
    char *end;
    if (*text < '0' || *text > '9') /* strtod() takes signs, blanks, "nan" and "inf" */
        return false;
    *out = strtod(text, &end);
    *unit = end;
    return isfinite(*out);
}

static bool share(const char *text, double *out)
{
    const char *unit;
    if (!number(text, out, &unit) || strcmp(unit, "%") != 0)
        return false;
    *out /= 100;
    return true;
}

static bool duration(const char *text, double *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *unit;
    if (!number(text, ns, &unit))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].unit)) {
            *ns *= units[i].ns;
            return true;
        }
    return false;
}

static bool metric(const char *text, enum measured_metric *out)
{
    for (int i = 0; i < METRICS; i++)
        if (!strcmp(text, measured_metrics[i])) {
            *out = (enum measured_metric)i;
            return true;
        }
    return false;
}

static bool count(const char *text, uint64_t *out)
{
    const char *unit;
    double value;
    if (!number(text, &value, &unit) || *unit || value < 1 || value > 1e15 || value != floor(value))
        return false;
    *out = (uint64_t)value;
    return true;
}

static bool regex(const char *text, regex_t *out, const regex_t **used)
{
    if (*used)
        return false; /* alternatives are one expression: a|b */
    *used = regcomp(out, text, REG_EXTENDED | REG_NOSUB) == 0 ? out : NULL;
    return *used != NULL;
}

static bool format(const char *text, const struct gate_format **out)
{
    for (*out = gate_formats; (*out)->name && strcmp((*out)->name, text) != 0; (*out)++)
        ;
    return (*out)->name != NULL;
}

static bool take(struct options *options, int option, const char *value)
{
    switch (option) {
    case 'b': options->baseline = value; return true;
    case 'a': options->against = value; return true;
    case 'r': return share(value, &options->gate.regress);
    case 'd': return duration(value, &options->gate.delta_ns);
    case 'm': return metric(value, &options->gate.metric);
    case 'c': return count(value, &options->gate.calls);
    case 'l': return share(value, &options->gate.loss);
    case 'o': return regex(value, &options->only, &options->gate.only);
    case 'i': return regex(value, &options->ignore, &options->gate.ignore);
    case 'f': return format(value, &options->format);
    default: options->help = true; return true;
    }
}

static bool parse(struct options *options, int argc, char *const *argv, struct error *err)
{
    static const struct option known[] = {
        {"baseline", 1, NULL, 'b'},  {"against", 1, NULL, 'a'}, {"max-regress", 1, NULL, 'r'},
        {"min-delta", 1, NULL, 'd'}, {"metric", 1, NULL, 'm'},  {"min-calls", 1, NULL, 'c'},
        {"max-loss", 1, NULL, 'l'},  {"format", 1, NULL, 'f'},  {"only", 1, NULL, 'o'},
        {"ignore", 1, NULL, 'i'},    {"help", 0, NULL, 'h'},    {NULL, 0, NULL, 0},
    };
    *options = (struct options){
        .format = gate_formats,
        .gate = {METRIC_TOTAL_MEAN, .regress = 0.05, .delta_ns = 500, .calls = 1, .loss = 0.001}};
    opterr = 0;
    for (int option, at = 0; (option = getopt_long(argc, argv, "", known, &at)) != -1;) {
        if (option == '?')
            return error_set(err,
                             "check does not know %s, or it lacks its value; see miniprofd check --help.",
                             argv[optind - 1]);
        if (!take(options, option, optarg))
            return error_set(err, "--%s cannot be %s; see miniprofd check --help.", known[at].name, optarg);
    }
    if (optind < argc)
        return error_set(err, "check does not know %s; see miniprofd check --help.", argv[optind]);
    if (!options->help && (!options->baseline || !options->against))
        return error_set(err, "check needs --baseline and --against; see miniprofd check --help.");
    return true;
}

static int told(const struct options *options, const struct gate_result *result)
{
    struct sink_fd out;
    struct error err;
    sink_fd_init(&out, STDOUT_FILENO);
    if (options->help)
        sink_text(&out.sink, help);
    else
        options->format->write(&options->gate, result, &out.sink);
    if (sink_fd_flush(&out))
        return result && result->n ? REGRESSION : DONE;
    error_set_errno(&err, out.error_number, "Cannot write to standard output");
    return say(FAILED, &err);
}

static int compare(const struct options *options, const struct measured *before, const struct measured *after)
{
    struct gate_result result;
    struct error err;
    if (!gate_compare(&options->gate, before, after, &result, &err))
        return say(INCONCLUSIVE, &err);
    int status = told(options, &result);
    gate_result_fini(&result);
    return status;
}

static int run(const struct options *options)
{
    struct measured before, after;
    struct error err = {""};
    if (options->help)
        return told(options, NULL);
    enum measured_outcome outcome = measured_read(&before, options->baseline, &err);
    if (outcome != MEASURED_OK)
        return say(outcome == MEASURED_UNREADABLE ? FAILED : INCONCLUSIVE, &err);
    outcome = measured_read(&after, options->against, &err);
    int status = outcome == MEASURED_OK           ? compare(options, &before, &after)
                 : outcome == MEASURED_UNREADABLE ? say(FAILED, &err)
                                                  : say(INCONCLUSIVE, &err);
    if (outcome == MEASURED_OK)
        measured_fini(&after);
    measured_fini(&before);
    return status;
}

int check_run(int argc, char *const *argv)
{
    struct options options;
    struct error err = {""};
    int status = parse(&options, argc, argv, &err) ? run(&options) : say(USAGE, &err);
    if (options.gate.only)
        regfree(&options.only);
    if (options.gate.ignore)
        regfree(&options.ignore);
    return status;
}
