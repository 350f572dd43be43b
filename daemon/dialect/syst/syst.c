/* syst.c - MIPI SyS-T: turns a serial line's bytes into calls and messages.
 *
 * A message passes through these files: syst_auto detects the framing; syst_hex, syst_raw or syst_stp cut the
 * bytes into messages; syst_message reads their fields; syst_senders finds the sender; syst_words writes the
 * text, with formats from syst_collateral and syst_printf; syst_clock converts the time. */
#include "dialect/dialect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dialect/syst/auto.h"
#include "dialect/syst/channels.h"
#include "dialect/syst/hex.h"
#include "dialect/syst/raw.h"
#include "dialect/syst/senders.h"
#include "dialect/syst/stp.h"
#include "dialect/syst/words.h"
#include "dialect/syst/xml.h"
#include "protocol/bytes.h"
#include "protocol/packet.h"

struct syst {
    struct dialect_health health;
    enum syst_kind kind; /* UNDECIDED until detected */
    struct syst_auto window;
    union {
        struct syst_hex hex;
        struct syst_raw raw;
        struct syst_stp stp;
    };
    const struct syst_collateral *collateral;
    const struct syst_client *short_client; /* short messages do not contain their sender */
    struct syst_key key;                    /* without a client */
    struct syst_senders senders;
    struct syst_channels channels;
    struct syst_line line;
    bool rate_told;
    uint64_t messages;
    const struct event_out *out; /* during a call */
    char text[SYST_PAYLOAD_TEXT_MAX];
};

static const struct dialect_option options[] = {
    {"collateral", "", "an XML file that names clients and formats of catalog messages; may be given again"},
    {"framing", "auto", "framing of messages: hex (lines of a log), raw (back to back), stp, or auto"},
    {"guid", "", "GUID of the sender of short messages, which do not have it: {8-4-4-4-12}"},
    {"clock_hz", "0", "rate of time stamps; 0: from CLOCK messages"},
    {0},
};

/* ---- options ---- */

static bool load(const struct dialect_settings *settings, void **companion, struct error *err)
{
    struct syst_collateral *collateral = NULL;
    for (size_t i = 0; i < settings->n; i++) {
        if (!dialect_settings_is(settings, i, "collateral") || !*settings->settings[i].value)
            continue;
        if (!collateral && !(collateral = syst_collateral_new()))
            return error_set(err, "Out of memory while reading collateral files.");
        if (!syst_xml_load(collateral, settings->settings[i].value, err)) {
            syst_collateral_free(collateral);
            return false;
        }
    }
    if (collateral)
        syst_collateral_settle(collateral);
    *companion = collateral;
    return true;
}

static void unload(void *companion)
{
    syst_collateral_free(companion);
}

static bool choose_framing(struct syst *syst, const char *value, struct error *err)
{
    static const char *const names[] = {
        [SYST_UNDECIDED] = "auto", [SYST_HEX] = "hex", [SYST_BACK_TO_BACK] = "raw", [SYST_STP] = "stp"};
    for (int kind = SYST_UNDECIDED; kind <= SYST_STP; kind++)
        if (!strcmp(value, names[kind])) {
            syst->kind = (enum syst_kind)kind;
            return true;
        }
    return error_set(err, "The option framing of dialect syst is auto, hex, raw or stp, not \"%s\".", value);
}

static bool choose_client(struct syst *syst, const char *value, struct error *err)
{
    struct syst_sender sender = {.has_guid = true};
    if (!*value) {
        syst->short_client = syst_collateral_only(syst->collateral);
        return true;
    }
    if (!syst_guid_parse(&sender.guid, value))
        return error_set(
            err,
            "The option guid of dialect syst is written {01234567-89AB-CDEF-0123-456789ABCDEF}, not \"%s\".",
            value);
    syst->short_client = syst_collateral_find(syst->collateral, &sender);
    return true;
}

static bool choose_clock(struct syst *syst, const struct dialect_settings *settings, struct error *err)
{
    uint64_t hz;
    if (!dialect_settings_u64(settings, options, "clock_hz", 0, UINT64_C(1000000000000), &hz, err))
        return false;
    syst->line.is_fixed = hz > 0;
    syst->line.hz = hz;
    return true;
}

static bool start(void *state, const struct dialect_settings *settings, struct error *err)
{
    struct syst *syst = state;
    syst->collateral = settings->companion;
    syst->key.read_text = settings->read_text;
    syst->key.read_text_user = settings->read_text_user;
    return choose_framing(syst, dialect_settings_value(settings, options, "framing"), err) &&
           choose_client(syst, dialect_settings_value(settings, options, "guid"), err) &&
           choose_clock(syst, settings, err);
}

