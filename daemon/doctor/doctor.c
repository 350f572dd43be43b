/* doctor.c - the command line of `miniprofd doctor`, and its exit status. */
#include "doctor/doctor.h"

#include "annex/annex.h"
#include "base/error_end.h"
#include "base/json.h"
#include "base/log.h"
#include "base/sink.h"
#include "base/text.h"
#include "doctor/look.h"
#include "source/rivals.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, USAGE = 2 };

enum { LISTEN_S = 3, LISTEN_MOST_S = 600 };

static const char help[] =
    "usage: miniprofd doctor [--port SOURCE] [--elf FILE] [options]\n"
    "Looks whether everything that a profile needs is there, and says what to do where it is not: a line "
    "for\n"
    "each thing, \"ok: ...\", \"warn: ...\" or \"fail: ...\". Without --port it looks at the ports of this "
    "machine.\n"
    "\n"
    "  --port SOURCE   where the bytes come from, as for miniprofd itself; recordings (file:PATH), too\n"
    "  --baud N        speed of a serial port in bits per second (115200); others are tried where nothing\n"
    "                  makes sense at that\n"
    "  --dtr STATE     the port's line DTR: keep, on, off or pulse, as for miniprofd itself (keep)\n"
    "  --rts STATE     the port's line RTS, likewise (keep)\n"
    "  --elf FILE      the firmware: symbols, lines, instrumentation, and whether it is what runs; may be\n"
    "                  repeated, and FILE@OFFSET be elsewhere than it was linked for, as for miniprofd "
    "itself\n"
    "  --dialect NAME  what the target speaks, where that is known (miniprofd --help lists them)\n"
    "  --seconds N     listen to a live source for so long (3)\n"
    "  --json          as JSON: {findings: [{verdict, text}], verdict, fails, warns, measured}\n"
    "  --no-control    send the device nothing, only listen; else it is asked who it is, and not started or\n"
    "                  stopped\n"
    "\n"
    "exit status: 0 nothing fails; 1 something does; 2 wrong usage\n";

static bool parse_number_up_to(const char *text, unsigned long most, uint32_t *out)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value == 0 || value > most)
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool dialect_named(const char *id, const struct dialect **out)
{
    for (size_t i = 0; dialect_registry[i]; i++)
        if (!strcmp(dialect_registry[i]->id, id)) {
            *out = dialect_registry[i];
            return true;
        }
    return false;
}

static bool apply_doctor_option(struct wanted *wanted, int option, const char *value, bool *is_help,
                                struct error *err)
{
    uint32_t seconds;
    switch (option) {
    case 'p': wanted->port = value; return true;
    case 'e': return elf_list_add(&wanted->elfs, value, err);
    case 'b': return parse_number_up_to(value, UINT32_MAX, &wanted->baud);
    case 't': return source_line_named(value, &wanted->dtr);
    case 'r': return source_line_named(value, &wanted->rts);
    case 'd': return dialect_named(value, &wanted->dialect);
    case 's':
        if (!parse_number_up_to(value, LISTEN_MOST_S, &seconds))
            return false;
        wanted->listen_ms = seconds * 1000;
        return true;
    case 'n': wanted->control = false; return true;
    case 'j': wanted->json = true; return true;
    default: *is_help = true; return true;
    }
}

static bool parse_doctor_options(struct wanted *wanted, bool *is_help, int argc, char *const *argv,
                                 struct error *err)
{
    static const struct option known[] = {
        {"port", 1, NULL, 'p'},    {"elf", 1, NULL, 'e'},     {"baud", 1, NULL, 'b'},
        {"dialect", 1, NULL, 'd'}, {"seconds", 1, NULL, 's'}, {"no-control", 0, NULL, 'n'},
        {"dtr", 1, NULL, 't'},     {"rts", 1, NULL, 'r'},     {"help", 0, NULL, 'h'},
        {"json", 0, NULL, 'j'},    {NULL, 0, NULL, 0},
    };
    *wanted = (struct wanted){.baud = 115200, .listen_ms = LISTEN_S * 1000, .control = true};
    *is_help = false;
    opterr = 0;
    for (int option, at = 0; (option = getopt_long(argc, argv, "", known, &at)) != -1;) {
        if (option == '?')
            return error_set(err,
                             "doctor does not know %s, or it lacks its value; see miniprofd doctor --help.",
                             argv[optind - 1]);
        if (!apply_doctor_option(wanted, option, optarg, is_help, err))
            return *err->text ? false
                              : error_set(err, "--%s cannot be %s; see miniprofd doctor --help.",
                                          known[at].name, optarg);
    }
    if (optind < argc)
        return error_set(err, "doctor does not know %s; see miniprofd doctor --help.", argv[optind]);
    return true;
}

