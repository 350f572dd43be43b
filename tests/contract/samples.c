/* samples.c - writes for each dialect a stream as a real target would send it. */
#include "samples.h"

#include "support/syst.h"

/* A session: METADATA, an ACK, calls in the order in which they end, STATUS. Times begin near 0, as after a start. */
static void write_miniprof(struct stream *stream)
{
    stream_metadata(stream, &(struct mp_metadata){48000000, 1000000, 0x11223344, "v1.2.3"});
    stream_packet(stream, MP_ACK, NULL, 0);
    for (uint32_t turn = 0; turn < 40; turn++) {
        struct mp_record records[20];
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t depth = 4 - i % 5; /* the innermost call ends first */
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

static void write_gprof_address(struct stream *stream, uint32_t address)
{
    for (int shift = 16; shift >= 0; shift -= 8)
        stream_byte(stream, (uint8_t)(address >> shift));
}

/* Arcs of two functions that call each other, with samples in between. */
static void write_gprof(struct stream *stream)
{
    for (uint32_t i = 0; i < 300; i++) {
        if (i % 3 == 2) {
            stream_byte(stream, 'P');
            write_gprof_address(stream, 0x1464 + 2 * (i % 8));
        } else {
            stream_byte(stream, 'A');
            write_gprof_address(stream, i % 3 ? 0x1541 : 0x150D);
            write_gprof_address(stream, i % 3 ? 0x14E5 : 0x1499);
        }
    }
}

static void write_fprime_word(struct stream *stream, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8)
        stream_byte(stream, (uint8_t)(word >> shift));
}

/* A dump: functions that call the next one, five deep, while the counter runs down, and the end mark. */
static void write_fprime(struct stream *stream)
{
    uint32_t counter = 0xFFFF00;
    for (uint32_t i = 0; i < 400; i++, counter -= 500 + 40 * (i % 7)) {
        uint32_t level = i % 10 < 5 ? i % 10 : 9 - i % 10;
        write_fprime_word(stream, (i % 10 < 5 ? 0 : 0x80000000) + 0x4F1 + 0x40 * level);
        write_fprime_word(stream, counter);
    }
    write_fprime_word(stream, 0xFFFFFFFF);
    write_fprime_word(stream, 0xFFFFFFFF);
}

/* A console log with messages as lines: build id, clock, calls, and other text in between. */
static void write_syst(struct stream *stream)
{
    static const char *const names[] = {"main", "control_loop", "adc_read", "filter_update"};
    static const uint8_t clock[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x42, 0x0F};
    struct stream message = {0};
    stream_bytes(stream, "*** Booting ***\r\n", 17);
    syst_say(&message,
             &(struct syst_say){.subtype = 2, .origin = 1, .payload = "\1\0\0\0\0\0\0\0v1.2", .n = 13});
    syst_line(stream, message.bytes, message.n);
    message.n = 0;
    syst_say(&message, &(struct syst_say){
                           .type = 8, .subtype = 1, .origin = 1, .stamped = true, .payload = clock, .n = 16});
    syst_line(stream, message.bytes, message.n);
    for (uint64_t i = 0; i < 120; i++) {
        unsigned level = i % 8 < 4 ? i % 8 : 7 - i % 8;
        message.n = 0;
        if (i % 10 == 7) {
            stream_bytes(stream, "<inf> heap: 1024 bytes left\r\n", 29);
            syst_say(&message, &(struct syst_say){.type = 2,
                                                  .subtype = 11,
                                                  .severity = 3,
                                                  .origin = 2,
                                                  .unit = 1,
                                                  .stamped = true,
                                                  .timestamp = 100 * i,
                                                  .checked = true,
                                                  .payload = "%d of %s\0\7\0\0\0ten",
                                                  .n = 17});
            syst_line(stream, message.bytes, message.n);
            message.n = 0;
        }
        syst_call(&message, i % 8 < 4 ? 2 : 3, names[level], 100 * i);
        syst_line(stream, message.bytes, message.n);
    }
    stream_fini(&message);
}

/* A database: calls into the secure world and back, timed with a fast counter, and unused entries. */
static void write_tfm(struct stream *stream)
{
    uint32_t counter = 0x51A20000;
    for (uint32_t i = 0; i < 400; i++, counter += 900 + 70000 * (i % 3)) {
        syst_number(stream, 1 | (i % 4 < 2 ? 0 : 3) << 6 | 0x02 << 8 | (0x200 + i % 4) << 16, 4);
        syst_number(stream, counter, 4);
    }
    for (uint32_t i = 0; i < 64; i++)
        stream_byte(stream, 0);
}

const struct sample samples[] = {
    {"miniprof", write_miniprof}, {"gprof", write_gprof}, {"fprime", write_fprime},
    {"syst", write_syst},         {"tfm", write_tfm},
};
const size_t sample_count = sizeof samples / sizeof *samples;

const struct sample *sample_find(const char *id)
{
    for (size_t i = 0; i < sample_count; i++)
        if (!strcmp(samples[i].id, id))
            return &samples[i];
    return NULL;
}
