/* test_gate.c - compares two profiles: matches functions, checks that they can be compared, and writes all reports. */
#include "made_profile.h"

#include <criterion/criterion.h>
#include <string.h>

Test(gate, functions_that_the_compiler_renamed_are_the_same)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row renamed[] = {{"main", 10, 1000, 100},
                                         {"loop", 100, 90, 20},
                                         {"step.isra.0", 200, 35, 15},
                                         {"crc.constprop.0", 300, 100, 100},
                                         {"crc.constprop.1", 100, 100, 100},
                                         {"other", 100, 10, 10},
                                         {0}};
    const char *text = told(&gate, usual_rows, renamed);
    expect_part(text, "crc.constprop.0 +900 % itself (10.0 -> 100 us a call)\n");
    expect_part(text, "1 of 5 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    const char *junit = said(&gate, &report_junit, usual_rows, (struct way){0}, renamed, (struct way){0});
    expect_part(junit, "classname=\"time\" name=\"crc\">"); /* the case keeps its name */
    expect_part(junit, "<failure message=\"crc.constprop.0 +900 % itself");
    static const struct row lambdas[] = {{"f()::{lambda()#1}::operator()() const", 10, 10, 10},
                                         {"f()::{lambda()#2}::operator()() const", 10, 90, 90},
                                         {"g", 10, 5, 5},
                                         {0}};
    static const struct row inserted[] = {{"f()::{lambda()#1}::operator()() const", 10, 40, 40},
                                          {"f()::{lambda()#2}::operator()() const", 10, 10, 10},
                                          {"f()::{lambda()#3}::operator()() const", 10, 90, 90},
                                          {"g", 10, 5, 5},
                                          {0}};
    expect_text(told(&gate, lambdas, inserted),
                "0 of 1 functions became slower; 0 gone, 0 new, 3 not comparable\n");
    expect_part(told(&gate, lambdas, lambdas), "0 of 3 functions became slower");
}

static const struct row changed[] = {{"main", 10, 1000, 100},
                                     {"loop", 100, 90, 20},
                                     {"step", 200, 35, 15},
                                     {"new::a", 400, 10, 10},
                                     {"##[b]", 1, 5, 5},
                                     {"other", 100, 2, 2},
                                     {0}};

Test(gate, gone_and_new_functions_have_their_names_in_every_format)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    const struct way way = {0};
    expect_text(told(&gate, usual_rows, changed),
                "0 of 4 functions became slower; 1 gone, 2 new, 0 not comparable\n"
                "gone: crc\nnew: #?[b], new::a\n");
    expect_text(said(&gate, &report_github, usual_rows, way, changed, way),
                "::notice title=Other functions::gone: crc; new: #?[b], new::a\n");
    expect_part(said(&gate, &report_gcc, usual_rows, way, changed, way),
                "unknown:1:1: warning: gone: crc; new: #?[b], new::a\n");
    const char *json = said(&gate, &report_json, usual_rows, way, changed, way);
    expect_part(json, "\"gone_names\":[\"crc\"],\"added_names\":[\"#\\u0023[b]\",\"new::a\"]");
    const char *junit = said(&gate, &report_junit, usual_rows, way, changed, way);
    expect_part(junit, "tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"1\"");
    expect_part(junit, "name=\"crc\">\n      <skipped message=\"crc is gone");
    const char *markdown = said(&gate, &report_markdown, usual_rows, way, changed, way);
    expect_part(markdown, "\nGone: crc\n");
    expect_part(markdown, "\nNew: ");
    gate.fails_gone = true;
    expect_part(told(&gate, usual_rows, changed),
                "crc is gone: it was called 400 times before, and is not any more\n");
    expect_part(said(&gate, &report_junit, usual_rows, way, changed, way),
                "failures=\"1\" errors=\"0\" skipped=\"0\"");
    expect_part(said(&gate, &report_github, usual_rows, way, changed, way),
                "::error title=Gone::crc is gone");
    gate.fails_gone = false;
    gate.warns_gone = gate.warns_faster = true;
    expect_part(said(&gate, &report_github, usual_rows, way, changed, way),
                "::warning title=Gone::crc is gone");
    expect_part(told(&gate, usual_rows, changed),
                "other became faster: total-mean 2.000 us, was 10.000 us (-80.0 %)\n");
    expect_part(said(&gate, &report_json, usual_rows, way, changed, way), "\"warnings\":[{\"name\":\"");
}

