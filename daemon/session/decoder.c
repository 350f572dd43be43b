/* decoder.c - converts the source's bytes to events.
 *
 * If bytes are missing, a LOST event precedes the following events, so that calls are not joined across the
 * gap.
 *
 * While the dialect is undecided, bytes are buffered. They are decoded from the first on once it is known;
 * how they are divided makes no difference. Later, bytes that make no sense are kept, to detect what they
 * are. */
#include "session/decoder.h"

#include "protocol/frame.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"
#include "session/console_lines.h"
#include "session/dialect_instance.h"
#include "session/extensions.h"
#include "session/lookout.h"
#include "session/variant.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK = 16,                     /* bytes, while the dialect is to be found out */
    DOUBT = 2048,                        /* ... while what came makes no sense */
    SKIPPED_OF = 4,                      /* with one byte in this many skipped, they make no sense */
    REST_LEAST = 4 * DIALECT_GUESS_MOST, /* bytes skipped after a check without result, doubled up to ... */
    REST_MOST = 64 * DIALECT_GUESS_MOST,
};

/* Totals that show whether bytes make sense. */
struct sense {
    uint64_t bytes, good, skipped;
};

struct decoder {
    struct dialect_instance own; /* the link's own dialect */
    struct event_out out;
    struct dialect_settings settings;
    struct extensions extensions;  /* FRAMED */
    struct mp_frame_reader reader; /* FRAMED */
    uint8_t *reader_memory;
    uint64_t bytes;
    struct console_lines console;
    uint64_t damage_before; /* bytes skipped before the last packet, except for lines of text */
    uint64_t text_before;   /* bytes of these lines before the first packet */
    uint8_t introduction[MP_FRAME_OVERHEAD + MP_METADATA_SIZE];
    size_t introduction_n;
    bool gap;           /* LOST must be emitted */
    bool line_was_away; /* ... because the line was away */
    bool restart;       /* RESET must be emitted */
    bool suspect;       /* ... if the next bytes do not continue the last ones */
    enum decoder_choice choice;
    struct lookout lookout;           /* the bytes buffered while UNDECIDED; else those that make no sense */
    uint64_t rest, resting;           /* bytes not to examine after a check; how many are left */
    struct sense sense;               /* totals when these bytes began to be kept */
    const struct dialect *looks_like; /* NULL: the dialect in use, or unknown */
};

static void emit_event(struct decoder *decoder, enum event_kind kind)
{
    struct event event = {.kind = (uint8_t)kind};
    decoder->out.batch(decoder->out.user, &event, 1);
}

static void hear_skipped(void *user, const uint8_t *bytes, size_t n)
{
    struct decoder *decoder = user;
    const struct link_clock *link = &decoder->extensions.link;
    console_lines_take(&decoder->console, bytes, n, link->is_known ? &link->newest : NULL, &decoder->out);
}

static bool open_frames(struct decoder *decoder, struct error *err)
{
    const struct dialect *dialect = decoder->own.dialect;
    if (dialect->framing == DIALECT_RAW)
        return true;
    size_t size = MP_FRAME_READER_MEMORY(dialect->payload_max(decoder->own.state));
    decoder->reader_memory = malloc(size);
    if (!decoder->reader_memory)
        return error_set(err, "Out of memory while preparing dialect %s.", dialect->id);
    mp_frame_reader_init(&decoder->reader, decoder->reader_memory, size);
    decoder->reader.skipped = hear_skipped;
    decoder->reader.skipped_user = decoder;
    return true;
}

struct decoder *decoder_new(const struct dialect *dialect, const struct dialect_settings *settings,
                            const struct event_out *out, struct error *err)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) {
        error_set(err, "Out of memory while preparing to decode.");
        return NULL;
    }
    decoder->out = *out;
    decoder->settings = settings ? *settings : (struct dialect_settings){0};
    decoder->choice = dialect ? DECODER_NAMED : DECODER_UNDECIDED;
    decoder->rest = REST_LEAST;
    if (!lookout_init(&decoder->lookout, err) ||
        !dialect_instance_open(&decoder->own, dialect ? dialect : dialect_registry[0], &decoder->settings,
                               err) ||
        !open_frames(decoder, err) ||
        !extensions_init(&decoder->extensions, &decoder->settings, &decoder->out, err)) {
        decoder_free(decoder);
        return NULL;
    }
    lookout_restart(&decoder->lookout, dialect ? DOUBT : FIRST_LOOK);
    return decoder;
}

