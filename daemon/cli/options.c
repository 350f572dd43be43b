/* options.c - what the user asked for.
 *
 * One table names every option with its help and the function that takes its value; command line,
 * configuration file and help text are all read off it. */
#include "cli/options_private.h"

#include "base/bound_lines.h"
#include "base/limit.h"
#include "cli/config.h"
#include "export/export.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options_text {
    struct options_text *next;
    char text[];
};

/* Copies a text, which lives as long as the options; "" when memory is used up. */
static const char *keep_text(struct options *options, const char *text)
{
    struct options_text *kept = malloc(sizeof *kept + strlen(text) + 1);
    if (!kept)
        return "";
    strcpy(kept->text, text);
    kept->next = options->texts;
    options->texts = kept;
    return kept->text;
}

static bool take_rate(uint32_t *out, const char *option, const char *value, struct error *err)
{
    char *end;
    errno = 0;
    unsigned long baud = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || baud == 0 || baud > UINT32_MAX)
        return error_set(err, "%s takes a speed in bits per second such as 115200, not '%s'.", option, value);
    *out = (uint32_t)baud;
    return true;
}

static bool take_baud(struct options *options, const char *value, struct error *err)
{
    return take_rate(&options->baud, "--baud", value, err);
}

static bool take_baud_max(struct options *options, const char *value, struct error *err)
{
    return take_rate(&options->baud_max, "--baud-max", value, err);
}

static bool take_line(struct options *options, enum source_line *line, const char *option, const char *value,
                      struct error *err)
{
    options->has_default_lines = false;
    return source_line_named(value, line) ||
           error_set(err, "%s takes keep, on, off or pulse, not '%.100s'.", option, value);
}

static bool take_dtr(struct options *options, const char *value, struct error *err)
{
    return take_line(options, &options->dtr, "--dtr", value, err);
}

static bool take_rts(struct options *options, const char *value, struct error *err)
{
    return take_line(options, &options->rts, "--rts", value, err);
}

static bool take_dialect(struct options *options, const char *value, struct error *err)
{
    options->dialect = dialect_find(value);
    options->dialect_chosen = true;
    if (options->dialect || !strcmp(value, "auto"))
        return true;
    error_set(err, "There is no dialect '%s'; there is: auto,", value);
    for (size_t i = 0; dialect_registry[i]; i++) {
        size_t n = strlen(err->text);
        snprintf(err->text + n, sizeof err->text - n, " %s%s", dialect_registry[i]->id,
                 dialect_registry[i + 1] ? "," : ".");
    }
    return false;
}

/* Keeps what stands before and after the first '=', which there is. */
static bool keep_pair(struct options *options, const char *value, const char **left, const char **right,
                      struct error *err)
{
    size_t n = strcspn(value, "=");
    char *copy = strndup(value, n);
    if (!copy)
        return error_set(err, "Memory is used up.");
    *left = keep_text(options, copy);
    *right = keep_text(options, value + n + 1);
    free(copy);
    return true;
}

static bool take_dialect_option(struct options *options, const char *value, struct error *err)
{
    if (!strchr(value, '=') || *value == '=')
        return error_set(err, "--dialect-opt takes KEY=VALUE, not '%s'.", value);
    if (options->dialect_settings_n == OPTIONS_DIALECT_SETTINGS_MAX)
        return error_set(err, "--dialect-opt was given more than %d times.", OPTIONS_DIALECT_SETTINGS_MAX);
    struct dialect_setting *setting = &options->dialect_settings[options->dialect_settings_n++];
    return keep_pair(options, value, &setting->key, &setting->value, err);
}

static bool take_source_path(struct options *options, const char *value, struct error *err)
{
    const char *equals = strchr(value, '=');
    if (!equals || !equals[1])
        return error_set(err, "--source-path takes FROM=TO, not '%s'.", value);
    if (options->source_paths_n == OPTIONS_SOURCE_PATHS_MAX)
        return error_set(err, "--source-path was given more than %d times.", OPTIONS_SOURCE_PATHS_MAX);
    struct options_source_path *path = &options->source_paths[options->source_paths_n++];
    return keep_pair(options, value, &path->from, &path->to, err);
}

