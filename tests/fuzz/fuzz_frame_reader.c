/* fuzz_frame_reader.c - any bytes in any pieces: the output is packets, and every byte is accounted for.
 * The first byte chooses how long the pieces are, and whether the line goes quiet after each. */
#include "fuzz.h"

#include "protocol/bytes.h"
#include "protocol/crc16.h"
#include "protocol/frame_reader.h"

enum { MAX_PAYLOAD = 600 };

static uint64_t drain(struct mp_frame_reader *reader)
{
    struct mp_frame frame;
    uint64_t bytes = 0;
    while (mp_frame_reader_next(reader, &frame)) {
        const uint8_t *packet = frame.body - 2;
        size_t size = frame.body_size + 5;
        uint16_t crc = mp_load_u16(packet + size - 3);
        FUZZ_CHECK(packet[0] + packet[1] == 0xAA + 0x55 && packet[size - 1] == MP_FRAME_END);
        FUZZ_CHECK(crc == mp_crc16(MP_CRC16_CCITT_FALSE, packet, size - 3) ||
                   crc == mp_crc16(MP_CRC16_XMODEM, packet, size - 3));
        FUZZ_CHECK(frame.length <= MAX_PAYLOAD && frame.payload == packet + 5 &&
                   frame.body_size == frame.length + 3u && frame.type == packet[2]);
        bytes += size;
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    size_t piece = 1 + data[0] % 97;
    bool idles = data[0] & 0x80;
    uint8_t *memory = malloc(MP_FRAME_READER_MEMORY(MAX_PAYLOAD));
    FUZZ_CHECK(memory);
    struct mp_frame_reader reader;
    mp_frame_reader_init(&reader, memory, MP_FRAME_READER_MEMORY(MAX_PAYLOAD));
    uint64_t handed_out = 0;
    for (size_t at = 1; at < size; at += piece) {
        mp_frame_reader_feed(&reader, data + at, size - at < piece ? size - at : piece);
        handed_out += drain(&reader);
        if (idles) {
            mp_frame_reader_idle(&reader);
            handed_out += drain(&reader);
        }
        FUZZ_CHECK(mp_frame_reader_waiting(&reader) < MAX_PAYLOAD + MP_FRAME_OVERHEAD);
        FUZZ_CHECK(reader.counters.bytes ==
                   handed_out + reader.counters.bytes_skipped + mp_frame_reader_waiting(&reader));
    }
    mp_frame_reader_end(&reader, data[0] & 1);
    handed_out += drain(&reader);
    FUZZ_CHECK(mp_frame_reader_waiting(&reader) == 0);
    FUZZ_CHECK(reader.counters.bytes ==
               handed_out + reader.counters.bytes_skipped + reader.counters.bytes_cut);
    free(memory);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_byte(stream, 0x8B);
    stream_packet(stream, MP_ACK, NULL, 0);
    stream_bytes(stream, "\xAA\x55\x05\x3B\x02\x01", 6); /* a wrong length: 3 + 14 * 40 */
    for (uint32_t i = 0; i < 6; i++)
        stream_records(stream, (struct mp_record[]){{0x55AA, i, 0xAA55, 0}, {0x0A0A, 2 * i, 3, 1}},
                       1 + i % 2);
    stream_status(stream, &(struct mp_status){1, 2, 3, 4});
    stream_packet(stream, 0x66, "\xAA\x55\x01\x00\x00\x88\x83\x0A", 8); /* an ACK inside */
}
