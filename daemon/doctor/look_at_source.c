/* look_at_source.c - examines the source: existence, permission, other users, baud rate, received data, and device.
 *
 * It uses a session like the daemon's, so findings are what the daemon would see. It asks the device for its
 * description, but neither starts nor stops it. */
#include "doctor/look.h"

#include "base/clock.h"
#include "session/session.h"
#include "source/source.h"

#include <poll.h>
#include <string.h>

/* Time limits for connecting, for reading a recording, and for an answer at another rate. */
enum { CONNECT_MS = 8000, READ_MS = 30000, TRY_MS = 1000 };

/* The rates to try if nothing makes sense at the given one, likely ones first. AVR uses 250,000 and 500,000, ESP's
 * boot ROM 74,880. */
static const uint32_t usual_rates[] = {115200,  921600,  1000000, 460800, 230400,  57600, 9600,
                                       500000,  250000,  2000000, 38400,  1500000, 74880, 19200,
                                       3000000, 4000000, 4800,    2400,   1200};
enum { USUAL_RATES = sizeof usual_rates / sizeof *usual_rates };

/* The result of listening for a while. */
struct heard {
    struct snapshot *snapshot; /* NULL: no session; `why` has the reason */
    struct error why;          /* otherwise why reading ended early; "" if it did not */
};

static void wait_for_the_end(struct session *session)
{
    struct pollfd ended = {.fd = session_ended_fd(session), .events = POLLIN};
    poll(&ended, 1, READ_MS);
}

/* Listens for `ms` after the source was opened; with `until_sense`, at most until something makes sense. */
static void listen_for(struct board *board, uint32_t ms, bool until_sense)
{
    uint64_t now_ms = clock_monotonic_ms(), deadline_ms = now_ms + CONNECT_MS, seen = 0;
    bool was_open = false;
    for (; now_ms < deadline_ms; now_ms = clock_monotonic_ms()) {
        struct snapshot *snapshot = board_wait(board, seen, deadline_ms - now_ms, NULL);
        if (!snapshot)
            continue;
        seen = snapshot->sequence;
        bool hopeless = snapshot->source.state == STATE_CONNECTING && *snapshot->source.detail;
        if (snapshot->source.state == STATE_CONNECTED && !was_open) {
            was_open = true;
            deadline_ms = clock_monotonic_ms() + ms;
        }
        bool enough = until_sense && examine_makes_sense(snapshot);
        snapshot_unref(snapshot);
        if (hopeless || enough)
            return;
    }
}

/* Ends the session and returns its last snapshot if that may help: data of a live source that makes no sense may be
 * too little to judge, but at the end of a session it is judged anyway. */
static struct snapshot *look_once_more(struct session *session, struct snapshot *before)
{
    bool may_help = before && before->link.bytes > 0 && !before->source.disguise &&
                    !before->source.looks_like && !examine_makes_sense(before);
    if (!may_help)
        return before;
    session_stop(session);
    struct snapshot *last = session_snapshot(session);
    bool helped = last && (last->source.disguise || last->source.looks_like);
    snapshot_unref(helped ? before : last);
    return helped ? last : before;
}

static struct heard listen_to_source(const struct wanted *wanted, bool is_finite, bool is_try)
{
    const struct session_settings settings = {
        .source = {.spec = wanted->port, .baud = wanted->baud, .dtr = wanted->dtr, .rts = wanted->rts},
        .dialect = wanted->dialect || is_finite ? wanted->dialect : dialect_registry[0],
        .elfs = &wanted->elfs,
        .control = wanted->control,
        .visits = true,
        .timing = {.update_ms = 20},
    };
    struct heard heard = {NULL};
    struct board *board = board_new();
    struct session *session = board ? session_new(&settings, board, &heard.why) : NULL;
    if (!board)
        error_set(&heard.why, "Out of memory.");
    if (session && session_start(session, &heard.why)) {
        if (is_finite)
            wait_for_the_end(session);
        else
            listen_for(board, is_try ? TRY_MS : wanted->listen_ms, is_try);
        if (is_finite)
            session_stop(session);
        heard.snapshot = session_snapshot(session);
        if (!is_finite && !is_try)
            heard.snapshot = look_once_more(session, heard.snapshot);
        session_succeeded(session, &heard.why);
    }
    session_free(session);
    board_free(board);
    return heard;
}

/* True when another dialect was named, but this project's agent answers or sends. */
static bool speaks_default_dialect(const struct wanted *wanted)
{
    struct wanted other = *wanted;
    if (!wanted->dialect || wanted->dialect == dialect_registry[0])
        return false;
    other.dialect = NULL;
    other.elfs.n = 0;
    struct heard heard = listen_to_source(&other, false, true);
    bool good = heard.snapshot && examine_makes_sense(heard.snapshot);
    snapshot_unref(heard.snapshot);
    return good;
}

static const char *elf_of(const struct snapshot *snapshot)
{
    return *snapshot->source.elf_name ? snapshot->source.elf_name : NULL;
}

