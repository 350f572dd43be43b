/* test_gate.c - two profiles are compared: what became slower is named, the cause first. */
#include "base/json.h"
#include "check/convert.h"
#include "check/report.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = 24 };

/* A row of a profile, in ticks of a microsecond. Names of NULL end a profile. */
struct row {
    const char *name;
    uint64_t calls, total, self; /* a call each */
    uint64_t corrected;
    double deviation;
    uint64_t percentiles[4]; /* p50, p90, p99, max; zeros: not told */
};

/* How a profile was measured; zeros: as usual. */
struct way {
    const char *mode;
    uint64_t clock, version;
    double hook_ticks;
};

/* The JSON of a profile; the caller ends with sink_buffer_fini(). */
static struct sink_buffer written(const struct row *rows, struct way way)
{
    struct sink_buffer out;
    sink_buffer_init(&out);
    struct json json = {.sink = &out.sink};
    json_object_open(&json, NULL);
    json_text(&json, "schema", "miniprofd.snapshot");
    json_u64(&json, "schema_version", 1);
    json_bool(&json, "complete", true);
    sink_printf(&out.sink,
                ",\"link\":{\"records\":1,\"records_lost\":0,\"losses_of_unknown_size\":0},\"target\":{"
                "\"elf_match\":null,\"ticks_per_second\":1000000,\"mode\":\"%s\",\"mcu_clock_hz\":%llu,"
                "\"description\":{\"versions\":[%llu],\"hook_ticks\":%.4f}}",
                way.mode ? way.mode : "stream", (unsigned long long)(way.clock ? way.clock : 1000000),
                (unsigned long long)(way.version ? way.version : 2),
                way.hook_ticks > 0 ? way.hook_ticks : 1.5);
    json_array_open(&json, "functions");
    for (const struct row *row = rows; row->name; row++) {
        json_object_open(&json, NULL);
        json_text(&json, "name", row->name);
        json_text(&json, "kind", "function");
        json_text(&json, "file", "app.c");
        json_u64(&json, "calls", row->calls);
        json_u64(&json, "total_ticks", row->total * row->calls);
        json_u64(&json, "self_ticks", row->self * row->calls);
        if (row->corrected)
            json_u64(&json, "corrected_self_ticks", row->corrected * row->calls);
        if (row->corrected)
            json_u64(&json, "corrected_total_ticks", row->corrected * row->calls);
        if (row->deviation > 0)
            json_double(&json, "stddev_ticks", row->deviation, 3);
        static const char *const keys[] = {"p50_ticks", "p90_ticks", "p99_ticks", "max_ticks"};
        for (size_t i = 0; row->percentiles[0] && i < sizeof keys / sizeof *keys; i++)
            json_u64(&json, keys[i], row->percentiles[i]);
        json_object_close(&json);
    }
    json_array_close(&json);
    /* Each row is called by the one before, but "other" by the first. */
    sink_text(&out.sink, ",\"call_tree\":{\"parent\":[-1");
    size_t n = 0;
    for (; rows[n].name; n++)
        sink_printf(&out.sink, ",%zu", !strcmp(rows[n].name, "other") ? 1 : n);
    sink_text(&out.sink, "],\"function\":[-1");
    for (size_t i = 0; i < n; i++)
        sink_printf(&out.sink, ",%zu", i);
    sink_text(&out.sink, "],\"calls\":[0");
    for (size_t i = 0; i < n; i++)
        sink_printf(&out.sink, ",%llu", (unsigned long long)rows[i].calls);
    sink_text(&out.sink, "],\"self_ticks\":[0");
    for (size_t i = 0; i < n; i++)
        sink_printf(&out.sink, ",%llu", (unsigned long long)(rows[i].self * rows[i].calls));
    sink_text(&out.sink, "]}}");
    return out;
}

static struct measured profile(const struct row *rows, struct way way)
{
    struct measured measured;
    struct error err;
    struct sink_buffer out = written(rows, way);
    cr_assert(measured_parse(&measured, "made", out.bytes, out.n, &err), "%s", err.text);
    sink_buffer_fini(&out);
    return measured;
}

