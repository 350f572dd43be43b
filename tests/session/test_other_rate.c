/* test_other_rate.c - bytes of a sender at a lower rate are recognised, with the ratio of the rates. */
#include "session/disguise.h"
#include "session/other_rate.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/effort.h"
#include "support/random.h"
#include "support/stream.h"

/* The level of a line over time, in bits of the sender. */
struct line {
    uint8_t *levels;
    size_t n;
};

/* Start bit, 8 data bits, stop bit; sometimes followed by idle time. */
static struct line send(struct test_random *random, const uint8_t *bytes, size_t n)
{
    struct line line = {.levels = malloc(14 * n + 20)};
    for (size_t i = 0; i < n; i++) {
        line.levels[line.n++] = 0;
        for (int bit = 0; bit < 8; bit++)
            line.levels[line.n++] = bytes[i] >> bit & 1;
        size_t high = 1 + (test_random_below(random, 4) ? 0 : test_random_below(random, 4));
        while (high--)
            line.levels[line.n++] = 1;
    }
    return line;
}

/* Reads the line with bits that are `bit` times as long as the sender's. */
static size_t receive(const struct line *line, double bit, uint8_t *out)
{
    size_t n = 0, at = 0;
    const double end = (double)line->n;
    for (;;) {
        while (at < line->n && !line->levels[at])
            at++;
        while (at < line->n && line->levels[at])
            at++;
        double edge = (double)at;
        if (edge + 9.5 * bit >= end)
            return n;
        uint8_t byte = 0;
        for (int i = 0; i < 8; i++)
            byte = (uint8_t)(byte | line->levels[(size_t)(edge + (i + 1.5) * bit)] << i);
        out[n++] = byte;
        at = (size_t)(edge + 9.5 * bit);
    }
}

static const struct {
    double ours, theirs;
    const char *share;
} rates[] = {
    {115200, 57600, " half "},       {115200, 38400, " a third "},    {921600, 230400, " a quarter "},
    {921600, 115200, " an eighth "}, {57600, 9600, " a sixth "},      {115200, 74880, " 0.65 "},
    {57600, 38400, " two thirds "},  {250000, 115200, " 0.46 "},      {500000, 115200, " 0.23 "},
    {1000000, 500000, " half "},     {3000000, 1000000, " a third "},
};

/* Fills in packets of calls, or random bytes. */
static void fill(struct test_random *random, uint8_t *bytes, size_t n, bool is_at_random)
{
    struct stream stream = {0};
    while (stream.n < n) {
        struct mp_record record = {
            0x08000100u + 16 * (uint32_t)test_random_below(random, 64), (uint32_t)test_random_next(random),
            (uint32_t)test_random_below(random, 700), (uint16_t)test_random_below(random, 5)};
        stream_records(&stream, &record, 1);
    }
    memcpy(bytes, stream.bytes, n);
    stream_fini(&stream);
    for (size_t i = 0; is_at_random && i < n; i++)
        bytes[i] = (uint8_t)test_random_next(random);
}

Test(other_rate, the_rate_of_a_slower_sender_is_named)
{
    enum { SENT = 1000 };
    struct test_random random = test_random_start("rates");
    for (int round = 0; round < 10; round++)
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            uint8_t sent[SENT], *read = malloc(20 * SENT);
            fill(&random, sent, SENT, round % 2);
            struct line line = send(&random, sent, SENT);
            size_t n = receive(&line, rates[i].theirs / rates[i].ours, read);
            struct disguise found = disguise_find(read, n, dialect_find("miniprof"));
            cr_expect(found.sentence && strstr(found.sentence, rates[i].share), "round %d, %.0f at %.0f: %s",
                      round, rates[i].theirs, rates[i].ours, found.sentence ? found.sentence : "nothing");
            free(line.levels);
            free(read);
        }
}

/* At the right rate all values occur; a faster sender cannot be distinguished from that. */
Test(other_rate, the_rate_of_a_faster_sender_is_not_guessed)
{
    enum { SENT = 2000 };
    static const double times[] = {1, 1.085, 1.5, 2, 3, 4, 8.68};
    struct test_random random = test_random_start("faster");
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            uint8_t sent[SENT], *read = malloc(20 * SENT);
            size_t count[256] = {0};
            fill(&random, sent, SENT, round % 2);
            struct line line = send(&random, sent, SENT);
            size_t n = receive(&line, times[i], read);
            for (size_t k = 0; k < n; k++)
                count[read[k]]++;
            cr_expect_null(other_rate_find(n, count), "round %d, %f times as fast", round, times[i]);
            free(line.levels);
            free(read);
        }
}

/* A memory dump, not bytes of a line. */
Test(other_rate, memory_dumps_suggest_no_rate)
{
    struct test_random random = test_random_start("memory");
    for (int round = 0; round < (int)test_effort(30, 100); round++) {
        static uint8_t bytes[8192];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = test_random_below(&random, 33) ? 0 : (uint8_t)test_random_next(&random);
        struct disguise found = disguise_find(bytes, sizeof bytes, dialect_find("miniprof"));
        cr_expect_null(found.sentence, "mostly zero: %s", found.sentence);
        for (size_t i = 0; i < sizeof bytes; i += 4) {
            memset(bytes + i, test_random_below(&random, 2) ? 0xFF : 0, 4);
            if (round % 2)
                bytes[i] = (uint8_t)test_random_below(&random, 4);
        }
        found = disguise_find(bytes, sizeof bytes, dialect_find("miniprof"));
        cr_expect_null(found.sentence, "words of all bits, or none: %s", found.sentence);
    }
}
