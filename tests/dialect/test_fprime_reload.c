/* test_fprime_reload.c - the reload value of the F-Prime profiler's counter, learnt from its readings. */
#include "dialect/dialect.h"

#include <criterion/criterion.h>

#include "support/listener.h"
#include "support/random.h"

#define EXIT 0x80000000u

enum { EVENTS = 4000 };

/* A running program, `now` ticks after its counter was started. */
struct program {
    struct test_random random;
    uint32_t reload;
    uint64_t now;
    uint64_t times[EVENTS]; /* of the events so far */
    size_t n;
    struct stream stream;
};

static void put_word(struct stream *stream, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        stream_byte(stream, (uint8_t)(word >> 8 * i));
}

static void put(struct program *program, uint32_t function)
{
    if (program->n == EVENTS)
        return;
    put_word(&program->stream, function);
    put_word(&program->stream, (uint32_t)(program->reload - program->now % (program->reload + UINT64_C(1))));
    program->times[program->n++] = program->now;
}

static struct program program_of(const char *name, uint32_t reload, uint64_t now)
{
    return (struct program){.random = test_random_start(name), .reload = reload, .now = now};
}

/* Runs until there are `events` events: a handler some 20 ticks after each wrap, then work of up to `busy`
 * ticks an event for a tenth of the period, then sleep. */
static void run(struct program *program, uint32_t busy, size_t events)
{
    uint64_t period = program->reload + UINT64_C(1);
    while (program->n < events) {
        uint64_t wrap = (program->now / period + 1) * period;
        for (int i = 0; program->now + busy < wrap - period + period / 10 && program->n < events; i++) {
            program->now += 1 + test_random_below(&program->random, busy);
            put(program, (i % 2 ? EXIT : 0) | 0x571);
        }
        program->now = wrap + 18 + test_random_below(&program->random, 5);
        for (int i = 0; i < 2 && program->n < events; i++, program->now += 30)
            put(program, (i ? EXIT : 0) | 0x601);
    }
}

static void program_end(struct program *program, struct listener *listener)
{
    listener_close(listener);
    stream_fini(&program->stream);
}

static struct listener told(const struct program *program, const struct dialect_setting *setting)
{
    struct dialect_settings settings = {.settings = setting, .n = setting ? 1 : 0};
    return listener_of("fprime", &settings, &program->stream);
}

/* The largest error of times, relative to the first event. */
static uint64_t error_of(const struct program *program, const struct listener *listener)
{
    uint64_t most = 0;
    size_t clocks = listener_count(listener, EVENT_CLOCK);
    cr_assert_eq(listener->events.n - clocks, program->n);
    for (size_t i = 0; i < program->n; i++) {
        uint64_t is = listener->events.event[clocks + i].ticks - listener->events.event[clocks].ticks;
        uint64_t should = program->times[i] - program->times[0];
        uint64_t error = is > should ? is - should : should - is;
        most = error > most ? error : most;
    }
    return most;
}

static const uint32_t reloads[] = {999999, 0xFFFFFE, 0xFFFFFF, 249999, 167999, 65535, 0xFE502A - 1};

Test(fprime_reload, any_value_is_learnt_from_the_readings)
{
    for (size_t i = 0; i < sizeof reloads / sizeof *reloads; i++) {
        struct program program = program_of("reload", reloads[i], 18);
        put(&program, 0x601); /* a capture begins in the handler */
        run(&program, reloads[i] / 500, EVENTS);
        struct listener listener = told(&program, NULL);
        uint64_t turns = program.now / (reloads[i] + UINT64_C(1)), error = error_of(&program, &listener);
        cr_assert_gt(turns, 5);
        cr_assert_leq(error, turns * 32, "reload %u: %llu ticks in %llu turns", reloads[i],
                      (unsigned long long)error, (unsigned long long)turns);
        cr_assert_null(listener_health(&listener)->doubt, "reload %u", reloads[i]);
        program_end(&program, &listener);
    }
}

