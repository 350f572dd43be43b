/* decoder.c - from the source's bytes to events.
 *
 * Wherever bytes are missing, a LOST event goes ahead of what follows, so that nobody joins the two sides of
 * a gap: after bytes that belonged to no packet, and after the line was away. */
#include "session/decoder.h"

#include "protocol/frame.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"
#include "session/extensions.h"

#include <stdlib.h>
#include <string.h>

struct decoder {
    struct dialect_instance own; /* what the link itself speaks */
    struct event_out out;
    struct dialect_settings settings;
    struct extensions extensions;  /* FRAMED */
    struct mp_frame_reader reader; /* FRAMED */
    uint8_t *reader_memory;
    uint64_t bytes;
    uint64_t skipped_before; /* bytes skipped when the last packet was handed out */
    uint8_t introduction[MP_FRAME_OVERHEAD + MP_METADATA_SIZE];
    size_t introduction_n;
    bool gap;           /* LOST is due */
    bool line_was_away; /* ... since the line was */
    bool restart;       /* RESET is due */
};

static void emit(struct decoder *decoder, enum event_kind kind)
{
    struct event event = {.kind = (uint8_t)kind};
    decoder->out.batch(decoder->out.user, &event, 1);
}

/* Ticks of two clocks cannot be told apart later, so a carried dialect may only say what its ticks are while
 * the link's own dialect has told no times. */
static void pass_carried(void *user, const struct event *events, size_t n)
{
    struct decoder *decoder = user;
    bool own_times = dialect_instance_health(&decoder->own)->records > 0;
    for (size_t i = 0; i < n; i++)
        if (!own_times || events[i].kind != EVENT_CLOCK)
            decoder->out.batch(decoder->out.user, &events[i], 1);
}

struct decoder *decoder_new(const struct dialect *dialect, const struct dialect_settings *settings,
                            const struct event_out *out, struct error *err)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        goto no_memory;
    decoder->out = *out;
    decoder->settings = settings ? *settings : (struct dialect_settings){0};
    decoder->extensions = (struct extensions){.settings = &decoder->settings, .out = {pass_carried, decoder}};
    if (!dialect_instance_open(&decoder->own, dialect, &decoder->settings, err))
        goto refused;
    if (dialect->framing == DIALECT_FRAMED) {
        size_t size = MP_FRAME_READER_MEMORY(dialect->payload_max(decoder->own.state));
        decoder->reader_memory = malloc(size);
        if (!decoder->reader_memory)
            goto no_memory;
        mp_frame_reader_init(&decoder->reader, decoder->reader_memory, size);
    }
    return decoder;

no_memory:
    error_set(err, "Out of memory while preparing dialect %s.", dialect->id);
refused:
    decoder_free(decoder);
    return NULL;
}

void decoder_free(struct decoder *decoder)
{
    if (!decoder)
        return;
    extensions_fini(&decoder->extensions);
    free(decoder->reader_memory);
    dialect_instance_close(&decoder->own);
    free(decoder);
}

static void settle_restart(struct decoder *decoder)
{
    if (!decoder->restart)
        return;
    decoder->restart = false;
    dialect_instance_reset(&decoder->own);
    extensions_reset(&decoder->extensions);
    emit(decoder, EVENT_RESET);
}

static void decode(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    if (decoder->gap) {
        struct event lost = {.kind = EVENT_LOST, .lost.line_was_away = decoder->line_was_away};
        decoder->out.batch(decoder->out.user, &lost, 1);
    }
    decoder->gap = decoder->line_was_away = false;
    dialect_instance_decode(&decoder->own, bytes, n, &decoder->out);
    settle_restart(decoder);
}

static void decode_frames(struct decoder *decoder)
{
    struct mp_frame frame;
    while (mp_frame_reader_next(&decoder->reader, &frame)) {
        uint64_t skipped = decoder->reader.counters.bytes_skipped;
        if (skipped != decoder->skipped_before)
            decoder->gap = true;
        decoder->skipped_before = skipped;
        if (frame.type == MP_METADATA && frame.packet_size <= sizeof decoder->introduction) {
            memcpy(decoder->introduction, frame.packet, frame.packet_size);
            decoder->introduction_n = frame.packet_size;
        }
        decode(decoder, frame.body, frame.body_size);
        if (frame.type == MP_EXTENSION)
            extensions_decode(&decoder->extensions, frame.payload, frame.length);
    }
}

