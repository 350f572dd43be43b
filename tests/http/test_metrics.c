/* test_metrics.c - the text that Prometheus reads. */
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(metrics, .init = open_site, .fini = close_site);

/* Names begin with "miniprofd_", or are the usual ones of processes. */
static bool is_name(const char *line)
{
    return strncmp(line, "miniprofd_", 10) == 0 || strncmp(line, "process_", 8) == 0;
}

/* name{label="value",...} number, or a comment. */
static bool is_metrics_line(const char *line)
{
    if (strncmp(line, "# HELP ", 7) == 0 || strncmp(line, "# TYPE ", 7) == 0)
        return is_name(line + 7);
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == 0 || !is_name(line))
        return false;
    line += name;
    if (*line == '{') {
        do {
            line++;
            line += strspn(line, "abcdefghijklmnopqrstuvwxyz_");
            if (*line++ != '=' || *line++ != '"')
                return false;
            for (; *line && *line != '"'; line++)
                if (*line == '\\' && !strchr("\\\"n", *++line))
                    return false;
            if (*line++ != '"')
                return false;
        } while (*line == ',');
        if (*line++ != '}')
            return false;
    }
    char *end;
    if (*line++ != ' ')
        return false;
    strtod(line, &end);
    return end > line && *end == '\0';
}

Test(metrics, metrics_are_in_the_text_format)
{
    struct test_random random = test_random_start("metrics");
    strcpy(fixture.source.port, "unix:/odd\"name\\with\nall");
    fixture.target.has_status = true;
    fixture.target.ticks_per_second = 1000000;
    fixture_feed(&fixture, &random, 300);
    struct response response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    cr_expect_eq(response.status, 200);
    unsigned series = 0;
    for (char *line = response.body.bytes, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        cr_assert(end, "the last line ends, too");
        *end = '\0';
        cr_expect(is_metrics_line(line), "%s", line);
        series += line[0] != '#';
    }
    cr_expect(series > 30);
    response_fini(&response);
}

static double value_of(const char *text, const char *name)
{
    char line[80];
    snprintf(line, sizeof line, "\n%s ", name);
    const char *at = strstr(text, line);
    cr_assert(at, "%s is missing", name);
    return strtod(at + strlen(line), NULL);
}

/* The names are those that dashboards of every program know. */
Test(metrics, the_daemon_reports_its_own_cost)
{
    struct response response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    const char *text = response.body.bytes;
    cr_expect_geq(value_of(text, "process_cpu_seconds_total"), 0);
    cr_expect_gt(value_of(text, "process_resident_memory_bytes"), 100000);
    cr_expect_gt(value_of(text, "process_virtual_memory_bytes"),
                 value_of(text, "process_resident_memory_bytes"));
    cr_expect_geq(value_of(text, "process_threads"), 1);
    cr_expect_geq(value_of(text, "process_max_fds"), value_of(text, "process_open_fds"));
    double age_s = (double)time(NULL) - value_of(text, "process_start_time_seconds");
    cr_expect(age_s > -5 && age_s < 3600, "%f seconds", age_s);
    double before = value_of(text, "process_open_fds");
    response_fini(&response);
    int pipes[2];
    cr_assert_eq(pipe(pipes), 0);
    response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    cr_expect_float_eq(value_of(response.body.bytes, "process_open_fds"), before + 2, 0.1, "two more");
    response_fini(&response);
    close(pipes[0]);
    close(pipes[1]);
}

static void apply(const struct event *events, size_t n)
{
    pthread_mutex_lock(&fixture.lock);
    profile_apply(fixture.profile, events, n);
    pthread_mutex_unlock(&fixture.lock);
    fixture_publish(&fixture);
}

/* A function that is no longer among the busiest keeps its row; others are in the sum. */
Test(metrics, rows_stay_from_one_scrape_to_the_next)
{
    fixture.site.roster.most = 1;
    struct event first[] = {{.kind = EVENT_ENTER, .ticks = 0, .call = {.address = 0x10}},
                            {.kind = EVENT_EXIT, .ticks = 100, .call = {.address = 0x10}},
                            {.kind = EVENT_ENTER, .ticks = 200, .call = {.address = 0x20}},
                            {.kind = EVENT_EXIT, .ticks = 210, .call = {.address = 0x20}}};
    struct event then[] = {{.kind = EVENT_ENTER, .ticks = 300, .call = {.address = 0x20}},
                           {.kind = EVENT_EXIT, .ticks = 900, .call = {.address = 0x20}},
                           {.kind = EVENT_ENTER, .ticks = 1000, .call = {.address = 0x30}},
                           {.kind = EVENT_EXIT, .ticks = 1001, .call = {.address = 0x30}}};
    apply(first, 4);
    struct response response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    cr_expect(strstr(response.body.bytes, "calls_total{function=\"0x00000010\"} 1\n"));
    cr_expect(strstr(response.body.bytes, "calls_total{function=\"(other)\",kind=\"other\"} 1\n"));
    response_fini(&response);
    apply(then, 4);
    response = fixture_ask(&fixture, "GET", "/metrics", NULL);
    cr_expect(strstr(response.body.bytes, "calls_total{function=\"0x00000010\"} 1\n"), "it stays");
    cr_expect(strstr(response.body.bytes, "calls_total{function=\"0x00000020\"} 2\n"), "the busiest now");
    cr_expect(strstr(response.body.bytes, "calls_total{function=\"(other)\",kind=\"other\"} 3\n"),
              "of the second two, and the third's");
    response_fini(&response);
}