/* Leaves the list with the files that a session can have. */
static void drop_unreadable(struct examination *examination, struct elf_list *elfs)
{
    size_t kept = 0;
    for (size_t i = 0; i < elfs->n; i++) {
        struct error err;
        const struct elf_list one = {.all = {elfs->all[i]}, .n = 1};
        struct symtab *symtab = symtab_load_list(&one, &err);
        if (symtab)
            elfs->all[kept++] = elfs->all[i];
        else
            examine_say(examination, VERDICT_FAIL, "%s", err.text);
        symtab_unref(symtab);
    }
    elfs->n = kept;
}

static void look_at_elfs(struct examination *examination, struct elf_list *elfs)
{
    struct error err;
    if (!annex_start(true, &err)) {
        examine_say(examination, VERDICT_FAIL, "%s", err.text);
        elfs->n = 0;
        return;
    }
    drop_unreadable(examination, elfs);
    if (elfs->n == 0)
        return;
    struct symtab *symtab = symtab_load_list(elfs, &err);
    if (symtab)
        examine_program(examination, symtab);
    else
        examine_say(examination, VERDICT_FAIL, "%s", err.text);
    elfs->n = symtab ? elfs->n : 0;
    symtab_unref(symtab);
}

static void examine_target(struct examination *examination, struct wanted *wanted)
{
    if (wanted->port)
        rivals_start(wanted->port, true, NULL);
    wanted->has_elf = wanted->elfs.n > 0;
    if (wanted->has_elf)
        look_at_elfs(examination, &wanted->elfs);
    if (wanted->port)
        look_at_source(examination, wanted);
    else
        look_at_ports(examination);
    annex_stop();
    rivals_stop();
}

static void write_line(void *user, enum verdict verdict, const char *sentence, const char *paste)
{
    sink_printf(user, "%s: ", examine_verdict_name(verdict));
    text_write_plain(user, sentence);
    if (paste) {
        sink_char(user, ' ');
        text_write_plain(user, paste);
    }
    sink_char(user, '\n');
}

static void write_finding(void *user, enum verdict verdict, const char *sentence)
{
    char clean[2 * EXAMINE_SENTENCE];
    text_clean_utf8(clean, sizeof clean, sentence, strlen(sentence));
    json_object_open(user, NULL);
    json_text(user, "verdict", examine_verdict_name(verdict));
    json_text(user, "text", clean);
    json_object_close(user);
}

static void examine_as_lines(struct examination *examination, struct wanted *wanted, struct sink *sink)
{
    examination->take = write_line;
    examination->user = sink;
    examine_target(examination, wanted);
}

/* The findings come first, as they are made; what they add up to follows. */
static void examine_as_json(struct examination *examination, struct wanted *wanted, struct sink *sink)
{
    struct json json = {.sink = sink};
    examination->take = write_finding;
    examination->user = &json;
    json_object_open(&json, NULL);
    json_array_open(&json, "findings");
    examine_target(examination, wanted);
    json_array_close(&json);
    json_text(&json, "verdict",
              examine_verdict_name(examination->fails   ? VERDICT_FAIL
                                   : examination->warns ? VERDICT_WARN
                                                        : VERDICT_OK));
    json_u64(&json, "fails", examination->fails);
    json_u64(&json, "warns", examination->warns);
    json_bool(&json, "measured", examination->has_measured);
    json_object_close(&json);
    sink_char(sink, '\n');
}

int doctor_run(int argc, char *const *argv)
{
    struct wanted wanted;
    struct sink_fd out;
    struct examination examination = {0};
    struct error err = {""};
    bool is_help;
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_ERROR);
    if (!parse_doctor_options(&wanted, &is_help, argc, argv, &err))
        return error_end(USAGE, err.text);
    sink_fd_init(&out, STDOUT_FILENO);
    if (is_help)
        sink_text(&out.sink, help);
    else if (wanted.json)
        examine_as_json(&examination, &wanted, &out.sink);
    else
        examine_as_lines(&examination, &wanted, &out.sink);
    if (!sink_fd_flush(&out)) {
        fputs("miniprofd: Cannot write to standard output.\n", stderr);
        return FAILED;
    }
    return examination.fails ? FAILED : DONE;
}
