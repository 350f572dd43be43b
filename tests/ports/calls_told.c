/* calls_told.c - reads output of an agent with the host's own reader. */
#include "calls_told.h"

#include "protocol/frame_reader.h"
#include "protocol/packet.h"

static int calls_in(const struct mp_frame *frame, uint32_t function)
{
    struct mp_profile_head head;
    int calls = 0;

    if (!mp_profile_head_decode(&head, frame->payload, frame->length) ||
        frame->length != MP_PROFILE_DATA_HEAD + head.record_count * MP_RECORD_SIZE)
        return -1;
    for (size_t i = 0; i < head.record_count; i++) {
        struct mp_record record =
            mp_record_decode(frame->payload + MP_PROFILE_DATA_HEAD + i * MP_RECORD_SIZE);

        calls += !function || record.address == function;
    }
    return calls;
}

int calls_told(const uint8_t *bytes, size_t n, uint32_t function)
{
    static uint8_t memory[MP_FRAME_READER_MEMORY(16384)];
    static struct mp_frame_reader reader;
    struct mp_frame frame;
    int calls = 0;

    mp_frame_reader_init(&reader, memory, sizeof memory);
    for (size_t i = 0; i < n; i++) {
        mp_frame_reader_feed(&reader, bytes + i, 1);
        while (mp_frame_reader_next(&reader, &frame)) {
            int more = frame.type == MP_PROFILE_DATA ? calls_in(&frame, function) : 0;

            if (more < 0)
                return -1;
            calls += more;
        }
    }
    return reader.counters.crc_errors || reader.counters.bytes_skipped ? -1 : calls;
}
