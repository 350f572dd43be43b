/* test_causes.c - finds the function that made others slower, and slowdowns explained by interrupts. */
#include "made_profile.h"

#include <criterion/criterion.h>
#include <string.h>

Test(gate, the_cause_is_listed_before_its_callers)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row slower[] = {{"main", 10, 2560, 100}, {"loop", 100, 246, 20},
                                        {"step", 200, 113, 15},  {"crc", 400, 49, 49},
                                        {"other", 100, 13, 13},  {0}};
    expect_text(told(&gate, usual_rows, slower),
                "crc +390 % itself (10.0 -> 49.0 us a call), 3 functions that call slower ones follow\n"
                "  path: main > loop > step > crc\n"
                "other +30 % itself (10.0 -> 13.0 us a call)\n"
                "loop became slower because of a callee: total-mean 246.000 us, was 90.000 us (+173.3 %)\n"
                "main became slower because of a callee: total-mean 2560.000 us, was 1000.000 us (+156.0 %)\n"
                "step became slower because of a callee: total-mean 113.000 us, was 35.000 us (+222.9 %)\n"
                "5 of 5 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    expect_text(told(&gate, usual_rows, usual_rows),
                "0 of 5 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    const struct gate total = gate_usual(MEASURED_TOTAL_MEAN);
    cr_expect_eq(strncmp(told(&total, usual_rows, slower), "crc became slower: total-mean 49.000 us", 39), 0);
}

Test(gate, a_small_cause_is_named_if_it_slows_callers)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row before[] = {{"main", 10, 1000, 600}, {"leaf", 1000, 4, 4}, {0}};
    static const struct row after[] = {{"main", 10, 1150, 600}, {"leaf", 1000, 5, 5}, {0}};
    static const struct row fewer[] = {{"main", 10, 2150, 600}, {"leaf", 1000, 5, 5}, {0}};
    expect_part(told(&gate, before, after),
                "leaf +25 % itself (4.00 -> 5.00 us a call), 1 function that calls slower ones follows\n");
    expect_part(told(&gate, before, fewer),
                "main became slower: total-mean"); /* the callee explains little of that */
    cr_expect_null(strstr(told(&gate, before, fewer), "leaf +"));
}

Test(gate, time_of_an_inlined_callee_is_no_slowdown)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row inlined[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 35}, {"other", 100, 10, 10}, {0}};
    expect_text(told(&gate, usual_rows, inlined),
                "0 of 4 functions became slower; 1 gone, 0 new, 0 not comparable\n"
                "gone: crc\n");
    static const struct row worse[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 45, 45}, {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual_rows, worse), "step became slower: total-mean 45.000 us");
    /* A callee that moved to another caller explains nothing; another one explains at most its own time. */
    static const struct row elsewhere[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 20}, {"crc", 400, 8, 8}, {0}};
    expect_part(told(&gate, usual_rows, elsewhere), "step +33 % itself (15.0 -> 20.0 us a call)\n");
    static const struct row beyond[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 60}, {"step", 200, 15, 15}, {"other", 100, 10, 10}, {0}};
    static const struct row little[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},
                                        {"step", 200, 35, 15},   {"crc", 400, 1, 1},
                                        {"other", 100, 10, 10},  {0}};
    static const struct row much[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 30}, {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual_rows, beyond), "loop +200 % itself (20.0 -> 60.0 us a call)\n");
    expect_part(told(&gate, little, much), "step +100 % itself (15.0 -> 30.0 us a call)\n");
}

Test(gate, one_interrupt_in_a_function_of_few_calls_is_no_slowdown)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    const struct way way = {.clock = 25000000}; /* 250 cycles are 10 us */
    static const struct row before[] = {{"f", 2, 34, 34}, {"g", 20, 34, 34}, {0}},
                            after[] = {{"f", 2, 38, 38}, {"g", 20, 34, 34}, {0}},
                            often[] = {{"f", 2, 34, 34}, {"g", 20, 38, 38}, {0}},
                            longer[] = {{"f", 2, 44, 44}, {"g", 20, 34, 34}, {0}};
    static const char unclear[] =
        "f took longer by no more than interrupts or rounding to ticks may add; measure more of their calls, "
        "or give --min-delta";
    expect_part(said(&gate, &report_text, before, way, after, way), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, before, way, after, way), "\nunclear: f took longer by no more");
    expect_part(said(&gate, &report_markdown, before, way, after, way),
                "\nUnclear: f took longer by no more");
    expect_part(said(&gate, &report_json, before, way, after, way), "\"unclear_names\":[\"f\"]");
    expect_part(said(&gate, &report_github, before, way, after, way), unclear);
    expect_text(said(&gate, &report_gcc, before, way, after, way), "");
    expect_part(said(&gate, &report_text, before, way, often, way), "g +12 % itself");
    cr_expect_null(strstr(said(&gate, &report_text, before, way, often, way), "unclear"));
    expect_part(said(&gate, &report_text, before, way, longer, way), "f +29 % itself");
    gate.warns_faster = true;
    expect_part(said(&gate, &report_text, after, way, before, way), "0 of 2 functions became slower");
    gate.is_usual_delta = false; /* --min-delta */
    expect_part(said(&gate, &report_text, before, way, after, way), "f +12 % itself");
}