/* What a report says; or where there is none the sentence. Good until the next one. */
static const char *said(const struct gate *gate, const struct report *form, const struct row *before,
                        struct way before_way, const struct row *after, struct way after_way)
{
    static char text[8192];
    struct measured sides[] = {profile(before, before_way), profile(after, after_way)};
    struct measured *const both[] = {&sides[0], &sides[1]};
    struct gate_result result;
    struct error err = {""};
    const struct gate_sides held = {.before = &sides[0], .after = &sides[1]};
    if (convert(gate, both, 2, &err) && gate_hold(gate, &held, &result, &err)) {
        struct sink_buffer out;
        sink_buffer_init(&out);
        form->write(gate, &result, &out.sink);
        snprintf(text, sizeof text, "%s", out.n ? out.bytes : "");
        sink_buffer_fini(&out);
        gate_result_fini(&result);
    } else {
        snprintf(text, sizeof text, "%s", err.text);
    }
    measured_fini(&sides[0]);
    measured_fini(&sides[1]);
    return text;
}

static const char *told(const struct gate *gate, const struct row *before, const struct row *after)
{
    return said(gate, &report_text, before, (struct way){0}, after, (struct way){0});
}

static void expect_text(const char *text, const char *expected)
{
    cr_expect_str_eq(text, expected);
}

static void expect_part(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "%s lacks %s", text, part);
}

static const struct row usual[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},  {"step", 200, 35, 15},
                                   {"crc", 400, 10, 10},    {"other", 100, 10, 10}, {0}};

Test(gate, the_cause_comes_first_then_what_it_costs)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row slower[] = {{"main", 10, 2560, 100}, {"loop", 100, 246, 20},
                                        {"step", 200, 113, 15},  {"crc", 400, 49, 49},
                                        {"other", 100, 13, 13},  {0}};
    expect_text(told(&gate, usual, slower),
                "crc +390 % itself (10.0 -> 49.0 us a call), 3 functions that call slower ones follow\n"
                "  path: main > loop > step > crc\n"
                "other +30 % itself (10.0 -> 13.0 us a call)\n"
                "loop became slower because of a callee: total-mean 246.000 us, was 90.000 us (+173.3 %)\n"
                "main became slower because of a callee: total-mean 2560.000 us, was 1000.000 us (+156.0 %)\n"
                "step became slower because of a callee: total-mean 113.000 us, was 35.000 us (+222.9 %)\n"
                "5 of 5 functions became slower; 0 are gone, 0 are new, 0 cannot be compared\n");
    expect_text(told(&gate, usual, usual),
                "0 of 5 functions became slower; 0 are gone, 0 are new, 0 cannot be compared\n");
    const struct gate total = gate_usual(MEASURED_TOTAL_MEAN);
    cr_expect_eq(strncmp(told(&total, usual, slower), "crc became slower: total-mean 49.000 us", 39), 0);
}

Test(gate, what_is_little_in_one_call_is_named_where_callers_are_slower)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row before[] = {{"main", 10, 1000, 600}, {"leaf", 1000, 4, 4}, {0}};
    static const struct row after[] = {{"main", 10, 1150, 600}, {"leaf", 1000, 5, 5}, {0}};
    static const struct row fewer[] = {{"main", 10, 2150, 600}, {"leaf", 1000, 5, 5}, {0}};
    expect_part(told(&gate, before, after),
                "leaf +25 % itself (4.00 -> 5.00 us a call), 1 function that calls slower ones follows\n");
    expect_part(told(&gate, before, fewer),
                "main became slower: total-mean"); /* it explains little of that */
    cr_expect_null(strstr(told(&gate, before, fewer), "leaf"));
}

