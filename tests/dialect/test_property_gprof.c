/* test_property_gprof.c - gprof over a UART as in the thesis, as bytes and as digits, and gmon.out in the forms of BSD
 * and GNU. */
#include "property.h"

enum { RECORDS_MOST = 400 };

/* A sample, or calls from `from` to `address`. */
struct record {
    bool is_arc;
    uint64_t address, from, count;
};

struct writer {
    struct test_random *random;
    struct record record[RECORDS_MOST];
    size_t n;
    unsigned width;
    bool big; /* byte order of a gmon.out */
    struct stream stream;
};

static uint64_t below(struct writer *writer, size_t limit)
{
    return test_random_below(writer->random, limit);
}

/* Writes the bytes as two digits each, in random lines. */
static void to_digits(struct writer *writer)
{
    struct stream digits = {0};
    bool lower = below(writer, 2), lines = below(writer, 2);
    for (size_t i = 0; i < writer->stream.n; i++) {
        char two[3];
        snprintf(two, sizeof two, lower ? "%02x" : "%02X", writer->stream.bytes[i]);
        stream_bytes(&digits, two, 2);
        if (lines && below(writer, 10) == 0)
            stream_bytes(&digits, "\r\n ", below(writer, 2) ? 2 : 3);
    }
    stream_fini(&writer->stream);
    writer->stream = digits;
}

static void put(struct writer *writer, uint64_t value, unsigned bytes, bool big)
{
    for (unsigned i = 0; i < bytes; i++) {
        unsigned place = big ? bytes - 1 - i : i;
        stream_byte(&writer->stream, (uint8_t)(place < 8 ? value >> 8 * place : 0));
    }
}

/* ---- records of an agent ---- */

static void write_records(struct writer *writer, uint64_t base, uint64_t size)
{
    writer->n = 1 + below(writer, RECORDS_MOST);
    for (size_t i = 0; i < writer->n; i++) {
        struct record *record = &writer->record[i];
        *record = (struct record){.is_arc = below(writer, 2),
                                  .address = base + below(writer, size),
                                  .from = base + below(writer, size),
                                  .count = 1};
        stream_byte(&writer->stream, record->is_arc ? 'A' : 'P');
        if (record->is_arc)
            put(writer, record->from, writer->width, true);
        put(writer, record->address, writer->width, true);
    }
}

/* ---- gmon.out ---- */

static void write_arcs(struct writer *writer, uint64_t low, uint64_t high, bool gnu)
{
    for (uint64_t i = below(writer, 30); i > 0; i--) {
        struct record *record = &writer->record[writer->n++];
        *record = (struct record){.is_arc = true,
                                  .address = low + below(writer, high - low),
                                  .from = low + below(writer, high - low),
                                  .count = 1 + below(writer, 1 << 20)};
        if (gnu)
            put(writer, 1, 1, false);
        put(writer, record->from, writer->width, writer->big);
        put(writer, record->address, writer->width, writer->big);
        put(writer, record->count, gnu ? 4 : writer->width, writer->big);
    }
}

static void write_bins(struct writer *writer, uint64_t low, uint64_t high, uint32_t bins)
{
    for (uint32_t i = 0; i < bins; i++) {
        uint64_t count = below(writer, 4) ? 0 : below(writer, 65536);
        put(writer, count, 2, writer->big);
        if (count)
            writer->record[writer->n++] =
                (struct record){.address = low + (high - low) / bins * i, .count = count};
    }
}