/* The command line's files are instead of those of the configuration file, not in addition. */
static bool take_elf(struct options *options, const char *value, struct error *err)
{
    if (options->has_default_elfs)
        options->elfs = (struct elf_list){.n = 0};
    options->has_default_elfs = false;
    return elf_list_add(&options->elfs, value, err);
}

static bool take_mode(struct options *options, const char *value, struct error *err)
{
    static const char *const names[MODES] = {
        [MODE_AUTO] = "auto", [MODE_CALLS] = "calls", [MODE_STREAM] = "stream", [MODE_TREE] = "tree"};
    for (int mode = 0; mode < MODES; mode++) {
        if (strcmp(value, names[mode]) != 0)
            continue;
        options->mode = (enum mode)mode;
        return true;
    }
    return error_set(err, "--mode takes auto, stream, tree or calls, not '%s'.", value);
}

static bool take_trigger(struct options *options, const char *value, struct error *err)
{
    struct limit limit;
    options->trigger = keep_text(options, value);
    return limit_parse(value, &limit, err);
}

static bool take_allow_frame(struct options *options, const char *value, struct error *err)
{
    if (options->frame_origins_n == OPTIONS_FRAMES_MAX)
        return error_set(err, "--allow-frame can be given %d times.", OPTIONS_FRAMES_MAX);
    options->frame_origins[options->frame_origins_n++] = keep_text(options, value);
    return true;
}

static bool take_positive(double *out, const char *option, const char *value, struct error *err)
{
    char *end;
    *out = strtod(value, &end);
    if (end == value || *end || !isfinite(*out) || *out <= 0)
        return error_set(err, "%s takes a number greater than 0, not '%s'.", option, value);
    return true;
}

/* A collector that is asked to keep more would rather have another format. */
enum { METRICS_FUNCTIONS_MOST = 100000 };

/* Anything larger than this is no limit. */
enum { RECORD_LEAST_MIB = 1, RECORD_MOST_MIB = 1 << 30 };

/* Reads a size such as 500M, of 1M at least. */
static bool take_size(uint64_t *out, const char *option, const char *value, struct error *err)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    uint64_t size = strtoull(value, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    bool is_number = *value >= '0' && *value <= '9' && !errno && (!*end || (unit && !end[1]));
    for (const char *step = units; is_number && unit && step <= unit; step++)
        size = size > UINT64_MAX >> 10 ? UINT64_MAX : size << 10;
    if (!is_number || size < (uint64_t)RECORD_LEAST_MIB << 20 || size > (uint64_t)RECORD_MOST_MIB << 20)
        return error_set(err, "%s takes a size such as 500M, of 1M at least, not '%s'.", option, value);
    *out = size;
    return true;
}

/* Reads a number within these. */
static bool take_number(uint32_t *out, const char *option, uint32_t least, uint32_t most, const char *value,
                        struct error *err)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || number < least || number > most)
        return error_set(err, "%s takes a number from %u to %u, not '%.100s'.", option, (unsigned)least,
                         (unsigned)most, value);
    *out = (uint32_t)number;
    return true;
}

static bool take_metrics_functions(struct options *options, const char *value, struct error *err)
{
    return take_number(&options->metrics_functions, "--metrics-functions", 1, METRICS_FUNCTIONS_MOST, value,
                       err);
}

static bool take_record_limit(struct options *options, const char *value, struct error *err)
{
    return take_size(&options->record_most, "--record-limit", value, err);
}

static bool take_speed(struct options *options, const char *value, struct error *err)
{
    options->has_default_speed = false;
    return take_positive(&options->speed, "--speed", value, err);
}

static bool take_duration(struct options *options, const char *value, struct error *err)
{
    return take_positive(&options->duration_s, "--duration", value, err);
}

static bool take_export(struct options *options, const char *value, struct error *err)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return error_set(err, "--export takes FORMAT=PATH, not '%s'.", value);
    if (options->exports_n == OPTIONS_EXPORTS_MAX)
        return error_set(err, "--export was given more than %d times.", OPTIONS_EXPORTS_MAX);
    char *id = strndup(value, (size_t)(equals - value));
    const struct exporter *exporter = id ? exporter_find(id) : NULL;
    free(id);
    if (!exporter) {
        error_set(err, "There is no export format '%.*s'; there are:", (int)(equals - value), value);
        for (size_t i = 0; exporter_registry[i]; i++) {
            size_t n = strlen(err->text);
            snprintf(err->text + n, sizeof err->text - n, " %s%s", exporter_registry[i]->id,
                     exporter_registry[i + 1] ? "," : ".");
        }
        return false;
    }
    options->exports[options->exports_n++] =
        (struct options_export){.exporter = exporter, .path = keep_text(options, equals + 1)};
    return true;
}

