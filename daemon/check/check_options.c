/* check_options.c - the command line of `miniprofd check`.
 *
 * An option that is not known here is one of the program that measures, when something is to be measured. */
#include "check/check_options.h"

#include "base/bound_lines.h"
#include "base/jsonio.h"
#include "base/wholefile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char check_help[] =
    "usage: miniprofd check --baseline BEFORE.json --against AFTER.json [options]\n"
    "       miniprofd check --baseline BEFORE.json --port SOURCE [options, those of miniprofd, too]\n"
    "       miniprofd check --against AFTER.json --limit FUNCTION:FIGURE<VALUE [options]\n"
    "Tells which functions became slower, of two files that --export json or the page wrote, or of one and\n"
    "what is measured now, and which limits are broken.\n"
    "\n"
    "  --max-regress SHARE   let through so much more than before (default 5%)\n"
    "  --min-delta AMOUNT    let through so much more: a time (ns, us, ms, s; default 0.5us, two\n"
    "                        ticks at least), or a number of\n"
    "                        calls or bytes (default 0); a function fails that exceeds both\n"
    "  --metric METRIC       time (default): of a call, with its callees and without, the slow function "
    "first;\n"
    "                        total-mean: with its callees; self-mean: without them; p50, p90, p99, max: what "
    "so many of 100 calls "
    "do\n"
    "                        not exceed; calls: how many of a whole run; stack: bytes of its deepest path\n"
    "                        BEFORE may be a folder of profiles: the newest is the baseline, and what they\n"
    "                        differ by is let through, too\n"
    "  --noise AGAIN.json    a second run of the baseline, likewise; spread: let through what the durations "
    "of\n"
    "                        single calls explain\n"
    "  --allow LIST          compare although these differ: mode, agent (figures without what measuring "
    "adds),\n"
    "                        clock (cycles), work (numbers of calls); commas between\n"
    "  --gone fail|warn      functions that are not called any more are failures, or warnings\n"
    "  --faster warn         warn of functions that became faster by as much\n"
    "  --only REGEX          compare functions whose name it matches (extended, as grep -E has it)\n"
    "  --ignore REGEX        do not compare these\n"
    "  --min-calls N         compare functions with so many calls on both sides (default 1)\n"
    "  --max-loss SHARE      of each profile so much may be missing (default 0.1%)\n"
    "  --limit LIMIT         what is to hold, such as 'control_cycle:p99<500us', as for miniprofd itself; "
    "may\n"
    "                        be repeated\n"
    "  --limits FILE         limits, one a line\n"
    "  --port SOURCE         measure now: with --elf, --work FUNCTION=CALLS (until it was called so often) "
    "or\n"
    "                        --duration (10 s; with --work 600 s at most), and whatever else miniprofd "
    "--help lists\n"
    "  --keep FILE           keep what was measured\n"
    "  --format FORMAT[=PATH]  text (default), json, junit, markdown, bmf, gcc (file:line:col: warning: "
    "...),\n"
    "                        github (::error ...); PATH is a file, beside the one on standard output (-);\n"
    "                        may be repeated\n"
    "  --root DIR            files in these are given from here (the repository that this folder is in)\n"
    "  --source-path FROM=TO where the ELF was built elsewhere: files below FROM are below TO; may be "
    "repeated\n"
    "\n"
    "exit status: 0 nothing became slower, no limit is broken; 1 failed; 2 wrong usage; 3 something became\n"
    "  slower, or broke its limit; 4 nobody can tell: no function in both, too much lost, another ELF, "
    "mode,\n"
    "  clock, agent, setting or work, a damaged or newer file, a limit that cannot be judged\n";

/* A number that is not negative, and what stands behind it. */
static bool parse_number_with_unit(const char *text, double *out, const char **unit)
{
    char *end;
    if (*text < '0' || *text > '9') /* strtod() takes signs, blanks, "nan" and "inf" */
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
        return false; /* alternatives are one expression: a|b */
    *used = regcomp(out, text, REG_EXTENDED | REG_NOSUB) == 0 ? out : NULL;
    return *used != NULL;
}

