/* fuzz_miniprof.c - any bodies, each with its size in front: events are of the dialect's kinds, calls do not
 * wrap below zero, and as many of them come as were counted. */
#include "fuzz.h"

#include "dialect/dialect.h"
#include "protocol/bytes.h"

struct count {
    uint64_t calls;
};

static void take(void *user, const struct event *events, size_t n)
{
    struct count *count = user;
    FUZZ_CHECK(n > 0);
    for (size_t i = 0; i < n; i++) {
        switch (events[i].kind) {
        case EVENT_CALL:
            count->calls++;
            FUZZ_CHECK(events[i].ticks + events[i].call.duration >= events[i].ticks);
            FUZZ_CHECK(events[i].ticks > 0 && events[i].call.duration <= UINT32_MAX);
            break;
        case EVENT_TARGET:
        case EVENT_CLOCK:
        case EVENT_STATUS:
        case EVENT_ANSWER:
        case EVENT_LOST: break;
        default: FUZZ_CHECK(!"an event of this kind");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct dialect *dialect = dialect_find("miniprof");
    void *state = calloc(1, dialect->state_size);
    FUZZ_CHECK(state);
    FUZZ_CHECK(dialect->start(state, &(struct dialect_settings){0}, NULL));
    struct count count = {0};
    struct event_out out = {.batch = take, .user = &count};
    dialect->probe(data, size);
    for (struct mp_bytes bytes = mp_bytes_over(data, size); bytes.left;) {
        size_t n = mp_bytes_u16(&bytes);
        if (n > bytes.left)
            n = bytes.left;
        const uint8_t *body = mp_bytes_take(&bytes, n);
        uint8_t *exact = malloc(n ? n : 1);
        FUZZ_CHECK(exact);
        if (n)
            memcpy(exact, body, n);
        dialect->decode(state, exact, n, &out);
        free(exact);
        if (n % 7 == 3)
            dialect->reset(state);
    }
    FUZZ_CHECK(dialect->health(state)->records == count.calls);
    free(state);
    return 0;
}

static void body(struct stream *stream, const struct stream *packet)
{
    stream_byte(stream, (uint8_t)(packet->n - 5));
    stream_byte(stream, (uint8_t)((packet->n - 5) >> 8));
    stream_bytes(stream, packet->bytes + 2, packet->n - 5);
}

void fuzz_begin_with(struct stream *stream)
{
    for (uint32_t i = 0; i < 12; i++) {
        struct stream packet = {0};
        if (i == 3)
            stream_metadata(&packet, &(struct mp_metadata){48000000, 1000000, 1, "v1"});
        else if (i == 6)
            stream_status(&packet, &(struct mp_status){1, 2, 3, 4});
        else if (i == 9)
            stream_packet(&packet, MP_ACK, NULL, 0);
        else
            stream_records(
                &packet,
                (struct mp_record[]){{0x101, 0x40000000 * i, i, 1}, {0x201, 0x3FFFFFFF * i, 0xFFFFFFFF, 0}},
                1 + i % 2);
        body(stream, &packet);
        stream_fini(&packet);
    }
}
