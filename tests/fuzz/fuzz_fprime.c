/* fuzz_fprime.c - decodes any bytes with the fprime dialect; the first byte chooses its settings. Events must be of
 * the dialect's kinds and match its counts, addresses must fit, and time must never go back. */
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
        FUZZ_CHECK(events[i].ticks >= count->ticks);
        count->ticks = events[i].ticks;
        switch (events[i].kind) {
        case EVENT_ENTER:
        case EVENT_EXIT:
            FUZZ_CHECK(events[i].call.address <= 0x7FFFFFFE && !(events[i].call.address & 1));
            count->records++;
            break;
        case EVENT_LOST: break;
        default: FUZZ_CHECK(!"an event of this kind");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct dialect_range code = {0x400, 0x2000};
    static const struct dialect_setting reload = {"reload", "65535"};
    const struct dialect *dialect = dialect_find("fprime");
    if (!size)
        return 0;
    unsigned how = *data++;
    size--;
    dialect->probe(data, size);
    void *state = fuzz_state(dialect->state_size);
    FUZZ_CHECK(dialect->start(
        state,
        &(struct dialect_settings){.settings = &reload, .n = how & 1, .code = &code, .code_n = how >> 1 & 1},
        NULL));
    struct count count = {0};
    struct event_out out = {.batch = take, .user = &count};
    size_t piece = 1 + (how >> 1);
    for (size_t at = 0; at < size; at += piece)
        dialect->decode(state, data + at, piece < size - at ? piece : size - at, &out);
    dialect->finish(state, &out);
    FUZZ_CHECK(dialect->health(state)->records == count.records);
    FUZZ_CHECK(dialect->health(state)->bytes_skipped <= size);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    stream_byte(stream, 14);
    for (unsigned i = 0; i < 50; i++) {
        uint8_t event[8] = {(uint8_t)(0x41 + 2 * i), 5, 0, i % 2 ? 0x80 : 0, (uint8_t)(255 - i), 0xFE, 0xFF};
        stream_bytes(stream, event, sizeof event);
    }
    for (int i = 0; i < 8; i++)
        stream_byte(stream, 0xFF);
    stream_bytes(stream, "P:57C,0,FFFF9A\r\nP:57C,1,FFFDC6\r\n", 32);
}
