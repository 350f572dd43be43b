#include "pipeline.h"

#include "export/export.h"

static void apply(void *user, const struct event *events, size_t n)
{
    profile_apply(user, events, n);
}

static bool swallow(struct sink *sink, const void *bytes, size_t n)
{
    (void)sink;
    (void)bytes;
    (void)n;
    return true;
}

size_t pipeline_dialects(void)
{
    size_t n = 0;
    while (dialect_registry[n])
        n++;
    return n;
}

void pipeline_begin(struct pipeline *pipeline, size_t dialect)
{
    static const struct profile_limits limits = {
        .functions = 64, .nodes = 128, .timeline_calls = 256, .pending_calls = 64};
    const struct dialect_settings settings = {0};
    struct error err = {""};
    *pipeline = (struct pipeline){.profile = profile_new(&limits)};
    FUZZ_CHECK(pipeline->profile);
    struct event_out out = {apply, pipeline->profile};
    pipeline->decoder = decoder_new(dialect_registry[dialect], &settings, &out, &err);
    FUZZ_CHECK(pipeline->decoder);
}

void pipeline_look(struct pipeline *pipeline)
{
    static const struct snapshot_target target;
    struct snapshot_link link = {0};
    decoder_tell(pipeline->decoder, &link);
    struct snapshot *snapshot = profile_freeze(pipeline->profile, &pipeline->source, &target, &link);
    FUZZ_CHECK(snapshot && link.bytes_skipped <= link.bytes);
    const struct snapshot *before = pipeline->last;
    if (before && before->sequence >= snapshot->cleared_at) {
        struct sink nowhere = {.write = swallow};
        export_delta(snapshot, before->sequence, &nowhere);
    }
    for (uint32_t i = 0; i < snapshot->function_count; i++)
        FUZZ_CHECK(snapshot->functions[i].name);
    for (uint32_t i = 1; i < snapshot->node_count; i++)
        FUZZ_CHECK(snapshot->nodes[i].parent >= 0 &&
                   (uint32_t)snapshot->nodes[i].parent < snapshot->node_count);
    snapshot_unref(pipeline->last);
    pipeline->last = snapshot;
}

void pipeline_finish(struct pipeline *pipeline)
{
    decoder_finish(pipeline->decoder);
    profile_finish(pipeline->profile);
    pipeline->source.dialect = decoder_dialect(pipeline->decoder)->id;
    pipeline->source.provides = decoder_provides(pipeline->decoder);
    pipeline_look(pipeline);
}

void pipeline_fini(struct pipeline *pipeline)
{
    snapshot_unref(pipeline->last);
    decoder_free(pipeline->decoder);
    profile_free(pipeline->profile);
}

void pipeline_begin_with(struct stream *stream)
{
    struct mp_record records[6] = {{.address = 0x1000, .start = 20, .duration = 5, .depth = 1},
                                   {.address = 0x2000, .start = 30, .duration = 5, .depth = 1},
                                   {.address = 0x3000, .start = 10, .duration = 50, .depth = 0}};
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x1234, "fuzz"});
    for (unsigned i = 0; i < 4; i++) {
        stream_records(stream, records, 3);
        stream_status(stream, &(struct mp_status){.is_profiling = true, .records_captured = 3 * i});
        for (unsigned k = 0; k < 3; k++)
            records[k].start += 100;
    }
}