/* Only one can go to standard output. */
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

/* Names of differences, with commas between. */
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

/* Takes the value of an option; false without a sentence when the value cannot be. */
static bool apply_check_option(struct check_options *options, char option, const char *value,
                               struct error *err)
{
    struct gate *gate = &options->gate;
    switch (option) {
    case 'b': options->baseline = value; return true;
    case 'n': return set_noise_source(options, value);
    case 'a': options->against = value; return true;
    case 'k': options->keep = value; return true;
    case 'R': options->places.root = value; return true;
    case 'S': return places_add_map(&options->places, value);
    case 'A': return allow_differences(gate, value);
    case 'G': return set_gone_verdict(gate, value);
    case 'W': return gate->warns_faster = !strcmp(value, "warn");
    case 'r': return parse_percentage(value, &gate->regress);
    case 'm': return measured_named(value, &gate->metric);
    case 'c': return parse_whole_count(value, &gate->calls);
    case 'l': return parse_percentage(value, &gate->loss);
    case 'o': return compile_name_regex(value, &options->only, &gate->only);
    case 'i': return compile_name_regex(value, &options->ignore, &gate->ignore);
    case 'f': return add_check_report(options, value);
    case 'L': return add_gate_limit(gate, value, err);
    case 'F': return bound_read_lines(value, add_gate_limit, gate, err);
    default: return true; /* which is judged when all are known */
    }
}

static const struct known {
    const char *name;
    char letter;
    bool passed_on; /* to whoever measures, too */
} known[] = {{"baseline", 'b', false},  {"noise", 'n', false},       {"against", 'a', false},
             {"keep", 'k', false},      {"max-regress", 'r', false}, {"min-delta", 'd', false},
             {"metric", 'm', false},    {"min-calls", 'c', false},   {"max-loss", 'l', false},
             {"only", 'o', false},      {"ignore", 'i', false},      {"format", 'f', false},
             {"limit", 'L', true},      {"limits", 'F', true},       {"root", 'R', false},
             {"allow", 'A', false},     {"gone", 'G', false},        {"faster", 'W', false},
             {"source-path", 'S', true}};

static const struct known *known_as(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == n && !memcmp(known[i].name, name, n))
            return &known[i];
    return NULL;
}

static bool pass_on(struct check_options *options, const char *argument, struct error *err)
{
    if (options->passed_on_n + 1 == CHECK_PASSED_ON_MAX)
        return error_set(err, "There are more options than miniprofd can be given.");
    options->passed_on[++options->passed_on_n] = argument;
    return true;
}

/* One argument and perhaps the next. */
static bool take_argument(struct check_options *options, int argc, char *const *argv, int *at,
                          const char **delta, struct error *err)
{
    const char *argument = argv[*at], *name = argument + 2;
    if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) {
        options->help = true;
        return true;
    }
    bool is_option = !strncmp(argument, "--", 2);
    size_t n = is_option ? strcspn(name, "=") : 0;
    const struct known *option = is_option ? known_as(name, n) : NULL;
    if (!option)
        return pass_on(options, argument, err);
    const char *value = name[n] == '=' ? name + n + 1 : argv[*at + 1];
    if (!value)
        return error_set(err, "--%s lacks its value; see miniprofd check --help.", option->name);
    if (option->passed_on &&
        (!pass_on(options, argument, err) || (name[n] != '=' && !pass_on(options, value, err))))
        return false;
    *at += name[n] != '=';
    if (option->letter == 'd')
        *delta = value;
    struct error why = {""};
    if (apply_check_option(options, option->letter, value, &why))
        return true;
    size_t length = strlen(why.text);
    if (length > 0) /* what the system adds to a sentence has no full stop */
        return error_set(err, "%s%s See miniprofd check --help.", why.text,
                         why.text[length - 1] == '.' ? "" : ".");
    return error_set(err, "--%s cannot be %s; see miniprofd check --help.", option->name, value);
}

