/* over_port.c - sends the command over the device's port, in a session of some seconds. */
#include "device_command/command_line.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "export/export.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A device answers within 0.5 s, or within 2 s if opening the port resets it. */
enum { PATIENCE_MS = 5000 };

struct conversation {
    struct board *board;
    struct session *session;
};

/* True after STATUS, which is requested after METADATA and DESCRIPTION were answered or timed out. */
static bool has_told(const struct snapshot *snapshot)
{
    return snapshot->target.has_status;
}

/* True when waiting is useless: unlike a daemon, this does not wait for a port that cannot be opened. */
static bool is_hopeless(const struct snapshot_source *source)
{
    return source->state == STATE_ENDED || source->listen_only ||
           (source->state == STATE_CONNECTING && *source->detail);
}

static bool explain_unreachable_device(const struct snapshot *snapshot, const char *port, struct error *err)
{
    if (snapshot && snapshot->source.listen_only)
        return error_set(err, "Nothing can be sent to %s; name the device's own port.", port);
    if (snapshot && *snapshot->source.detail) {
        /* The port exists with sufficient permission but cannot be opened: another program has it. */
        bool taken = snapshot->source.state == STATE_CONNECTING && access(port, R_OK | W_OK) == 0;
        return error_set(err, "%s%s", snapshot->source.detail,
                         taken ? " Through a miniprofd that has it: --at http://127.0.0.1:7777." : "");
    }
    return error_set(err,
                     "The device at %s does not answer; check its power, the wiring (RX and TX crossed) and "
                     "--baud.",
                     port);
}

/* Waits for the device's description. False with an error when there is none. */
static bool await_device(struct conversation *conversation, const struct device_command *asked,
                         struct error *err)
{
    uint64_t deadline_ms = clock_monotonic_ms() + PATIENCE_MS, now_ms, seen = 0;
    struct snapshot *snapshot = NULL;
    bool told = false, hopeless = false;
    while (!told && !hopeless && (now_ms = clock_monotonic_ms()) < deadline_ms) {
        struct snapshot *next = board_wait(conversation->board, seen, deadline_ms - now_ms, NULL);
        if (!next)
            continue;
        snapshot_unref(snapshot);
        snapshot = next;
        seen = snapshot->sequence;
        told = has_told(snapshot);
        hopeless = is_hopeless(&snapshot->source);
    }
    if (!told)
        explain_unreachable_device(snapshot, asked->port, err);
    snapshot_unref(snapshot);
    return told;
}

static bool send_mailbox_order(struct conversation *conversation, struct order *order, const char *what,
                               struct error *err)
{
    switch (mailbox_ask(session_mailbox(conversation->session), order)) {
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

static bool send_order_command(struct conversation *conversation, enum order_command code, const char *what,
                               struct error *err)
{
    struct order wanted = {.kind = ORDER_COMMAND, .command = (uint8_t)code};
    return send_mailbox_order(conversation, &wanted, what, err);
}

static bool set_over_port(struct conversation *conversation, const struct snapshot_setting *setting,
                          uint64_t value, struct error *err)
{
    struct order wanted = order_to_set(setting, (uint32_t)value);
    return send_mailbox_order(conversation, &wanted, setting->name, err);
}

/* Sets several settings. Checks all of them before sending the first. */
static bool configure_device(struct conversation *conversation, const struct device_command *asked,
                             struct error *err)
{
    const struct snapshot_setting *settings[DEVICE_COMMAND_SETTINGS_MAX];
    struct snapshot *snapshot = session_snapshot(conversation->session);
    bool good = true;
    for (size_t i = 0; good && i < asked->settings_n; i++) {
        settings[i] = snapshot_setting_choose(&snapshot->target.description, asked->settings[i].name,
                                              asked->settings[i].value, err);
        good = settings[i] != NULL;
    }
    for (size_t i = 0; good && i < asked->settings_n; i++)
        good = set_over_port(conversation, settings[i], asked->settings[i].value, err);
    snapshot_unref(snapshot);
    return good;
}

static bool run_over_port(struct conversation *conversation, const struct device_command *asked,
                          struct error *err)
{
#define CODE_OF_ORDER(id, ...) [DEVICE_COMMAND_##id] = COMMAND_##id,
    static const enum order_command codes[] = {
        DEVICE_COMMAND_ROWS(CODE_OF_ORDER, DEVICE_COMMAND_NONE, DEVICE_COMMAND_NONE)};
    if (!await_device(conversation, asked, err))
        return false;
    if (asked->kind == DEVICE_COMMAND_STATUS)
        return true;
    if (asked->kind == DEVICE_COMMAND_CONFIG)
        return configure_device(conversation, asked, err);
    return send_order_command(conversation, codes[asked->kind], device_command_word(asked->kind), err) &&
           send_order_command(conversation, COMMAND_STATUS, "status", err);
}

static char *answer_of(struct conversation *conversation, struct error *err)
{
    struct sink_buffer text;
    struct snapshot *snapshot = session_snapshot(conversation->session);
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
        error_set(err, "Out of memory.");
    return answer;
}

char *device_command_over_port(const struct device_command *asked, struct error *err)
{
    const struct session_settings settings = {
        .source = {.spec = asked->port, .baud = asked->baud, .dtr = asked->dtr, .rts = asked->rts},
        .dialect = dialect_registry[0],
        .mode = asked->mode,
        .control = true,
        .visits = true,
        .timing = {.update_ms = 10},
    };
    struct conversation conversation = {.board = board_new()};
    char *answer = NULL;
    log_set_level(LOG_ERROR);
    if (!conversation.board)
        error_set(err, "Out of memory.");
    else
        conversation.session = session_new(&settings, conversation.board, err);
    if (conversation.session && session_start(conversation.session, err) &&
        run_over_port(&conversation, asked, err))
        answer = answer_of(&conversation, err);
    session_free(conversation.session);
    board_free(conversation.board);
    return answer;
}
