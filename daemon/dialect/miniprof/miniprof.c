/* miniprof.c - reads the packets of the MiniProfiler protocol (protocol/SPEC.md); the versions of
 * PROFILE_DATA are in finished.h, compact.h and tree.h. */
#include "dialect/miniprof/compact.h"
#include "dialect/miniprof/description.h"
#include "dialect/miniprof/finished.h"
#include "dialect/miniprof/tells.h"
#include "dialect/miniprof/tree.h"
#include "dialect/miniprof/windows.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/bytes.h"
#include "protocol/frame_reader.h"
#include "protocol/packet.h"

enum {
    BODY_HEAD = 3,         /* type, length */
    MAX_PACKET_LEAST = 64, /* METADATA with room to spare */
    MAX_PACKET_MOST = UINT16_MAX,
    PROBE_PAYLOAD = 4096,
};

struct miniprof {
    struct dialect_health health;
    size_t payload_max;
    bool timer_ticks;         /* times are in ticks of the target's timer, not in microseconds */
    uint32_t timer_hz;        /* from METADATA; 0 when unknown */
    uint32_t stream_hz;       /* ticks per second of version 2, from DESCRIPTION; 0 when unknown */
    uint8_t version;          /* of the latest PROFILE_DATA; 0: none yet */
    struct finished finished; /* version 1 */
    struct compact compact;   /* version 2 */
    struct tree tree;         /* version 3 */
    struct windows windows;   /* sent beside version 3 */
};

static const struct dialect_option options[] = {
    {"time_unit", "us", "unit of the times in records: us, or ticks, whose rate METADATA has"},
    {"max_packet", "65535", "the longest payload to accept, in bytes, 64 to 65535"},
    {0},
};

static bool start(void *state, const struct dialect_settings *settings, struct error *err)
{
    struct miniprof *miniprof = state;
    const char *unit = dialect_settings_value(settings, options, "time_unit");
    miniprof->timer_ticks = !strcmp(unit, "ticks");
    if (!miniprof->timer_ticks && strcmp(unit, "us") != 0)
        return error_set(err, "The option time_unit of dialect miniprof is \"us\" or \"ticks\", not \"%s\".",
                         unit);
    uint64_t most;
    if (!dialect_settings_u64(settings, options, "max_packet", MAX_PACKET_LEAST, MAX_PACKET_MOST, &most, err))
        return false;
    miniprof->payload_max = most;
    return true;
}

static void emit_events(const struct event_out *out, const struct event *events, size_t n)
{
    if (n)
        out->batch(out->user, events, n);
}

static void emit_lost(const struct event_out *out, uint64_t records)
{
    emit_events(out, &(struct event){.kind = EVENT_LOST, .lost.records = records}, 1);
}

static void emit_closed(const struct event_out *out, enum mode mode, bool is_whole)
{
    emit_events(
        out, &(struct event){.kind = EVENT_CLOSED, .closed = {.mode = (uint8_t)mode, .is_whole = is_whole}},
        1);
}

/* ---- versions of PROFILE_DATA ---- */

/* Returns the ticks per second of version 1. */
static uint32_t ticks_per_second(const struct miniprof *miniprof)
{
    return miniprof->timer_ticks || !miniprof->timer_hz ? miniprof->timer_hz : 1000000;
}

/* The specification has times in microseconds, but METADATA may have another rate of the timer. */
static void doubt_unit(struct miniprof *miniprof)
{
    static const char doubt[] =
        "The device says that its timer runs at another rate than the 1,000,000 a second "
        "that times are read in: if they are wrong, use --dialect-opt time_unit=ticks.";
    bool is_odd = miniprof->version == MP_PROFILE_DATA_V1 && !miniprof->timer_ticks && miniprof->timer_hz &&
                  miniprof->timer_hz != 1000000;
    miniprof->health.doubt = is_odd ? doubt : NULL;
}

static void reset(void *state);

