/* test_screen.c - the screen of `miniprofd top` for a snapshot. */
#include "top/idle.h"
#include "top/screen.h"
#include "top/terminal.h"
#include "top/top_options.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parses a snapshot. Returns NULL with an error if it is invalid. */
static struct reading *read_text(const char *text, struct error *err)
{
    struct reading *reading = reading_parse(text, strlen(text), err);
    if (reading)
        idle_find(reading);
    return reading;
}

/* Returns a snapshot of a main loop (10 ms, its self time is idle), a function `round` in it (2 ms) and a callee of
 * that. `more` adds that number of calls of `round`. */
static struct reading *reading_of(unsigned sequence, unsigned more)
{
    char text[4096];
    struct error err = {""};
    int n = snprintf(
        text, sizeof text,
        "{\"sequence\":%u,\"cleared_at\":0,\"captured_at\":\"2026-11-20T12:00:%02u.000Z\","
        "\"incomplete_because\":[\"Some\\u001b[2J is missing.\"],"
        "\"source\":{\"port\":\"/dev/"
        "ttyACM0\",\"dialect\":\"miniprof\",\"state\":\"connected\",\"detail\":\"\","
        "\"baud\":115200},\"target\":{\"fw_version\":\"demo "
        "1\",\"mode\":\"stream\",\"ticks_per_second\":1000000,"
        "\"profiling\":true,\"buffer_overflows\":0,\"buffer_usage_percent\":null},"
        "\"link\":{\"bytes_per_second\":18860.1,\"calls_per_second\":5211.8,\"line_use_percent\":null,"
        "\"crc_errors\":1,\"framing_errors\":2,\"malformed\":0,\"records_lost\":1234,"
        "\"losses_of_unknown_size\":0,\"reconnects\":0,\"target_resets\":0},"
        "\"functions\":["
        "{\"id\":0,\"kind\":\"function\",\"name\":\"main\",\"calls\":0,\"self_ticks\":8000,\"total_ticks\":"
        "10000},"
        "{\"id\":1,\"kind\":\"function\",\"name\":\"round\",\"calls\":%u,\"self_ticks\":%u,\"total_ticks\":%"
        "u,"
        "\"mean_ticks\":200,\"p99_ticks\":900,\"max_ticks\":1234},"
        "{\"id\":2,\"kind\":\"function\",\"name\":\"::evil\\u001b]0;x\\u0007 \\u00e9\",\"calls\":1000,"
        "\"self_ticks\":500,\"total_ticks\":500,\"mean_ticks\":0.5},"
        "{\"id\":3,\"kind\":\"function\",\"name\":\"never\",\"calls\":0,\"self_ticks\":0,\"total_ticks\":0}],"
        "\"call_tree\":{\"parent\":[-1,0,1,2],\"function\":[-1,0,1,2],\"context\":[0,0,0,0],"
        "\"calls\":[0,0,%u,1000],\"total_ticks\":[0,%u,%u,500],\"self_ticks\":[0,8000,%u,500]},"
        "\"contexts\":[{\"id\":0,\"name\":\"main\",\"kind\":\"thread\",\"running_ticks\":%u,\"blocked_"
        "ticks\":0,"
        "\"stack_bytes\":608}]}",
        sequence, sequence, 10 + more, 1500 + 100 * more, 2000 + 100 * more, 10 + more, 10000 + 100 * more,
        2000 + 100 * more, 1500 + 100 * more, 10000 + 100 * more);
    cr_assert(n > 0 && n < (int)sizeof text);
    struct reading *reading = read_text(text, &err);
    cr_assert_not_null(reading, "%s", err.text);
    return reading;
}

/* Returns the shown text; the caller frees it with sink_buffer_fini(). */
static struct sink_buffer shown(struct screen *screen, const struct reading *before,
                                const struct reading *now)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    cr_assert(screen_write(screen, before, now, &text.sink) && !text.sink.failed);
    return text;
}

static void expect_in(const struct sink_buffer *text, const char *piece)
{
    cr_expect(strstr(text->bytes, piece), "%s is not in:\n%s", piece, text->bytes);
}

