/* over_port.c - an errand over the device's own port: a session of some seconds. */
#include "device_command/command_line.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "export/export.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A device that is there answers within 0.5 s, and one that resets when its port is opened within 2. */
enum { PATIENCE_MS = 5000 };

struct visit {
    struct board *board;
    struct session *session;
};

/* STATUS is asked for when the device has said, or will not say, who it is and what it can do. */
static bool has_told(const struct snapshot *snapshot)
{
    return snapshot->target.has_status;
}

/* A port that cannot be opened is not waited for, as a daemon would. */
static bool is_hopeless(const struct snapshot_source *source)
{
    return source->state == STATE_ENDED || source->listen_only ||
           (source->state == STATE_CONNECTING && *source->detail);
}

static bool explain(const struct snapshot *snapshot, const char *port, struct error *err)
{
    if (snapshot && snapshot->source.listen_only)
        return error_set(err, "Nothing can be sent to %s; name the device's own port.", port);
    if (snapshot && *snapshot->source.detail) {
        /* Who may use a port that is there, and cannot open it, comes second. */
        bool taken = snapshot->source.state == STATE_CONNECTING && access(port, R_OK | W_OK) == 0;
        return error_set(err, "%s%s", snapshot->source.detail,
                         taken ? " Through a miniprofd that has it: --at http://127.0.0.1:7777." : "");
    }
    return error_set(err,
                     "The device at %s does not answer; check its power, the wiring (RX and TX crossed) and "
                     "--baud.",
                     port);
}

/* Waits until the device has told of itself. False with a sentence when it does not. */
static bool await_device(struct visit *visit, const struct errand *errand, struct error *err)
{
    uint64_t deadline_ms = clock_monotonic_ms() + PATIENCE_MS, now_ms, seen = 0;
    struct snapshot *snapshot = NULL;
    bool told = false, hopeless = false;
    while (!told && !hopeless && (now_ms = clock_monotonic_ms()) < deadline_ms) {
        struct snapshot *next = board_wait(visit->board, seen, deadline_ms - now_ms, NULL);
        if (!next)
            continue;
        snapshot_unref(snapshot);
        snapshot = next;
        seen = snapshot->sequence;
        told = has_told(snapshot);
        hopeless = is_hopeless(&snapshot->source);
    }
    if (!told)
        explain(snapshot, errand->port, err);
    snapshot_unref(snapshot);
    return told;
}

static bool order(struct visit *visit, struct order *order, const char *what, struct error *err)
{
    switch (mailbox_ask(session_mailbox(visit->session), order)) {
    case ORDER_DONE: return true;
    case ORDER_REFUSED:
        return *order->why.text ? error_set(err, "%s", order->why.text)
                                : error_set(err, "The device refused %s.", what);
    case ORDER_SILENT:
        return error_set(err, "The device did not answer to %s; is it running, and its transmit line whole?",
                         what);
    default: return error_set(err, "The device went away before it could be asked for %s.", what);
    }
}

static bool command(struct visit *visit, enum order_command code, const char *what, struct error *err)
{
    struct order wanted = {.kind = ORDER_COMMAND, .command = (uint8_t)code};
    return order(visit, &wanted, what, err);
}

static bool set(struct visit *visit, const struct snapshot_setting *setting, uint64_t value,
                struct error *err)
{
    struct order wanted = order_to_set(setting, (uint32_t)value);
    return order(visit, &wanted, setting->name, err);
}

/* All are known to be good before the first one is sent. */
static bool configure(struct visit *visit, const struct errand *errand, struct error *err)
{
    const struct snapshot_setting *settings[ERRAND_SETTINGS_MAX];
    struct snapshot *snapshot = session_snapshot(visit->session);
    bool good = true;
    for (size_t i = 0; good && i < errand->settings_n; i++) {
        settings[i] = snapshot_setting_choose(&snapshot->target.description, errand->settings[i].name,
                                              errand->settings[i].value, err);
        good = settings[i] != NULL;
    }
    for (size_t i = 0; good && i < errand->settings_n; i++)
        good = set(visit, settings[i], errand->settings[i].value, err);
    snapshot_unref(snapshot);
    return good;
}

static bool run(struct visit *visit, const struct errand *errand, struct error *err)
{
    static const enum order_command codes[] = {
        [ERRAND_START] = COMMAND_START, [ERRAND_STOP] = COMMAND_STOP, [ERRAND_RESET] = COMMAND_RESET};
    if (!await_device(visit, errand, err))
        return false;
    if (errand->kind == ERRAND_STATUS)
        return true;
    if (errand->kind == ERRAND_CONFIG)
        return configure(visit, errand, err);
    return command(visit, codes[errand->kind], errand_word(errand->kind), err) &&
           command(visit, COMMAND_STATUS, "status", err);
}

static char *answer_of(struct visit *visit, struct error *err)
{
    struct sink_buffer text;
    struct snapshot *snapshot = session_snapshot(visit->session);
    sink_buffer_init(&text);
    struct json json = {.sink = &text.sink};
    json_object_open(&json, NULL);
    json_text(&json, "answer", "ack");
    json_u64(&json, "sequence", snapshot->sequence);
    export_health(snapshot, &json);
    json_object_close(&json);
    snapshot_unref(snapshot);
    char *answer = text.sink.failed ? NULL : strdup(text.bytes);
    sink_buffer_fini(&text);
    if (!answer)
        error_set(err, "Memory is used up.");
    return answer;
}

char *errand_direct(const struct errand *errand, struct error *err)
{
    const struct session_settings settings = {
        .source = {.spec = errand->port, .baud = errand->baud, .dtr = errand->dtr, .rts = errand->rts},
        .dialect = dialect_registry[0],
        .mode = errand->mode,
        .control = true,
        .visits = true,
        .timing = {.update_ms = 10},
    };
    struct visit visit = {.board = board_new()};
    char *answer = NULL;
    log_set_level(LOG_ERROR);
    if (!visit.board)
        error_set(err, "Memory is used up.");
    else
        visit.session = session_new(&settings, visit.board, err);
    if (visit.session && session_start(visit.session, err) && run(&visit, errand, err))
        answer = answer_of(&visit, err);
    session_free(visit.session);
    board_free(visit.board);
    return answer;
}