static bool take_no_http(struct options *options, const char *value, struct error *err)
{
    options->http = false;
    return true;
}

static bool take_no_control(struct options *options, const char *value, struct error *err)
{
    options->control = false;
    return true;
}

static bool take_log_level(struct options *options, const char *value, struct error *err)
{
    if (log_level_parse(value, &options->log_level))
        return true;
    return error_set(err, "--log-level takes error, warning, info or debug, not '%s'.", value);
}

/* Limits: what the figures of functions are to keep to, on the command line, or one a line in a file. */
static bool take_limit(struct options *options, const char *value, struct error *err)
{
    struct bound bound;
    if (!bound_parse(value, &bound, err))
        return false;
    if (options->limits_n == OPTIONS_LIMITS_MAX)
        return error_set(err, "There are more than %d limits.", OPTIONS_LIMITS_MAX);
    options->limits[options->limits_n++] = bound;
    return true;
}

static bool take_limit_line(void *options, const char *line, struct error *err)
{
    return take_limit(options, line, err);
}

static bool take_limits(struct options *options, const char *path, struct error *err)
{
    return bound_read_lines(path, take_limit_line, options, err);
}

/* Names of C++ may have a '=', so the last one counts. */
static bool take_work(struct options *options, const char *value, struct error *err)
{
    const char *equals = strrchr(value, '=');
    char *end = NULL;
    errno = 0;
    uint64_t calls = equals && equals[1] >= '0' && equals[1] <= '9' ? strtoull(equals + 1, &end, 10) : 0;
    if (calls == 0 || *end || errno || equals == value)
        return error_set(err, "--work takes FUNCTION=CALLS such as control_cycle=1000, not '%.100s'.", value);
    char *name = strndup(value, (size_t)(equals - value));
    if (!name)
        return error_set(err, "Memory is used up.");
    options->work = keep_text(options, name);
    options->work_calls = calls;
    free(name);
    return *options->work || error_set(err, "Memory is used up.");
}

/* What is kept around limits that are broken. */
static bool take_breach_seconds(struct options *options, const char *value, struct error *err)
{
    return take_number(&options->breach_seconds, "--breach-seconds", 1, 60, value, err);
}

static bool take_breach_files(struct options *options, const char *value, struct error *err)
{
    return take_number(&options->breach_files, "--breach-files", 2, 32, value, err);
}

static bool take_breach_size(struct options *options, const char *value, struct error *err)
{
    return take_size(&options->breach_most, "--breach-size", value, err);
}

static bool take_config(struct options *options, const char *value, struct error *err);