Test(gate, one_interrupted_call_is_no_slowdown)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    const struct way way = {.clock = 25000000}; /* 10,000 cycles are 400 us */
    static const struct row before[] = {{"f", 100, 30, 30, .percentiles = {30, 30, 30, 30}}, {0}},
                            one[] = {{"f", 100, 33, 33, .percentiles = {30, 30, 30, 330}}, {0}},
                            all[] = {{"f", 100, 33, 33, .percentiles = {33, 33, 33, 33}}, {0}},
                            long_one[] = {{"f", 100, 36, 36, .percentiles = {30, 30, 30, 630}}, {0}};
    static const struct row few[] = {{"f", 4, 30, 30, .percentiles = {30, 30, 30, 30}}, {0}},
                            few_after[] = {{"f", 4, 80, 80, .percentiles = {30, 30, 230, 230}}, {0}};
    expect_part(said(&gate, &report_text, before, way, one, way), "0 of 1 functions became slower");
    expect_part(said(&gate, &report_text, before, way, one, way), "unclear: f took longer");
    expect_part(said(&gate, &report_text, before, way, all, way), "f +10 % itself");
    expect_part(said(&gate, &report_text, before, way, long_one, way), "f +20 % itself");
    expect_part(said(&gate, &report_text, few, way, few_after, way), "f +167 % itself");
    gate.is_usual_delta = false; /* --min-delta */
    expect_part(said(&gate, &report_text, before, way, one, way), "f +10 % itself");
}

Test(gate, a_slowdown_of_every_call_is_not_an_interrupt)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    const struct way way = {.clock = 25000000}; /* 250 cycles are 10 us */
    static const struct row before[] = {{"f", 4, 30, 30, .shortest = 30}, {0}},
                            each[] = {{"f", 4, 32, 32, .shortest = 32}, {0}},
                            one[] = {{"f", 4, 32, 32, .shortest = 30}, {0}},
                            two_calls[] = {{"f", 2, 30, 30, .shortest = 30}, {0}},
                            two_longer[] = {{"f", 2, 33, 33, .shortest = 33}, {0}};
    expect_part(said(&gate, &report_text, before, way, each, way), "f +6.7 % itself");
    expect_part(said(&gate, &report_text, before, way, one, way), "unclear: f took longer");
    expect_part(said(&gate, &report_text, two_calls, way, two_longer, way), "unclear: f took longer");
    /* A callee that became slower in each call proves nothing about its caller's self time. */
    static const struct row caller[] = {{"f", 4, 90, 30, .shortest = 90},
                                        {"g", 4, 60, 60, .shortest = 60},
                                        {0}},
                            callee[] = {
                                {"f", 4, 96, 32, .shortest = 94}, {"g", 4, 64, 64, .shortest = 64}, {0}};
    const char *text = said(&gate, &report_text, caller, way, callee, way);
    expect_part(text, "g +6.7 % itself");
    cr_expect_null(strstr(text, "f +"), "%s", text);
}

Test(gate, a_change_within_tick_rounding_is_unclear)
{
    struct gate gate = gate_usual(MEASURED_TIME); /* in ticks of a microsecond */
    static const struct row
        whole[] = {{"f", 1000, 10, 10, .shortest = 10, .percentiles = {10, 10, 10, 10}}, {0}},
        next[] = {{"f", 1000, 11, 11, .shortest = 11, .percentiles = {11, 11, 11, 11}}, {0}},
        between[] = {{"f", 1000, 10, 10, .shortest = 10, .percentiles = {10, 11, 11, 11}, .extra = 400}, {0}},
        above[] = {{"f", 1000, 11, 11, .shortest = 11, .percentiles = {11, 12, 12, 12}, .extra = 400}, {0}},
        two[] = {{"f", 1000, 11, 11, .extra = 100}, {0}};
    /* A call of 10 ticks may have taken 9.1 or 10.9 us; calls of 10 and 11 ticks may all have taken just under 11. */
    expect_part(told(&gate, whole, next), "unclear: f took longer");
    expect_part(told(&gate, between, next), "unclear: f took longer");
    expect_part(told(&gate, between, above), "f +9.6 % itself (10.4 -> 11.4 us a call)");
    expect_part(told(&gate, whole, two), "f +11 % itself (10.0 -> 11.1 us a call)");
    static const struct row nested[] = {{"f", 1000, 30, 10}, {"g", 1000, 20, 20}, {0}},
                            own[] = {{"f", 1000, 31, 11, .extra = 500}, {"g", 1000, 20, 20}, {0}},
                            longer[] = {{"f", 1000, 30, 11, .extra = 700}, {"g", 1000, 19, 19}, {0}},
                            shifted[] = {{"f", 1000, 30, 11, .extra = 500}, {"g", 1000, 19, 19}, {0}};
    expect_part(told(&gate, nested, own), "f +15 % itself (10.0 -> 11.5 us a call)");
    expect_part(told(&gate, nested, longer), "unclear: f took longer");
    cr_expect_null(strstr(told(&gate, nested, shifted), "unclear")); /* as in most runs */
    gate.is_usual_delta = false;                                     /* --min-delta */
    expect_part(told(&gate, whole, next), "f +10 % itself");
}

