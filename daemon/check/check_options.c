/* check_options.c - the command line of `miniprofd check`.
 *
 * Unknown options are passed on to the measuring program, if there is a measurement. */
#include "check/check_options.h"

#include "base/bound_lines.h"
#include "base/jsonio.h"
#include "base/wholefile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads a non-negative number, and finds the text after it. */
static bool parse_number_with_unit(const char *text, double *out, const char **unit)
{
    char *end;
    if (*text < '0' || *text > '9') /* strtod() accepts signs, blanks, "nan" and "inf" */
        return false;
    *out = strtod(text, &end);
    *unit = end;
    return isfinite(*out);
}

static bool parse_percentage(const char *text, double *out)
{
    const char *unit;
    if (!parse_number_with_unit(text, out, &unit) || strcmp(unit, "%") != 0)
        return false;
    *out /= 100;
    return true;
}

static bool parse_amount(const char *text, enum measured_unit of, double *out)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *unit;
    if (!parse_number_with_unit(text, out, &unit))
        return false;
    if (of != MEASURED_IN_NS)
        return !*unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].unit)) {
            *out *= units[i].ns;
            return true;
        }
    return false;
}

static bool parse_whole_count(const char *text, uint64_t *out)
{
    const char *unit;
    double value;
    if (!parse_number_with_unit(text, &value, &unit) || *unit || value < 1 || value > 1e15 ||
        value != floor(value))
        return false;
    *out = (uint64_t)value;
    return true;
}

static bool compile_name_regex(const char *text, regex_t *out, const regex_t **used)
{
    if (*used)
        return false; /* several are given as one expression: a|b */
    *used = regcomp(out, text, REG_EXTENDED | REG_NOSUB) == 0 ? out : NULL;
    return *used != NULL;
}

/* Adds a report. Only one can be on standard output. */
static bool add_check_report(struct check_options *options, const char *text)
{
    const char *equals = strchr(text, '='), *path = equals ? equals + 1 : NULL;
    struct check_report *added = &options->reports[options->reports_n];
    if (options->reports_n == CHECK_REPORTS_MAX || (path && !*path))
        return false;
    *added = (struct check_report){report_find(text, equals ? (size_t)(equals - text) : strlen(text)),
                                   path && strcmp(path, "-") != 0 ? path : NULL};
    for (size_t i = 0; i < options->reports_n && !added->path; i++)
        if (!options->reports[i].path)
            return false;
    options->reports_n++;
    return added->form != NULL;
}

static bool add_gate_limit(void *user, const char *text, struct error *err)
{
    struct gate *gate = user;
    if (gate->limits_n == GATE_LIMITS_MAX)
        return error_set(err, "There are more than %d limits.", GATE_LIMITS_MAX);
    return bound_parse(text, &gate->limits[gate->limits_n], err) && ++gate->limits_n;
}

/* Reads names of differences, separated by commas. */
static bool allow_differences(struct gate *gate, const char *text)
{
    static const struct {
        const char *name;
        enum gate_allowed bit;
    } names[] = {{"mode", GATE_ALLOW_MODE},
                 {"clock", GATE_ALLOW_CLOCK},
                 {"agent", GATE_ALLOW_AGENT},
                 {"work", GATE_ALLOW_WORK}};
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < sizeof names / sizeof *names &&
               (strlen(names[i].name) != n || memcmp(names[i].name, at, n) != 0))
            i++;
        if (i == sizeof names / sizeof *names)
            return false;
        gate->allowed |= names[i].bit;
        at += n;
        if (!*at)
            return true;
    }
}

static bool set_gone_verdict(struct gate *gate, const char *text)
{
    gate->fails_gone = !strcmp(text, "fail");
    gate->warns_gone = !strcmp(text, "warn");
    return gate->fails_gone || gate->warns_gone;
}

static bool set_noise_source(struct check_options *options, const char *text)
{
    if (!strcmp(text, "spread"))
        options->gate.by_spread = true;
    else
        options->again = text;
    return true;
}

static bool pass_on(struct check_options *options, const char *argument, struct error *err)
{
    if (options->passed_on_n + 1 == CHECK_PASSED_ON_MAX)
        return error_set(err, "There are more options than miniprofd can be given.");
    options->passed_on[++options->passed_on_n] = argument;
    return true;
}

static bool take_unknown(void *user, const char *argument, struct error *err)
{
    struct check_options *options = user;
    options->unknown = options->unknown ? options->unknown : argument;
    return pass_on(options, argument, err);
}