const struct option_row option_rows[] = {
    {"port", "SOURCE",
     "where the bytes come from:\n"
     "  /dev/ttyACM0, serial:NAME  a serial port, or any other tty\n"
     "  tcp:HOST:PORT, unix:PATH   a byte stream (RTT and SWO servers, QEMU)\n"
     "  rfc2217:HOST:PORT          a serial port of another machine, with its rate (ser2net)\n"
     "  file:PATH, -               a recorded or raw capture; standard input",
     NULL, offsetof(struct options, port)},
    {"baud", "N", "speed of the serial port in bits per second (115200)", take_baud},
    {"baud-max", "N",
     "open the port at --baud, then go up to the fastest rate, N at the most, that the device agrees to and "
     "answers at; back to --baud when it does not, or no longer",
     take_baud_max},
    {"dtr", "STATE",
     "the port's line DTR: keep, which resets the fewest boards; on; off; pulse, off for 0.1 s at each "
     "opening, which resets an Arduino or ESP32 (keep)",
     take_dtr},
    {"rts", "STATE", "the port's line RTS, likewise (keep)", take_rts},
    {"dialect", "NAME",
     "what the target speaks, see below; auto: what the first bytes look like (auto for file: and -, else "
     "miniprof)",
     take_dialect},
    {"dialect-opt", "KEY=VALUE",
     "an option of the dialect, see below, or, as DIALECT.KEY, of one whose bytes its packets carry; may be "
     "repeated",
     take_dialect_option},
    {"mode", "MODE",
     "how a device that has a choice tells its calls: stream, 3.5 bytes a call, contexts told apart; tree, "
     "counted on the device; calls, as every device can; auto: whichever suits (auto)",
     take_mode},
    {"trigger", "FUNCTION>TIME",
     "list each call of the function that takes longer, such as 'control_cycle>500us' (ns, us, ms, s); in "
     "mode tree the device sends what happened around it, for the timeline",
     take_trigger},
    {"limit", "FUNCTION:FIGURE<VALUE",
     "what is to hold, such as 'control_cycle:p99<500us' or 'adc:period=50us+-5us'; also <=, >, >=; max, "
     "period, mean, p50, p90, p99, calls, rate, load (%) or self (%); may be repeated",
     take_limit},
    {"limits", "FILE", "limits, one a line; lines that begin with # are left out", take_limits},
    {"elf", "FILE[@OFFSET]",
     "the firmware, for names, lines and instructions; read again when it changes. OFFSET, such as 0x10000, "
     "is added to its addresses; of a position-independent one it is the address that it is loaded at. May "
     "be repeated (boot loader and application): where two files have one address the first counts",
     take_elf},
    {"source-path", "FROM=TO",
     "where the ELF was built elsewhere: source files that were below FROM are below TO here; may be "
     "repeated",
     take_source_path},
    {"source-any", NULL, "show every source file that the ELF names, wherever it lies on this machine", NULL,
     offsetof(struct options, source_any)},
    {"listen", "ADDR:PORT",
     "where the page is served (127.0.0.1:7777); port 0 picks a free one; unix:PATH, a socket for this user "
     "alone",
     NULL, offsetof(struct options, listen)},
    {"token-file", "FILE",
     "holds the token that clients must send; needed to listen beyond this machine; auto: one is made, and "
     "a link with it printed",
     NULL, offsetof(struct options, token_file)},
    {"allow-frame", "ORIGIN",
     "let pages of https://grafana.example, or vscode-webview:, show this one inside them; may be repeated",
     take_allow_frame},
    {"metrics-functions", "N",
     "so many functions have metrics of their own, the busiest; the rest are one row, (other) (500)",
     take_metrics_functions},
    {"announce", "FILE",
     "tell Prometheus of this board: an entry in FILE, a JSON list for file_sd_configs that several daemons "
     "may share, for as long as "
     "this one runs",
     NULL, offsetof(struct options, announce)},
    {"board", "NAME", "what the board is called there (as --port)", NULL,
     offsetof(struct options, board_name)},
    {"webroot", "DIR", "serve the page from files instead of from inside the program", NULL,
     offsetof(struct options, webroot)},
    {"record", "FILE", "keep the raw bytes, for --port file:FILE later", NULL,
     offsetof(struct options, record)},
    {"record-dir", "DIR", "where the page's Record button puts its files (the working directory)", NULL,
     offsetof(struct options, record_dir)},
    {"record-limit", "SIZE",
     "keep the newest of a recording, SIZE (K, M, G) at most on the disk: FILE is the newest part, FILE.1 "
     "the "
     "one before, up to FILE.7",
     take_record_limit},
    {"keep-breaches", "DIR", "keep the seconds around each time that a --limit is broken: recordings in DIR",
     NULL, offsetof(struct options, keep_dir)},
    {"breach-seconds", "N", "... so many before and after each (5)", take_breach_seconds},
    {"breach-files", "N", "... so many at most: the newer half, and of those before the worst (16)",
     take_breach_files},
    {"breach-size", "SIZE", "... in SIZE (K, M, G) at most, all together (64M)", take_breach_size},
    {"speed", "X", "for recordings: X times the recorded pace (as fast as possible)", take_speed},
    {"export", "FORMAT=PATH", "write PATH at the end, see below; - is standard output; may be repeated",
     take_export},
    {"duration", "SECONDS", "stop by itself", take_duration},
    {"work", "FUNCTION=CALLS",
     "stop when the function was called so often, such as control_cycle=1000: two runs do the same work then",
     take_work},
    {"end-when-gone", NULL,
     "with --no-http: stop when the device or program has been gone for 3 seconds, or never was there in 10",
     NULL, offsetof(struct options, ends_when_gone)},
    {"no-http", NULL, "no web server: work through the source, write exports, end", take_no_http},
    {"strict", NULL, "with --no-http: exit status 4 when the profile is incomplete", NULL,
     offsetof(struct options, strict)},
    {"no-control", NULL, "send the device nothing, only listen", take_no_control},
    {"unconfined", NULL, "keep all rights of the user who starts it, for tools that look into the program",
     NULL, offsetof(struct options, unconfined)},
    {"list-ports", NULL, "list the serial ports of this machine", NULL, offsetof(struct options, list_ports)},
    {"json", NULL, "with --list-ports: as JSON", NULL, offsetof(struct options, json)},
    {"config", "FILE",
     "a JSON object with options by name, such as {\"baud\": 921600}; options\n"
     "given here have the last word",
     take_config},
    {"log-level", "LEVEL", "error, warning, info or debug (info)", take_log_level},
    {"version", NULL, "print the version; -V, too", NULL, offsetof(struct options, version)},
    {"help", NULL, "print this; -h, too", NULL, offsetof(struct options, help)},
    {0},
};
enum { ROWS = sizeof option_rows / sizeof *option_rows - 1 };

