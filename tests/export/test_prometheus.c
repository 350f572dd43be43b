/* test_prometheus.c - the Prometheus text format; read_prometheus.py checks it with promtool. */
#include "export/export.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(prometheus, a_large_firmware_does_not_flood_the_collector)
{
    enum { N = 3000 };
    struct snapshot_function *functions = calloc(N, sizeof *functions);
    for (uint32_t i = 0; i < N; i++)
        functions[i] = (struct snapshot_function){.name = "f",
                                                  .known = FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_EACH,
                                                  .calls = 1,
                                                  .self_ticks = i,
                                                  .total_ticks = UINT64_MAX};
    struct snapshot snapshot = {.functions = functions, .function_count = N};
    struct sink_buffer text;
    sink_buffer_init(&text);
    exporter_find("prometheus")->write(&snapshot, &text.sink);
    unsigned series = 0;
    for (const char *at = text.bytes; (at = strstr(at, "\nminiprofd_function_calls_total{")); at++)
        series++;
    cr_expect_eq(series, 501, "and one of the rest");
    cr_expect(
        strstr(text.bytes, "\nminiprofd_function_calls_total{function=\"(other)\",kind=\"other\"} 2500\n"));
    cr_expect(strstr(text.bytes, "{function=\"f\",row=\"2999\"}"), "the busiest is there");
    cr_expect_null(strstr(text.bytes, "{function=\"f\",row=\"2499\"}"));
    cr_expect(strstr(text.bytes, "\nminiprofd_functions_not_shown 2500\n"));
    cr_expect(strstr(text.bytes, "_ticks_total{function=\"f\",row=\"2999\"} 18446744073709551615\n"),
              "exact");
    sink_buffer_fini(&text);
    free(functions);
}

static char *told(const struct snapshot *snapshot, struct sink_buffer *text)
{
    sink_buffer_init(text);
    exporter_find("prometheus")->write(snapshot, &text->sink);
    return text->bytes;
}

Test(prometheus, contexts_have_running_times_if_the_target_reports_turns)
{
    struct snapshot_context contexts[] = {
        {.name = "io \"a\"", .kind = "thread", .has_times = true, .has_waits = true},
        {.name = "tick", .kind = "isr", .has_times = true, .has_waits = true}};
    contexts[0].running_ticks = 3;
    contexts[0].blocked_ticks = UINT64_MAX;
    contexts[1].preempted_ticks = 5;
    struct snapshot snapshot = {.contexts = contexts, .context_count = 2};
    struct sink_buffer text;
    const char *at = told(&snapshot, &text);
    cr_expect(strstr(
        at,
        "\nminiprofd_context_running_ticks_total{id=\"0\",context=\"io \\\"a\\\"\",kind=\"thread\"} 3\n"));
    cr_expect(strstr(
        at, "\nminiprofd_context_blocked_ticks_total{id=\"0\",context=\"io \\\"a\\\"\",kind=\"thread\"} "
            "18446744073709551615\n"));
    cr_expect(
        strstr(at, "\nminiprofd_context_preempted_ticks_total{id=\"1\",context=\"tick\",kind=\"isr\"} 5\n"));
    sink_buffer_fini(&text);
    snapshot.target.ticks_per_second = 2000;
    cr_expect(strstr(told(&snapshot, &text),
                     "\nminiprofd_context_running_seconds_total{id=\"0\",context=\"io "
                     "\\\"a\\\"\",kind=\"thread\"} 0.001500000\n"));
    sink_buffer_fini(&text);
    contexts[0].has_waits = contexts[1].has_waits = false;
    at = told(&snapshot, &text);
    cr_expect(strstr(at, "miniprofd_context_running") && !strstr(at, "preempted") && !strstr(at, "blocked"));
    sink_buffer_fini(&text);
    contexts[0].has_times = contexts[1].has_times = false;
    cr_expect_null(strstr(told(&snapshot, &text), "miniprofd_context"));
    sink_buffer_fini(&text);
}

Test(prometheus, equal_names_get_labels_that_are_stable_across_runs)
{
    enum { KNOWN = FUNCTION_CALLS };
    struct snapshot_function functions[] = {
        {.name = "init", .file = "a.c", .has_address = true, .address = 0x10, .known = KNOWN, .calls = 1},
        {.name = "alone", .file = "a.c", .has_address = true, .address = 0x20, .known = KNOWN, .calls = 2},
        {.name = "init", .file = "b.c", .has_address = true, .address = 0x30, .known = KNOWN, .calls = 3},
        {.name = "init", .has_address = true, .address = 0x40, .known = KNOWN, .calls = 4},
        {.name = "init", .file = "b.c", .has_address = true, .address = 0x50, .known = KNOWN, .calls = 5}};
    struct snapshot snapshot = {.functions = functions, .function_count = 5};
    static const char *const want[] = {"{function=\"init\",file=\"a.c\"} 1\n", "{function=\"alone\"} 2\n",
                                       "{function=\"init\",file=\"b.c\",address=\"0x30\"} 3\n",
                                       "{function=\"init\",address=\"0x40\"} 4\n",
                                       "{function=\"init\",file=\"b.c\",address=\"0x50\"} 5\n"};
    struct sink_buffer text;
    const char *at = told(&snapshot, &text);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        cr_expect(strstr(at, want[i]), "%s", want[i]);
    sink_buffer_fini(&text);
}

