/* fuzz_gprof.c - decodes any bytes with the gprof dialect; the first byte chooses its settings. Events must be of the
 * dialect's kinds, samples and arcs must match its counts, and time must never go back. */
#include "fuzz.h"

#include "dialect/dialect.h"

struct count {
    uint64_t records, ticks;
};

static void take(void *user, const struct event *events, size_t n)
{
    struct count *count = user;
    FUZZ_CHECK(n > 0);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(events[i].ticks >= count->ticks || events[i].kind == EVENT_CLOCK);
        if (events[i].kind != EVENT_CLOCK)
            count->ticks = events[i].ticks;
        switch (events[i].kind) {
        case EVENT_SAMPLE:
            FUZZ_CHECK(events[i].sample.count > 0);
            count->records++;
            break;
        case EVENT_ARC:
            FUZZ_CHECK(events[i].arc.calls > 0);
            count->records++;
            break;
        case EVENT_CLOCK: FUZZ_CHECK(events[i].clock.ticks_per_second > 0); break;
        case EVENT_LOST: break;
        default: FUZZ_CHECK(!"an event of this kind");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct dialect_range code = {0x410, 0x1610};
    static const struct dialect_setting widths[] = {{"width", "2"}, {"width", "3"}, {"width", "4"}};
    const struct dialect *dialect = dialect_find("gprof");
    if (!size)
        return 0;
    unsigned how = *data++;
    size--;
    dialect->probe(data, size);
    void *state = fuzz_state(dialect->state_size);
    FUZZ_CHECK(dialect->start(state,
                              &(struct dialect_settings){.settings = &widths[how % 3],
                                                         .n = how / 3 % 2,
                                                         .code = &code,
                                                         .code_n = how / 6 % 2,
                                                         .word_bytes = how / 12 % 3 * 4},
                              NULL));
    struct count count = {0};
    struct event_out out = {.batch = take, .user = &count};
    size_t piece = 1 + how;
    for (size_t at = 0; at < size; at += piece)
        dialect->decode(state, data + at, piece < size - at ? piece : size - at, &out);
    dialect->finish(state, &out);
    FUZZ_CHECK(dialect->health(state)->records == count.records);
    FUZZ_CHECK(dialect->health(state)->bytes_skipped <= size);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_byte(stream, 6); /* with the code's range */
    for (unsigned i = 0; i < 40; i++) {
        stream_bytes(stream, "A\x00\x15\x3D\x00\x14\xE5", 7);
        stream_bytes(stream, "P\x00\x14", 3);
        stream_byte(stream, (uint8_t)(i * 2));
        /* The counted form. */
        stream_bytes(stream, "\xC8\x00\x03\xE8\x4D", 5);
        stream_bytes(stream, "\xC4\x85\xC8\x00\x15\x3D\x00\x14\xE5\xC9\x85\xCE\x85\x1E", 14);
        stream_bytes(stream, "\xD0\x07\x00\x14\x6A\xC1\x03\x00\x15\x3D\x00\x14\x99\xCC\x01\x2C\x07", 17);
    }
}
