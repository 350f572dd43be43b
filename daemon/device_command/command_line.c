/* command_line.c - parses the command line of `miniprofd device`. */
#include "device_command/command_line.h"

#include "base/limit.h"
#include "snapshot/target_description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_OF_ORDERS(row) DEVICE_COMMAND_ROWS(row, DEVICE_COMMAND_NONE, DEVICE_COMMAND_NONE)

#define WORD_OF_ORDER(id, code, wire, word, ...) [DEVICE_COMMAND_##id] = (word),
static const char *const words[] = {[DEVICE_COMMAND_STATUS] = "status",
                                    [DEVICE_COMMAND_CONFIG] = "config",
                                    [DEVICE_COMMAND_WINDOW] = "window",
                                    ROWS_OF_ORDERS(WORD_OF_ORDER)};

/* Parts of texts: "start, stop, ", " | start | stop", and lines of --help. */
#define WORD_IN_SENTENCE(id, code, wire, word, ...)                  word ", "
#define WORD_IN_USAGE(id, code, wire, word, ...)                     " | " word
#define LINE_OF_HELP(id, code, wire, word, operation, summary, line) line
#define ORDERS_IN_SENTENCE                                           ROWS_OF_ORDERS(WORD_IN_SENTENCE)
#define ORDERS_IN_USAGE                                              ROWS_OF_ORDERS(WORD_IN_USAGE)
#define ORDERS_IN_HELP                                               ROWS_OF_ORDERS(LINE_OF_HELP)

static const char words_wanted[] = "status, config, " ORDERS_IN_SENTENCE "or window";
enum { WORDS = sizeof words / sizeof *words };

const char *device_command_word(enum device_command_kind kind)
{
    return words[kind];
}

static bool take_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return *text >= '0' && *text <= '9' && !*end && !errno && value <= most;
}

static bool take_setting(struct device_command *asked, const char *word, struct error *err)
{
    size_t n = strcspn(word, "=");
    struct device_command_setting *setting = &asked->settings[asked->settings_n];
    if (n == 0 || !word[n] || n >= sizeof setting->name)
        return error_set(err, "config takes NAME=VALUE, not '%s'.", word);
    if (asked->settings_n == DEVICE_COMMAND_SETTINGS_MAX)
        return error_set(err, "config was given more than %d settings.", DEVICE_COMMAND_SETTINGS_MAX);
    if (!take_number(word + n + 1, UINT64_MAX, &setting->value))
        return error_set(err, "The value of %.*s is a whole number, not '%s'.", (int)n, word, word + n + 1);
    memcpy(setting->name, word, n);
    setting->name[n] = '\0';
    asked->settings_n++;
    return true;
}

static bool take_window(struct device_command *asked, const char *word, struct error *err)
{
    struct limit limit;
    if (asked->window)
        return error_set(err, "There is nothing to do with '%s'.", word);
    asked->window = word;
    return !strcmp(word, "now") || !strcmp(word, "off") || limit_parse(word, &limit, err);
}

static bool take_word(struct device_command *asked, const char *word, bool first, struct error *err)
{
    if (!first && asked->kind == DEVICE_COMMAND_CONFIG)
        return take_setting(asked, word, err);
    if (!first && asked->kind == DEVICE_COMMAND_WINDOW)
        return take_window(asked, word, err);
    for (size_t i = 0; first && i < WORDS; i++) {
        if (strcmp(word, words[i]) != 0)
            continue;
        asked->kind = (enum device_command_kind)i;
        return true;
    }
    return first ? error_set(err, "'%s' is not a device command: %s.", word, words_wanted)
                 : error_set(err, "There is nothing to do with '%s'.", word);
}

/* Takes the command, and then its arguments. */
static bool take_operand(void *user, const char *word, struct error *err)
{
    struct device_command *asked = user;
    bool is_first = !asked->has_word;
    asked->has_word = true;
    return take_word(asked, word, is_first, err);
}

static bool take_mode(void *user, const char *value, struct error *err)
{
    return snapshot_mode_find(value, &((struct device_command *)user)->mode);
}

static bool take_dtr(void *user, const char *value, struct error *err)
{
    return source_line_named(value, &((struct device_command *)user)->dtr);
}

static bool take_rts(void *user, const char *value, struct error *err)
{
    return source_line_named(value, &((struct device_command *)user)->rts);
}