Test(top_screen, a_plain_table_has_shares_of_the_busy_time)
{
    struct reading *now = reading_of(1, 0);
    struct screen screen = {.view = {.sort = SORT_OWN}};
    struct sink_buffer text = shown(&screen, NULL, now);
    expect_in(&text, "miniprofd top  /dev/ttyACM0, 115,200 baud: connected\n");
    expect_in(&text, "Target  demo 1, miniprof, mode stream\n");
    expect_in(&text,
              "Load    20.0 %, shares of busy time, since the profile began: 10.0 ms, sorted by own\n");
    expect_in(&text, "Link    18,860 bytes/s, 5,212 calls/s, buffer -\n");
    expect_in(&text, "damaged packets 3, lost records 1,234, overflows 0");
    expect_in(&text, "Incomplete: Some?[2J is missing.\n");
    expect_in(&text, "   20.0       608  thread  main\n");
    expect_in(&text, "  75.0  100.0      1,000     200 us     900 us    1.23 ms             10  round\n");
    expect_in(&text,
              "  25.0   25.0    100,000     500 ns          -          -          1,000  ?:evil?]0;x? é\n");
    expect_in(&text, "   0.0  100.0          0          -          -          -              0  main\n");
    cr_expect_null(strstr(text.bytes, "never"));
    cr_expect_null(strchr(text.bytes, '\033'));
    cr_expect(strstr(text.bytes, "round") < strstr(text.bytes, "evil"));
    sink_buffer_fini(&text);
    reading_free(now);
}

Test(top_screen, idle_time_is_in_the_shares_when_wanted)
{
    struct reading *now = reading_of(1, 0);
    struct screen screen = {.view = {.sort = SORT_NAME, .has_idle = true, .is_reversed = true}};
    struct sink_buffer text = shown(&screen, NULL, now);
    expect_in(&text, "Load    20.0 %, shares of all time");
    expect_in(&text, "  80.0  100.0          0          -          -          -              0  main\n");
    expect_in(&text, "  100.0       608  thread  main\n");
    cr_expect(strstr(text.bytes, "round\n") < strstr(text.bytes, "  main\n  ?:evil") ||
              strstr(text.bytes, "  round\n") < strstr(text.bytes, "evil"));
    sink_buffer_fini(&text);
    reading_free(now);
}

Test(top_screen, a_second_reading_shows_the_difference)
{
    struct reading *before = reading_of(1, 0), *now = reading_of(2, 10);
    struct screen screen = {.view = {.sort = SORT_OWN}};
    struct sink_buffer text = shown(&screen, before, now);
    expect_in(&text, "last interval: 1.00 ms");
    expect_in(&text, " 100.0  100.0     10,000     200 us     900 us    1.23 ms             20  round\n");
    cr_expect_null(strstr(text.bytes, "evil"));
    sink_buffer_fini(&text);
    /* There is no difference to a reading from before the profile was cleared, nor to a newer one. */
    now->cleared_at = 2;
    text = shown(&screen, before, now);
    expect_in(&text, "since the profile began");
    expect_in(&text, "evil");
    sink_buffer_fini(&text);
    now->cleared_at = 0;
    text = shown(&screen, now, before);
    expect_in(&text, "since the profile began");
    sink_buffer_fini(&text);
    /* There is no difference for a context whose time was unknown before. */
    before->contexts[0].running = NAN;
    text = shown(&screen, before, now);
    expect_in(&text, "since the profile began");
    sink_buffer_fini(&text);
    reading_free(before);
    reading_free(now);
}

Test(top_screen, a_terminal_gets_no_more_than_it_has_room_for)
{
    struct reading *now = reading_of(1, 0);
    for (unsigned height = 1; height < 30; height++)
        for (unsigned width = 1; width < 130; width += 7) {
            struct screen screen = {.width = width,
                                    .height = height,
                                    .is_terminal = true,
                                    .first = 1000,
                                    .message = "One\033[2J",
                                    .is_help = width % 2 && height % 2};
            struct sink_buffer text = shown(&screen, NULL, now);
            unsigned lines = 1, columns = 0;
            for (const char *at = text.bytes; *at; at++) {
                if (*at == '\033') /* only miniprofd's sequences: a style, or erasing a part of the screen */
                    cr_assert_eq(at[1], '[');
                if (*at == '\033')
                    while (*at < 'A' || *at == '[')
                        at++;
                else if (*at == '\n')
                    lines++, columns = 0;
                else if (*at != '\r' && ((unsigned char)*at & 0xC0) != 0x80)
                    cr_assert(++columns <= width, "%u x %u:\n%s", width, height, text.bytes);
            }
            cr_assert(lines <= height, "%u x %u", width, height);
            cr_expect_eq(strncmp(text.bytes, "\033[H", 3), 0);
            sink_buffer_fini(&text);
        }
    reading_free(now);
}

