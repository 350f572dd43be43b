/* test_markdown.c - the content of the Markdown summary, and the escaping of names in it. */
#include "export/export.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { KNOWN = FUNCTION_CALLS | FUNCTION_TIMES | FUNCTION_SELF | FUNCTION_EACH };

static struct sink_buffer text;

static const char *told(const struct snapshot *snapshot)
{
    sink_buffer_init(&text);
    exporter_find("markdown")->write(snapshot, &text.sink);
    cr_assert_not(text.sink.failed);
    return text.bytes;
}

static void done(void)
{
    sink_buffer_fini(&text);
}

TestSuite(markdown, .fini = done);

/* A caller that calls once, 25 ms of 100 of its own, and a callee that is called three times. */
Test(markdown, functions_are_listed_by_self_time_with_their_callers)
{
    struct snapshot_function functions[] = {{.name = "control",
                                             .file = "src/control.c",
                                             .line = 12,
                                             .known = KNOWN,
                                             .calls = 1,
                                             .self_ticks = 25,
                                             .total_ticks = 100,
                                             .sum_ticks = 100,
                                             .max_ticks = 100,
                                             .p99_ticks = 100},
                                            {.name = "adc_read",
                                             .has_address = true,
                                             .address = 0x80,
                                             .known = KNOWN,
                                             .calls = 3,
                                             .self_ticks = 75,
                                             .total_ticks = 75,
                                             .sum_ticks = 75,
                                             .max_ticks = 30,
                                             .p99_ticks = 29}};
    struct snapshot_node nodes[] = {{.parent = -1, .function = -1},
                                    {.parent = 0, .function = 0, .calls = 1, .total_ticks = 100},
                                    {.parent = 1, .function = 1, .calls = 3, .total_ticks = 75}};
    struct snapshot snapshot = {.functions = functions,
                                .function_count = 2,
                                .nodes = nodes,
                                .node_count = 3,
                                .target.ticks_per_second = 1000};
    const char *at = told(&snapshot);
    const char *callee = strstr(at, "| adc_read | 75.0 % | 75ms | 75ms | 3 | 25ms | 29ms | 30ms | 0x80 |\n");
    const char *caller =
        strstr(at, "| control | 25.0 % | 25ms | 100ms | 1 | 100ms | 100ms | 100ms | src/control.c\\:12 |\n");
    cr_expect(callee && caller && callee < caller, "%s", at);
    cr_expect(strstr(at, "| adc_read | control 3 × |  |\n"), "%s", at);
    cr_expect(strstr(at, "| control |  | adc_read 3 × |\n"), "%s", at);
    cr_expect(strstr(at, "Nothing came."), "%s", at);
}

Test(markdown, without_a_clock_times_are_ticks)
{
    struct snapshot_function function = {
        .name = "f", .known = KNOWN, .calls = 1, .self_ticks = 7, .total_ticks = 9};
    struct snapshot snapshot = {.functions = &function, .function_count = 1};
    cr_expect(strstr(told(&snapshot), "| f | 100.0 % | 7 ticks | 9 ticks | 1 |"), "%s", text.bytes);
}

