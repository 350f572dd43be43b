/* test_property_fprime.c - F-Prime's Va416x0 profiler as its document has it: 8 bytes an event in memory,
 * live, and lines of text. */
#include "property.h"

#include "protocol/bytes.h"

enum { EVENTS_MOST = 400, DEEP = 20, FUNCTIONS = 12 };

/* Bit 31 is the phase, bit 0 Thumb's; the counter runs down from its reload value. */
struct happened {
    uint32_t address; /* without Thumb's bit */
    bool is_exit;
    uint32_t counter;
    uint64_t ticks; /* since the first one */
};

static uint32_t below(struct test_random *random, size_t limit)
{
    return (uint32_t)test_random_below(random, limit);
}

/* Makes a capture, which begins, and may end, in the middle of running code. */
static size_t run_program(struct test_random *random, struct happened *events, uint32_t base, uint32_t reload)
{
    uint32_t functions[FUNCTIONS], stack[DEEP], depth = 0;
    size_t n = 1 + below(random, EVENTS_MOST);
    uint64_t counter = reload - below(random, 200), ticks = 0; /* it was just started */
    unsigned most = 4 + below(random, 14);
    for (size_t i = 0; i < FUNCTIONS; i++)
        functions[i] = base + 2 * below(random, 0x4000);
    for (; depth < below(random, DEEP / 2);)
        stack[depth++] = functions[below(random, FUNCTIONS)];
    for (size_t i = 0; i < n; i++) {
        bool is_exit = depth == DEEP || (depth > 0 && below(random, 2));
        uint32_t address = is_exit ? stack[--depth] : functions[below(random, FUNCTIONS)];
        if (!is_exit)
            stack[depth++] = address;
        uint64_t passed = i ? 1 + below(random, (size_t)1 << (1 + below(random, most))) : 0;
        passed %= (uint64_t)reload + 1; /* a longer pause cannot be distinguished from a shorter one */
        counter = counter >= passed ? counter - passed : counter + reload + 1 - passed;
        events[i] = (struct happened){address, is_exit, (uint32_t)counter, ticks += passed};
    }
    return n;
}

static void write_word(struct stream *stream, uint32_t word, bool big)
{
    for (int i = 0; i < 4; i++)
        stream_byte(stream, (uint8_t)(word >> 8 * (big ? 3 - i : i)));
}

static void write_memory(struct test_random *random, struct stream *stream, const struct happened *events,
                         size_t n)
{
    bool big = below(random, 8) == 0;
    for (size_t i = 0; i < n; i++) {
        write_word(stream, events[i].address | 1 | (uint32_t)events[i].is_exit << 31, big);
        write_word(stream, events[i].counter, big);
    }
    switch (below(random, 3)) {
    case 0: /* disabled: bytes behind the mark are from an earlier capture */
        for (int i = 0; i < 8; i++)
            stream_byte(stream, 0xFF);
        for (uint32_t i = 8 * below(random, 20); i > 0; i--)
            stream_byte(stream, (uint8_t)below(random, 256));
        break;
    case 1: /* memory that was not filled */
        for (uint32_t i = 8 * below(random, 100); i > 0; i--)
            stream_byte(stream, 0);
        break;
    default: break;
    }
}

static void write_lines(struct test_random *random, struct stream *stream, const struct happened *events,
                        size_t n)
{
    bool decimal = below(random, 4) == 0;
    for (size_t i = 0; i < n; i++) {
        char line[64];
        if (below(random, 10) == 0)
            stream_bytes(stream, "EVENT: (768) (2:1,2) WARNING_HI\r\n", 33);
        int length = snprintf(line, sizeof line, decimal ? "P:%u,%d,%u\n" : "P:%x,%d,%x\n",
                              (unsigned)events[i].address, events[i].is_exit, (unsigned)events[i].counter);
        stream_bytes(stream, line, (size_t)length);
    }
}

static void try_seed(uint64_t seed, struct test_random *random)
{
    static struct happened happened[EVENTS_MOST];
    struct stream stream = {0};
    uint32_t base = below(random, 2) ? 0x08000000 : 0x1000 * (1 + below(random, 0x100));
    uint32_t reload = below(random, 2) ? 0xFFFFFE : 1000 + below(random, 0xFFFFFF - 1000);
    size_t n = run_program(random, happened, base, reload);
    struct dialect_range code = {base, base + 0x8000};
    char value[16];
    snprintf(value, sizeof value, "%u", (unsigned)reload);
    struct dialect_setting setting = {"reload", value};
    struct dialect_settings settings = {.settings = &setting, .n = reload != 0xFFFFFE || below(random, 2)};
    if (below(random, 2)) {
        settings.code = &code;
        settings.code_n = 1;
    }
    if (below(random, 4))
        write_memory(random, &stream, happened, n);
    else
        write_lines(random, &stream, happened, n);
    struct events events = property_read(seed, random, "fprime", &settings, &stream);
    size_t nth = 0;
    uint64_t first = 0;
    for (size_t i = 0; i < events.n; i++) {
        const struct event *event = &events.event[i];
        cr_assert_neq(event->kind, EVENT_LOST, "seed %llu", (unsigned long long)seed);
        if (event->kind != EVENT_ENTER && event->kind != EVENT_EXIT)
            continue;
        cr_assert_lt(nth, n, "seed %llu: more than %zu", (unsigned long long)seed, n);
        first = nth ? first : event->ticks;
        cr_assert((event->kind == EVENT_EXIT) == happened[nth].is_exit &&
                      event->call.address == happened[nth].address,
                  "seed %llu: event %zu of %zu", (unsigned long long)seed, nth, n);
        cr_assert_eq(event->ticks - first, happened[nth].ticks, "seed %llu: time of event %zu",
                     (unsigned long long)seed, nth);
        nth++;
    }
    cr_assert_eq(nth, n, "seed %llu: %zu of %zu", (unsigned long long)seed, nth, n);
    events_fini(&events);
    stream_fini(&stream);
}

Test(property, fprime)
{
    property_each("fprime", try_seed);
}
