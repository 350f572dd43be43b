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

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1 };

enum { LISTEN_S = 3, LISTEN_MOST_S = 600 };

struct doctor_options {
    struct wanted wanted;
    uint32_t seconds; /* how long to listen */
    bool help;
};

static bool take_elf(void *user, const char *value, struct error *err)
{
    return elf_list_add(&((struct doctor_options *)user)->wanted.elfs, value, err);
}

static bool take_dtr(void *user, const char *value, struct error *err)
{
    (void)err;
    return source_line_named(value, &((struct doctor_options *)user)->wanted.dtr);
}

static bool take_rts(void *user, const char *value, struct error *err)
{
    (void)err;
    return source_line_named(value, &((struct doctor_options *)user)->wanted.rts);
}

static bool take_dialect(void *user, const char *value, struct error *err)
{
    (void)err;
    for (size_t i = 0; dialect_registry[i]; i++)
        if (!strcmp(dialect_registry[i]->id, value)) {
            ((struct doctor_options *)user)->wanted.dialect = dialect_registry[i];
            return true;
        }
    return false;
}

#define AT(name) .member = offsetof(struct doctor_options, name)

static const struct argument_option doctor_rows[] = {
    {"port", 'p', .group = "Source", .value = "SOURCE", AT(wanted.port),
     .help = "where the bytes come from, as for miniprofd itself; recordings (file:PATH), too"},
    {"baud", 'b', .value = "N", AT(wanted.baud), .type = ARGUMENT_NUMBER, .least = 1, .most = UINT32_MAX,
     .expects = "a speed in bits per second such as 115200",
     .help = "speed of a serial port in bits per second (115200); when nothing can be read at "
             "it, others are tried"},
    {"dtr", .value = "STATE", .take = take_dtr, .words = "keep on off pulse",
     .expects = "keep, on, off or pulse",
     .help = "the port's line DTR: keep, on, off or pulse, as for miniprofd itself (keep)"},
    {"rts", .value = "STATE", .take = take_rts, .words = "keep on off pulse",
     .expects = "keep, on, off or pulse", .help = "the port's line RTS, likewise (keep)"},
    {"elf", 'e', .value = "FILE", .take = take_elf,
     .help = "the firmware: checks its symbols, lines and instrumentation, and whether the "
             "target runs it; FILE@OFFSET, and several files, as for miniprofd itself"},
    {"dialect", .value = "NAME", .take = take_dialect, .words = "@dialects",
     .expects = "the name of a dialect that miniprofd --help lists",
     .help = "the language of the target, if known (miniprofd --help lists them)"},
    {"seconds", .value = "N", AT(seconds), .type = ARGUMENT_NUMBER, .least = 1, .most = LISTEN_MOST_S,
     .help = "listen to a live source for this long (3)"},
    {"json", AT(wanted.json),
     .help = "as JSON: {findings: [{verdict, text, paste}], verdict, fails, warns, measured}"},
    {"no-control", AT(wanted.control), .type = ARGUMENT_OFF,
     .help = "send nothing to the device, only listen; else it is asked to describe itself, but "
             "neither started nor stopped"},
    {"help", 'h', .group = "General", AT(help), .help = "print this"},
    {0},
};

const struct arguments doctor_arguments = {
    .command = "doctor",
    .usage = "usage: miniprofd doctor [--port SOURCE] [--elf FILE] [options]\n",
    .about =
        "Checks the prerequisites of a profile, and says what to do about those that are missing: one line "
        "a check,\n"
        "\"ok: ...\", \"warn: ...\" or \"fail: ...\". Without --port it checks the ports of this machine.\n",
    .examples = "miniprofd doctor\n"
                "miniprofd doctor --port /dev/ttyACM0 --elf fw.elf\n"
                "miniprofd doctor --port file:run.bin --elf fw.elf\n",
    .notes = "exit status: 0 nothing fails; 1 something does; 2 wrong usage\n",
    .options = doctor_rows,
};

/* Removes unreadable files from the list, for the session. */
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

/* `dialect` as in struct wanted. */
static void look_at_elfs(struct examination *examination, struct elf_list *elfs,
                         const struct dialect *dialect)
{
    /* Others measure without hooks, or under names of their own. */
    bool needs_hooks = !dialect || dialect->framing == DIALECT_FRAMED;
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
        examine_program(examination, symtab, needs_hooks);
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
        look_at_elfs(examination, &wanted->elfs, wanted->dialect);
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

static void examine_as_lines(struct examination *examination, struct wanted *wanted, struct sink *sink)
{
    examination->take = write_line;
    examination->user = sink;
    examine_target(examination, wanted);
}

/* Writes the findings as they are made, then the totals. */
static void examine_as_json(struct examination *examination, struct wanted *wanted, struct sink *sink)
{
    struct json json = {.sink = sink};
    examination->take = examine_write_finding;
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
    struct doctor_options options = {.wanted = {.baud = 115200, .control = true}, .seconds = LISTEN_S};
    struct sink_fd out;
    struct examination examination = {.is_visit = true};
    struct error err = {""};
    signal(SIGPIPE, SIG_IGN);
    log_set_level(LOG_ERROR);
    if (!arguments_parse(&doctor_arguments, &options, argc, argv, &err))
        return arguments_refuse(&doctor_arguments, &err);
    if (options.help)
        return arguments_help(&doctor_arguments);
    options.wanted.listen_ms = options.seconds * 1000;
    sink_fd_init(&out, STDOUT_FILENO);
    (options.wanted.json ? examine_as_json : examine_as_lines)(&examination, &options.wanted, &out.sink);
    if (!sink_fd_flush(&out)) {
        fputs("miniprofd: Cannot write to standard output.\n", stderr);
        return FAILED;
    }
    return examination.fails ? FAILED : DONE;
}