/* Tries rates until received data makes sense or the device answers. Returns 0 when none works. */
static uint32_t find_rate(const struct wanted *wanted)
{
    struct wanted other = *wanted;
    other.elfs.n = 0;
    other.dtr = other.dtr == SOURCE_LINE_PULSE ? SOURCE_LINE_KEEP : other.dtr;
    other.rts = other.rts == SOURCE_LINE_PULSE ? SOURCE_LINE_KEEP : other.rts;
    for (int i = 0; i < USUAL_RATES; i++) {
        other.baud = usual_rates[i];
        if (other.baud == wanted->baud)
            continue;
        struct heard heard = listen_to_source(&other, false, true);
        bool good = heard.snapshot && examine_makes_sense(heard.snapshot);
        snapshot_unref(heard.snapshot);
        if (good)
            return other.baud;
    }
    return 0;
}

/* Tries other rates when nothing made sense. (Another dialect is recognized from the bytes.) */
static void look_for_rate(struct examination *examination, const struct wanted *wanted,
                          const struct snapshot *snapshot)
{
    const struct snapshot_source *source = &snapshot->source;
    bool may_be_rate = source->state == STATE_CONNECTED && source->baud && !source->looks_like &&
                       !source->disguise && (snapshot->link.bytes > 0 || !source->listen_only);
    if (source->state == STATE_CONNECTED && !source->looks_like && speaks_default_dialect(wanted)) {
        examine_say(
            examination, VERDICT_FAIL,
            "Nothing makes sense as %s, but the device speaks %s; use --dialect %s, or leave --dialect "
            "out.",
            wanted->dialect->id, dialect_registry[0]->id, dialect_registry[0]->id);
        return;
    }
    uint32_t rate = may_be_rate ? find_rate(wanted) : 0;
    if (!rate) {
        examine_session(examination, elf_of(snapshot), snapshot);
        if (may_be_rate)
            examine_say(examination, VERDICT_WARN,
                        "%d other rates were tried from 1200 to 4000000 baud, and nothing made sense at any.",
                        USUAL_RATES - 1);
        return;
    }
    examine_say(examination, VERDICT_FAIL,
                "At %u baud nothing makes sense, and at %u baud it does; use --baud %u, or have the firmware "
                "open its UART at %u.",
                wanted->baud, rate, rate, wanted->baud);
}

static void report_opened(struct examination *examination, const struct wanted *wanted, bool is_finite,
                          bool is_shared)
{
    bool is_network = strncmp(wanted->port, "tcp:", 4) == 0 || strncmp(wanted->port, "rfc2217:", 8) == 0 ||
                      strncmp(wanted->port, "unix:", 5) == 0;
    const char *words = is_finite    ? "can be read"
                        : is_network ? "takes a connection"
                        : is_shared  ? "is there and may be used"
                                     : "is there, may be used, and nobody else has it";
    examine_say(examination, VERDICT_OK, "%s %s.",
                strcmp(wanted->port, "-") ? wanted->port : "Standard input", words);
}

/* Checks names and calls of a session whose data made sense. Without calls, the result cannot be "nothing wrong". */
static void examine_measured(struct examination *examination, const struct wanted *wanted,
                             const struct snapshot *snapshot)
{
    bool is_over = snapshot->source.state == STATE_ENDED;
    examination->has_measured = snapshot_has_some(snapshot);
    if (!wanted->has_elf && examine_has_addresses(snapshot))
        examine_say(
            examination, VERDICT_WARN,
            "No ELF was given, so functions have addresses for names; name the firmware's with --elf.");
    if (!examination->has_measured && (is_over || snapshot->target.profiling))
        examine_say(examination, VERDICT_WARN,
                    "%s, but no call, sample, checkpoint or message came; compile the code that you want to "
                    "see with -finstrument-functions (firmware-ref/README.md), and see that it runs.",
                    is_over ? "What was recorded can be read" : "The device profiles");
    if (examination->fails || examination->warns)
        return;
    if (examination->has_measured)
        examine_say(examination, VERDICT_OK, "Nothing wrong was found.");
    else
        examine_say(
            examination, VERDICT_OK,
            "Nothing wrong was found so far; no call was measured, since the doctor does not start the "
            "device. Start miniprofd to see whether calls come.");
}

void look_at_source(struct examination *examination, const struct wanted *wanted)
{
    struct error err;
    struct source *source = source_new(
        &(struct source_settings){
            .spec = wanted->port, .baud = wanted->baud, .dtr = wanted->dtr, .rts = wanted->rts},
        &err);
    bool is_finite = source && source_is_finite(source);
    source_free(source);
    struct heard heard = {NULL, err};
    if (source)
        heard = listen_to_source(wanted, is_finite, false);
    if (!heard.snapshot) {
        examine_say(examination, VERDICT_FAIL, "%s", heard.why.text);
        return;
    }
    const struct snapshot *snapshot = heard.snapshot;
    if (snapshot->source.state == STATE_CONNECTED || snapshot->source.state == STATE_ENDED)
        report_opened(examination, wanted, is_finite, *snapshot->source.remark);
    if (*heard.why.text)
        examine_say(examination, VERDICT_FAIL, "%s", heard.why.text);
    if (examine_makes_sense(snapshot)) {
        examine_session(examination, elf_of(snapshot), snapshot);
        examine_measured(examination, wanted, snapshot);
    } else
        look_for_rate(examination, wanted, snapshot);
    snapshot_unref(heard.snapshot);
}