Test(prometheus, periods_are_exported_for_functions_with_a_limit_on_them)
{
    struct snapshot_function functions[3] = {{.name = "idle", .known = FUNCTION_PERIOD, .periods = 4},
                                             {.name = "tick",
                                              .known = FUNCTION_PERIOD,
                                              .periods = 9,
                                              .period_min_ticks = 40,
                                              .period_max_ticks = UINT64_MAX,
                                              .period_mean_ticks = 50.25,
                                              .period_jitter_ticks = 0.5},
                                             {.name = "once"}};
    const struct snapshot_bound bounds[] = {
        {.bound = {.name = "tick", .figure = BOUND_PERIOD, .value = 1e6}, .function = 1},
        {.bound = {.name = "idle", .figure = BOUND_MAX, .value = 1e6}, .function = 0},
        {.bound = {.name = "tick", .figure = BOUND_PERIOD, .value = 2e6}, .function = 1},
        {.bound = {.name = "once", .figure = BOUND_PERIOD, .value = 1e6}, .function = 2},
        {.bound = {.name = "none", .figure = BOUND_PERIOD, .value = 1e6}, .function = BOUNDS_NO_FUNCTION}};
    struct snapshot snapshot = {
        .functions = functions, .function_count = 3, .bounds = {.rows = bounds, .count = 5}};
    struct sink_buffer text;
    const char *at = told(&snapshot, &text);
    unsigned series = 0;
    for (const char *next = at; (next = strstr(next, "\nminiprofd_function_period_")); next++)
        series++;
    cr_expect_eq(series, 4, "of the one function that has such a limit and a period");
    cr_expect(strstr(at, "\n# TYPE miniprofd_function_period_mean_ticks gauge\n"));
    cr_expect(strstr(at, "\nminiprofd_function_period_max_ticks{function=\"tick\"} 18446744073709551615\n"));
    sink_buffer_fini(&text);
    snapshot.target.ticks_per_second = 1000;
    at = told(&snapshot, &text);
    cr_expect(strstr(at, "\nminiprofd_function_period_min_seconds{function=\"tick\"} 0.040000000\n"));
    cr_expect(strstr(at, "\nminiprofd_function_period_mean_seconds{function=\"tick\"} 0.05025\n"));
    cr_expect(strstr(at, "\nminiprofd_function_period_jitter_seconds{function=\"tick\"} 0.0005\n"));
    sink_buffer_fini(&text);
    snapshot.bounds.count = 0;
    cr_expect_null(strstr(told(&snapshot, &text), "function_period"));
    sink_buffer_fini(&text);
}

Test(prometheus, a_corrected_loss_does_not_reset_its_counter)
{
    struct snapshot snapshot = {.link = {.records_lost = 3, .records_lost_most = 5}};
    struct sink_buffer text;
    cr_expect(strstr(told(&snapshot, &text), "\nminiprofd_link_records_lost_total 5\n"));
    sink_buffer_fini(&text);
}

Test(prometheus, target_and_elf_match_are_exported_once_known)
{
    struct snapshot snapshot = {0};
    struct sink_buffer text;
    const char *at = told(&snapshot, &text);
    cr_expect(strstr(at, "\nminiprofd_build_info{version=\""));
    cr_expect(!strstr(at, "target_info") && !strstr(at, "elf_match"));
    sink_buffer_fini(&text);
    snapshot.target = (struct snapshot_target){
        .has_metadata = true, .has_match = true, .fw_version = "1.0 \"b\"", .elf_build_id = 0xBEEF};
    at = told(&snapshot, &text);
    cr_expect(strstr(at, "\nminiprofd_target_info{firmware=\"1.0 \\\"b\\\"\",build_id=\"0000beef\"} 1\n"));
    cr_expect(strstr(at, "\nminiprofd_target_elf_match 0\n"));
    sink_buffer_fini(&text);
    snapshot.target.elf_match = true;
    snapshot.target.elf_build_id = 0;
    at = told(&snapshot, &text);
    cr_expect(strstr(at, ",build_id=\"\"} 1\n") && strstr(at, "\nminiprofd_target_elf_match 1\n"));
    sink_buffer_fini(&text);
}