static bool apply_option(struct options *options, const struct option_row *row, const char *value,
                         struct error *err)
{
    if (row->take)
        return row->take(options, value, err);
    void *member = (char *)options + row->member;
    if (row->value)
        *(const char **)member = keep_text(options, value);
    else
        *(bool *)member = true;
    return true;
}

static const struct option_row *row_named(const char *name, size_t n)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strlen(option_rows[i].name) == n && memcmp(option_rows[i].name, name, n) == 0)
            return &option_rows[i];
    return NULL;
}

static bool take_setting(void *user, const char *name, const char *value, struct error *err)
{
    const struct option_row *row = row_named(name, strlen(name));
    if (!row || row->take == take_config)
        return error_set(err, "The configuration file names an option '%s' that there is not; see --help.",
                         name);
    if (!row->value != !value)
        return error_set(err, "The configuration's '%s' must be %s.", name,
                         row->value ? "a text or a number" : "true or false");
    return apply_option(user, row, value, err);
}

static bool take_config(struct options *options, const char *path, struct error *err)
{
    return config_read(path, take_setting, options, err);
}

/* The two that everybody tries in their short forms. */
static const char *long_form(const char *argument)
{
    return !strcmp(argument, "-h") ? "--help" : !strcmp(argument, "-V") ? "--version" : argument;
}

/* One argument and perhaps the next: `--name value`, `--name=value`, `--flag`. */
static bool take_argument(struct options *options, int argc, char *const *argv, int *at, bool config_only,
                          struct error *err)
{
    const char *argument = long_form(argv[*at]);
    if (argument[0] != '-' || argument[1] != '-' || !argument[2])
        return error_set(err, "'%s' is not an option; a source is given as --port SOURCE.", argument);
    const char *name = argument + 2;
    size_t n = strcspn(name, "=");
    const struct option_row *row = row_named(name, n);
    if (!row)
        return error_set(err, "There is no option '--%.*s'.", (int)n, name);
    const char *value = name[n] == '=' ? name + n + 1 : NULL;
    if (!row->value && value)
        return error_set(err, "--%s takes no value.", row->name);
    if (row->value && !value) {
        if (*at + 1 >= argc)
            return error_set(err, "--%s needs a value: %s.", row->name, row->value);
        value = argv[++*at];
    }
    return config_only != (row->take == take_config) || apply_option(options, row, value, err);
}

/* ---- the options of dialects ---- */

/* Whether the dialect that was named has them, or one that its packets carry. */

static bool has_option(const struct dialect *dialect, const char *key)
{
    for (const struct dialect_option *option = dialect->options; option && option->key; option++)
        if (!strcmp(option->key, key))
            return true;
    return false;
}

