/* frame.c - writes packets, a byte at a time. */
#include "protocol/frame.h"

#include "protocol/bytes.h"
#include "protocol/crc16.h"

void mp_frame_put(struct mp_frame_writer *writer, const uint8_t *payload, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        writer->crc = mp_crc16_byte(writer->crc, payload[i]);
        writer->put(writer->user, payload[i]);
    }
}

void mp_frame_begin(struct mp_frame_writer *writer, uint8_t type, uint16_t length)
{
    uint8_t head[MP_FRAME_HEAD];
    head[0] = MP_FRAME_HEADER_0;
    head[1] = MP_FRAME_HEADER_1;
    head[2] = type;
    mp_store_u16(head + 3, length);
    writer->crc = MP_CRC16_CCITT_FALSE;
    mp_frame_put(writer, head, sizeof head);
}

void mp_frame_end(struct mp_frame_writer *writer)
{
    uint8_t tail[MP_FRAME_OVERHEAD - MP_FRAME_HEAD];
    mp_store_u16(tail, writer->crc);
    tail[2] = MP_FRAME_END;
    mp_frame_put(writer, tail, sizeof tail);
}

void mp_frame_write(struct mp_frame_writer *writer, uint8_t type, const uint8_t *payload, uint16_t length)
{
    mp_frame_begin(writer, type, length);
    mp_frame_put(writer, payload, length);
    mp_frame_end(writer);
}

size_t mp_frame_seal(uint8_t *packet, uint8_t type, uint16_t length)
{
    uint8_t *tail = packet + MP_FRAME_HEAD + length;

    packet[0] = MP_FRAME_HEADER_0;
    packet[1] = MP_FRAME_HEADER_1;
    packet[2] = type;
    mp_store_u16(packet + 3, length);
    mp_store_u16(tail, mp_crc16(MP_CRC16_CCITT_FALSE, packet, MP_FRAME_HEAD + (size_t)length));
    tail[2] = MP_FRAME_END;
    return MP_FRAME_OVERHEAD + (size_t)length;
}
