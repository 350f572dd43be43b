/* fuzz_pipeline.c - bytes of any dialect, added up, frozen and written in every format. The first byte
 * chooses the dialect, the second how small the ceilings are and how the bytes are cut. */
#include "fuzz.h"

#include "base/jsonio.h"
#include "export/export.h"
#include "profile/profile.h"
#include "session/decoder.h"

enum { SMALL_PIECES = 1, EXPORTS = 2, LOOK_EVERY = 29, JSON_MOST = 1 << 24 };

struct pipeline {
    struct profile *profile;
    struct decoder *decoder;
    struct snapshot_source source;
    struct snapshot *before;
};

static void apply(void *user, const struct event *events, size_t n)
{
    profile_apply(user, events, n);
}

static bool swallow(struct sink *sink, const void *bytes, size_t n)
{
    (void)bytes;
    return sink->written + n < JSON_MOST;
}

static void check_json(const struct exporter *exporter, const struct snapshot *snapshot)
{
    struct sink_buffer text;
    struct error err;
    sink_buffer_init(&text);
    exporter->write(snapshot, &text.sink);
    struct jsonio *json = jsonio_parse("export", text.bytes, text.n, &err);
    FUZZ_CHECK(json);
    jsonio_free(json);
    sink_buffer_fini(&text);
}

static void write_all(const struct snapshot *snapshot)
{
    for (const struct exporter *const *at = exporter_registry; *at; at++) {
        struct sink nowhere = {.write = swallow};
        if (!exporter_can(*at, snapshot, NULL))
            continue;
        if (strcmp((*at)->id, "json") == 0 || strcmp((*at)->id, "chrome") == 0)
            check_json(*at, snapshot);
        else
            (*at)->write(snapshot, &nowhere);
    }
}

static struct snapshot *look(struct pipeline *pipeline)
{
    static const struct snapshot_target target;
    struct snapshot_link link = {0};
    decoder_tell(pipeline->decoder, &link);
    struct snapshot *snapshot = profile_freeze(pipeline->profile, &pipeline->source, &target, &link);
    FUZZ_CHECK(snapshot && link.bytes_skipped <= link.bytes);
    const struct snapshot *before = pipeline->before;
    if (before && before->sequence >= snapshot->cleared_at) {
        struct sink nowhere = {.write = swallow};
        export_delta(snapshot, before->sequence, &nowhere);
    }
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        FUZZ_CHECK(snapshot->functions[i].name);
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        FUZZ_CHECK(snapshot->nodes[i].parent >= 0 &&
                   (uint32_t)snapshot->nodes[i].parent < snapshot->node_count);
    snapshot_unref(pipeline->before);
    return pipeline->before = snapshot;
}

static void feed(struct pipeline *pipeline, const uint8_t *bytes, size_t n, bool small)
{
    unsigned pieces = 0;
    for (size_t at = 0, piece; at < n; at += piece) {
        piece = small ? 1 + bytes[at] % 97u : 4096;
        piece = piece < n - at ? piece : n - at;
        decoder_feed(pipeline->decoder, bytes + at, piece);
        switch (bytes[at + piece - 1]) {
        case 0x7B: profile_clear(pipeline->profile); break;
        case 0x7C: decoder_idle(pipeline->decoder); break;
        case 0x7D: decoder_restart(pipeline->decoder); break;
        case 0x7E: decoder_break(pipeline->decoder); break;
        default: break;
        }
        if (++pieces % LOOK_EVERY == 0)
            look(pipeline);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct profile_limits limits = {
        .functions = 64, .nodes = 128, .timeline_calls = 256, .pending_calls = 64};
    size_t dialects = 0;
    while (dialect_registry[dialects])
        dialects++;
    if (size < 2)
        return 0;
    size_t chosen = data[0] % (dialects + 1); /* one more: it is found out */
    const struct dialect_settings settings = {0};
    struct error err = {""};
    struct pipeline pipeline = {.profile = profile_new(&limits)};
    FUZZ_CHECK(pipeline.profile);
    struct event_out out = {apply, pipeline.profile};
    pipeline.decoder = decoder_new(dialect_registry[chosen], &settings, &out, &err);
    FUZZ_CHECK(pipeline.decoder);
    feed(&pipeline, data + 2, size - 2, data[1] & SMALL_PIECES);
    decoder_finish(pipeline.decoder);
    profile_finish(pipeline.profile);
    pipeline.source.dialect = decoder_dialect(pipeline.decoder)->id;
    pipeline.source.provides = decoder_provides(pipeline.decoder);
    struct snapshot *last = look(&pipeline);
    if (data[1] & EXPORTS)
        write_all(last);
    snapshot_unref(snapshot_window(last, 0, UINT64_MAX / 2));
    snapshot_unref(last);
    decoder_free(pipeline.decoder);
    profile_free(pipeline.profile);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const uint8_t choice[] = {0, SMALL_PIECES | EXPORTS};
    struct mp_record records[6] = {{.address = 0x1000, .start = 20, .duration = 5, .depth = 1},
                                   {.address = 0x2000, .start = 30, .duration = 5, .depth = 1},
                                   {.address = 0x3000, .start = 10, .duration = 50, .depth = 0}};
    stream_bytes(stream, choice, sizeof choice);
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x1234, "fuzz"});
    for (unsigned i = 0; i < 4; i++) {
        stream_records(stream, records, 3);
        stream_status(stream, &(struct mp_status){.is_profiling = true, .records_captured = 3 * i});
        for (unsigned k = 0; k < 3; k++)
            records[k].start += 100;
    }
}