Test(gate, what_a_function_took_over_from_an_inlined_callee_is_no_longer_call)
{
    const struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row inlined[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 35}, {"other", 100, 10, 10}, {0}};
    expect_text(told(&gate, usual, inlined),
                "0 of 4 functions became slower; 1 are gone, 0 are new, 0 cannot be compared\n"
                "gone: crc\n");
    static const struct row worse[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 45, 45}, {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual, worse), "step became slower: total-mean 45.000 us");
    /* What is gone elsewhere excuses nothing, nor does a callee for more than it took. */
    static const struct row elsewhere[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 20}, {"crc", 400, 8, 8}, {0}};
    expect_part(told(&gate, usual, elsewhere), "step +33 % itself (15.0 -> 20.0 us a call)\n");
    static const struct row beyond[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 60}, {"step", 200, 15, 15}, {"other", 100, 10, 10}, {0}};
    static const struct row little[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},
                                        {"step", 200, 35, 15},   {"crc", 400, 1, 1},
                                        {"other", 100, 10, 10},  {0}};
    static const struct row much[] = {
        {"main", 10, 1000, 100}, {"loop", 100, 90, 20}, {"step", 200, 35, 30}, {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual, beyond), "loop +200 % itself (20.0 -> 60.0 us a call)\n");
    expect_part(told(&gate, little, much), "step +100 % itself (15.0 -> 30.0 us a call)\n");
}

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
    const char *text = told(&gate, usual, renamed);
    expect_part(text, "crc.constprop.0 +900 % itself (10.0 -> 100 us a call)\n");
    expect_part(text, "1 of 5 functions became slower; 0 are gone, 0 are new, 0 cannot be compared\n");
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
                "0 of 1 functions became slower; 0 are gone, 0 are new, 3 cannot be compared\n");
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
    expect_text(told(&gate, usual, changed),
                "0 of 4 functions became slower; 1 are gone, 2 are new, 0 cannot be compared\n"
                "gone: crc\nnew: #?[b], new::a\n");
    expect_text(said(&gate, &report_github, usual, way, changed, way),
                "::notice title=Other functions::gone: crc; new: #?[b], new::a\n");
    expect_part(said(&gate, &report_gcc, usual, way, changed, way),
                "unknown:1:1: warning: gone: crc; new: #?[b], new::a\n");
    const char *json = said(&gate, &report_json, usual, way, changed, way);
    expect_part(json, "\"gone_names\":[\"crc\"],\"added_names\":[\"#\\u0023[b]\",\"new::a\"]");
    const char *junit = said(&gate, &report_junit, usual, way, changed, way);
    expect_part(junit, "tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"1\"");
    expect_part(junit, "name=\"crc\">\n      <skipped message=\"crc is gone");
    const char *markdown = said(&gate, &report_markdown, usual, way, changed, way);
    expect_part(markdown, "\nGone: crc\n");
    expect_part(markdown, "\nNew: ");
    gate.fails_gone = true;
    expect_part(told(&gate, usual, changed),
                "crc is gone: it was called 400 times before, and is not any more\n");
    expect_part(said(&gate, &report_junit, usual, way, changed, way),
                "failures=\"1\" errors=\"0\" skipped=\"0\"");
    expect_part(said(&gate, &report_github, usual, way, changed, way), "::error title=Gone::crc is gone");
    gate.fails_gone = false;
    gate.warns_gone = gate.warns_faster = true;
    expect_part(said(&gate, &report_github, usual, way, changed, way), "::warning title=Gone::crc is gone");
    expect_part(told(&gate, usual, changed),
                "other became faster: total-mean 2.000 us, was 10.000 us (-80.0 %)\n");
    expect_part(said(&gate, &report_json, usual, way, changed, way), "\"warnings\":[{\"name\":\"");
}

Test(gate, runs_of_different_work_are_not_compared)
{
    struct gate gate = gate_usual(MEASURED_TIME);
    static const struct row longer[] = {{"main", 20, 1000, 100}, {"loop", 200, 90, 20},
                                        {"step", 400, 35, 15},   {"crc", 800, 10, 10},
                                        {"other", 200, 10, 10},  {0}};
    expect_part(told(&gate, usual, longer), "0 of 5 functions became slower");
    static const struct row uneven[] = {{"main", 10, 1000, 100}, {"loop", 200, 90, 20},
                                        {"step", 400, 35, 15},   {"crc", 400, 10, 10},
                                        {"other", 200, 10, 10},  {0}};
    const char *text = told(&gate, usual, uneven);
    expect_part(text, "are of different work: calls of 2 of 5 functions are not in proportion");
    expect_part(text, "--work FUNCTION=CALLS");
    static const struct row more[] = {{"main", 10, 1000, 100}, {"loop", 100, 90, 20},  {"step", 200, 35, 15},
                                      {"crc", 4000, 10, 10},   {"other", 100, 10, 10}, {0}};
    expect_part(told(&gate, usual, more), "0 of 5 functions"); /* a changed program */
    gate.allowed = GATE_ALLOW_WORK;
    expect_part(told(&gate, usual, uneven), "0 of 5 functions became slower");
    const struct gate calls = gate_usual(MEASURED_CALLS);
    expect_part(told(&calls, usual, uneven), "3 of 5 functions are called more often");
}

