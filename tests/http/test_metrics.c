/* test_metrics.c - the text that Prometheus reads. */
#include "own_site.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(metrics, .init = open_site, .fini = close_site);

/* name{label="value",...} number, or a comment. */
static bool is_metrics_line(const char *line)
{
    if (strncmp(line, "# HELP miniprofd_", 17) == 0 || strncmp(line, "# TYPE miniprofd_", 17) == 0)
        return true;
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == 0 || strncmp(line, "miniprofd_", 10) != 0)
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
