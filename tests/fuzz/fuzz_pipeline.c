/* fuzz_pipeline.c - feeds bytes of any dialect in pieces, with clears, pauses and restarts in between, and freezes the
 * profile. The first byte chooses the dialect, the second the length of the pieces. */
#include "pipeline.h"

enum { SMALL_PIECES = 1, LOOK_EVERY = 29 };

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
            pipeline_look(pipeline);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pipeline pipeline;
    if (size < 2)
        return 0;
    pipeline_begin(&pipeline, data[0] % (pipeline_dialects() + 1)); /* the last one: it is guessed */
    feed(&pipeline, data + 2, size - 2, data[1] & SMALL_PIECES);
    pipeline_finish(&pipeline);
    snapshot_unref(snapshot_window(pipeline.last, 0, UINT64_MAX / 2));
    pipeline_fini(&pipeline);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_byte(stream, 0);
    stream_byte(stream, SMALL_PIECES);
    pipeline_begin_with(stream);
}