Test(fprime_reload, where_it_is_round_or_divides_the_clock_times_are_exact)
{
    static const struct {
        uint32_t reload;
        const char *clock_hz;
    } cases[] = {
        {999999, "100000000"}, {999999, "0"}, {249999, "25000000"}, {65535, "0"}, {65624, "84000000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program program = program_of("round", cases[i].reload, 18);
        put(&program, 0x601);
        run(&program, 300, EVENTS);
        struct dialect_setting clock = {"clock_hz", cases[i].clock_hz};
        struct listener listener = told(&program, &clock);
        cr_assert_eq(error_of(&program, &listener), 0, "reload %u", cases[i].reload);
        program_end(&program, &listener);
    }
}

Test(fprime_reload, is_learnt_in_a_stream_that_is_joined_anywhere)
{
    for (uint64_t now = 1; now < 1000000; now += 9973) {
        struct program program = program_of("joined", 999999, now);
        run(&program, 2000, EVENTS);
        struct listener listener = told(&program, NULL);
        uint64_t error = error_of(&program, &listener);
        cr_assert_leq(error, 100, "joined after %llu ticks: %llu", (unsigned long long)now,
                      (unsigned long long)error);
        cr_assert_null(listener_health(&listener)->doubt);
        program_end(&program, &listener);
    }
}

Test(fprime_reload, a_value_set_by_option_is_never_in_doubt)
{
    struct dialect_setting field = {"reload", "999999"};
    struct program program = program_of("given", 999999, 400000);
    for (; program.n < 40; program.now += 700001)
        put(&program, (program.n % 2 ? EXIT : 0) | 0x571);
    struct listener listener = told(&program, &field);
    cr_assert_eq(error_of(&program, &listener), 0);
    cr_assert_null(listener_health(&listener)->doubt);
    program_end(&program, &listener);
}

Test(fprime_reload, an_uncertain_reload_value_is_reported)
{
    struct program program = program_of("unsure", 999999, 500000);
    for (int turn = 0; turn < 2; turn++, program.now += 1000000 - 123457)
        for (int i = 0; i < 20; i++, program.now += 50)
            put(&program, (i % 2 ? EXIT : 0) | 0x571);
    struct listener listener = told(&program, NULL);
    const char *doubt = listener_health(&listener)->doubt;
    cr_assert(doubt && strstr(doubt, "reload=") && strlen(doubt) < 160, "%s", doubt);
    program_end(&program, &listener);
}

Test(fprime_reload, the_value_is_not_needed_without_a_wrap)
{
    struct program program = program_of("short", 999999, 500000);
    for (int i = 0; i < 100; i++, program.now += 77)
        put(&program, (i % 2 ? EXIT : 0) | 0x571);
    struct listener listener = told(&program, NULL);
    cr_assert_eq(error_of(&program, &listener), 0);
    cr_assert_null(listener_health(&listener)->doubt);
    program_end(&program, &listener);
}

Test(fprime_reload, a_learnt_value_survives_a_damaged_reading)
{
    struct program program = program_of("damage", 999999, 18);
    put(&program, 0x601);
    run(&program, 2000, EVENTS);
    struct listener whole = told(&program, NULL);
    program.stream.bytes[8 * 3000 + 6] = 0xC5; /* of the counter's upper byte */
    struct listener listener = told(&program, NULL);
    cr_assert_eq(listener_health(&listener)->malformed, 1);
    cr_assert_null(listener_health(&listener)->doubt);
    cr_assert_eq(listener.events.event[EVENTS - 1].ticks, whole.events.event[EVENTS - 1].ticks);
    listener_close(&whole);
    program_end(&program, &listener);
}

Test(fprime_reload, a_learnt_value_survives_a_restart)
{
    struct program program = program_of("restart", 999999, 18);
    put(&program, 0x601);
    run(&program, 2000, EVENTS);
    struct listener listener = listener_open("fprime", &(struct dialect_settings){0});
    listener_hear(&listener, program.stream.bytes, program.stream.n);
    listener.dialect->reset(listener.state);
    listener_hear(&listener, program.stream.bytes, program.stream.n);
    listener_end(&listener);
    cr_assert_eq(listener.events.n, 2 * EVENTS);
    cr_assert_eq(listener.events.event[EVENTS].ticks, listener.events.event[EVENTS - 1].ticks + 18);
    program_end(&program, &listener);
}

Test(fprime_reload, is_learnt_from_lines_of_text_too)
{
    struct program program = program_of("text", 999999, 18);
    put(&program, 0x601);
    run(&program, 2000, 1000);
    struct stream text = {0};
    for (size_t i = 0; i < program.n; i++) {
        char line[64];
        int n = snprintf(line, sizeof line, "P:%X,%d,%X\n", i % 2 ? 0x570u : 0x600u, (int)(i % 2),
                         (unsigned)(999999 - program.times[i] % 1000000));
        stream_bytes(&text, line, (size_t)n);
    }
    struct listener listener = listener_of("fprime", &(struct dialect_settings){0}, &text);
    cr_assert_leq(error_of(&program, &listener), 100);
    cr_assert_null(listener_health(&listener)->doubt);
    stream_fini(&text);
    program_end(&program, &listener);
}

/* Random programs, whose rounds sometimes begin near one another by chance. */
Test(fprime_reload, times_of_undamaged_events_are_exact_or_in_doubt)
{
    static const uint32_t periods[] = {100000, 1000000, 168000, 65536, 3000000};
    struct test_random random = test_random_start("undamaged");
    for (int seed = 0; seed < 300; seed++) {
        uint32_t period = periods[seed % 5];
        const uint32_t steps[] = {50, 1000, 9000, 30000, period / 11};
        uint32_t step = steps[test_random_below(&random, 5)];
        struct program program = program_of("undamaged", period - 1, 0);
        size_t events = 30 + test_random_below(&random, 370);
        for (size_t i = 0; i < events; i++) {
            program.now += 1 + test_random_below(&random, step);
            put(&program, (i % 2 ? EXIT : 0) | 0x571);
        }
        struct listener listener = told(&program, NULL);
        const struct dialect_health *health = listener_health(&listener);
        cr_expect(!health->malformed && !health->framing_errors && !health->bytes_skipped, "seed %d", seed);
        cr_expect_eq(health->records, events, "seed %d", seed);
        cr_expect(health->doubt || error_of(&program, &listener) == 0, "seed %d: %u, steps %u", seed, period,
                  step);
        program_end(&program, &listener);
    }
}
