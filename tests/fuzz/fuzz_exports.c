/* fuzz_exports.c - exports the profile of bytes of any dialect. The first byte chooses the dialect, the second the
 * format. JSON formats must be valid JSON. */
#include "pipeline.h"

#include "base/jsonio.h"
#include "export/export.h"

static bool is_json(const struct exporter *exporter)
{
    return strcmp(exporter->id, "json") == 0 || strcmp(exporter->id, "chrome") == 0 ||
           strcmp(exporter->id, "speedscope") == 0;
}

static void write_snapshot(const struct exporter *exporter, const struct snapshot *snapshot)
{
    struct sink_buffer text;
    struct error err;
    sink_buffer_init(&text);
    exporter->write(snapshot, &text.sink);
    if (is_json(exporter)) {
        struct jsonio *json = jsonio_parse("export", text.bytes, text.n, &err);
        FUZZ_CHECK(json);
        jsonio_free(json);
    }
    sink_buffer_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pipeline pipeline;
    size_t exporters = 0;
    while (exporter_registry[exporters])
        exporters++;
    if (size < 2)
        return 0;
    const struct exporter *exporter = exporter_registry[data[1] % exporters];
    pipeline_begin(&pipeline, data[0] % pipeline_dialects());
    decoder_feed(pipeline.decoder, data + 2, size - 2);
    pipeline_finish(&pipeline);
    if (exporter_can(exporter, pipeline.last, NULL))
        write_snapshot(exporter, pipeline.last);
    pipeline_fini(&pipeline);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_byte(stream, 0);
    stream_byte(stream, 0);
    pipeline_begin_with(stream);
}
