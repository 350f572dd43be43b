/* options.c - reads the options.
 *
 * One table has every option with its help and the function that takes its value. Command line, configuration file and
 * help text use it. */
#include "cli/options.h"

#include "base/bound_lines.h"
#include "base/limit.h"
#include "cli/config.h"
#include "cli/defaults.h"
#include "export/export.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options_text {
    struct options_text *next;
    char text[];
};

/* Returns a copy of the text that lives as long as the options, "" when memory is used up. */
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

static bool take_dtr(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    options->has_default_lines = false;
    return source_line_named(value, &options->dtr);
}

static bool take_rts(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    options->has_default_lines = false;
    return source_line_named(value, &options->rts);
}

static bool take_dialect(void *user, const char *value, struct error *err)
{
    struct options *options = user;
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

/* Stores the parts before and after the first '=', which must exist. */
static bool keep_pair(struct options *options, const char *value, const char **left, const char **right,
                      struct error *err)
{
    size_t n = strcspn(value, "=");
    char *copy = strndup(value, n);
    if (!copy)
        return error_set(err, "Out of memory.");
    *left = keep_text(options, copy);
    *right = keep_text(options, value + n + 1);
    free(copy);
    return true;
}

static bool take_dialect_option(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    if (!strchr(value, '=') || *value == '=')
        return error_set(err, "--dialect-opt takes KEY=VALUE, not '%s'.", value);
    if (options->dialect_settings_n == OPTIONS_DIALECT_SETTINGS_MAX)
        return error_set(err, "--dialect-opt was given more than %d times.", OPTIONS_DIALECT_SETTINGS_MAX);
    struct dialect_setting *setting = &options->dialect_settings[options->dialect_settings_n++];
    return keep_pair(options, value, &setting->key, &setting->value, err);
}

static bool take_source_path(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    const char *equals = strchr(value, '=');
    if (!equals || !equals[1])
        return error_set(err, "--source-path takes FROM=TO, not '%s'.", value);
    if (options->source_paths_n == OPTIONS_SOURCE_PATHS_MAX)
        return error_set(err, "--source-path was given more than %d times.", OPTIONS_SOURCE_PATHS_MAX);
    struct options_source_path *path = &options->source_paths[options->source_paths_n++];
    return keep_pair(options, value, &path->from, &path->to, err);
}

/* Takes an ELF. Files on the command line replace those of the configuration file. */
static bool take_elf(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    if (options->has_default_elfs)
        options->elfs = (struct elf_list){.n = 0};
    options->has_default_elfs = false;
    return elf_list_add(&options->elfs, value, err);
}

static bool take_mode(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    static const char *const names[MODES] = {
        [MODE_AUTO] = "auto", [MODE_CALLS] = "calls", [MODE_STREAM] = "stream", [MODE_TREE] = "tree"};
    for (int mode = 0; mode < MODES; mode++) {
        if (strcmp(value, names[mode]) != 0)
            continue;
        options->mode = (enum mode)mode;
        return true;
    }
    return false;
}

static bool take_trigger(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    struct limit limit;
    options->trigger = keep_text(options, value);
    return limit_parse(value, &limit, err);
}

static bool take_allow_frame(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    if (options->frame_origins_n == OPTIONS_FRAMES_MAX)
        return error_set(err, "--allow-frame can be given %d times.", OPTIONS_FRAMES_MAX);
    options->frame_origins[options->frame_origins_n++] = keep_text(options, value);
    return true;
}

static bool take_export(void *user, const char *value, struct error *err)
{
    struct options *options = user;
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

static bool take_log_level(void *user, const char *value, struct error *err)
{
    return log_level_parse(value, &((struct options *)user)->log_level);
}

/* Takes a limit of the command line, or of a line in a file. */
static bool take_limit(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    struct bound bound;
    if (!bound_parse(value, &bound, err))
        return false;
    if (options->limits_n == OPTIONS_LIMITS_MAX)
        return error_set(err, "There are more than %d limits.", OPTIONS_LIMITS_MAX);
    options->limits[options->limits_n++] = bound;
    return true;
}

static bool take_limits(void *user, const char *path, struct error *err)
{
    struct options *options = user;
    return bound_read_lines(path, take_limit, options, err);
}

/* Takes FUNCTION=N. C++ names may contain '=', so the last one counts. */
static bool take_work(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    const char *equals = strrchr(value, '=');
    char *end = NULL;
    errno = 0;
    uint64_t calls = equals && equals[1] >= '0' && equals[1] <= '9' ? strtoull(equals + 1, &end, 10) : 0;
    if (calls == 0 || *end || errno || equals == value)
        return error_set(err, "--work takes FUNCTION=CALLS such as control_cycle=1000, not '%.100s'.", value);
    char *name = strndup(value, (size_t)(equals - value));
    if (!name)
        return error_set(err, "Out of memory.");
    options->work = keep_text(options, name);
    options->work_calls = calls;
    free(name);
    return *options->work || error_set(err, "Out of memory.");
}

static bool take_config(void *user, const char *path, struct error *err);

static bool take_quiet(void *user, const char *value, struct error *err)
{
    ((struct options *)user)->log_level = LOG_ERROR;
    return true;
}

static bool take_verbose(void *user, const char *value, struct error *err)
{
    struct options *options = user;
    options->log_level = LOG_DEBUG;
    options->is_verbose = true;
    return true;
}

static bool refuse_word(void *user, const char *word, struct error *err)
{
    return error_set(err, "'%.200s' is not an option; a source is given as --port SOURCE.", word);
}

/* More would overload a collector of metrics. */
enum { METRICS_FUNCTIONS_MOST = 100000 };

#define BAUD_RATES "9600 57600 115200 230400 460800 921600 1000000 2000000 3000000"
#define A_SPEED    "a speed in bits per second such as 115200"
#define A_LINE     "keep, on, off or pulse"
#define AT(name)   .member = offsetof(struct options, name)

static const struct argument_option option_rows[] = {
    {"port", 'p', .group = "Source", .value = "SOURCE", AT(port), .words = "@ports",
     .help = "where the bytes come from:\n"
             "  /dev/ttyACM0, serial:NAME  a serial port, or any other tty\n"
             "  tcp:HOST:PORT, unix:PATH   a byte stream (RTT and SWO servers, QEMU)\n"
             "  rfc2217:HOST:PORT          a remote serial port, with its rate (ser2net)\n"
             "  file:PATH, -               a recorded or raw capture; standard input"},
    {"baud", 'b', .value = "N", AT(baud), .type = ARGUMENT_NUMBER, .least = 1, .most = UINT32_MAX,
     .words = BAUD_RATES, .expects = A_SPEED, .help = "speed of the serial port in bits per second (115200)"},
    {"baud-max", .value = "N", AT(baud_max), .type = ARGUMENT_NUMBER, .least = 1, .most = UINT32_MAX,
     .words = BAUD_RATES, .expects = A_SPEED,
     .help = "open the port at --baud, then raise the rate to the fastest that the device "
             "accepts, N at most; go back to --baud when the device does not answer at it"},
    {"dtr", .value = "STATE", .take = take_dtr, .words = "keep on off pulse", .expects = A_LINE,
     .help = "the port's line DTR: keep, as Linux sets it, which resets the fewest boards; on; "
             "off; pulse, off for 0.1 s at each opening, which resets an Arduino or ESP32 (keep)"},
    {"rts", .value = "STATE", .take = take_rts, .words = "keep on off pulse", .expects = A_LINE,
     .help = "the port's line RTS, likewise (keep)"},
    {"dialect", .value = "NAME", .take = take_dialect, .words = "auto @dialects",
     .help = "the language of the target, listed below; auto: guess it from the first bytes "
             "(auto for file: and -, else miniprof)"},
    {"dialect-opt", .value = "KEY=VALUE", .take = take_dialect_option,
     .help = "an option of the dialect, listed below; DIALECT.KEY=VALUE for a dialect that "
             "packets of miniprof carry; may be repeated"},
    {"elf", 'e', .value = "FILE[@OFFSET]", .take = take_elf,
     .help = "the firmware, for names, lines and instructions; read again when it changes. "
             "OFFSET, such as 0x10000, is added to its addresses; for a position-independent "
             "file it is the load address. May be repeated (boot loader and application): where "
             "two files share an address, the first one counts"},
    {"source-path", .value = "FROM=TO", .take = take_source_path,
     .help = "where the ELF was built elsewhere: read source files that it has below FROM from "
             "TO; may be repeated"},
    {"source-any", AT(source_any),
     .help = "show every source file that the ELF names, wherever it is on this machine"},
    {"mode", .group = "Device", .value = "MODE", .take = take_mode, .words = "auto stream tree calls",
     .expects = "auto, stream, tree or calls",
     .help = "how the device reports calls, if it supports more than one way: stream, each entry "
             "and exit, 3.5 bytes a call; tree, a call tree that the device counts; calls, each "
             "call when it ends; auto, the stream, and the tree when the line is too slow for "
             "it (auto)"},
    {"trigger", .value = "FUNCTION>TIME", .take = take_trigger,
     .help = "list each call of the function that takes longer, such as 'control_cycle>500us' (ns, us, ms, "
             "s); in mode tree the device sends what happened around it, for the timeline"},
    {"no-control", AT(control), .type = ARGUMENT_OFF, .help = "send nothing to the device, only listen"},
    {"limit", .group = "Limits", .value = "FUNCTION:FIGURE<VALUE", .take = take_limit,
     .help = "report each breach of this limit, such as 'control_cycle:p99<500us' or "
             "'adc:period=50us+-5us'; also <=, >, >=; " BOUND_FIGURE_HINTS "; may be repeated"},
    {"limits", .value = "FILE", .take = take_limits,
     .help = "limits, one a line; lines that begin with # are left out"},
    {"keep-breaches", .value = "DIR", AT(keep_dir),
     .help = "record the seconds around each breach of a --limit, into DIR"},
    {"breach-seconds", .value = "N", AT(breach_seconds), .type = ARGUMENT_NUMBER, .least = 1, .most = 60,
     .help = "... this many before and after each breach (5)"},
    {"breach-files", .value = "N", AT(breach_files), .type = ARGUMENT_NUMBER, .least = 2, .most = 32,
     .help = "... in at most N files: the newest fill one half, the worst of the older ones the "
             "other (16)"},
    {"breach-size", .value = "SIZE", AT(breach_most), .type = ARGUMENT_SIZE,
     .help = "... of at most SIZE (K, M, G) together (64M)"},
    {"listen", .group = "Page", .value = "ADDR:PORT", AT(listen),
     .help = "where the page is served (127.0.0.1:7777); port 0 picks a free one; unix:PATH, a socket for "
             "this user alone"},
    {"token-file", .value = "FILE", AT(token_file),
     .help = "file with the token that clients must send; needed to listen beyond this machine; "
             "auto: make a token, and print a link with it"},
    {"allow-frame", .value = "ORIGIN", .take = take_allow_frame,
     .help = "let pages of ORIGIN, https://grafana.example or vscode-webview: for instance, "
             "embed this one; may be repeated"},
    {"metrics-functions", .value = "N", AT(metrics_functions), .type = ARGUMENT_NUMBER, .least = 1,
     .most = METRICS_FUNCTIONS_MOST,
     .help = "export metrics for this many of the busiest functions; the rest are one row, (other) (500)"},
    {"announce", .value = "FILE", AT(announce),
     .help =
         "announce this board to Prometheus: an entry in FILE, a JSON list for file_sd_configs that several "
         "daemons may share, for as long as this one runs"},
    {"board", .value = "NAME", AT(board_name), .help = "name of this board in that list (as --port)"},
    {"webroot", .value = "DIR", AT(webroot),
     .help = "serve the page from the files in DIR, not from those inside the program"},
    {"record", .group = "Recording", .value = "FILE", AT(record),
     .help = "keep the raw bytes, for --port file:FILE later"},
    {"record-dir", .value = "DIR", AT(record_dir),
     .help = "where the page's Record button puts its files (the working directory)"},
    {"record-limit", .value = "SIZE", AT(record_most), .type = ARGUMENT_SIZE,
     .help = "keep only the newest part of a recording, at most SIZE (K, M, G) on disk: FILE is "
             "the newest file, FILE.1 the one before, up to FILE.7"},
    {"speed", .value = "X", AT(speed), .type = ARGUMENT_POSITIVE,
     .help = "replay a recording at X times its pace (as fast as possible)"},
    {"no-http", .group = "Batch", AT(http), .type = ARGUMENT_OFF,
     .help = "no web server: read the source, write exports, exit"},
    {"export", 'o', .value = "FORMAT=PATH", .take = take_export,
     .words = "@formats=", .help = "write PATH at the end, see below; - is standard output; may be repeated"},
    {"duration", .value = "SECONDS", AT(duration_s), .type = ARGUMENT_POSITIVE,
     .help = "stop after this time"},
    {"work", .value = "FUNCTION=CALLS", .take = take_work,
     .help = "stop after this many calls of the function, such as control_cycle=1000, so that "
             "two runs do the same work"},
    {"end-when-gone", AT(ends_when_gone),
     .help = "with --no-http: stop when the device or program has been gone for 3 seconds, or "
             "did not appear within 10"},
    {"strict", AT(strict), .help = "with --no-http: exit status 4 when the profile is incomplete"},
    {"config", .group = "General", .value = "FILE", .take = take_config,
     .help = "a JSON object with options by name, such as {\"baud\": 921600}"},
    {"list-ports", AT(list_ports), .help = "list the serial ports of this machine"},
    {"json", AT(json), .help = "with --list-ports: as JSON"},
    {"unconfined", AT(unconfined),
     .help = "keep all rights of the user, for tools that inspect the process, such as debuggers"},
    {"log-level", .value = "LEVEL", .take = take_log_level, .words = "error warning info debug",
     .expects = "error, warning, info or debug", .help = "error, warning, info or debug (info)"},
    {"quiet", 'q', .take = take_quiet, .help = "report errors only, as --log-level error"},
    {"verbose", 'v', .take = take_verbose,
     .help = "report everything, as --log-level debug; with --version: commit and libraries, too"},
    {"version", 'V', AT(version), .help = "print the version"},
    {"help", 'h', AT(help), .help = "print this"},
    {0},
};

const struct arguments options_arguments = {
    .usage = "usage: miniprofd --port SOURCE [--elf FILE] [options]\n"
             "       miniprofd COMMAND ... (check, device, doctor, mcp or top; help COMMAND)\n",
    .about =
        "A live profiler for microcontrollers: reads what the firmware sends over a serial line, serves a "
        "flame graph\n"
        "of it to the browser.\n"
        "\n"
        "Commands:\n"
        "  check   names the functions that became slower than in an older profile\n"
        "  device  reads and changes settings of the device; starts and stops it\n"
        "  doctor  checks the prerequisites of a profile\n"
        "  mcp     answers an assistant from a running miniprofd\n"
        "  top     shows the busiest functions, the tasks and the link in a terminal\n"
        "  help    prints the help of a command: miniprofd help COMMAND\n",
    .examples = "miniprofd --port /dev/ttyACM0 --baud 921600 --elf fw.elf\n"
                "miniprofd --port file:run.bin --elf fw.elf\n"
                "miniprofd -p /dev/ttyACM0 -e fw.elf --no-http --duration 10 -o json=profile.json\n",
    .options = option_rows,
    .operand = refuse_word,
};

static bool take_setting(void *user, const char *name, const char *value, struct error *err)
{
    const struct argument_option *row = arguments_find(&options_arguments, name, strlen(name));
    if (!row || row->take == take_config)
        return error_set(err, "The configuration file names an option '%s' that there is not; see --help.",
                         name);
    if (!row->value != !value)
        return error_set(err, "The configuration's '%s' must be %s.", name,
                         row->value ? "a text or a number" : "true or false");
    /* Copies the text, since it is freed after the file has been read. */
    return arguments_apply(row, user, value ? keep_text(user, value) : NULL, err);
}

static bool take_config(void *user, const char *path, struct error *err)
{
    ((struct options *)user)->config_is_named = true;
    return config_read(path, NULL, take_setting, user, err);
}

/* ---- the options of dialects ---- */

/* True when the chosen dialect, or one that its packets carry, has the option. */

static bool has_option(const struct dialect *dialect, const char *key)
{
    for (const struct dialect_option *option = dialect->options; option && option->key; option++)
        if (!strcmp(option->key, key))
            return true;
    return false;
}

/* Checks an option "ID.KEY", which is of dialect ID carried in packets of another one. */
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

/* Without --dialect, that of a recording is guessed from its bytes. With dialect options, it is the first
 * dialect, as on a live line. False with an error when an option is of a dialect that is not read. */
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
        return error_set(err, "--announce publishes an address, and there is none with %s.",
                         options->http ? "--listen unix:PATH" : "--no-http");
    if (options->ends_when_gone && options->http)
        return error_set(err, "--end-when-gone goes with --no-http; a page waits for its device.");
    if (options->board_name && !*options->board_name)
        return error_set(err, "--board takes a name, such as bench-3.");
    return check_dialect(options, err);
}

/* Reads options that are not on the command line, in rising precedence. ELF files of a later kind replace those of an
 * earlier one. */
static bool read_defaults(struct options *options, const char *system_file, int argc, char *const *argv,
                          struct error *err)
{
    const char *named = defaults_variable("config");
    if (!defaults_read_file(system_file, NULL, take_setting, options, err))
        return false;
    options->has_default_elfs = options->elfs.n > 0;
    if (!defaults_read_users_file(NULL, take_setting, options, err))
        return false;
    options->has_default_elfs = options->elfs.n > 0;
    options->config_is_named = false;
    if (!arguments_parse_some(&options_arguments, options, argc, argv, "config", true, err) ||
        (named && !options->config_is_named && !take_config(options, named, err)))
        return false;
    options->has_default_elfs = options->elfs.n > 0;
    return defaults_read_environment(&options_arguments, take_setting, options, err);
}

bool options_parse_below(struct options *options, const char *system_file, int argc, char *const *argv,
                         struct error *err)
{
    *options = (struct options){
        .baud = 115200,
        .listen = "127.0.0.1:7777",
        .http = true,
        .control = true,
        .log_level = LOG_INFO,
    };
    /* These first: help must work even if a configuration file is wrong. */
    if (!arguments_parse_some(&options_arguments, options, argc, argv, "help", true, err) ||
        !arguments_parse_some(&options_arguments, options, argc, argv, "version", true, err) ||
        (!options->help && !options->version && !read_defaults(options, system_file, argc, argv, err)))
        return false;
    double default_speed = options->speed;
    options->speed = 0; /* a value that users cannot give */
    options->has_default_elfs = options->elfs.n > 0;
    options->has_default_lines = true;
    if (!arguments_parse_some(&options_arguments, options, argc, argv, "config", false, err))
        return false;
    if (options->has_default_lines && options->port && !source_has_lines(options->port))
        options->dtr = options->rts = SOURCE_LINE_KEEP;
    options->has_default_speed = options->speed == 0;
    if (options->has_default_speed && options->port && source_has_pace(options->port))
        options->speed = default_speed;
    return check_daemon_options(options, err);
}

bool options_parse(struct options *options, int argc, char *const *argv, struct error *err)
{
    return options_parse_below(options, DEFAULTS_SYSTEM_FILE, argc, argv, err);
}

void options_free(struct options *options)
{
    for (struct options_text *text = options->texts, *next; text; text = next) {
        next = text->next;
        free(text);
    }
    options->texts = NULL;
}