/* ---- one message ---- */

/* The result of one message; its events point into it. */
struct saying {
    struct syst_message message;
    struct syst_heard *heard; /* NULL for a number, damage, or a sender above the limit */
    struct syst_moment moment;
    struct event events[3];
    size_t n;
    bool is_call;
    char type[SYST_WORD_MAX], origin[SYST_WORD_MAX], location[SYST_WORD_MAX];
};

static bool is_short(const struct syst_message *message)
{
    return message->type == SYST_SHORT32 || message->type == SYST_SHORT64;
}

/* True when the message contains its sender. */
static bool has_sender(const struct syst_message *message)
{
    return message->status == SYST_OK && !syst_message_is_number(message);
}

static struct syst_sender sender_of(const struct syst_message *message, const struct syst_frame *frame)
{
    struct syst_sender sender = {.has_guid = message->has_guid,
                                 .master = frame->master,
                                 .channel = frame->channel,
                                 .origin = message->origin};
    memcpy(sender.guid.bytes, message->guid, sizeof sender.guid.bytes);
    return sender;
}

static struct syst_heard *find_sender(struct syst *syst, const struct syst_message *message,
                                      const struct syst_frame *frame)
{
    struct syst_sender sender = sender_of(message, frame);
    return has_sender(message) ? syst_senders_find(&syst->senders, &sender, syst->collateral) : NULL;
}

/* Returns the collateral for the message. Senders above the limit are not stored, but still have
 * collateral. */
static const struct syst_client *client_of(const struct syst *syst, const struct saying *saying,
                                           const struct syst_frame *frame)
{
    if (saying->heard)
        return saying->heard->client;
    if (is_short(&saying->message))
        return syst->short_client;
    struct syst_sender sender = sender_of(&saying->message, frame);
    return has_sender(&saying->message) ? syst_collateral_find(syst->collateral, &sender) : NULL;
}

static uint64_t payload_u64(const struct syst_message *message, size_t at)
{
    const uint8_t *p = message->payload + at;
    return mp_load_u32(p) | (uint64_t)mp_load_u32(p + 4) << 32;
}

static struct event *add_event(struct saying *saying, enum event_kind kind)
{
    struct event *event = &saying->events[saying->n++];
    *event = (struct event){.kind = (uint8_t)kind};
    return event;
}

static void tell_rate(struct syst *syst, struct saying *saying)
{
    add_event(saying, EVENT_CLOCK)->clock.ticks_per_second = syst->line.hz;
    syst->rate_told = true;
}

/* Looks up the sender's collateral again after a BUILD message. Returns true if there was a match before and
 * is none now, which has to be reported. */
static bool learn_build(struct syst *syst, struct saying *saying)
{
    const struct syst_message *message = &saying->message;
    if (!saying->heard || message->status != SYST_OK || message->type != SYST_BUILD ||
        message->subtype != SYST_BUILD_LONG || message->payload_n < 8)
        return false;
    bool had = saying->heard->client || saying->heard->build_is_unknown;
    syst_heard_set_build(saying->heard, payload_u64(message, 0), syst->collateral);
    return saying->heard->build_is_unknown = had && !saying->heard->client;
}

/* A CLOCK message also changes the times of later messages. */
static void learn_clock(struct syst *syst, struct saying *saying)
{
    const struct syst_message *message = &saying->message;
    if (saying->heard && message->status == SYST_OK && message->type == SYST_CLOCK &&
        syst_line_sync(&syst->line, &saying->heard->clock, &saying->moment, payload_u64(message, 0),
                       payload_u64(message, 8)))
        tell_rate(syst, saying);
}

/* Reports the rate set by the user, or that of the transport if its clock is used. */
static void settle_rate(struct syst *syst, struct saying *saying)
{
    if (syst->rate_told)
        return;
    if (!syst->line.is_fixed && syst->line.is_transport)
        syst->line.hz = saying->moment.transport_hz;
    if (syst->line.is_fixed || (syst->line.is_transport && syst->line.hz))
        tell_rate(syst, saying);
}

static void add_call_event(struct syst *syst, struct saying *saying, size_t n)
{
    const struct syst_message *message = &saying->message;
    saying->is_call = message->status == SYST_OK && message->type == SYST_STRING && n > 0 &&
                      (message->subtype == SYST_STRING_ENTER || message->subtype == SYST_STRING_EXIT);
    if (!saying->is_call)
        return;
    struct event *event = add_event(saying, message->subtype == SYST_STRING_ENTER ? EVENT_ENTER : EVENT_EXIT);
    event->flags = EVENT_BY_NAME;
    event->named.name = syst->text;
    event->named.n = (uint32_t)n;
}

