/* fuzz_gmon.c - decodes any bytes as a gmon.out; the first byte chooses the form of its head. Bins must be inside
 * their histogram, and there must never be more events than bytes. */
#include "fuzz.h"

#include "dialect/gprof/gmon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gmon gmon;
    if (!size)
        return 0;
    unsigned how = *data++;
    size--;
    if (!gmon_open(&gmon, data, size < GMON_HEAD ? size : GMON_HEAD, how % 3 * 4))
        return 0;
    FUZZ_CHECK(gmon.word_bytes == 4 || gmon.word_bytes == 8);
    size_t items = 0;
    for (size_t at = 0, piece; at < size; at += piece) {
        piece = 1 + how < size - at ? 1 + how : size - at;
        uint8_t *exact = malloc(piece);
        FUZZ_CHECK(exact);
        memcpy(exact, data + at, piece);
        const uint8_t *bytes = exact;
        for (;;) {
            struct gmon_item item = gmon_next(&gmon, &bytes, exact + piece);
            if (item.kind == GMON_NONE)
                break;
            items++;
            if (item.kind == GMON_BIN)
                FUZZ_CHECK(item.count && item.address - gmon.low < gmon.span);
        }
        FUZZ_CHECK(bytes == exact + piece);
        free(exact);
    }
    FUZZ_CHECK(items <= size);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_bytes(stream, "\x00gmon\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 21);
    stream_bytes(stream, "\x00\x00\x10\0\0\x00\x20\0\0\x10\0\0\0\x64\0\0\0seconds\0\0\0\0\0\0\0\0s", 33);
    for (int bin = 0; bin < 16; bin++)
        stream_bytes(stream, "\x01", 2);
    for (int arc = 0; arc < 8; arc++)
        stream_bytes(stream, "\x01\x11\x10\0\0\x41\x10\0\0\x03\0\0", 13);
    stream_bytes(stream, "\x02\x02\0\0\0abcdefghijklmnop", 21);
}
