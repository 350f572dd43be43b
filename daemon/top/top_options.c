/* top_options.c - the command line of `miniprofd top`.
 *
 * With --port, unknown options are passed on to the measuring program. */
#include "top/top_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool pass_argument_on(void *user, const char *argument, struct error *err)
{
    /* These would conflict with the private address and the output of this command. */
    static const char *const ours[] = {"--listen", "--no-http", "--version", "-V", "--list-ports"};
    struct top_options *options = user;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strncmp(argument, ours[i], strlen(ours[i])) && strchr("=", argument[strlen(ours[i])]))
            return error_set(err, "top does not take %s.", ours[i]);
    if (options->passed_on_n == TOP_PASSED_ON_MAX)
        return error_set(err, "There are more options than miniprofd can be given.");
    options->passed_on[options->passed_on_n++] = argument;
    return true;
}

static bool take_unknown(void *user, const char *argument, struct error *err)
{
    struct top_options *options = user;
    options->unknown = options->unknown ? options->unknown : argument;
    return pass_argument_on(user, argument, err);
}

static bool take_port(void *user, const char *value, struct error *err)
{
    struct top_options *options = user;
    options->measures = true;
    return pass_argument_on(user, "--port", err) && pass_argument_on(user, value, err);
}

static bool take_delay(void *user, const char *value, struct error *err)
{
    struct top_options *options = user;
    char *end;
    (void)err;
    if (*value < '0' || *value > '9') /* strtod() accepts signs, blanks, "nan" and "inf" */
        return false;
    options->interval_s = strtod(value, &end);
    return !*end && options->interval_s >= 0.1 && options->interval_s <= 3600;
}

static bool take_sort(void *user, const char *value, struct error *err)
{
    (void)err;
    return table_sort_named(value, &((struct top_options *)user)->sort);
}

#define AT(name) .member = offsetof(struct top_options, name)

static const struct argument_option top_rows[] = {
    {"at", .group = "Source", .value = "URL", AT(at),
     .help = "the miniprofd that has the port, such as 127.0.0.1:7777 (the default), or unix:PATH where it "
             "listens at a socket"},
    {"token-file", .value = "FILE", AT(token_file), .help = "file with the token of that miniprofd"},
    {"port", 'p', .value = "SOURCE", .take = take_port,
     .help = "read this port, as for miniprofd itself; takes its options, too, such as --baud "
             "and --elf"},
    {"delay", 'd', .group = "Display", .value = "SECONDS", .take = take_delay,
     .expects = "a number of seconds from 0.1 to 3600", .help = "time between updates (2)"},
    {"updates", 'n', .value = "N", AT(updates), .type = ARGUMENT_NUMBER, .least = 1, .most = UINT32_MAX,
     .help = "end after N updates"},
    {"once", 'b', AT(is_batch),
     .help = "print plain tables, one unless -n is given; the first covers the whole time, each "
             "other one the last interval"},
    {"sort", 'o', .value = "KEY", .take = take_sort, .words = "own total rate mean p99 max calls name",
     .expects = "own, total, rate, mean, p99, max, calls or name",
     .help = "own, total, rate, mean, p99, max, calls or name (own)"},
    {"help", 'h', .group = "General", AT(help), .help = "print this"},
    {0},
};

const struct arguments top_arguments = {
    .command = "top",
    .usage = "usage: miniprofd top [--at URL] [options]\n"
             "       miniprofd top --port SOURCE [options, those of miniprofd, too]\n",
    .about =
        "Shows the busiest functions, the tasks and the health of the link in a terminal, of a running "
        "miniprofd\n"
        "or of a port. Without a terminal it prints one table. h shows the keys, which are those of top(1).\n",
    .examples = "miniprofd top\n"
                "miniprofd top --port /dev/ttyACM0 --elf fw.elf\n"
                "miniprofd top --at 127.0.0.1:7777 -b -n 3 -o total\n",
    .notes = "exit status: 0 done; 1 nothing could be shown, a sentence on standard error says why; 2 wrong "
             "usage\n",
    .options = top_rows,
    .operand = take_unknown,
    .unknown = take_unknown,
};

bool top_options_parse(struct top_options *options, int argc, char *const *argv, struct error *err)
{
    *options = (struct top_options){.interval_s = 2};
    if (!arguments_parse(&top_arguments, options, argc, argv, err))
        return false;
    if (options->help)
        return true;
    if (options->measures && options->at)
        return error_set(err, "top takes --at or --port, not both.");
    if (!options->measures && options->unknown)
        return arguments_unknown(&top_arguments, options->unknown, err);
    return true;
}