/* Returns the newest tick of any version; of version 1 only up to its last reset. */
static uint64_t newest_told(const struct miniprof *miniprof)
{
    uint64_t newest = miniprof->finished.moved;
    if (miniprof->compact.newest > newest)
        newest = miniprof->compact.newest;
    return miniprof->tree.newest > newest ? miniprof->tree.newest : newest;
}

/* The target changed to another version, with another clock. The clock of version 2 is only in some packets,
 * and the first of these may be lost. */
static void change_version(struct miniprof *miniprof, uint8_t version, const struct event_out *out)
{
    static const char *const forms[] = {[MP_PROFILE_DATA_V2] = "version 2, entries and exits",
                                        [MP_PROFILE_DATA_V3] = "version 3, a tree counted on the target"};
    bool had_another = miniprof->version;
    uint32_t hz = version == MP_PROFILE_DATA_V1   ? ticks_per_second(miniprof)
                  : version == MP_PROFILE_DATA_V2 ? miniprof->stream_hz
                                                  : 0;
    miniprof->version = version;
    doubt_unit(miniprof);
    miniprof->health.form = forms[version];
    if (had_another) {
        reset(miniprof);
        miniprof->finished.moved = newest_told(miniprof);
    } else if (version == MP_PROFILE_DATA_V1 || !hz) {
        return; /* METADATA has it, or the packet will */
    }
    emit_events(
        out,
        &(struct event){.kind = EVENT_CLOCK, .clock = {.ticks_per_second = hz, .other_unit = had_another}},
        1);
}

/* A packet without data does not change the version, but it may close the run. */
static void pass_over(const uint8_t *payload, size_t n, const struct event_out *out)
{
    if (mp_profile_is_closing(payload, n))
        emit_closed(out, MODE_CALLS, true);
    else if (compact_is_closing(payload, n))
        emit_closed(out, MODE_STREAM, true);
}

/* Changes to the version of the payload. Returns false when the payload does not show one: the old version
 * continues, and the packet is dropped. */
static bool may_change_version(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                               const struct event_out *out)
{
    enum tells tells = miniprof->version ? miniprof_tells(payload, n) : TELLS_SOMETHING;
    if (tells == TELLS_SOMETHING) {
        change_version(miniprof, payload[0], out);
    } else if (tells == TELLS_NONSENSE) {
        miniprof->health.malformed++;
        emit_lost(out, 0);
    } else {
        pass_over(payload, n, out);
    }
    return tells == TELLS_SOMETHING;
}

/* Returns the number of packets that could not be read, or were repeated. */
static uint64_t not_taken(const struct miniprof *miniprof)
{
    return miniprof->health.malformed + miniprof->health.duplicates;
}

/* Reads version 3. Windows may come beside it. */
static void decode_tree(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                        const struct event_out *out)
{
    uint64_t before = not_taken(miniprof);
    bool is_whole;
    tree_decode(&miniprof->tree, payload, n, miniprof->finished.moved, &miniprof->health, out);
    windows_follow(&miniprof->windows, &miniprof->tree, &miniprof->health, out);
    if (not_taken(miniprof) == before && tree_is_closed(&miniprof->tree, &is_whole))
        emit_closed(out, MODE_TREE, is_whole);
}

/* Reads version 2. The number of the closing packet shows whether events before it are missing. */
static void decode_stream(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                          const struct event_out *out)
{
    uint64_t before = not_taken(miniprof);
    compact_decode(&miniprof->compact, payload, n, miniprof->finished.moved, &miniprof->health, out);
    if (not_taken(miniprof) == before && compact_is_closing(payload, n))
        emit_closed(out, MODE_STREAM, true);
}

static void decode_profile(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                           const struct event_out *out)
{
    if (mp_compact_is_window(payload, n)) {
        windows_decode(&miniprof->windows, payload, n, &miniprof->tree, &miniprof->health, out);
        return;
    }
    if (n && payload[0] - 1u >= MP_PROFILE_DATA_V3) {
        miniprof->health.unsupported_version++;
        emit_lost(out, 0);
        return;
    }
    if (n && payload[0] != miniprof->version && !may_change_version(miniprof, payload, n, out))
        return;
    if (n && payload[0] == MP_PROFILE_DATA_V2)
        decode_stream(miniprof, payload, n, out);
    else if (n && payload[0] == MP_PROFILE_DATA_V3)
        decode_tree(miniprof, payload, n, out);
    else
        finished_decode(&miniprof->finished, payload, n, &miniprof->health, out);
}