#define AT(name) .member = offsetof(struct device_command, name)

static const struct argument_option device_rows[] = {
    {"port", 'p', .group = "Source", .value = "SOURCE", AT(port), .words = "@ports",
     .help = "where the device is, as for miniprofd itself: /dev/ttyACM0, rfc2217:HOST:PORT, "
             "tcp:HOST:PORT, unix:PATH"},
    {"baud", 'b', .value = "N", AT(baud), .type = ARGUMENT_NUMBER, .least = 1, .most = UINT32_MAX,
     .expects = "a speed in bits per second such as 115200",
     .help = "speed of a serial port in bits per second (115200); with --port, a new rate "
             "(config baud=N) is tried, and taken back at the end; with --at it stays"},
    {"dtr", .value = "STATE", .take = take_dtr, .words = "keep on off pulse",
     .expects = "keep, on, off or pulse",
     .help =
         "with --port: keep, on, off or pulse, as for miniprofd itself (keep); the line stays so when the "
         "command has ended"},
    {"rts", .value = "STATE", .take = take_rts, .words = "keep on off pulse",
     .expects = "keep, on, off or pulse", .help = "the same for RTS"},
    {"at", .value = "URL", AT(at),
     .help = "through the miniprofd that has the port, such as http://127.0.0.1:7777, or unix:PATH where it "
             "listens at a socket"},
    {"token-file", .value = "FILE", AT(token_file), .help = "file with the token of that miniprofd"},
    {"mode", .group = "Device", .value = "MODE", .take = take_mode, .words = "auto stream tree calls",
     .expects = "auto, stream, tree or calls",
     .help = "with --port and start: auto, stream, tree or calls (auto)"},
    {"json", .group = "General", AT(json), .help = "as JSON"},
    {"help", 'h', AT(help), .help = "print this"},
    {0},
};

const struct arguments device_command_arguments = {
    .command = "device",
    .usage = "usage: miniprofd device (--port SOURCE [--baud N] | --at URL) [options] WHAT\n"
             "       WHAT: status | config [NAME=VALUE ...]" ORDERS_IN_USAGE " |\n"
             "             window FUNCTION>TIME|now|off\n",
    .about = "Sends one command to a device, and changes nothing else on it:\n\n"
             "  status                   what it is, what it can do, and the state of its buffer\n"
             "  config [NAME=VALUE ...]  lists its settings; or changes some, and lists them then\n"
    /* start and the like */
    ORDERS_IN_HELP "  window FUNCTION>TIME     with --at: keep a window around each longer call, such as "
             "'control_cycle>500us'\n"
             "  window now, window off   keep one of now; keep none any more\n",
    .examples = "miniprofd device --port /dev/ttyACM0 status\n"
                "miniprofd device --port /dev/ttyACM0 config shortest=10\n"
                "miniprofd device --at http://127.0.0.1:7777 window now\n",
    .notes = "exit status: 0 done; 1 the device could not be asked, or refused, a sentence on standard error "
             "says why;\n2 wrong usage\n",
    .options = device_rows,
    .operand = take_operand,
};

static bool check_device_command(const struct device_command *asked, bool has_word, struct error *err)
{
    if (asked->help)
        return true;
    if (!has_word)
        return error_set(err, "Name a command: %s.", words_wanted);
    if (!asked->port == !asked->at)
        return error_set(err,
                         "Say where the device is: --port SOURCE, or --at URL of the miniprofd that has it.");
    if (asked->mode != MODE_AUTO && (asked->at || asked->kind != DEVICE_COMMAND_START))
        return error_set(err, "--mode goes with --port and start.");
    if (asked->at && (asked->dtr != SOURCE_LINE_KEEP || asked->rts != SOURCE_LINE_KEEP))
        return error_set(err, "--dtr and --rts go with --port; that miniprofd has options of its own.");
    if (asked->kind == DEVICE_COMMAND_WINDOW && (!asked->at || !asked->window))
        return error_set(err,
                         "window goes with --at and takes FUNCTION>TIME, now or off; over a port, config "
                         "sets window-function, window-ticks and window.");
    return true;
}

bool device_command_parse(struct device_command *asked, int argc, char *const *argv, struct error *err)
{
    *asked = (struct device_command){.baud = 115200};
    return arguments_parse(&device_command_arguments, asked, argc, argv, err) &&
           check_device_command(asked, asked->has_word, err);
}