Test(top_screen, unknown_figures_are_a_dash)
{
    static const char little[] =
        "{\"functions\":[{\"id\":0,\"name\":\"f\",\"calls\":3,\"self_ticks\":7,"
        "\"mean_ticks\":2.5,\"p99_ticks\":1149,\"max_ticks\":29701152},"
        "{\"id\":1,\"kind\":\"outside\",\"name\":\"[outside]\",\"calls\":0,\"self_ticks\":7}]}";
    static const char sampled[] =
        "{\"functions\":[{\"id\":0,\"name\":\"f\",\"samples\":3,\"self_ticks\":null,\"calls\":null},"
        "{\"id\":1,\"name\":\"g\",\"samples\":1,\"self_ticks\":null,\"calls\":null}]}";
    struct error err;
    struct screen screen = {.view = {.sort = SORT_OWN}};
    struct reading *now = read_text(little, &err);
    struct sink_buffer text = shown(&screen, NULL, now);
    expect_in(&text, "Load    - (idle time unknown)");
    expect_in(&text, ", sorted by own, times in ticks\n");
    expect_in(&text, "Link    - bytes/s, - calls/s, buffer -\n");
    expect_in(&text, "  50.0      -          -        2.5      1,149     29.7 M              3  f\n");
    expect_in(&text, "  50.0      -          -          -          -          -              -  [outside]\n");
    sink_buffer_fini(&text);
    reading_free(now);
    now = read_text(sampled, &err);
    text = shown(&screen, NULL, now);
    expect_in(&text, "  75.0      -          -          -          -          -              -  f\n");
    sink_buffer_fini(&text);
    reading_free(now);
}

Test(top_screen, a_dialect_without_functions_is_not_waited_for)
{
    static const char *const dialects[][2] = {
        {"[\"checkpoints\",\"timeline\"]", "This dialect reports no functions"},
        {"[\"tree\",\"timeline\"]", "No function has run yet."}};
    for (int i = 0; i < 2; i++) {
        char json[200];
        struct error err;
        struct screen screen = {0};
        snprintf(json, sizeof json, "{\"functions\":[],\"source\":{\"dialect_provides\":%s}}",
                 dialects[i][0]);
        struct reading *now = read_text(json, &err);
        struct sink_buffer text = shown(&screen, NULL, now);
        expect_in(&text, dialects[i][1]);
        sink_buffer_fini(&text);
        reading_free(now);
    }
}

Test(top_screen, bad_snapshots_are_refused)
{
    static const char *const wrong[] = {"",
                                        "[]",
                                        "{}",
                                        "{\"functions\":3}",
                                        "{\"functions\":[{\"id\":1}]}",
                                        "{\"functions\":[{\"name\":\"f\"}]}",
                                        "{\"functions\":[],\"contexts\":[{\"id\":7}]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err = {""};
        cr_expect_null(read_text(wrong[i], &err), "%s", wrong[i]);
        cr_expect(*err.text);
    }
    /* With an invalid tree, idle time is unknown and the functions are shown. */
    static const char *const trees[] = {
        "{\"parent\":[-1,5],\"function\":[-1,0],\"context\":[0,0],\"calls\":[0,0],"
        "\"total_ticks\":[0,9]}",
        "{\"parent\":[-1,0],\"function\":[-1,9],\"context\":[0,0],\"calls\":[0,0],"
        "\"total_ticks\":[0,9]}",
        "{\"parent\":[-1,0],\"function\":[-1,0]}", "[]", "{\"parent\":[]}"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct error err = {""};
        char text[512];
        snprintf(text, sizeof text,
                 "{\"functions\":[{\"id\":0,\"name\":\"f\",\"self_ticks\":1}],\"call_tree\":%s}", trees[i]);
        struct reading *reading = read_text(text, &err);
        cr_assert_not_null(reading, "%s", trees[i]);
        cr_expect(reading->idle == 0 && reading->functions_n == 1);
        reading_free(reading);
    }
}