/* Passes an option on to the measurement, too. */
static bool pass_value_on(struct check_options *options, const char *name, const char *value,
                          struct error *err)
{
    return pass_on(options, name, err) && pass_on(options, value, err);
}

static bool take_port(void *user, const char *value, struct error *err)
{
    return pass_value_on(user, "--port", value, err);
}

static bool take_noise(void *user, const char *value, struct error *err)
{
    return set_noise_source(user, value);
}

static bool take_source_path(void *user, const char *value, struct error *err)
{
    struct check_options *options = user;
    return pass_value_on(options, "--source-path", value, err) && places_add_map(&options->places, value);
}

static bool take_allow(void *user, const char *value, struct error *err)
{
    return allow_differences(&((struct check_options *)user)->gate, value);
}

static bool take_gone(void *user, const char *value, struct error *err)
{
    return set_gone_verdict(&((struct check_options *)user)->gate, value);
}

static bool take_faster(void *user, const char *value, struct error *err)
{
    return ((struct check_options *)user)->gate.warns_faster = !strcmp(value, "warn");
}

static bool take_regress(void *user, const char *value, struct error *err)
{
    return parse_percentage(value, &((struct check_options *)user)->gate.regress);
}

static bool take_metric(void *user, const char *value, struct error *err)
{
    return measured_named(value, &((struct check_options *)user)->gate.metric);
}

static bool take_calls(void *user, const char *value, struct error *err)
{
    return parse_whole_count(value, &((struct check_options *)user)->gate.calls);
}

static bool take_loss(void *user, const char *value, struct error *err)
{
    return parse_percentage(value, &((struct check_options *)user)->gate.loss);
}

static bool take_only(void *user, const char *value, struct error *err)
{
    struct check_options *options = user;
    return compile_name_regex(value, &options->only, &options->gate.only);
}

static bool take_ignore(void *user, const char *value, struct error *err)
{
    struct check_options *options = user;
    return compile_name_regex(value, &options->ignore, &options->gate.ignore);
}

static bool take_format(void *user, const char *value, struct error *err)
{
    return add_check_report(user, value);
}

/* Adds a full stop, which errors of the system lack. */
static bool end_sentence(struct error *err)
{
    size_t n = strlen(err->text);
    if (n > 0 && n + 1 < sizeof err->text && err->text[n - 1] != '.')
        memcpy(err->text + n, ".", 2);
    return false;
}

static bool take_limit(void *user, const char *value, struct error *err)
{
    struct check_options *options = user;
    return pass_value_on(options, "--limit", value, err) &&
           (add_gate_limit(&options->gate, value, err) || end_sentence(err));
}

static bool take_limits(void *user, const char *value, struct error *err)
{
    struct check_options *options = user;
    return pass_value_on(options, "--limits", value, err) &&
           (bound_read_lines(value, add_gate_limit, &options->gate, err) || end_sentence(err));
}

#define AT(name) .member = offsetof(struct check_options, name)