Test(gate, runs_of_different_work_are_not_compared)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row longer[] = {{"main", 20, 1000, 100}, {"loop", 200, 90, 20},
                                        {"step", 400, 35, 15},   {"crc", 800, 10, 10},
                                        {"other", 200, 10, 10},  {0}};
    expect_part(told(&gate, usual_rows, longer), "0 of 5 functions became slower");
    static const struct row uneven[] = {{"main", 10, 1000, 100}, {"loop", 200, 90, 20},
                                        {"step", 400, 35, 15},   {"crc", 400, 10, 10},
                                        {"other", 200, 10, 10},  {0}};
    const char *text = told(&gate, usual_rows, uneven);
    expect_part(text, "are of different work: calls of 2 of 5 functions are not in proportion");
    expect_part(text, "--work FUNCTION=CALLS");
    static const struct row more[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},  {"step", 200, 35, 15},
                                      {"crc", 4000, 10, 10},   {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual_rows, more), "0 of 5 functions"); /* a changed program */
    gate.allowed = GATE_ALLOW_WORK;
    expect_part(told(&gate, usual_rows, uneven), "0 of 5 functions became slower");
    const struct gate calls = gate_usual(MEASURED_CALLS);
    expect_part(told(&calls, usual_rows, uneven), "3 of 5 functions are called more often");
}

Test(gate, other_measurement_settings_are_refused_or_converted)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row stream[] = {{"f", 100, 40, 40, 30}, {"g", 100, 60, 20, 10}, {0}};
    static const struct row tree[] = {{"f", 100, 70, 70, 30}, {"g", 100, 90, 50, 10}, {0}};
    static const struct row bare[] = {{"f", 100, 70, 70}, {"g", 100, 90, 50}, {0}};
    const struct way streams = {.mode = "stream"}, calls = {.mode = "calls"}, fast = {.clock = 2000000};
    const struct way agent = {.version = 3};
    expect_part(said(&gate, &report_text, stream, streams, tree, calls), "--mode stream");
    expect_part(said(&gate, &report_text, stream, streams, tree, agent), "by another agent");
    expect_part(said(&gate, &report_text, stream, streams, tree, fast), "--allow clock");
    gate.allowed = GATE_ALLOW_MODE | GATE_ALLOW_AGENT | GATE_ALLOW_CLOCK;
    expect_part(said(&gate, &report_text, stream, streams, tree, calls), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, stream, streams, tree, agent), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, stream, streams, bare, calls), "cannot be converted");
    /* The device measures its hooks at each start, with an error below a tick. */
    const struct way once = {.hook_ticks = 48.25}, again = {.hook_ticks = 48.3125};
    const struct way dearer = {.hook_ticks = 51}, host = {.hook_ticks = 7.12}, busy = {.hook_ticks = 8.94};
    gate.allowed = 0;
    expect_part(said(&gate, &report_text, stream, once, stream, again), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, stream, host, stream, busy), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, stream, once, stream, dearer), "(48.25 and 51.00 ticks a call)");
    gate.allowed = GATE_ALLOW_MODE | GATE_ALLOW_AGENT | GATE_ALLOW_CLOCK;
    /* 70 us at 2 MHz are as many cycles as 140 us at 1 MHz. */
    expect_part(said(&gate, &report_text, stream, streams, tree, fast), "(40.0 -> 140 us a call)");
    static const struct row half[] = {{"f", 100, 20, 20}, {"g", 100, 30, 10}, {0}};
    expect_part(said(&gate, &report_text, stream, streams, half, fast), "0 of 2 functions became slower");
}