void decoder_free(struct decoder *decoder)
{
    if (!decoder)
        return;
    extensions_fini(&decoder->extensions);
    lookout_fini(&decoder->lookout);
    free(decoder->reader_memory);
    dialect_instance_close(&decoder->own);
    free(decoder);
}

static void settle_restart(struct decoder *decoder)
{
    if (!decoder->restart)
        return;
    decoder->restart = decoder->suspect = false;
    dialect_instance_reset(&decoder->own);
    extensions_reset(&decoder->extensions);
    emit_event(decoder, EVENT_RESET);
}

/* The first packet with a known run settles the suspicion of a restart. Such a packet need not contain
 * anything to show. Some packets arrive twice, and the second copy is older than what was read. */
static void settle_suspicion(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    const struct dialect_instance *own = &decoder->own;
    if (!decoder->suspect || !own->dialect->run_of)
        return;
    enum dialect_run run = own->dialect->run_of(own->state, bytes, n);
    if (run == DIALECT_RUN_UNKNOWN)
        return;
    decoder->suspect = false;
    decoder->restart |= run == DIALECT_RUN_OTHER;
    settle_restart(decoder);
}

/* Called when the packet began the first known run after the suspicion: later packets are compared with
 * it. */
static void trust_first_run(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    const struct dialect_instance *own = &decoder->own;
    if (decoder->suspect && own->dialect->run_of &&
        own->dialect->run_of(own->state, bytes, n) != DIALECT_RUN_UNKNOWN)
        decoder->suspect = false;
}

static void decode_bytes(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    struct event_out own = extensions_beside(&decoder->extensions);
    settle_suspicion(decoder, bytes, n);
    if (decoder->gap)
        dialect_instance_tell_gap(&decoder->own, decoder->line_was_away, &decoder->out);
    decoder->gap = decoder->line_was_away = false;
    dialect_instance_decode(&decoder->own, bytes, n, &own);
    trust_first_run(decoder, bytes, n);
    extensions_settle(&decoder->extensions);
    if (decoder->console.held_n && decoder->extensions.link.is_known)
        console_lines_release(&decoder->console, decoder->extensions.link.newest, &decoder->out);
    settle_restart(decoder);
}

static void decode_frames(struct decoder *decoder)
{
    struct mp_frame frame;
    while (mp_frame_reader_next(&decoder->reader, &frame)) {
        if (decoder->console.raw)
            console_lines_break(&decoder->console);
        uint64_t damage = decoder->reader.counters.bytes_skipped - decoder->console.bytes;
        decoder->gap |= damage != decoder->damage_before;
        decoder->damage_before = damage;
        if (decoder->reader.counters.packets == 1)
            decoder->text_before = decoder->console.bytes;
        if (frame.type == MP_METADATA && frame.packet_size <= sizeof decoder->introduction) {
            memcpy(decoder->introduction, frame.packet, frame.packet_size);
            decoder->introduction_n = frame.packet_size;
        }
        decode_bytes(decoder, frame.body, frame.body_size);
        if (frame.type == MP_EXTENSION)
            extensions_decode(&decoder->extensions, frame.payload, frame.length);
    }
}

static void feed_frame_reader(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    if (decoder->own.dialect->framing == DIALECT_RAW) {
        decode_bytes(decoder, bytes, n);
        return;
    }
    mp_frame_reader_feed(&decoder->reader, bytes, n);
    decode_frames(decoder);
}

/* ---- which dialect they are of ---- */

static struct sense sense_now(const struct decoder *decoder)
{
    const struct dialect_health *health = dialect_instance_health(&decoder->own);
    const struct mp_frame_counters *frames = &decoder->reader.counters;
    return (struct sense){.bytes = decoder->bytes,
                          .good = frames->packets + health->records,
                          .skipped = frames->bytes_skipped + health->bytes_skipped};
}

/* True if the bytes between two totals make sense. */
static bool makes_sense(const struct sense *then, const struct sense *now)
{
    return now->good != then->good && SKIPPED_OF * (now->skipped - then->skipped) <= now->bytes - then->bytes;
}

/* Decodes the buffered bytes. */
static void release_lookout(struct decoder *decoder)
{
    if (decoder->lookout.n)
        feed_frame_reader(decoder, decoder->lookout.bytes, decoder->lookout.n);
}

/* Sets the dialect; for NULL it is unknown, and the first of the registry is tried. Without memory, that one
 * stays. */