static const char *word(struct syst_text *text)
{
    return text->n ? syst_text_end(text) : NULL;
}

static void emit_lost(void *user)
{
    const struct syst *syst = user;
    syst->out->batch(syst->out->user, &(struct event){.kind = EVENT_LOST, .lost.records = 1}, 1);
}

/* Counts the message; `is_whole`: it could be read. Packets that are not messages do not count as damage on a
 * channel of the transport without any message. */
static void count(struct syst *syst, const struct syst_frame *frame, enum syst_status status, bool is_whole)
{
    bool is_record = status == SYST_OK || status == SYST_MISSING_COLLATERAL;
    bool is_crc_error = status == SYST_CHECKSUM_ERROR;
    uint64_t malformed = !is_record && !is_crc_error;
    if (syst->kind == SYST_STP && frame->has_channel && !is_crc_error)
        malformed = syst_channels_see(&syst->channels, frame->master, frame->channel, is_record);
    syst->health.records += is_record;
    syst->health.crc_errors += is_crc_error;
    syst->health.malformed += malformed;
    if (malformed ? is_record || !is_whole : is_crc_error)
        emit_lost(syst);
}

/* Returns the known times of a frame: its own stamp, the transport's, both or none. */
static struct syst_moment moment_of(const struct syst_message *message, const struct syst_frame *frame)
{
    return (struct syst_moment){.has_stamp = message->has_timestamp && message->status == SYST_OK,
                                .has_transport = frame->has_time,
                                .stamp = message->timestamp,
                                .transport = frame->time,
                                .transport_hz = frame->hz};
}

/* Formats the message: its text goes to syst->text, whose length is returned, everything else to `more`,
 * which points into `saying`. An unknown build is mentioned. */
static size_t format_message(struct syst *syst, struct saying *saying, const struct syst_frame *frame,
                             struct event_message *more, bool is_unknown_build)
{
    struct syst_message *message = &saying->message;
    struct syst_key key = syst->key;
    key.client = client_of(syst, saying, frame);
    struct syst_text text = {syst->text, 0, sizeof syst->text};
    struct syst_text type = {saying->type, 0, sizeof saying->type};
    struct syst_text origin = {saying->origin, 0, sizeof saying->origin};
    struct syst_text location = {saying->location, 0, sizeof saying->location};
    syst_words_payload(message, &key, frame->bytes, &text);
    if (is_unknown_build && message->status == SYST_OK) {
        syst_text_word(&text, " (no collateral is of this build: what follows is decoded without)");
        message->status = SYST_MISSING_COLLATERAL;
    }
    syst_words_type(message, &key, &type);
    syst_words_origin(message, &key, &origin);
    syst_words_location(message, &key, &location);
    *more = (struct event_message){
        .status = syst_status_text(message->status),
        .type = word(&type),
        .origin = word(&origin),
        .location = word(&location),
        .collateral = key.client ? syst_client_file(key.client) : NULL,
        .has_timestamp = message->has_timestamp,
        .has_checksum = message->has_checksum,
        .has_channel = frame->has_channel,
        .master = frame->master,
        .channel = frame->channel,
        .timestamp = message->timestamp,
        .context_timestamp = frame->has_time ? frame->time : syst->messages,
        .checksum = message->checksum,
        .raw_length = (uint32_t)frame->n,
    };
    return text.n;
}

static void add_text_event(struct syst *syst, struct saying *saying, size_t n,
                           const struct event_message *more)
{
    static_assert(SEVERITY_MAX == 0 && SEVERITY_FATAL == 1 && SEVERITY_ERROR == 2 && SEVERITY_WARNING == 3 &&
                      SEVERITY_INFO == 4 && SEVERITY_USER1 == 5 && SEVERITY_USER2 == 6 && SEVERITY_DEBUG == 7,
                  "severities are those of the MIPI SyS-T header");
    struct event *event = add_event(saying, EVENT_TEXT);
    event->text.text = syst->text;
    event->text.n = (uint32_t)n;
    event->text.severity = saying->message.severity;
    event->text.origin = saying->message.origin;
    event->text.unit = saying->message.unit;
    event->text.message = more;
}