Test(gate, a_function_that_is_called_more_often_makes_its_callers_slower)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row before[] = {{"main", 10, 10000, 100},
                                        {"loop", 100, 900, 100},
                                        {"step", 200, 400, 100},
                                        {"crc", 2000, 30, 20},
                                        {"byte", 4000, 5, 5},
                                        {"other", 100, 10, 10},
                                        {0}};
    static const struct row after[] = {{"main", 10, 64000, 100},
                                       {"loop", 100, 6300, 100},
                                       {"step", 200, 3100, 100},
                                       {"crc", 20000, 30, 20},
                                       {"byte", 40000, 5, 5},
                                       {"other", 100, 10, 10},
                                       {0}};
    gate.allowed = 0;
    static const struct row many[] = {{"main", 10, 64000, 100},
                                      {"loop", 100, 6300, 100},
                                      {"step", 200, 3100, 100},
                                      {"crc", 20000, 30, 20},
                                      {"byte", 4000, 5, 5},
                                      {"other", 100, 10, 10},
                                      {0}};
    expect_part(told(&gate, before, after), "are of different work: calls of 2 of 6 functions");
    expect_text(
        told(&gate, before, many),
        "crc is called more often: calls 20000, was 2000 (+900.0 %), 3 functions that call slower ones follow\n"
        "  path: main > loop > step > crc\n"
        "loop became slower because of a callee: total-mean 6300.000 us, was 900.000 us (+600.0 %)\n"
        "main became slower because of a callee: total-mean 64000.000 us, was 10000.000 us (+540.0 %)\n"
        "step became slower because of a callee: total-mean 3100.000 us, was 400.000 us (+675.0 %)\n"
        "3 of 6 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    /* Functions outside the filter count as work. */
    gate.calls = 200;
    expect_part(
        told(&gate, before, many),
        "crc is called more often: calls 20000, was 2000 (+900.0 %), 1 function that calls slower ones "
        "follows\n");
    gate.calls = 1;
    expect_part(said(&gate, &report_json, before, (struct way){0}, many, (struct way){0}),
                "\"figure\":\"calls\",\"cause\":\"calls\",\"before\":2000.000,\"after\":20000.000");
    expect_part(said(&gate, &report_junit, before, (struct way){0}, many, (struct way){0}), "failures=\"4\"");
    expect_part(said(&gate, &report_github, before, (struct way){0}, many, (struct way){0}),
                "title=Called more often::crc is called more often");
}

Test(gate, a_function_that_is_called_less_often_is_worth_a_warning)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row fewer[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},  {"step", 200, 35, 15},
                                       {"crc", 16, 10, 10},     {"other", 100, 10, 10}, {0}};
    /* Twice the work with as many calls of crc as before; half the work with half of all calls. */
    static const struct row twice[] = {{"main", 20, 1000, 100}, {"loop", 200, 90, 20},  {"step", 400, 35, 15},
                                       {"crc", 400, 10, 10},    {"other", 200, 10, 10}, {0}};
    static const struct row half[] = {{"main", 5, 1000, 100}, {"loop", 50, 90, 20},  {"step", 100, 35, 15},
                                      {"crc", 200, 10, 10},   {"other", 50, 10, 10}, {0}};
    expect_part(told(&gate, usual_rows, fewer), "0 of 5 functions became slower");
    gate.warns_faster = true;
    expect_text(told(&gate, usual_rows, fewer),
                "crc is called less often: calls 16, was 400 (-96.0 %)\n"
                "0 of 5 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    cr_expect_null(strstr(told(&gate, usual_rows, twice), "less often"));
    cr_expect_null(strstr(told(&gate, usual_rows, half), "less often"));
}
