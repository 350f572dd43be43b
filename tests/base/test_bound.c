/* test_bound.c - parses, writes and judges bounds such as "control_cycle:p99<500us". */
#include "base/bound.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bound read_one(const char *text)
{
    struct bound bound;
    struct error err = {""};
    cr_assert(bound_parse(text, &bound, &err), "%s: %s", text, err.text);
    return bound;
}

Test(bound, a_limit_is_read_and_written_in_normal_form)
{
    static const struct {
        const char *text, *name, *written;
        uint64_t value;
    } cases[] = {
        {"control_cycle:p99<500us", "control_cycle", "control_cycle:p99<500us", 500000},
        {" f : max <= 1.5 ms ", "f", "f:max<=1500us", 1500000},
        {"ADC_IRQHandler:period=50us\xC2\xB1"
         "5us",
         "ADC_IRQHandler",
         "ADC_IRQHandler:period=50us\xC2\xB1"
         "5us",
         50000},
        {"a:period=1ms +- 0.25ms", "a",
         "a:period=1ms\xC2\xB1"
         "250us",
         1000000},
        {"a:period>3\xCE\xBCs", "a", "a:period>3us", 3000},
        {"a:rate<20000", "a", "a:rate<20000/s", 20000000},
        {"a:rate>=2.5kHz", "a", "a:rate>=2500/s", 2500000},
        {"a:rate>0.25Hz", "a", "a:rate>0.25/s", 250},
        {"a:load<80%", "a", "a:load<80%", 80000},
        {"a:self<12.125 %", "a", "a:self<12.125%", 12125},
        {"fault:calls<1", "fault", "fault:calls<1", 1},
        {"a:max<=0s", "a", "a:max<=0ns", 0},
        {"ns::queue<int>::put(int):mean>10us", "ns::queue<int>::put(int)",
         "ns::queue<int>::put(int):mean>10us", 10000},
        {"operator<:max<1us", "operator<", "operator<:max<1us", 1000},
        {"0x8001234:p50<1s", "0x8001234", "0x8001234:p50<1s", 1000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bound bound = read_one(cases[i].text);
        char written[BOUND_TEXT_SIZE];
        cr_expect_str_eq(bound.name, cases[i].name);
        cr_expect_eq(bound.value, cases[i].value, "%s: %llu", cases[i].text, (unsigned long long)bound.value);
        bound_write(&bound, written, sizeof written);
        cr_expect_str_eq(written, cases[i].written);
    }
}

Test(bound, a_bad_limit_gives_an_error_with_its_position)
{
    char long_name[400];
    memset(long_name, 'x', sizeof long_name);
    strcpy(long_name + 390, ":max<1us");
    const struct {
        const char *text, *place;
    } cases[] = {
        {"", "(character 1)"},
        {"a", "at 'a' (character 1)"},
        {":max<1us", "at ':max<1us' (character 1)"},
        {"a:", "at '' (character 3)"},
        {"a:p98<5us", "at 'p98<5us' (character 3)"},
        {"a:maximum<5us", "at 'maximum<5us'"},
        {"a:max", "at '' (character 6)"},
        {"a:max 5us", "at '5us'"},
        {"a:max>5us", "at '>5us' (character 6)"},
        {"a:calls>=5", "at '>=5'"},
        {"a:p99=5us+-1us", "at '=5us+-1us'"},
        {"a:max<", "at ''"},
        {"a:max<5", "at '5' (character 7)"},
        {"a:max<-5us", "at '-5us'"},
        {"a:max<5kg", "at '5kg'"},
        {"a:max<1e3us", "at '1e3us'"},
        {"a:max<0x5us", "at '0x5us'"},
        {"a:max<1.2.3us", "at '1.2.3us'"},
        {"a:max<5us b", "at 'b' (character 11)"},
        {"a:max<3601s", "at '3601s'"},
        {"a:load<80", "at '80'"},
        {"a:calls<1.5", "at '.5'"},
        {"a:calls<5us", "at 'us'"},
        {"a:rate<99999999999999999999999999", "at '99999"},
        {"a:period=50us", "at '' (character 14)"},
        {"a:period=50us-5us", "at '-5us'"},
        {"a:period=50us+-5", "at '5'"},
        {"a\n:max<5us", "character 1"},
        {"a\xFF:max<5us", "character 1"},
        {long_name, "character 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bound bound;
        struct error err = {""};
        cr_expect_not(bound_parse(cases[i].text, &bound, &err), "%s", cases[i].text);
        cr_expect(strstr(err.text, cases[i].place), "%s: %s", cases[i].text, err.text);
        cr_expect(strstr(err.text, "The limit '"), "%s", err.text);
        cr_expect_eq(err.text[strlen(err.text) - 1], '.', "%s", err.text);
    }
}

/* A written bound reads back as an equal one, with equal verdicts. */
Test(bound, a_written_limit_can_be_read_back)
{
    srand(7);
    for (int i = 0; i < 20000; i++) {
        struct bound bound = {.name = "f::g<int>", .figure = (enum bound_figure)(rand() % BOUND_FIGURES)};
        bool may_fall_short =
            bound.figure == BOUND_PERIOD || bound.figure == BOUND_MEAN || bound.figure >= BOUND_RATE;
        bound.relation = (enum bound_relation)(rand() % (may_fall_short ? 5 : 2));
        bound.value = (uint64_t)rand() * (uint64_t)(rand() % 1000 + 1);
        bound.tolerance = bound.relation == BOUND_WITHIN ? (uint64_t)rand() % 1000000 : 0;
        char written[BOUND_TEXT_SIZE];
        bound_write(&bound, written, sizeof written);
        struct bound back = read_one(written);
        cr_assert_eq(memcmp(&back, &bound, sizeof bound), 0, "%s", written);
    }
}

/* Judging a duration in ticks gives the same result as judging its nanoseconds. */
Test(bound, ticks_are_converted_to_time_before_a_limit_is_checked)
{
    static const uint64_t rates[] = {1, 1000, 32768, 1000000, 168000000, 1000000000, 16000000000};
    srand(11);
    for (int i = 0; i < 20000; i++) {
        struct bound bound = {
            .name = "f", .figure = BOUND_PERIOD, .relation = (enum bound_relation)(rand() % 5)};
        uint64_t hz = rates[rand() % 7];
        bound.value = (uint64_t)rand() % (rand() % 2 ? 50 : 2000000000);
        bound.tolerance = bound.relation == BOUND_WITHIN ? (uint64_t)rand() % 1000 : 0;
        struct bound_ticks ticks = bound_in_ticks(&bound, hz);
        uint64_t edge = (uint64_t)((double)bound.value * (double)hz / 1e9);
        for (uint64_t at = edge > 3 ? edge - 3 : 0; at < edge + 4; at++) {
            bool is_in = at >= ticks.least && at <= ticks.most;
            /* long double is exact here: the products fit 64 bits */
            long double ns = (long double)at * 1e9L / (long double)hz, value = (long double)bound.value;
            long double low = value - (long double)bound.tolerance;
            bool holds = bound.relation == BOUND_BELOW     ? ns < value
                         : bound.relation == BOUND_AT_MOST ? ns <= value
                         : bound.relation == BOUND_ABOVE   ? ns > value
                         : bound.relation == BOUND_AT_LEAST
                             ? ns >= value
                             : ns >= (low > 0 ? low : 0) && ns <= value + (long double)bound.tolerance;
            cr_assert_eq(is_in, holds, "%llu ticks of %llu Hz, relation %d, %llu ns", (unsigned long long)at,
                         (unsigned long long)hz, bound.relation, (unsigned long long)bound.value);
        }
    }
}

Test(bound, excess_is_the_factor_by_which_a_limit_is_missed)
{
    struct bound below = read_one("f:max<100us"), above = read_one("f:rate>1000"),
                 within = read_one("f:period=100us+-10us");
    cr_expect_float_eq(bound_excess(&below, 250000), 2.5, 1e-9);
    cr_expect_float_eq(bound_excess(&above, 250000), 4, 1e-9);
    cr_expect_float_eq(bound_excess(&within, 220000), 2, 1e-9);
    cr_expect_float_eq(bound_excess(&within, 45000), 2, 1e-9);
    cr_expect(bound_excess(&above, 0) > 1e5);
    cr_expect(bound_holds(&within, 90000) && bound_holds(&within, 110000) && !bound_holds(&within, 110001));
}

Test(bound, values_are_written_with_their_unit)
{
    static const struct {
        enum bound_figure figure;
        double value;
        const char *text;
    } cases[] = {{BOUND_MAX, 512500, "512.5us"},      {BOUND_MAX, 7, "7ns"},        {BOUND_MAX, 0, "0ns"},
                 {BOUND_PERIOD, 1250000, "1.25ms"},   {BOUND_P99, 2e9, "2s"},       {BOUND_CALLS, 3, "3"},
                 {BOUND_RATE, 20000500, "20000.5/s"}, {BOUND_LOAD, 81250, "81.25%"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        bound_write_value(cases[i].figure, cases[i].value, text, sizeof text);
        cr_expect_str_eq(text, cases[i].text);
    }
}
