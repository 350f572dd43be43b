/* test_prometheus.c - the Prometheus text format; read_prometheus.py has promtool read it. */
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
    cr_expect_eq(series, 500);
    cr_expect(strstr(text.bytes, "{id=\"2999\",function=\"f\"}"), "the busiest is there");
    cr_expect_null(strstr(text.bytes, "{id=\"2499\",function=\"f\"}"));
    cr_expect(strstr(text.bytes, "\nminiprofd_functions_not_shown 2500\n"));
    cr_expect(strstr(text.bytes, "_ticks_total{id=\"2999\",function=\"f\"} 18446744073709551615\n"), "exact");
    sink_buffer_fini(&text);
    free(functions);
}