static const struct argument_option check_rows[] = {
    {"baseline", .group = "Profiles", .value = "BEFORE.json", AT(baseline),
     .help = "the profile to compare with; of a folder of profiles the newest is the baseline, "
             "and differences between them are allowed"},
    {"against", .value = "AFTER.json", AT(against), .help = "the profile to judge"},
    {"noise", .value = "AGAIN.json", .take = take_noise, .words = "spread",
     .help = "a second run of the baseline: differences between the two are allowed; or spread: "
             "allow those that the durations of single calls explain"},
    {"port", 'p', .group = "Source", .value = "SOURCE", .take = take_port, .words = "@ports",
     .help = "measure now; takes options of miniprofd, too: --elf, --duration (10 s), or --work "
             "FUNCTION=CALLS (until the function was called that many times, for 600 s at most)"},
    {"keep", .value = "FILE", AT(keep), .help = "keep what was measured"},
    {"max-regress", .group = "Limits", .value = "SHARE", .take = take_regress,
     .expects = "a share such as 5%", .help = "allow a slowdown of this share (default 5%)"},
    {"min-delta", .value = "AMOUNT", AT(delta),
     .help = "a function fails only when it exceeds this increase, too: a time (ns, us, ms, s; "
             "default 0.5us, at least two ticks, and 250 cycles in all calls together), or a "
             "number of calls or bytes (default 0)"},
    {"metric", .value = "METRIC", .take = take_metric,
     .words = "time total-mean self-mean p50 p90 p99 max calls stack",
     .expects = "time, total-mean, self-mean, p50, p90, p99, max, calls or stack",
     .help = "time (default): of a call, with its callees and without, the slow function first; "
             "total-mean: with its callees; self-mean: without them; p50, p90, p99, max: the "
             "time that 50, 90, 99 or all of 100 calls do not exceed; calls: their number in the "
             "whole run; stack: bytes of the deepest path"},
    {"allow", .value = "LIST", .take = take_allow, .words = "mode agent clock work",
     .expects = "mode, agent, clock and work, with commas between",
     .help = "compare although these differ: mode, agent (figures without what measuring adds), clock "
             "(cycles), work (numbers of calls); commas between"},
    {"gone", .value = "fail|warn", .take = take_gone, .words = "fail warn", .expects = "fail or warn",
     .help = "treat functions that are no longer called as failures, or as warnings"},
    {"faster", .value = "warn", .take = take_faster, .words = "warn", .expects = "warn",
     .help = "warn of functions that became faster by as much, or are called less often"},
    {"only", .value = "REGEX", .take = take_only, .expects = "one regular expression, as grep -E has it",
     .help = "compare only functions whose name matches (extended regular expression, as grep -E "
             "has it)"},
    {"ignore", .value = "REGEX", .take = take_ignore, .expects = "one regular expression, as grep -E has it",
     .help = "do not compare functions whose name matches"},
    {"min-calls", .value = "N", .take = take_calls, .expects = "a number of calls from 1",
     .help = "compare functions with at least this many calls on both sides (default 1)"},
    {"max-loss", .value = "SHARE", .take = take_loss, .expects = "a share such as 0.1%",
     .help = "allow each profile to lack this share of its records (default 0.1%)"},
    {"limit", .value = "LIMIT", .take = take_limit,
     .help = "a limit to check, such as 'control_cycle:p99<500us', as for miniprofd itself; may "
             "be repeated"},
    {"limits", .value = "FILE", .take = take_limits, .help = "limits, one a line"},
    {"format", 'o', .group = "Report", .value = "FORMAT[=PATH]", .take = take_format,
     .words = "text json junit markdown bmf gcc github",
     .expects = "text, json, junit, markdown, bmf, gcc or github, each with =PATH except for one",
     .help = "text (default), json, junit, markdown, bmf, gcc (file:line:col: warning: ...), github (::error "
             "...); PATH is a file, beside the one on standard output (-); may be repeated"},
    {"root", .value = "DIR", AT(places.root),
     .help = "write paths of files relative to DIR (the repository of this folder)"},
    {"source-path", .value = "FROM=TO", .take = take_source_path, .expects = "FROM=TO",
     .help = "where the ELF was built elsewhere: files that it has below FROM are below TO; may "
             "be repeated"},
    {"help", 'h', .group = "General", AT(help), .help = "print this"},
    {0},
};

const struct arguments check_arguments = {
    .command = "check",
    .usage =
        "usage: miniprofd check --baseline BEFORE.json --against AFTER.json [options]\n"
        "       miniprofd check --baseline BEFORE.json --port SOURCE [options, those of miniprofd, too]\n"
        "       miniprofd check --against AFTER.json --limit FUNCTION:FIGURE<VALUE [options]\n",
    .about =
        "Compares two profiles, and reports which functions became slower and which limits are broken. A "
        "profile is a\n"
        "file that --export json or the page wrote; the newer one can also be measured now (--port).\n",
    .examples =
        "miniprofd check --baseline before.json --against after.json\n"
        "miniprofd check --baseline before.json --port /dev/ttyACM0 --elf fw.elf --work "
        "control_cycle=1000\n"
        "miniprofd check --against after.json --limit 'control_cycle:p99<500us' --format junit=report.xml\n",
    .notes = "exit status: 0 nothing became slower, no limit is broken; 1 failed; 2 wrong usage; 3 something "
             "became\n"
             "  slower, or broke its limit; 4 inconclusive: no function in both, too much lost, another ELF, "
             "mode,\n"
             "  clock, agent, setting or work, a damaged or newer file, a limit that cannot be judged\n",
    .options = check_rows,
    .operand = take_unknown,
    .unknown = take_unknown,
};

/* Returns the value of an option that is passed on: "" without a value, NULL without the option. */
static const char *passed_on(const struct check_options *options, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 1; i <= options->passed_on_n; i++) {
        const char *argument = options->passed_on[i];
        if (strncmp(argument, name, n) != 0)
            continue;
        if (argument[n] == '=')
            return argument + n + 1;
        if (!argument[n])
            return i < options->passed_on_n ? options->passed_on[i + 1] : "";
    }
    return NULL;
}