/* Hands the events on, with the same context and time. */
static void emit(struct syst *syst, struct saying *saying, uint64_t ticks, bool is_estimated)
{
    uint32_t context = 0;
    if (saying->heard)
        context = syst_senders_context(&syst->senders, saying->heard, saying->message.unit);
    else if (has_sender(&saying->message))
        context = EVENT_CONTEXT_UNKNOWN;
    for (size_t i = 0; i < saying->n; i++) {
        saying->events[i].context = context;
        saying->events[i].ticks = ticks;
        saying->events[i].flags |= is_estimated ? EVENT_ESTIMATED_TIME : 0;
    }
    syst->out->batch(syst->out->user, saying->events, saying->n);
}

static void handle_message(void *user, const struct syst_frame *frame)
{
    struct syst *syst = user;
    struct saying saying = {.message = syst_message_parse(frame->bytes, frame->n)};
    saying.heard = find_sender(syst, &saying.message, frame);
    saying.moment = moment_of(&saying.message, frame);
    const bool is_whole = saying.message.status == SYST_OK;
    bool is_unknown_build = learn_build(syst, &saying);
    struct event_message more;
    size_t n = format_message(syst, &saying, frame, &more, is_unknown_build);
    count(syst, frame, saying.message.status, is_whole);

    learn_clock(syst, &saying);
    static const struct syst_clock unknown;
    bool is_estimated;
    uint64_t ticks = syst_line_place(&syst->line, saying.heard ? &saying.heard->clock : &unknown,
                                     &saying.moment, &is_estimated);
    settle_rate(syst, &saying);
    add_call_event(syst, &saying, n);
    more.is_call = saying.is_call;
    add_text_event(syst, &saying, n, &more);
    syst->messages++;
    emit(syst, &saying, ticks, is_estimated);
}

/* ---- the dialect ---- */

static struct syst_out framing_out(struct syst *syst)
{
    return (struct syst_out){
        .message = handle_message, .lost = emit_lost, .user = syst, .health = &syst->health};
}

static void feed(struct syst *syst, const uint8_t *bytes, size_t n)
{
    struct syst_out out = framing_out(syst);
    switch (syst->kind) {
    case SYST_HEX: syst_hex_feed(&syst->hex, bytes, n, &out); break;
    case SYST_BACK_TO_BACK: syst_raw_feed(&syst->raw, bytes, n, &out); break;
    case SYST_STP: syst_stp_feed(&syst->stp, bytes, n, &out); break;
    case SYST_UNDECIDED: break;
    }
}

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct syst *syst = state;
    syst->out = out;
    if (syst->kind == SYST_UNDECIDED) {
        size_t taken;
        syst->kind = syst_auto_feed(&syst->window, bytes, n, &taken);
        bytes += taken;
        n -= taken;
        feed(syst, syst->window.bytes, syst->window.n);
    }
    if (n)
        feed(syst, bytes, n);
}

static void finish(void *state, const struct event_out *out)
{
    struct syst *syst = state;
    struct syst_out framing = framing_out(syst);
    syst->out = out;
    if (syst->kind == SYST_UNDECIDED) {
        syst->kind = syst_auto_kind(syst->window.bytes, syst->window.n);
        feed(syst, syst->window.bytes, syst->window.n);
    }
    switch (syst->kind) {
    case SYST_HEX: syst_hex_finish(&syst->hex, &framing); break;
    case SYST_BACK_TO_BACK: syst_raw_finish(&syst->raw, &framing); break;
    case SYST_STP: syst_stp_finish(&syst->stp, &framing); break;
    case SYST_UNDECIDED: syst->health.bytes_skipped += syst->window.n; break;
    }
}

static void reset(void *state)
{
    struct syst *syst = state;
    switch (syst->kind) { /* members of the union */
    case SYST_HEX: memset(&syst->hex, 0, sizeof syst->hex); break;
    case SYST_BACK_TO_BACK: memset(&syst->raw, 0, sizeof syst->raw); break;
    case SYST_STP: syst_stp_clear(&syst->stp); break;
    case SYST_UNDECIDED: break;
    }
    syst_senders_clear(&syst->senders);
    syst->channels.n = 0;
    syst->rate_told = false;
    syst_line_restart(&syst->line);
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct syst *)state)->health;
}

const struct dialect dialect_syst = {
    .id = "syst",
    .title = "MIPI SyS-T",
    .summary = "System Software Trace: messages, and calls from ENTER and EXIT, in all three serial framings",
    .framing = DIALECT_RAW,
    .provides = PROVIDES_TREE | PROVIDES_TIMELINE | PROVIDES_MESSAGES,
    .extension = MP_EXTENSION_SYST,
    .options = options,
    .state_size = sizeof(struct syst),
    .load = load,
    .unload = unload,
    .start = start,
    .decode = decode,
    .finish = finish,
    .reset = reset,
    .health = health,
    .probe = syst_auto_probe,
};