/* ---- the other packets ---- */

static void decode_metadata(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                            const struct event_out *out)
{
    struct mp_metadata metadata;
    if (!mp_metadata_decode(&metadata, payload, n)) {
        miniprof->health.malformed++;
        return;
    }
    uint32_t before = miniprof->version == MP_PROFILE_DATA_V1 ? ticks_per_second(miniprof) : 0;
    miniprof->timer_hz = metadata.timer_hz;
    uint32_t now = ticks_per_second(miniprof);
    doubt_unit(miniprof);
    struct event events[2] = {
        {.kind = EVENT_TARGET,
         .target = {.mcu_clock_hz = metadata.mcu_clock_hz,
                    .timer_hz = metadata.timer_hz,
                    .elf_build_id = metadata.elf_build_id}},
        {.kind = EVENT_CLOCK, .clock = {.ticks_per_second = now, .other_unit = before && now != before}},
    };
    memcpy(events[0].target.fw_version, metadata.fw_version, sizeof events[0].target.fw_version);
    bool is_clock = miniprof->version <= MP_PROFILE_DATA_V1 && now;
    emit_events(out, events, is_clock ? 2 : 1);
}

static void decode_status(struct miniprof *miniprof, const uint8_t *payload, size_t n,
                          const struct event_out *out)
{
    struct mp_status status;
    uint32_t missed = 0, hooks = 0;
    if (!mp_status_decode(&status, payload, n)) {
        miniprof->health.malformed++;
        return;
    }
    bool has_triggers = mp_status_triggers_decode(&missed, payload, n);
    bool has_cores = mp_status_cores_decode(&hooks, payload, n);
    emit_events(out,
                &(struct event){.kind = EVENT_STATUS,
                                .status = {.buffer_overflows = status.buffer_overflows,
                                           .records_captured = status.records_captured,
                                           .buffer_usage_percent = status.buffer_usage_percent,
                                           .profiling = status.is_profiling != 0,
                                           .losses_told = miniprof->version > MP_PROFILE_DATA_V1,
                                           .counts_sums = miniprof->version == MP_PROFILE_DATA_V3,
                                           .has_triggers = has_triggers,
                                           .triggers_missed = missed,
                                           .has_cores = has_cores,
                                           .other_core_hooks = hooks}},
                1);
}

static void decode_answer(struct miniprof *miniprof, bool ack, size_t n, const struct event_out *out)
{
    if (n)
        miniprof->health.malformed++;
    else
        emit_events(out, &(struct event){.kind = EVENT_ANSWER, .answer.ack = ack}, 1);
}

/* ---- the dialect ---- */

static void decode(void *state, const uint8_t *bytes, size_t n, const struct event_out *out)
{
    struct miniprof *miniprof = state;
    if (n < BODY_HEAD || mp_load_u16(bytes + 1) != n - BODY_HEAD) {
        miniprof->health.malformed++;
        return;
    }
    const uint8_t *payload = bytes + BODY_HEAD;
    n -= BODY_HEAD;
    switch (bytes[0]) {
    case MP_ACK:
    case MP_NACK: decode_answer(miniprof, bytes[0] == MP_ACK, n, out); break;
    case MP_METADATA: decode_metadata(miniprof, payload, n, out); break;
    case MP_STATUS: decode_status(miniprof, payload, n, out); break;
    case MP_PROFILE_DATA: decode_profile(miniprof, payload, n, out); break;
    case MP_DESCRIPTION: miniprof_describe(payload, n, &miniprof->stream_hz, &miniprof->health, out); break;
    default: break; /* other dialects read extensions; the reader counts unknown types */
    }
}

static size_t payload_max(const void *state)
{
    return ((const struct miniprof *)state)->payload_max;
}