/* The value of an option that is passed on; "" where it has none, NULL where it is not there. */
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

/* In front of theirs, of which the last may lack its value. */
static bool pass_first(struct check_options *options, const char *argument, struct error *err)
{
    if (!pass_on(options, argument, err)) /* makes room */
        return false;
    memmove(&options->passed_on[2], &options->passed_on[1],
            (options->passed_on_n - 1) * sizeof *options->passed_on);
    options->passed_on[1] = argument;
    return true;
}

/* Whether the configuration file says how long to measure. What is no such file is for whoever measures to
 * tell. */
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

/* A board does not end by itself, and a job that waits for one fails late and without a reason. What a
 * configuration file says of it stays. */
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

/* What was passed on besides limits, when nothing is to be measured. */
static const char *find_unknown_argument(const struct check_options *options)
{
    for (size_t i = 1; i <= options->passed_on_n; i++) {
        const char *argument = options->passed_on[i];
        size_t n = strncmp(argument, "--", 2) ? 0 : strcspn(argument + 2, "=");
        const struct known *option = n ? known_as(argument + 2, n) : NULL;
        if (!option)
            return argument;
        i += argument[2 + n] != '=';
    }
    return NULL;
}

/* Whether both are paths of one file, which need not be there if they are the same path. */
static bool is_same_file(const char *one, const char *other)
{
    struct stat stats[2];
    if (!one || !other || !strcmp(one, other))
        return one && other;
    return stat(one, &stats[0]) == 0 && stat(other, &stats[1]) == 0 && S_ISREG(stats[0].st_mode) &&
           stats[0].st_dev == stats[1].st_dev && stats[0].st_ino == stats[1].st_ino;
}

/* The report that would be written over a profile; NULL when there is none. */
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
    if (!measures && find_unknown_argument(options))
        return error_set(err, "check does not know %s; see miniprofd check --help.",
                         find_unknown_argument(options));
    if (!measures && !options->against)
        return error_set(err, "check needs --against, or --port to measure; see miniprofd check --help.");
    if (measures && options->against)
        return error_set(err, "check takes --against or --port, not both; see miniprofd check --help.");
    if (options->keep && !measures)
        return error_set(err, "--keep is for what is measured, with --port; see miniprofd check --help.");
    struct stat root;
    if (options->places.root && (stat(options->places.root, &root) != 0 || !S_ISDIR(root.st_mode)))
        return error_set(err, "--root %.200s is no folder; see miniprofd check --help.",
                         options->places.root);
    if (find_overwriting_report(options))
        return error_set(err, "The report %s would be written over a profile; see miniprofd check --help.",
                         find_overwriting_report(options));
    if (!options->baseline && (options->gate.limits_n == 0 || options->again))
        return error_set(err, "check needs --baseline or a --limit; see miniprofd check --help.");
    return true;
}

bool check_options_parse(struct check_options *options, int argc, char *const *argv, struct error *err)
{
    const char *delta = NULL;
    *options = (struct check_options){.gate = gate_usual(MEASURED_TIME)};
    for (int i = 1; i < argc; i++)
        if (!take_argument(options, argc, argv, &i, &delta, err))
            return false;
    if (options->help)
        return true;
    struct gate *gate = &options->gate;
    enum measured_unit unit = measured_unit_of(gate->metric);
    gate->delta = gate_usual(gate->metric).delta;
    gate->is_usual_delta = !delta;
    if (delta && !parse_amount(delta, unit, &gate->delta))
        return error_set(err, "--min-delta cannot be %s for %s; see miniprofd check --help.", delta,
                         measured_word(gate->metric));
    return is_whole(options, err) && end_measuring(options, err);
}

void check_options_fini(struct check_options *options)
{
    if (options->gate.only)
        regfree(&options->only);
    if (options->gate.ignore)
        regfree(&options->ignore);
}