static void choose_dialect(struct decoder *decoder, const struct dialect *dialect)
{
    struct dialect_instance chosen;
    decoder->choice = dialect ? DECODER_SURE : DECODER_UNSURE;
    if (dialect && dialect != decoder->own.dialect) {
        if (dialect_instance_open(&chosen, dialect, &decoder->settings, NULL)) {
            dialect_instance_close(&decoder->own);
            free(decoder->reader_memory);
            decoder->reader_memory = NULL;
            decoder->reader = (struct mp_frame_reader){0};
            decoder->own = chosen;
        } else {
            decoder->choice = DECODER_UNSURE;
        }
    }
    uint64_t hz = decoder->own.dialect->ticks_per_second;
    if (hz)
        decoder->out.batch(decoder->out.user,
                           &(struct event){.kind = EVENT_CLOCK, .clock.ticks_per_second = hz}, 1);
    release_lookout(decoder);
    decoder->sense = sense_now(decoder);
    lookout_restart(&decoder->lookout, DOUBT);
}

/* Buffers bytes until their dialect is detected, and returns how many. */
static size_t find_out(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    size_t taken = 0;
    while (decoder->choice == DECODER_UNDECIDED && taken < n) {
        taken += lookout_take(&decoder->lookout, bytes + taken, n - taken);
        if (!lookout_is_due(&decoder->lookout))
            break;
        bool last = lookout_is_full(&decoder->lookout);
        const struct dialect *dialect = lookout_look(&decoder->lookout);
        if (dialect || last)
            choose_dialect(decoder, dialect);
    }
    return taken;
}

/* Examines the kept bytes that made no sense. */
static void identify_dialect(struct decoder *decoder)
{
    bool full = lookout_is_full(&decoder->lookout);
    const struct dialect *dialect = lookout_look(&decoder->lookout);
    if (dialect == decoder->own.dialect)
        dialect = NULL; /* perhaps damaged */
    if (dialect || full) {
        decoder->looks_like = dialect;
        decoder->resting = decoder->rest;
        decoder->rest = decoder->rest < REST_MOST ? 2 * decoder->rest : REST_MOST;
        lookout_restart(&decoder->lookout, DOUBT);
    }
}

/* Checks bytes just decoded; costs next to nothing while they make sense. */
static void watch_sense(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    struct sense now = sense_now(decoder);
    if (makes_sense(&decoder->sense, &now)) {
        decoder->sense = now;
        decoder->looks_like = NULL;
        decoder->resting = 0;
        decoder->rest = REST_LEAST;
        lookout_restart(&decoder->lookout, DOUBT);
        return;
    }
    while (n) {
        size_t some = decoder->resting < n ? (size_t)decoder->resting : n;
        decoder->resting -= some;
        some += lookout_take(&decoder->lookout, bytes + some, n - some);
        bytes += some;
        n -= some;
        if (lookout_is_due(&decoder->lookout)) {
            decoder->sense = now;
            identify_dialect(decoder);
        }
    }
}

void decoder_feed(struct decoder *decoder, const uint8_t *bytes, size_t n)
{
    decoder->bytes += n;
    size_t held = find_out(decoder, bytes, n);
    if (held == n)
        return;
    feed_frame_reader(decoder, bytes + held, n - held);
    watch_sense(decoder, bytes + held, n - held);
}

/* No more bytes follow for now: chooses the dialect from those buffered, if possible. */
static void find_out_early(struct decoder *decoder)
{
    const struct dialect *dialect = dialect_guess(decoder->lookout.bytes, decoder->lookout.n);
    if (dialect)
        choose_dialect(decoder, dialect);
}

void decoder_idle(struct decoder *decoder)
{
    if (decoder->choice == DECODER_UNDECIDED)
        find_out_early(decoder);
    dialect_instance_idle(&decoder->own, &decoder->out);
    if (decoder->own.dialect->framing == DIALECT_RAW)
        return;
    mp_frame_reader_idle(&decoder->reader);
    decode_frames(decoder);
    extensions_release(&decoder->extensions);
}

bool decoder_is_waiting(const struct decoder *decoder)
{
    if (decoder->choice == DECODER_UNDECIDED)
        return decoder->lookout.n > 0;
    if (decoder->own.dialect->framing == DIALECT_RAW)
        return decoder->own.dialect->idle != NULL;
    return mp_frame_reader_waiting(&decoder->reader) > 0 || decoder->extensions.held_n > 0;
}

static void end_frames(struct decoder *decoder, bool is_over)
{
    if (decoder->own.dialect->framing == DIALECT_RAW)
        return;
    mp_frame_reader_end(&decoder->reader, is_over);
    decode_frames(decoder);
}