Test(gate, other_ways_of_measuring_are_refused_or_converted)
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
    /* The device times its hooks at each start, and not to the tick. */
    const struct way once = {.hook_ticks = 48.25}, again = {.hook_ticks = 48.3125};
    const struct way dearer = {.hook_ticks = 51};
    gate.allowed = 0;
    expect_part(said(&gate, &report_text, stream, once, stream, again), "0 of 2 functions became slower");
    expect_part(said(&gate, &report_text, stream, once, stream, dearer), "(48.25 and 51.00 ticks a call)");
    gate.allowed = GATE_ALLOW_MODE | GATE_ALLOW_AGENT | GATE_ALLOW_CLOCK;
    /* 70 us at 2 MHz are the cycles of 140 us at 1 MHz. */
    expect_part(said(&gate, &report_text, stream, streams, tree, fast), "(40.0 -> 140 us a call)");
    static const struct row half[] = {{"f", 100, 20, 20}, {"g", 100, 30, 10}, {0}};
    expect_part(said(&gate, &report_text, stream, streams, half, fast), "0 of 2 functions became slower");
}

Test(gate, what_is_not_chosen_still_tells_of_work_and_causes)
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
    expect_part(told(&gate, usual, uneven), "calls of 2 of 5 functions are not in proportion");
    expect_text(told(&gate, usual, slower),
                "loop became slower because of a callee: total-mean 246.000 us, was 90.000 us (+173.3 %)\n"
                "1 of 1 functions became slower; 0 are gone, 0 are new, 0 cannot be compared\n");
    cr_expect_null(
        strstr(said(&gate, &report_junit, usual, (struct way){0}, slower, (struct way){0}), "crc"));
    gate.only = NULL;
    gate.calls = 200;
    expect_part(told(&gate, usual, uneven), "are of different work");
    regfree(&only);
}

Test(gate, limits_are_judged_by_what_was_read_whatever_is_converted)
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
    expect_part(said(&gate, &report_text, before, usual_way, after, fast), "0 of 1 limits are broken");
}

Test(gate, a_damaged_file_is_refused_or_compared)
{
    static const char bytes[] = "{}[]\",:-0e9n\xff";
    const struct gate gate = gate_usual(MEASURED_TIME);
    struct measured sound = profile(usual, (struct way){0});
    struct sink_buffer out = written(usual, (struct way){0}), report;
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

Test(gate, what_single_calls_differ_by_explains_a_part_of_a_mean)
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

Test(gate, spread_lets_through_what_percentiles_of_few_calls_differ_by)
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
    /* One outlier in two millions says nothing of their p99. */
    expect_part(told(&gate, many, many_after), "f became slower: p99 240.000 us");
}

Test(gate, spread_knows_the_middle_of_few_calls_too)
{
    struct gate gate = gate_usual(MEASURED_P50);
    static const struct row before[] = {{"f", 20, 100, 100, .percentiles = {100, 200, 300, 300}}, {0}},
                            after[] = {{"f", 20, 100, 100, .percentiles = {130, 200, 300, 300}}, {0}};
    static const struct row one[] = {{"f", 1, 100, 100, .percentiles = {100, 100, 100, 100}}, {0}},
                            other[] = {{"f", 1, 130, 130, .percentiles = {130, 130, 130, 130}}, {0}};
    gate.by_spread = true;
    expect_part(told(&gate, before, after), "0 of 1 functions became slower");
    expect_part(told(&gate, one, other), "f became slower: p50 130.000 us"); /* nothing tells its spread */
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
        "f took longer by no more than interrupts may add; measure more of their calls, or give --min-delta";
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

Test(gate, one_call_that_interrupts_came_upon_is_no_slowdown)
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
