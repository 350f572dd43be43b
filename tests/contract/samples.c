/* samples.c - for each dialect a stream as a real target would send it. */
#include "samples.h"

/* A session: who it is, an answer, calls in the order in which they end, how the buffer is. Times begin near
 * 0, as after a start. */
static void write_miniprof(struct stream *stream)
{
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x11223344, "v1.2.3"});
    stream_packet(stream, MP_ACK, NULL, 0);
    for (uint32_t turn = 0; turn < 40; turn++) {
        struct mp_record records[20];
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t depth = 4 - i % 5; /* the innermost ends first */
            uint32_t begin = 5000 * turn + 1000 * (i / 5);
            records[i] = (struct mp_record){.address = 0x08000101 + 0x40 * i,
                                            .start = begin + 50 * depth,
                                            .duration = 900 - 100 * depth,
                                            .depth = (uint16_t)depth};
        }
        stream_records(stream, records, turn % 20 + 1);
    }
    stream_status(stream, &(struct mp_status){1, 0, 420, 12});
}

const struct sample samples[] = {
    {"miniprof", write_miniprof},
};
const size_t sample_count = sizeof samples / sizeof *samples;

const struct sample *sample_find(const char *id)
{
    for (size_t i = 0; i < sample_count; i++)
        if (!strcmp(samples[i].id, id))
            return &samples[i];
    return NULL;
}