void decoder_break(struct decoder *decoder)
{
    if (decoder->choice == DECODER_UNDECIDED)
        find_out_early(decoder);
    if (decoder->choice == DECODER_UNDECIDED) { /* still undecided: later bytes may show it */
        release_lookout(decoder);
        lookout_restart(&decoder->lookout, FIRST_LOOK);
    }
    end_frames(decoder, false);
    console_lines_break(&decoder->console);
    decoder->gap = decoder->line_was_away = true;
}

void decoder_finish(struct decoder *decoder)
{
    if (decoder->choice == DECODER_UNDECIDED)
        choose_dialect(decoder, dialect_guess(decoder->lookout.bytes, decoder->lookout.n));
    end_frames(decoder, true);
    dialect_instance_finish(&decoder->own, &decoder->out);
    extensions_finish(&decoder->extensions);
    console_lines_release(&decoder->console, decoder->extensions.link.newest, &decoder->out);
    settle_restart(decoder);
    struct sense now = sense_now(decoder);
    if (decoder->lookout.n && !makes_sense(&decoder->sense, &now))
        identify_dialect(decoder);
}

void decoder_retell(struct decoder *decoder)
{
    dialect_instance_retell(&decoder->own, &decoder->out);
}

void decoder_restart(struct decoder *decoder)
{
    decoder->restart = true;
}

void decoder_suspect_restart(struct decoder *decoder)
{
    decoder->suspect = true;
}

void decoder_trust(struct decoder *decoder)
{
    decoder->suspect = false;
}

const uint8_t *decoder_introduction(const struct decoder *decoder, size_t *n)
{
    *n = decoder->introduction_n;
    return decoder->introduction;
}

const uint8_t *decoder_unfinished(const struct decoder *decoder, size_t *n)
{
    *n = decoder->own.dialect->framing == DIALECT_RAW ? 0 : mp_frame_reader_waiting(&decoder->reader);
    return decoder->reader.carry + decoder->reader.carry_at;
}

enum decoder_choice decoder_choice(const struct decoder *decoder)
{
    return decoder->choice;
}

const struct dialect *decoder_dialect(const struct decoder *decoder)
{
    return decoder->own.dialect;
}

const struct dialect *decoder_looks_like(const struct decoder *decoder)
{
    return decoder->looks_like;
}

const struct link_clock *decoder_clock(const struct decoder *decoder)
{
    return decoder->own.dialect->pass ? &decoder->extensions.link : NULL;
}

void decoder_pass(struct decoder *decoder, uint64_t ticks)
{
    if (decoder->own.dialect->pass)
        decoder->own.dialect->pass(decoder->own.state, ticks);
}

const char *decoder_doubt(const struct decoder *decoder)
{
    const char *doubt = dialect_instance_health(&decoder->own)->doubt;
    return doubt ? doubt : extensions_health(&decoder->extensions).doubt;
}

uint64_t decoder_bytes(const struct decoder *decoder)
{
    return decoder->bytes;
}

uint64_t decoder_records(const struct decoder *decoder)
{
    return dialect_instance_health(&decoder->own)->records + extensions_health(&decoder->extensions).records;
}

uint64_t decoder_records_sent(const struct decoder *decoder)
{
    const struct dialect_health *health = dialect_instance_health(&decoder->own);
    return health->records - health->summed;
}

uint32_t decoder_provides(const struct decoder *decoder)
{
    uint32_t console = decoder->console.bytes ? PROVIDES_MESSAGES : 0;
    return decoder->own.dialect->provides | extensions_provides(&decoder->extensions) | console;
}

const char *decoder_empty(const struct decoder *decoder)
{
    return dialect_instance_health(&decoder->own)->empty;
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
    uint64_t text = frames->bytes_before + console_lines_text(&decoder->console) - decoder->text_before;
    link->bytes_between =
        frames->packets > 0 && frames->bytes_skipped > text ? frames->bytes_skipped - text : 0;
    link->bytes_cut = frames->bytes_cut;
    link->bytes_read = frames->bytes_read;
    link->bytes_outside = frames->bytes_skipped;
    link->bytes_waiting = decoder->bytes - frames->bytes + mp_frame_reader_waiting(&decoder->reader);
    link->has_packets = decoder->own.dialect->framing != DIALECT_RAW;
    link->malformed = health->malformed + carried.malformed;
    link->unsupported_version = health->unsupported_version + carried.unsupported_version;
    link->duplicates = health->duplicates + carried.duplicates;
    dialect_instance_tell(&decoder->own, link);
    link->unknown_types = frames->unknown_types;
    link->big_endian_crc_hints = frames->hint_crc_big_endian;
    link->doubt = decoder_doubt(decoder);
    link->headerless_crc_hints = frames->hint_crc_without_header;
    variant_tell(decoder->reader.variant, link);
}