/* A window does not show the tree's run, and a new version has no run to compare with. */
static enum dialect_run run_of(const void *state, const uint8_t *bytes, size_t n)
{
    const struct miniprof *miniprof = state;
    const uint8_t *payload = bytes + BODY_HEAD;
    if (n <= BODY_HEAD || bytes[0] != MP_PROFILE_DATA || payload[0] != miniprof->version ||
        mp_compact_is_window(payload, n - BODY_HEAD))
        return DIALECT_RUN_UNKNOWN;
    switch (payload[0]) {
    case MP_PROFILE_DATA_V1: return finished_run_of(&miniprof->finished, payload, n - BODY_HEAD);
    case MP_PROFILE_DATA_V2: return compact_run_of(&miniprof->compact, payload, n - BODY_HEAD);
    default: return tree_run_of(&miniprof->tree, payload, n - BODY_HEAD);
    }
}

/* Times are assumed to be within half a period of the newest one. After a silence, they are within a period
 * that ends a quarter of a period after the host's clock. So data that had waited in the target since before
 * the silence is placed correctly, and a clock may be some percent off. */
static void pass(void *state, uint64_t ticks)
{
    struct miniprof *miniprof = state;
    uint64_t quarter = UINT64_C(1) << 30;
    uint64_t later = ticks > quarter ? ticks - quarter : 0;
    finished_pass(&miniprof->finished, later);
    compact_pass(&miniprof->compact, later);
}

static void reset(void *state)
{
    struct miniprof *miniprof = state;
    finished_reset(&miniprof->finished);
    compact_reset(&miniprof->compact);
    tree_end_run(&miniprof->tree, &miniprof->health);
    tree_reset(&miniprof->tree);
    windows_reset(&miniprof->windows, &miniprof->health);
}

static void finish(void *state, const struct event_out *out)
{
    struct miniprof *miniprof = state;
    tree_end_run(&miniprof->tree, &miniprof->health);
}

static bool tells_losses(const void *state)
{
    return ((const struct miniprof *)state)->version > MP_PROFILE_DATA_V1;
}

static void retell(void *state, const struct event_out *out)
{
    struct miniprof *miniprof = state;
    if (miniprof->version == MP_PROFILE_DATA_V3)
        tree_retell(&miniprof->tree, out);
    else
        compact_retell(&miniprof->compact, out);
}

static const struct dialect_health *health(const void *state)
{
    return &((const struct miniprof *)state)->health;
}

/* A complete packet is no coincidence: one is nearly certain proof, whatever else is between or inside. */
static int probe(const uint8_t *bytes, size_t n)
{
    uint8_t memory[MP_FRAME_READER_MEMORY(PROBE_PAYLOAD)];
    struct mp_frame_reader reader;
    struct mp_frame frame;
    mp_frame_reader_init(&reader, memory, sizeof memory);
    mp_frame_reader_feed(&reader, bytes, n);
    while (mp_frame_reader_next(&reader, &frame))
        ;
    bool is_open = reader.counters.packets == 0 && mp_frame_reader_waiting(&reader) > BODY_HEAD;
    mp_frame_reader_end(&reader, true);
    while (mp_frame_reader_next(&reader, &frame))
        ;
    return reader.counters.packets ? 100 : is_open ? PROBE_OPEN : 0;
}

const struct dialect dialect_miniprof = {
    .id = "miniprof",
    .title = "MiniProfiler",
    .summary = "function calls with times and depth from instrumented firmware: call tree and timeline",
    .framing = DIALECT_FRAMED,
    .provides = PROVIDES_TREE | PROVIDES_TIMELINE,
    .ticks_per_second = 1000000,
    .versions = 1u << MP_PROFILE_DATA_V1 | 1u << MP_PROFILE_DATA_V2 | 1u << MP_PROFILE_DATA_V3,
    .options = options,
    .state_size = sizeof(struct miniprof),
    .start = start,
    .payload_max = payload_max,
    .decode = decode,
    .finish = finish,
    .run_of = run_of,
    .tells_losses = tells_losses,
    .retell = retell,
    .pass = pass,
    .reset = reset,
    .health = health,
    .probe = probe,
};
