/* fuzz_tfm.c - reads TF-M dumps and console logs; an input that begins with a brace is a names file. */
#include "fuzz.h"

#include "dialect/dialect.h"
#include "dialect/tfm/names.h"
#include "support/syst.h"

static void take(void *user, const struct event *events, size_t n)
{
    uint64_t *records = user;
    FUZZ_CHECK(n > 0);
    for (size_t i = 0; i < n; i++)
        switch (events[i].kind) {
        case EVENT_MARK:
            ++*records;
            FUZZ_CHECK(events[i].mark.topic <= 0xFF && events[i].mark.checkpoint <= 0xFFFF);
            FUZZ_CHECK(events[i].mark.calibration <= 3 && events[i].ticks > 0);
            break;
        case EVENT_AVERAGE:
            ++*records;
            FUZZ_CHECK(events[i].average.n > 0 && events[i].average.name[events[i].average.n - 1]);
            break;
        default: FUZZ_CHECK(events[i].kind == EVENT_LOST);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct dialect *dialect = dialect_find("tfm");
    void *state = fuzz_state(dialect->state_size);
    uint64_t records = 0;
    struct event_out out = {take, &records};
    FUZZ_CHECK(dialect->start(state, &(struct dialect_settings){0}, NULL));
    dialect->probe(data, size);
    for (size_t at = 0, piece; at < size; at += piece) {
        piece = 1 + data[at] % 61;
        piece = piece < size - at ? piece : size - at;
        dialect->decode(state, data + at, piece, &out);
        if (piece == 60)
            dialect->reset(state);
    }
    dialect->finish(state, &out);
    FUZZ_CHECK(dialect->health(state)->records == records);
    const uint8_t *brace = size ? memchr(data, '{', size) : NULL;
    if (brace) {
        size_t n = size - (size_t)(brace - data);
        struct error err = {""};
        struct tfm_names *names = tfm_names_read("fuzz.json", (const char *)brace, n, &err);
        FUZZ_CHECK(!names == !!*err.text);
        tfm_names_free(names);
    }
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char lines[] = "tag: 0x3010141, type: 0x1, cali_idx: 0x1\r\nx, actual: 17\nnon-secure "
                                "psa_call average is 12 CPU cycles\n"
                                "0x02000101,0x11\r\n";
    static const char names[] =
        "\n{\"clock_hz\":5,\"calibration\":{\"0\":7},\"topics\":{\"0\":\"t\"},"
        "\"checkpoints\":{\"0/1\":\"c\"},\"pairs\":[{\"topic\":0,\"from\":0,\"to\":1,\"to_topic\":2,"
        "\"world\":\"secure\",\"to_world\":\"non-secure\"}]}";
    stream_bytes(stream, lines, sizeof lines - 1);
    for (uint32_t i = 0; i < 12; i++) {
        syst_number(stream, 1 | i % 4 << 6 | i << 8 | i << 17, 4);
        syst_number(stream, 0xFFFFFF00 + 99 * i, 4);
    }
    stream_bytes(stream, lines, sizeof lines - 1);
    stream_bytes(stream, names, sizeof names - 1);
}