Test(top_screen, an_idle_context_is_idle_and_a_recursive_function_counts_once)
{
    static const char text[] =
        "{\"functions\":[{\"id\":0,\"kind\":\"function\",\"name\":\"idle\",\"calls\":1,\"self_ticks\":60,"
        "\"total_ticks\":60},{\"id\":1,\"kind\":\"function\",\"name\":\"f\",\"calls\":2,\"self_ticks\":60,"
        "\"total_ticks\":60}],\"call_tree\":{\"parent\":[-1,0,0,2,0],\"function\":[-1,0,1,1,1],"
        "\"context\":[0,1,0,0,1],\"calls\":[0,1,1,1,1],\"total_ticks\":[0,60,40,30,20]},"
        "\"contexts\":[{\"id\":0,\"kind\":\"thread\",\"running_ticks\":40},{\"id\":1,\"kind\":\"idle\","
        "\"running_ticks\":80}]}";
    struct error err;
    struct reading *reading = read_text(text, &err);
    cr_assert_not_null(reading, "%s", err.text);
    cr_expect(reading->all == 120 && reading->idle == 80);
    cr_expect(reading->functions[0].idle_own == 60 && reading->functions[0].idle_total == 60);
    cr_expect(reading->functions[1].idle_own == 20 && reading->functions[1].idle_total == 20);
    reading_free(reading);
}

Test(top_screen, a_function_whose_calls_nobody_counts_is_no_main_loop)
{
    static const char form[] =
        "{\"functions\":[{\"id\":0,\"kind\":\"function\",\"name\":\"memcpy\",\"calls\":%s}],"
        "\"call_tree\":{\"parent\":[-1,0],\"function\":[-1,0],\"context\":[0,0],"
        "\"calls\":[0,0],\"total_ticks\":[0,90],\"self_ticks\":[0,90]}}";
    static const char *const calls[] = {"0", "null"};
    for (int i = 0; i < 2; i++) {
        char text[sizeof form + 8];
        snprintf(text, sizeof text, form, calls[i]);
        struct error err;
        struct reading *reading = read_text(text, &err);
        cr_assert_not_null(reading, "%s", err.text);
        cr_expect_eq(reading->idle, i == 0 ? 90 : 0, "calls %s: %g", calls[i], reading->idle);
        reading_free(reading);
    }
}

Test(top_keys, characters_and_sequences_of_terminals_are_keys)
{
    static const struct {
        const char *bytes;
        size_t taken;
        int key;
    } typed[] = {{"q", 1, 'q'},
                 {"\033[A", 3, KEY_UP},
                 {"\033OB", 3, KEY_DOWN},
                 {"\033[6~q", 4, KEY_PAGE_DOWN},
                 {"\033", 1, KEY_NONE},
                 {"\033[15~q", 5, KEY_NONE},
                 {"\303\251", 1, KEY_NONE},
                 {"\033q", 1, KEY_NONE}};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        int key;
        size_t taken = terminal_key(typed[i].bytes, strlen(typed[i].bytes), &key);
        cr_expect(taken == typed[i].taken && key == typed[i].key, "%zu: %zu, %d", i, taken, key);
    }
}

static bool parses(struct top_options *options, struct error *err, const char *const *words)
{
    int n = 1;
    const char *argv[16] = {"top"};
    while (words[n - 1])
        argv[n] = words[n - 1], n++;
    return top_options_parse(options, n, (char *const *)(const void *)argv, err);
}

Test(top_options, own_options_are_read_and_others_passed_on)
{
    struct top_options options;
    struct error err;
    cr_expect(
        parses(&options, &err, (const char *const[]){"-b", "-n", "3", "-d", "0.5", "-o", "total", NULL}));
    cr_expect(options.is_batch && options.updates == 3 && options.interval_s == 0.5 &&
              options.sort == SORT_TOTAL);
    cr_expect(parses(
        &options, &err,
        (const char *const[]){"--elf", "a.elf", "--port=/dev/x", "--baud", "9600", "--delay=2", NULL}));
    cr_assert_eq(options.passed_on_n, 6);
    cr_expect_str_eq(options.passed_on[2], "--port");
    cr_expect_str_eq(options.passed_on[3], "/dev/x");
    static const char *const wrong[][5] = {{"-d", "0"},
                                           {"-d", "nan"},
                                           {"-n", "0"},
                                           {"-n", "-1"},
                                           {"-o", "colour"},
                                           {"-o"},
                                           {"--once=yes"},
                                           {"--elf", "x"},
                                           {"--at", "x", "--port", "y"},
                                           {"--port", "y", "--listen", "z"},
                                           {"--port", "y", "--no-http"},
                                           {"more"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (struct error){""};
        cr_expect_not(parses(&options, &err, wrong[i]), "%s", wrong[i][0]);
        cr_expect(*err.text);
    }
}