/* An option as "ID.KEY" is of the dialect ID where packets of another one carry it. */
static bool check_carried(const struct options *options, const char *key, struct error *err)
{
    const char *dot = strchr(key, '.');
    const struct dialect *const *carried = dialect_registry;
    while (*carried && (strlen((*carried)->id) != (size_t)(dot - key) ||
                        strncmp((*carried)->id, key, (size_t)(dot - key)) != 0))
        carried++;
    if (!*carried || !(*carried)->extension)
        return error_set(err,
                         "No dialect '%.*s' that packets may carry, so there is no option '%s'; see --help.",
                         (int)(dot - key), key, key);
    if (!has_option(*carried, dot + 1))
        return error_set(err, "The %s dialect has no option '%s'; see --help.", (*carried)->id, dot + 1);
    if (!options->dialect)
        return error_set(err,
                         "The option '%s' is of what another dialect's packets carry, which must be named: "
                         "--dialect %s.",
                         key, dialect_registry[0]->id);
    if (options->dialect->framing == DIALECT_RAW)
        return error_set(err, "The %s dialect carries no other one, so '%s' is of no use to it.",
                         options->dialect->id, key);
    return true;
}

/* Without --dialect, a recording's is found out from its bytes; but options are of one dialect, then the
 * first, as on a live line. False with a sentence when one of them is of no dialect that is read then. */
static bool check_dialect(struct options *options, struct error *err)
{
    bool recorded = !strcmp(options->port, "-") || !strncmp(options->port, "file:", 5);
    if (!options->dialect_chosen && (!recorded || options->dialect_settings_n > 0))
        options->dialect = dialect_registry[0];
    for (size_t i = 0; i < options->dialect_settings_n; i++) {
        const char *key = options->dialect_settings[i].key;
        if (strchr(key, '.')) {
            if (!check_carried(options, key, err))
                return false;
            continue;
        }
        if (options->dialect && has_option(options->dialect, key))
            continue;
        const struct dialect *const *owner = dialect_registry;
        while (*owner && !has_option(*owner, key))
            owner++;
        if (options->dialect_chosen && options->dialect)
            return error_set(err, "The %s dialect has no option '%s'; see --help.", options->dialect->id,
                             key);
        if (*owner)
            return error_set(err, "The option '%s' belongs to a dialect, which must be named: --dialect %s.",
                             key, (*owner)->id);
        return error_set(err, "No dialect has an option '%s'; see --help.", key);
    }
    return true;
}

/* ---- all of them ---- */

static bool check_daemon_options(struct options *options, struct error *err)
{
    if (options->help || options->version || options->list_ports)
        return true;
    if (!options->port)
        return error_set(err, "No source was given; use --port, for example --port /dev/ttyACM0 "
                              "(--list-ports shows what there is).");
    if (options->announce && (!options->http || !strncmp(options->listen, "unix:", 5)))
        return error_set(err, "--announce tells others an address, which there is none with %s.",
                         options->http ? "--listen unix:PATH" : "--no-http");
    if (options->ends_when_gone && options->http)
        return error_set(err, "--end-when-gone goes with --no-http; a page waits for its device.");
    if (options->board_name && !*options->board_name)
        return error_set(err, "--board takes a name, such as bench-3.");
    return check_dialect(options, err);
}

bool options_parse(struct options *options, int argc, char *const *argv, struct error *err)
{
    *options = (struct options){
        .baud = 115200,
        .listen = "127.0.0.1:7777",
        .http = true,
        .control = true,
        .log_level = LOG_INFO,
    };
    /* The file first, so that the command line has the last word. */
    for (int i = 1; i < argc; i++)
        if (!take_argument(options, argc, argv, &i, true, err))
            return false;
    options->has_default_elfs = options->elfs.n > 0;
    options->has_default_lines = options->has_default_speed = true;
    for (int i = 1; i < argc; i++)
        if (!take_argument(options, argc, argv, &i, false, err))
            return false;
    if (options->has_default_speed && options->port && !source_has_pace(options->port))
        options->speed = 0;
    return check_daemon_options(options, err);
}

void options_free(struct options *options)
{
    for (struct options_text *text = options->texts, *next; text; text = next) {
        next = text->next;
        free(text);
    }
    options->texts = NULL;
}
