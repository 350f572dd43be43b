/* top_options.c - the command line of `miniprofd top`.
 *
 * With --port, an option that is not known here is one of the program that measures. */
#include "top/top_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char top_help[] =
    "usage: miniprofd top [--at URL] [options]\n"
    "       miniprofd top --port SOURCE [options, those of miniprofd, too]\n"
    "Shows the busiest functions, the tasks and the health of the link in a terminal, of a miniprofd that\n"
    "runs or of a port. Where there is no terminal it prints one table. h shows the keys, which are those of "
    "top(1).\n"
    "\n"
    "  --at URL           the miniprofd that has the port, such as 127.0.0.1:7777 (the default), or\n"
    "                     unix:PATH where it listens at a socket\n"
    "  --token-file FILE  holds the token that this miniprofd asks for\n"
    "  --port SOURCE      read this port, as for miniprofd itself; with --baud, --elf and whatever else\n"
    "                     miniprofd --help lists\n"
    "  -d, --delay SECONDS  time from update to update, 0.1 to 3600 (2)\n"
    "  -n, --updates N    end after N updates\n"
    "  -b, --once         print plain tables, one unless -n says otherwise; the first is of all of the time, "
    "those\n"
    "                     that follow are of the last interval\n"
    "  -o, --sort KEY     own (default), total, rate, mean, p99, max, calls or name\n"
    "\n"
    "exit status: 0 done; 1 nothing could be shown, a sentence on standard error says why; 2 wrong usage\n";

static bool parse_delay(struct top_options *options, const char *value)
{
    char *end;
    if (*value < '0' || *value > '9') /* strtod() takes signs, blanks, "nan" and "inf" */
        return false;
    options->interval_s = strtod(value, &end);
    return !*end && options->interval_s >= 0.1 && options->interval_s <= 3600;
}

static bool parse_updates(struct top_options *options, const char *value)
{
    char *end;
    errno = 0;
    options->updates = strtoul(value, &end, 10);
    return *value >= '0' && *value <= '9' && !*end && !errno && options->updates > 0;
}

static const struct top_option {
    const char *name;
    char letter; /* also short, but for those in upper case */
    bool has_value;
} known[] = {{"at", 'A', true},      {"token-file", 'T', true}, {"port", 'P', true}, {"delay", 'd', true},
             {"updates", 'n', true}, {"once", 'b', false},      {"sort", 'o', true}, {"help", 'h', false}};

/* `argument` is "--name", "--name=value" or "-x". */
static const struct top_option *find_option(const char *argument, const char **value)
{
    bool is_long = !strncmp(argument, "--", 2);
    size_t n = is_long ? strcspn(argument + 2, "=") : 0;
    *value = is_long && argument[2 + n] == '=' ? argument + 3 + n : NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool is_short =
            argument[0] == '-' && argument[1] == known[i].letter && !argument[2] && known[i].letter >= 'a';
        if (is_short || (is_long && strlen(known[i].name) == n && !memcmp(argument + 2, known[i].name, n)))
            return &known[i];
    }
    return NULL;
}

static bool pass_argument_on(struct top_options *options, const char *argument, struct error *err)
{
    /* It listens where only we know, and shows what we show. */
    static const char *const ours[] = {"--listen", "--no-http", "--version", "-V", "--list-ports"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strncmp(argument, ours[i], strlen(ours[i])) && strchr("=", argument[strlen(ours[i])]))
            return error_set(err, "top does not take %s; see miniprofd top --help.", ours[i]);
    if (options->passed_on_n == TOP_PASSED_ON_MAX)
        return error_set(err, "There are more options than miniprofd can be given.");
    options->passed_on[options->passed_on_n++] = argument;
    return true;
}

static bool apply_top_option(struct top_options *options, const struct top_option *option, const char *value,
                             struct error *err)
{
    switch (option->letter) {
    case 'A': options->at = value; return true;
    case 'T': options->token_file = value; return true;
    case 'P':
        options->measures = true;
        return pass_argument_on(options, "--port", err) && pass_argument_on(options, value, err);
    case 'd': return parse_delay(options, value);
    case 'n': return parse_updates(options, value);
    case 'b': return options->is_batch = true;
    case 'o': return table_sort_named(value, &options->sort);
    default: return options->help = true;
    }
}

static bool check_top_options(const struct top_options *options, const char *unknown, struct error *err)
{
    if (options->help)
        return true;
    if (options->measures && options->at)
        return error_set(err, "top takes --at or --port, not both; see miniprofd top --help.");
    if (!options->measures && unknown)
        return error_set(err,
                         "top does not know %s, unless --port says what to measure; see miniprofd top "
                         "--help.",
                         unknown);
    return true;
}

bool top_options_parse(struct top_options *options, int argc, char *const *argv, struct error *err)
{
    const char *unknown = NULL, *value;
    *options = (struct top_options){.interval_s = 2};
    for (int i = 1; i < argc; i++) {
        const struct top_option *option = find_option(argv[i], &value);
        if (!option) {
            unknown = unknown ? unknown : argv[i];
            if (!pass_argument_on(options, argv[i], err))
                return false;
            continue;
        }
        if (option->has_value && !value && ++i == argc)
            return error_set(err, "--%s lacks its value; see miniprofd top --help.", option->name);
        if (!option->has_value && value)
            return error_set(err, "--%s takes no value; see miniprofd top --help.", option->name);
        value = option->has_value && !value ? argv[i] : value;
        *err = (struct error){""};
        if (!apply_top_option(options, option, value, err))
            return *err->text ? false
                              : error_set(err, "--%s cannot be %.100s; see miniprofd top --help.",
                                          option->name, value);
    }
    return check_top_options(options, unknown, err);
}