Test(gate, changes_within_the_conversion_error_are_allowed)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    const struct way stream = {.mode = "stream"}, tree = {.mode = "tree"};
    static const struct row before[] = {
        {"f", 100, 40, 40, 30, .error = 2}, {"g", 100, 60, 20, 10, .error = 1}, {0}};
    static const struct row near[] = {
        {"f", 100, 70, 70, 35, .error = 3}, {"g", 100, 90, 50, 10, .error = 1}, {0}};
    static const struct row far[] = {
        {"f", 100, 70, 70, 45, .error = 3}, {"g", 100, 90, 50, 10, .error = 1}, {0}};
    static const struct row rough[] = {
        {"f", 100, 70, 70, 90, .error = 3, .is_rough = true}, {"g", 100, 90, 50, 10, .error = 1}, {0}};
    gate.allowed = GATE_ALLOW_MODE;
    expect_part(said(&gate, &report_text, before, stream, near, tree), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, before, stream, far, tree),
                "f +50 % itself (30.0 -> 45.0 us a call)");
    expect_part(said(&gate, &report_text, before, stream, rough, tree),
                "0 of 1 functions became slower; 0 gone, 0 new, 1 not comparable");
    /* Measured times have no error. */
    expect_part(said(&gate, &report_text, before, stream, near, stream), "f +75 % itself");
}

Test(gate, a_run_of_twice_the_work_is_no_slowdown)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row twice[] = {{"main", 20, 1000, 100}, {"loop", 200, 90, 20},  {"step", 400, 35, 15},
                                       {"crc", 800, 13, 13},    {"other", 200, 10, 10}, {0}};
    const char *text = told(&gate, usual_rows, twice);
    expect_part(text, "is of 2 times as much work as the baseline, and 1 function took longer (crc)");
    expect_part(text, "measure both with the same --work FUNCTION=CALLS");
    expect_part(told(&gate, twice, usual_rows), "0 of 5 functions became slower");
    /* A measurement ends some time after its work was done, much later on a busy machine. */
    const struct way some = {.work = 10}, more = {.work = 20};
    expect_part(said(&gate, &report_text, usual_rows, some, twice, some), "crc +30 % itself");
    expect_part(said(&gate, &report_text, usual_rows, some, twice, more), "is of 2 times as much work");
    gate.allowed = GATE_ALLOW_WORK;
    expect_part(told(&gate, usual_rows, twice), "crc +30 % itself (10.0 -> 13.0 us a call)");
}

Test(gate, functions_outside_the_filter_still_count_as_work_and_causes)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    regex_t only;
    static const struct row uneven[] = {{"main", 10, 1000, 100}, {"loop", 200, 90, 20},
                                        {"step", 400, 35, 15},   {"crc", 400, 10, 10},
                                        {"other", 200, 10, 10},  {0}};
    static const struct row slower[] = {{"main", 10, 1000, 100}, {"loop", 100, 246, 20},
                                        {"step", 200, 35, 15},   {"crc", 400, 49, 49},
                                        {"more", 1, 1, 1},       {0}};
    cr_assert_eq(regcomp(&only, "^loop$", REG_EXTENDED | REG_NOSUB), 0);
    gate.only = &only;
    expect_part(told(&gate, usual_rows, uneven), "calls of 2 of 5 functions are not in proportion");
    expect_text(told(&gate, usual_rows, slower),
                "loop became slower because of a callee: total-mean 246.000 us, was 90.000 us (+173.3 %)\n"
                "1 of 1 functions became slower; 0 gone, 0 new, 0 not comparable\n");
    cr_expect_null(
        strstr(said(&gate, &report_junit, usual_rows, (struct way){0}, slower, (struct way){0}), "crc"));
    gate.only = NULL;
    gate.calls = 200;
    expect_part(told(&gate, usual_rows, uneven), "are of different work");
    regfree(&only);
}

Test(gate, limits_use_the_figures_before_conversion)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    struct error err;
    static const struct row before[] = {{"f", 100, 40, 40, 30}, {0}}, after[] = {{"f", 100, 40, 40, 30}, {0}};
    const struct way fast = {.clock = 2000000}, usual_way = {0}, agent = {.version = 3};
    gate.allowed = GATE_ALLOW_AGENT | GATE_ALLOW_CLOCK;
    cr_assert(bound_parse("f:mean<39us", &gate.limits[gate.limits_n++], &err));
    expect_part(said(&gate, &report_text, before, fast, after, usual_way), "f:mean<39us: it was 40us");
    expect_part(said(&gate, &report_text, before, usual_way, after, agent), "f:mean<39us: it was 40us");
    cr_assert(bound_parse("f:mean<41us", &gate.limits[0], &err));
    expect_part(said(&gate, &report_text, before, usual_way, after, fast), "0 of 1 limits broken");
}

