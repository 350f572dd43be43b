/* test_property_tfm.c - the TF-M profiler's database as in its document: dumped, and printed. */
#include "property.h"

#include "protocol/bytes.h"

enum { ENTRIES_MOST = 300 };

/* An entry of the database: bits 0 to 3 type, 6 and 7 calibration index, 8 to 15 topic, 16 to
 * 31 checkpoint. */
struct entry {
    uint32_t calibration, topic, checkpoint, count;
};

static uint32_t tag_of(const struct entry *entry)
{
    return 1 | entry->calibration << 6 | entry->topic << 8 | entry->checkpoint << 16;
}

static uint32_t below(struct test_random *random, size_t limit)
{
    return (uint32_t)test_random_below(random, limit);
}

/* Makes a program that passes checkpoints of some topics, with realistic times between them. */
static size_t run_program(struct test_random *random, struct entry *entries, bool down)
{
    size_t n = below(random, 4) ? 1 + below(random, 20) : 1 + below(random, ENTRIES_MOST);
    uint32_t topics = 1 + below(random, 3), first = below(random, 250), checkpoints = 1 + below(random, 12);
    uint32_t base = below(random, 3) ? 0x100 * below(random, 200) : 0;
    uint32_t count = below(random, 2) ? below(random, 100000) : (uint32_t)test_random_next(random);
    unsigned most = 4 + below(random, 20);
    bool both_worlds = below(random, 2);
    for (size_t i = 0; i < n; i++) {
        uint32_t step = 1 + below(random, (size_t)1 << (1 + below(random, most)));
        count += down ? 0 - step : step;
        entries[i] = (struct entry){both_worlds && below(random, 2) ? 3 : 0, first + below(random, topics),
                                    base + below(random, checkpoints), count};
    }
    return n;
}

static void write_dump(struct test_random *random, struct stream *stream, const struct entry *entries,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t pair[8];
        mp_store_u32(pair, tag_of(&entries[i]));
        mp_store_u32(pair + 4, entries[i].count);
        stream_bytes(stream, pair, sizeof pair);
    }
    for (uint32_t unused = below(random, 3) ? 0 : 8 * below(random, 100); unused > 0; unused--)
        stream_byte(stream, 0); /* places without an entry */
}

static void write_lines(struct test_random *random, struct stream *stream, const struct entry *entries,
                        size_t n)
{
    bool marked = below(random, 2);
    const char *end = below(random, 2) ? "\r\n" : "\n";
    for (size_t i = 0; i < n; i++) {
        char line[64];
        if (below(random, 10) == 0)
            stream_bytes(stream, "Non-Secure system starting...\r\n", 31);
        int length = snprintf(line, sizeof line, marked ? "0x%08X,0x%08X%s" : "%08X,%08X%s",
                              (unsigned)tag_of(&entries[i]), (unsigned)entries[i].count, end);
        stream_bytes(stream, line, (size_t)length);
    }
}

/* Tries a seed: bytes or lines; the counter's direction given by the user or not. */
static void try_seed(uint64_t seed, struct test_random *random)
{
    static struct entry entries[ENTRIES_MOST];
    struct stream stream = {0};
    bool down = below(random, 2), is_told = below(random, 2);
    size_t n = run_program(random, entries, down);
    if (below(random, 3))
        write_dump(random, &stream, entries, n);
    else
        write_lines(random, &stream, entries, n);
    struct dialect_setting counter = {"counter", down ? "down" : "up"};
    struct events events = property_read(
        seed, random, "tfm", &(struct dialect_settings){.settings = &counter, .n = is_told ? 1 : 0}, &stream);
    size_t nth = 0;
    uint64_t before = 0;
    for (size_t i = 0; i < events.n; i++) {
        const struct event *event = &events.event[i];
        cr_assert_neq(event->kind, EVENT_LOST, "seed %llu", (unsigned long long)seed);
        if (event->kind != EVENT_MARK)
            continue;
        cr_assert_lt(nth, n, "seed %llu: more than %zu", (unsigned long long)seed, n);
        const struct entry *entry = &entries[nth];
        cr_assert(event->mark.topic == entry->topic && event->mark.checkpoint == entry->checkpoint &&
                      event->mark.calibration == entry->calibration && event->mark.count == entry->count,
                  "seed %llu: entry %zu", (unsigned long long)seed, nth);
        uint32_t passed = nth == 0 ? 0
                          : down   ? entry[-1].count - entry->count
                                   : entry->count - entry[-1].count;
        cr_assert(nth == 0 || !(is_told || !down) || event->ticks - before == passed,
                  "seed %llu: %llu ticks to entry %zu, not %u", (unsigned long long)seed,
                  (unsigned long long)(event->ticks - before), nth, passed);
        before = event->ticks;
        nth++;
    }
    cr_assert_eq(nth, n, "seed %llu: %zu of %zu", (unsigned long long)seed, nth, n);
    events_fini(&events);
    stream_fini(&stream);
}

Test(property, tfm)
{
    property_each("tfm", try_seed);
}
