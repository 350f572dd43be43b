/* protobuf.c - writes the wire format of Protocol Buffers. */
#include "export/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

void protobuf_number(struct sink *sink, uint64_t value)
{
    unsigned char bytes[10];
    size_t n = 0;
    do {
        bytes[n] = (unsigned char)(value & 0x7f);
        value >>= 7;
        if (value)
            bytes[n] |= 0x80;
        n++;
    } while (value);
    sink_write(sink, bytes, n);
}

void protobuf_field(struct sink *sink, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    protobuf_number(sink, field << 3 | WIRE_VARINT);
    protobuf_number(sink, value);
}

void protobuf_bytes(struct sink *sink, unsigned field, const void *bytes, size_t n)
{
    protobuf_number(sink, field << 3 | WIRE_LENGTH);
    protobuf_number(sink, n);
    sink_write(sink, bytes, n);
}