/* A histogram of bins of four bytes of code, and the arcs. */
static void write_gmon(struct writer *writer, bool gnu)
{
    uint64_t low = 0x1000 * (1 + below(writer, 0x100)), high;
    uint32_t bins = 1 + (uint32_t)below(writer, 300);
    high = low + 4 * bins;
    if (!gnu) {
        put(writer, low, writer->width, writer->big);
        put(writer, high, writer->width, writer->big);
        put(writer, 2 * bins + 24 + 2 * writer->width, 4, writer->big);
        put(writer, 0x00051879, 4, writer->big);
        put(writer, 1000, 4, writer->big);
        for (int i = 0; i < 12; i++) /* spare, and never written */
            stream_byte(&writer->stream, (uint8_t)below(writer, 256));
        write_bins(writer, low, high, bins);
        write_arcs(writer, low, high, false);
        return;
    }
    stream_bytes(&writer->stream, "gmon", 4);
    put(writer, 1, 4, writer->big);
    put(writer, 0, 12, writer->big);
    for (uint64_t i = 1 + below(writer, 2); i > 0; i--) { /* a file may have several */
        put(writer, 0, 1, writer->big);
        put(writer, low, writer->width, writer->big);
        put(writer, high, writer->width, writer->big);
        put(writer, bins, 4, writer->big);
        put(writer, 1000, 4, writer->big);
        stream_bytes(&writer->stream, "seconds\0\0\0\0\0\0\0\0s", 16);
        write_bins(writer, low, high, bins);
        bins = 1 + (uint32_t)below(writer, 30);
        low = high;
        high = low + 4 * bins;
    }
    write_arcs(writer, low, high, true);
}

/* ---- what is read ---- */

static void check(uint64_t seed, const struct writer *writer, const struct events *events)
{
    size_t nth = 0;
    for (size_t i = 0; i < events->n; i++) {
        const struct event *event = &events->event[i];
        const struct record *record = &writer->record[nth];
        cr_assert_neq(event->kind, EVENT_LOST, "seed %llu", (unsigned long long)seed);
        if (event->kind != EVENT_SAMPLE && event->kind != EVENT_ARC)
            continue;
        cr_assert_lt(nth, writer->n, "seed %llu: more than %zu", (unsigned long long)seed, writer->n);
        cr_assert((event->kind == EVENT_ARC) == record->is_arc, "seed %llu: record %zu",
                  (unsigned long long)seed, nth);
        bool is_same = record->is_arc
                           ? event->arc.from == record->from && event->arc.to == record->address &&
                                 event->arc.calls == record->count
                           : event->sample.address == record->address && event->sample.count == record->count;
        cr_assert(is_same, "seed %llu: record %zu of %zu", (unsigned long long)seed, nth, writer->n);
        nth++;
    }
    cr_assert_eq(nth, writer->n, "seed %llu: %zu of %zu", (unsigned long long)seed, nth, writer->n);
}

static void try_seed(uint64_t seed, struct test_random *random)
{
    static struct writer writer;
    struct dialect_setting width = {"width", "3"};
    struct dialect_settings settings = {.settings = &width, .n = 1};
    struct dialect_range code;
    size_t kind;
    writer = (struct writer){.random = random};
    kind = below(&writer, 4);
    if (kind < 2) {
        static const char *const widths[] = {"2", "3", "4"};
        uint64_t size = 0x100 + below(&writer, 0x4000);
        writer.width = 2 + (unsigned)below(&writer, 3);
        width.value = widths[writer.width - 2];
        code.start =
            writer.width == 4 ? 0x08000000 : 0x400 + 0x1000 * below(&writer, writer.width == 2 ? 8 : 0x800);
        code.end = code.start + size;
        if (below(&writer, 2)) {
            settings.code = &code;
            settings.code_n = 1;
        }
        write_records(&writer, code.start, size);
        if (kind == 1)
            to_digits(&writer);
    } else {
        writer.width = settings.word_bytes = below(&writer, 2) ? 4 : 8;
        writer.big = below(&writer, 3) == 0;
        write_gmon(&writer, kind == 2);
    }
    struct events events = property_read(seed, random, "gprof", &settings, &writer.stream);
    check(seed, &writer, &events);
    events_fini(&events);
    stream_fini(&writer.stream);
}

Test(property, gprof)
{
    property_each("gprof", try_seed);
}
