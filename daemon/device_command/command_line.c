/* command_line.c - what `miniprofd device` is to do, from the command line. */
#include "device_command/command_line.h"

#include "base/limit.h"
#include "snapshot/target_description.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {[DEVICE_COMMAND_STATUS] = "status", [DEVICE_COMMAND_CONFIG] = "config",
                                    [DEVICE_COMMAND_START] = "start",   [DEVICE_COMMAND_STOP] = "stop",
                                    [DEVICE_COMMAND_RESET] = "reset",   [DEVICE_COMMAND_WINDOW] = "window"};
enum { WORDS = sizeof words / sizeof *words };

const char *device_command_word(enum device_command_kind kind)
{
    return words[kind];
}

void device_command_write_usage(struct sink *sink)
{
    sink_text(sink, "usage: miniprofd device (--port SOURCE [--baud N] | --at URL) [options] WHAT\n"
                    "       WHAT: status | config [NAME=VALUE ...] | start | stop | reset |\n"
                    "             window FUNCTION>TIME|now|off\n");
}

void device_command_write_help(struct sink *sink)
{
    device_command_write_usage(sink);
    sink_text(
        sink,
        "\nTalks to a device once and leaves it as it is, but for what it is told:\n\n"
        "  status                   what it is, what it can do, and how its buffer is\n"
        "  config [NAME=VALUE ...]  what can be set there; sets it, and shows what the device says "
        "then\n"
        "  start, stop, reset       has it profile, or not; empty its buffer\n"
        "  window FUNCTION>TIME     with --at: a window is kept at each call that takes longer, such as "
        "'control_cycle>500us'\n"
        "  window now, window off   one of now; none any more\n\n"
        "  --port SOURCE            where it is, as for miniprofd itself: /dev/ttyACM0, "
        "rfc2217:HOST:PORT,\n"
        "                           tcp:HOST:PORT, unix:PATH\n"
        "  --baud N                 speed of a serial port in bits per second (115200); with --port, a "
        "baud=N that is set\n"
        "                           is proven, and taken back at the end; with --at it stays\n"
        "  --dtr STATE, --rts STATE with --port: keep, on, off or pulse, as for miniprofd itself (keep); the "
        "lines stay so\n"
        "                           when the command has ended\n"
        "  --at URL                 through the miniprofd that has the port, such as "
        "http://127.0.0.1:7777, or\n"
        "                           unix:PATH where it listens at a socket\n"
        "  --token-file FILE        holds the token that this miniprofd asks for\n"
        "  --mode MODE              with --port and start: auto, stream, tree or calls (auto)\n"
        "  --json                   as JSON\n"
        "\nexit status: 0 done; 1 the device could not be asked, or refused, a sentence on standard "
        "error says why;\n2 wrong usage\n");
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
    return error_set(
        err,
        first ? "'%s' is nothing that a device can be told: status, config, start, stop, reset or window."
              : "There is nothing to do with '%s'.",
        word);
}

static bool take_mode(struct device_command *asked, const char *value, struct error *err)
{
    return snapshot_mode_find(value, &asked->mode) ||
           error_set(err, "--mode takes auto, stream, tree or calls, not '%s'.", value);
}

static bool take_baud(struct device_command *asked, const char *value, struct error *err)
{
    uint64_t baud;
    if (!take_number(value, UINT32_MAX, &baud) || baud == 0)
        return error_set(err, "--baud takes a speed in bits per second such as 115200, not '%s'.", value);
    asked->baud = (uint32_t)baud;
    return true;
}

static bool take_line(enum source_line *line, const char *name, const char *value, struct error *err)
{
    return source_line_named(value, line) ||
           error_set(err, "--%.3s takes keep, on, off or pulse, not '%.100s'.", name, value);
}

/* `name` is one of takes_value(), without dashes, n long. */
static bool take_option(struct device_command *asked, const char *name, size_t n, const char *value,
                        struct error *err)
{
    const char **const texts[] = {&asked->port, &asked->at, &asked->token_file};
    static const char *const text_names[] = {"port", "at", "token-file"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strlen(text_names[i]) == n && !memcmp(name, text_names[i], n)) {
            *texts[i] = value;
            return true;
        }
    }
    if (n == 3)
        return take_line(*name == 'd' ? &asked->dtr : &asked->rts, name, value, err);
    return *name == 'b' ? take_baud(asked, value, err) : take_mode(asked, value, err);
}

static bool takes_value(const char *name, size_t n)
{
    static const char *const names[] = {"port", "at", "token-file", "baud", "mode", "dtr", "rts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !memcmp(name, names[i], n))
            return true;
    return false;
}

static bool check_device_command(const struct device_command *asked, bool has_word, struct error *err)
{
    if (asked->help)
        return true;
    if (!has_word)
        return error_set(err, "Nothing was said to do: status, config, start, stop, reset or window.");
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
    bool has_word = false;
    *asked = (struct device_command){.baud = 115200};
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i], *name = argument + 2;
        if (argument[0] != '-' || argument[1] != '-' || !argument[2]) {
            if (!take_word(asked, argument, !has_word, err))
                return false;
            has_word = true;
            continue;
        }
        size_t n = strcspn(name, "=");
        if (takes_value(name, n)) {
            if (!name[n] && i + 1 >= argc)
                return error_set(err, "--%s needs a value.", name);
            if (!take_option(asked, name, n, name[n] ? name + n + 1 : argv[++i], err))
                return false;
        } else if (!strcmp(name, "json")) {
            asked->json = true;
        } else if (!strcmp(name, "help")) {
            asked->help = true;
        } else {
            return error_set(err, "miniprofd device has no option '%s'.", argument);
        }
    }
    return check_device_command(asked, has_word, err);
}