Test(gate, a_damaged_file_is_refused_or_compared)
{
    static const char bytes[] = "{}[]\",:-0e9n\xff";
    const struct gate gate = gate_usual(MEASURED_TIME);
    struct measured sound = made_profile(usual_rows, (struct way){0});
    struct sink_buffer out = made_json(usual_rows, (struct way){0}), report;
    uint64_t random = 5;
    for (int round = 0; round < 2000; round++) {
        struct measured damaged;
        struct gate_result result;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        char *at = &out.bytes[(random >> 33) % out.n], was = *at;
        *at = bytes[(random >> 20) % (sizeof bytes - 1)];
        bool is_read = measured_parse(&damaged, "damaged", out.bytes, out.n, NULL);
        *at = was;
        if (!is_read)
            continue;
        const struct gate_sides sides = {.before = round % 2 ? &sound : &damaged,
                                         .after = round % 2 ? &damaged : &sound};
        if (gate_hold(&gate, &sides, &result, NULL)) {
            sink_buffer_init(&report);
            report_text.write(&gate, &result, &report.sink);
            sink_buffer_fini(&report);
            gate_result_fini(&result);
        }
        measured_fini(&damaged);
    }
    measured_fini(&sound);
    sink_buffer_fini(&out);
}

Test(gate, by_spread_allows_the_error_of_a_mean)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row before[] = {{"f", 100, 100, 100, 0, 40}, {0}},
                            after[] = {{"f", 100, 112, 112, 0, 40}, {0}};
    static const struct row far[] = {{"f", 100, 130, 130, 0, 40}, {0}};
    expect_part(told(&gate, before, after), "f +12 % itself (100 -> 112 us a call)");
    gate.by_spread = true; /* three errors of a mean are 17 us here */
    expect_part(told(&gate, before, after), "0 of 1 functions became slower");
    expect_part(told(&gate, before, far), "f +30 % itself");
}

Test(gate, by_spread_allows_the_error_of_percentiles)
{
    struct gate gate = gate_usual(MEASURED_P99);
    static const struct row before[] = {{"f", 200, 100, 100, .percentiles = {90, 120, 200, 260}}, {0}},
                            after[] = {{"f", 200, 100, 100, .percentiles = {90, 120, 240, 260}}, {0}},
                            far[] = {{"f", 200, 100, 100, .percentiles = {90, 120, 600, 700}}, {0}};
    static const struct row many[] = {{"f", 2000000, 100, 100, .percentiles = {90, 120, 200, 9000}}, {0}},
                            many_after[] = {{"f", 2000000, 100, 100, .percentiles = {90, 120, 240, 9000}},
                                            {0}};
    static const struct row untold[] = {{"f", 200, 100, 100, .percentiles = {90, 120, 200, 260}}, {0}};
    expect_part(told(&gate, before, after), "f became slower: p99 240.000 us, was 200.000 us (+20.0 %)");
    gate.by_spread = true;
    expect_part(told(&gate, before, after), "0 of 1 functions became slower");
    expect_part(told(&gate, before, untold), "0 of 1 functions became slower");
    expect_part(told(&gate, before, far), "f became slower: p99 600.000 us");
    /* One outlier in two million calls does not affect p99. */
    expect_part(told(&gate, many, many_after), "f became slower: p99 240.000 us");
}

Test(gate, by_spread_covers_the_median_of_few_calls)
{
    struct gate gate = gate_usual(MEASURED_P50);
    static const struct row before[] = {{"f", 20, 100, 100, .percentiles = {100, 200, 300, 300}}, {0}},
                            after[] = {{"f", 20, 100, 100, .percentiles = {130, 200, 300, 300}}, {0}};
    static const struct row one[] = {{"f", 1, 100, 100, .percentiles = {100, 100, 100, 100}}, {0}},
                            other[] = {{"f", 1, 130, 130, .percentiles = {130, 130, 130, 130}}, {0}};
    gate.by_spread = true;
    expect_part(told(&gate, before, after), "0 of 1 functions became slower");
    expect_part(told(&gate, one, other), "f became slower: p50 130.000 us"); /* its spread is unknown */
}