void decoder_feed(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    decoder->bytes += n;
    if (decoder->own.dialect->framing == DIALECT_RAW) {
        decode(decoder, bytes, n);
        return;
    }
    mp_frame_reader_feed(&decoder->reader, bytes, n);
    decode_frames(decoder);
}

void decoder_idle(struct decoder *decoder)
{
    if (decoder->own.dialect->framing == DIALECT_RAW)
        return;
    mp_frame_reader_idle(&decoder->reader);
    decode_frames(decoder);
}

bool decoder_is_waiting(const struct decoder *decoder)
{
    return decoder->own.dialect->framing == DIALECT_FRAMED && mp_frame_reader_waiting(&decoder->reader) > 0;
}

static void end_frames(struct decoder *decoder)
{
    if (decoder->own.dialect->framing == DIALECT_RAW)
        return;
    mp_frame_reader_end(&decoder->reader);
    decode_frames(decoder);
}

void decoder_break(struct decoder *decoder)
{
    end_frames(decoder);
    decoder->gap = decoder->line_was_away = true;
}

void decoder_finish(struct decoder *decoder)
{
    end_frames(decoder);
    dialect_instance_finish(&decoder->own, &decoder->out);
    extensions_finish(&decoder->extensions);
    settle_restart(decoder);
}

void decoder_restart(struct decoder *decoder)
{
    decoder->restart = true;
}

const uint8_t *decoder_introduction(const struct decoder *decoder, size_t *n)
{
    *n = decoder->introduction_n;
    return decoder->introduction;
}

uint64_t decoder_bytes(const struct decoder *decoder)
{
    return decoder->bytes;
}

uint64_t decoder_records(const struct decoder *decoder)
{
    return dialect_instance_health(&decoder->own)->records + extensions_health(&decoder->extensions).records;
}

uint32_t decoder_provides(const struct decoder *decoder)
{
    return decoder->own.dialect->provides | extensions_provides(&decoder->extensions);
}

static void tell_variant(enum mp_frame_variant variant, struct snapshot_link *link)
{
    static const struct {
        const char *header_order, *crc_init;
    } names[] = {
        [MP_VARIANT_AA55_FFFF] = {"AA 55", "0xFFFF"},
        [MP_VARIANT_AA55_0000] = {"AA 55", "0x0000"},
        [MP_VARIANT_55AA_FFFF] = {"55 AA", "0xFFFF"},
        [MP_VARIANT_55AA_0000] = {"55 AA", "0x0000"},
    };
    link->header_order = names[variant].header_order;
    link->crc_init = names[variant].crc_init;
}

void decoder_tell(const struct decoder *decoder, struct snapshot_link *link)
{
    const struct dialect_health *health = dialect_instance_health(&decoder->own);
    const struct dialect_health carried = extensions_health(&decoder->extensions);
    const struct mp_frame_counters *frames = &decoder->reader.counters; /* all 0 when RAW */
    link->bytes = decoder->bytes;
    link->packets = frames->packets;
    link->records = health->records + carried.records;
    link->crc_errors = frames->crc_errors + health->crc_errors + carried.crc_errors;
    link->framing_errors = frames->framing_errors + health->framing_errors + carried.framing_errors;
    link->bytes_skipped = frames->bytes_skipped + health->bytes_skipped + carried.bytes_skipped;
    link->malformed = health->malformed + carried.malformed;
    link->unsupported_version = health->unsupported_version + carried.unsupported_version;
    link->unknown_types = frames->unknown_types;
    link->big_endian_crc_hints = frames->hint_crc_big_endian;
    link->headerless_crc_hints = frames->hint_crc_without_header;
    tell_variant(decoder->reader.variant, link);
}