/* Any name is one cell of one row, and neither HTML nor a link. */
Test(markdown, names_are_escaped)
{
    static const struct {
        const char *name, *shown;
    } names[] = {{"a|b", "a\\|b"},
                 {"<script>", "\\<script\\>"},
                 {"[x](http://h)", "\\[x\\](http\\://h)"},
                 {"`c` *d* ~e~", "\\`c\\` \\*d\\* \\~e\\~"},
                 {"www.h.org me@h", "www\\.h.org me\\@h"},
                 {"two\nlines\ttab", "two lines tab"},
                 {"&lt;", "\\&lt;"},
                 {"__init__ my_name", "\\_\\_init\\_\\_ my_name"},
                 {"\\", "\\\\"},
                 {"größe", "größe"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct snapshot_function function = {
            .name = names[i].name, .known = KNOWN, .calls = 1, .self_ticks = 1};
        struct snapshot snapshot = {.functions = &function, .function_count = 1};
        char row[80];
        snprintf(row, sizeof row, "\n| %s | 100.0 %% |", names[i].shown);
        cr_expect(strstr(told(&snapshot), row), "%s: %s", names[i].name, text.bytes);
        sink_buffer_fini(&text);
    }
    sink_buffer_init(&text);
}

/* Cut where a character ends. */
Test(markdown, a_long_name_is_cut)
{
    char name[1000] = "x";
    for (int i = 0; i < 400; i++)
        strcat(name, "é");
    struct snapshot_function function = {.name = name, .known = KNOWN, .calls = 1};
    struct snapshot snapshot = {.functions = &function, .function_count = 1};
    const char *at = strstr(told(&snapshot), "\n| xé"), *end = strstr(at, "é… |");
    cr_assert(end && end - at > 100 && end - at < 130, "%s", text.bytes);
}

Test(markdown, a_long_report_is_cut_and_counts_the_rest)
{
    enum { N = 3000 };
    static struct snapshot_function functions[N];
    for (uint32_t i = 0; i < N; i++)
        functions[i] = (struct snapshot_function){.name = "f", .known = KNOWN, .calls = 1, .self_ticks = i};
    struct snapshot snapshot = {.functions = functions, .function_count = N};
    size_t lines = 0;
    for (const char *at = told(&snapshot); (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_leq(lines, 100);
    cr_expect(strstr(text.bytes, "\n2980 more have less time of their own.\n"));
}

Test(markdown, limits_and_losses_are_listed)
{
    struct error err;
    struct snapshot_bound bound = {.state = BOUND_BROKEN, .breaches = 2, .worst.value = 700000};
    cr_assert(bound_parse("control:max<500us", &bound.bound, &err), "%s", err.text);
    struct snapshot snapshot = {.bounds = {.rows = &bound, .count = 1},
                                .link = {.bytes = 9, .crc_errors = 3},
                                .ledger.booked[ACCOUNT_RECORDS_LOST] = 5};
    const char *at = told(&snapshot);
    cr_expect(strstr(at, "| control\\:max\\<500us | broken | 2 | 700us |\n"), "%s", at);
    cr_expect(strstr(at, "**It is incomplete:**\n\n* 5 records of calls were lost.\n"), "%s", at);
    cr_expect(strstr(at, ": 3\n"), "%s", at);
}

Test(markdown, samples_have_shares_where_nothing_else_is_known)
{
    struct snapshot_function functions[] = {
        {.name = "rare", .samples = 1, .calls = 7, .known = FUNCTION_CALLS}, {.name = "often", .samples = 3}};
    struct snapshot snapshot = {.functions = functions, .function_count = 2};
    cr_expect(strstr(told(&snapshot), "| often | 75.0 % | 3 | – |  |\n| rare | 25.0 % | 1 | 7 |  |\n"), "%s",
              text.bytes);
}

Test(markdown, what_is_no_function_has_no_calls)
{
    struct snapshot_function outside = {.name = "[outside]",
                                        .kind = KIND_OUTSIDE,
                                        .self_ticks = 5,
                                        .total_ticks = 5,
                                        .known = FUNCTION_TIMES};
    struct snapshot snapshot = {.functions = &outside, .function_count = 1};
    cr_expect(strstr(told(&snapshot), "| 100.0 % | 5 ticks | 5 ticks | – | – | – | – |  |\n"), "%s",
              text.bytes);
}

Test(markdown, a_target_that_only_sends_messages_is_not_waited_for)
{
    const struct snapshot_message *messages[2] = {0};
    struct snapshot snapshot = {
        .messages = messages, .message_count = 2, .messages_dropped = 5, .source.provides = PROVIDES_TREE};
    cr_expect_null(strstr(told(&snapshot), "## Functions"));
    cr_expect(strstr(text.bytes, "* Messages: 7\n"), "%s", text.bytes);
}

Test(markdown, checkpoints_take_the_place_of_functions)
{
    const struct snapshot_checkpoint rows[] = {
        {.has_pair = true,
         .context = "secure",
         .from = 1,
         .to = 2,
         .to_name = "do|ne",
         .count = 9,
         .min_ticks = 3,
         .mean_ticks = 4.6,
         .max_ticks = 8},
        {.has_pair = true, .context = "1", .from = 2, .to = 3, .name = "never"},
        {.context = "secure", .name = "average", .mean_ticks = 12}};
    struct snapshot snapshot = {
        .checkpoints = rows, .checkpoint_count = 3, .source.provides = PROVIDES_MARKS};
    cr_expect_null(strstr(told(&snapshot), "## Functions"));
    cr_expect(strstr(text.bytes, "| 1 → do\\|ne | secure | 9 | 3 ticks | 5 ticks | 8 ticks |\n"
                                 "| never | 1 | 0 | – | – | – |\n"
                                 "| average | secure | – | – | 12 ticks | – |\n"),
              "%s", text.bytes);
    snapshot.source.provides |= PROVIDES_TREE;
    done();
    cr_expect(strstr(told(&snapshot), "## Functions\n\nNone has returned yet.\n"), "%s", text.bytes);
}