static bool is_to_measure(const struct check_options *options)
{
    return passed_on(options, "--port") != NULL;
}

/* Puts an option before those passed on, since the last of these may lack its value. */
static bool pass_first(struct check_options *options, const char *argument, struct error *err)
{
    if (!pass_on(options, argument, err)) /* makes room */
        return false;
    memmove(&options->passed_on[2], &options->passed_on[1],
            (options->passed_on_n - 1) * sizeof *options->passed_on);
    options->passed_on[1] = argument;
    return true;
}

/* True when the configuration file sets the duration. The measuring process reports an invalid file. */
static bool config_ends(const char *path)
{
    struct wholefile file;
    struct error err;
    if (!path)
        return false;
    if (!wholefile_read(&file, "configuration", path, 1, &err))
        return false;
    struct jsonio *json = jsonio_parse(path, file.bytes, file.n, &err);
    free(file.bytes);
    bool ends = jsonio_member(json, "duration") != NULL;
    jsonio_free(json);
    return ends;
}

/* Adds a time limit: a board does not end by itself, and a job that waited for it would time out without a reason.
 * A duration in a configuration file has precedence. */
static bool end_measuring(struct check_options *options, struct error *err)
{
    const char *port = passed_on(options, "--port");
    if (!port || !strcmp(port, "-") || !strncmp(port, "file:", 5))
        return true;
    if (!passed_on(options, "--duration") && !config_ends(passed_on(options, "--config")) &&
        !pass_first(options, passed_on(options, "--work") ? "--duration=600" : "--duration=10", err))
        return false;
    return passed_on(options, "--end-when-gone") || pass_first(options, "--end-when-gone", err);
}

/* True when both paths are equal or lead to the same file. */
static bool is_same_file(const char *one, const char *other)
{
    struct stat stats[2];
    if (!one || !other || !strcmp(one, other))
        return one && other;
    return stat(one, &stats[0]) == 0 && stat(other, &stats[1]) == 0 && S_ISREG(stats[0].st_mode) &&
           stats[0].st_dev == stats[1].st_dev && stats[0].st_ino == stats[1].st_ino;
}

/* Returns the report that would overwrite a profile, NULL when there is none. */
static const char *find_overwriting_report(const struct check_options *options)
{
    const char *const profiles[] = {options->baseline, options->again, options->against, options->keep};
    for (size_t i = 0; i < options->reports_n; i++)
        for (size_t p = 0; p < sizeof profiles / sizeof *profiles; p++)
            if (is_same_file(options->reports[i].path, profiles[p]))
                return options->reports[i].path;
    return NULL;
}

static bool is_whole(const struct check_options *options, struct error *err)
{
    bool measures = is_to_measure(options);
    if (!measures && options->unknown)
        return arguments_unknown(&check_arguments, options->unknown, err);
    if (!measures && !options->against)
        return error_set(err, "check needs --against, or --port to measure.");
    if (measures && options->against)
        return error_set(err, "check takes --against or --port, not both.");
    if (options->keep && !measures)
        return error_set(err, "--keep is for what is measured, with --port.");
    struct stat root;
    if (options->places.root && (stat(options->places.root, &root) != 0 || !S_ISDIR(root.st_mode)))
        return error_set(err, "--root %.200s is no folder.", options->places.root);
    if (find_overwriting_report(options))
        return error_set(err, "The report %s would be written over a profile.",
                         find_overwriting_report(options));
    if (!options->baseline && (options->gate.limits_n == 0 || options->again))
        return error_set(err, "check needs --baseline or a --limit.");
    return true;
}

bool check_options_parse(struct check_options *options, int argc, char *const *argv, struct error *err)
{
    *options = (struct check_options){.gate = gate_usual(MEASURED_TIME)};
    if (!arguments_parse(&check_arguments, options, argc, argv, err))
        return false;
    const char *delta = options->delta;
    if (options->help)
        return true;
    struct gate *gate = &options->gate;
    enum measured_unit unit = measured_unit_of(gate->metric);
    gate->delta = gate_usual(gate->metric).delta;
    gate->is_usual_delta = !delta;
    if (delta && !parse_amount(delta, unit, &gate->delta))
        return error_set(err, "--min-delta cannot be %s for %s.", delta, measured_word(gate->metric));
    return is_whole(options, err) && end_measuring(options, err);
}

void check_options_fini(struct check_options *options)
{
    if (options->gate.only)
        regfree(&options->only);
    if (options->gate.ignore)
        regfree(&options->ignore);
}
