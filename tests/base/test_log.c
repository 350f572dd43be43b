/* test_log.c - lines on standard error, which bytes from the wire cannot forge. */
#include "base/error_end.h"
#include "base/log.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int out, before;

/* Redirects standard error into a pipe. */
static void listen_in(void)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    before = dup(STDERR_FILENO);
    cr_assert_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    close(ends[1]);
    out = ends[0];
    cr_assert_eq(fcntl(out, F_SETFL, O_NONBLOCK), 0);
}

/* Returns the text written since then. */
static const char *heard(void)
{
    static char text[4096];
    ssize_t n = read(out, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void stop_listening(void)
{
    dup2(before, STDERR_FILENO);
}

TestSuite(log, .init = listen_in, .fini = stop_listening);

Test(log, a_line_is_one_line_whatever_is_in_it)
{
    log_write(LOG_WARNING, "the wire says %s", "a\nminiprofd: error: b\x1b[31m\x7f");
    cr_expect_str_eq(heard(), "miniprofd: warning: the wire says a?miniprofd: error: b?[31m?\n");
}

Test(log, the_journal_gets_priorities_and_others_do_not)
{
    static const char *const begins[] = {"<3>", "<4>", "<6>", "<7>"};
    struct stat is;
    char stream[64];
    log_set_level(LOG_DEBUG);
    cr_assert_eq(fstat(STDERR_FILENO, &is), 0);
    for (int ours = 0; ours < 2; ours++) {
        snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)is.st_dev,
                 (unsigned long long)is.st_ino + !ours);
        setenv("JOURNAL_STREAM", stream, 1);
        log_begin();
        for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
            log_write((enum log_level)level, "x");
            const char *line = heard();
            cr_expect_eq(strncmp(line, begins[level], 3) == 0, ours, "%s", line);
            cr_expect_eq(strncmp(line, "miniprofd: ", 11) == 0, !ours, "%s", line);
        }
    }
    error_end(1, "the end");
    cr_expect_str_eq(heard(), "<3>miniprofd: the end\n");
}

Test(log, a_terminal_gets_the_time_of_day)
{
    int ours = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0);
    int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
    cr_assert_eq(dup2(theirs, STDERR_FILENO), STDERR_FILENO);
    unsetenv("JOURNAL_STREAM");
    log_begin();
    log_write(LOG_ERROR, "x");
    char line[64] = "";
    int hours, minutes, seconds, end = 0;
    cr_assert(read(ours, line, sizeof line - 1) > 0);
    sscanf(line, "%2d:%2d:%2d miniprofd: error: x%n", &hours, &minutes, &seconds, &end);
    cr_expect(end > 0, "%s", line);
    close(theirs);
    close(ours);
}

Test(log, a_long_line_is_cut_and_ends)
{
    char much[3000];
    memset(much, 'x', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    log_write(LOG_ERROR, "%s", much);
    const char *line = heard();
    cr_expect(strlen(line) > 1000 && strlen(line) <= 1024, "%zu", strlen(line));
    cr_expect_eq(strchr(line, '\n'), line + strlen(line) - 1);
}

Test(log, a_level_has_a_name_and_drops_finer_messages)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    enum log_level level = LOG_DEBUG;
    for (int i = 0; i < 4; i++) {
        cr_expect(log_level_parse(names[i], &level));
        cr_expect_eq(level, (enum log_level)i);
    }
    cr_expect_not(log_level_parse("Error", &level));
    cr_expect_not(log_level_parse("", &level));
    log_write(LOG_DEBUG, "dropped");
    log_set_level(LOG_ERROR);
    log_write(LOG_WARNING, "dropped");
    log_write(LOG_ERROR, "kept");
    cr_expect_str_eq(heard(), "miniprofd: error: kept\n");
}

Test(log, a_reader_that_stalls_does_not_block_writers)
{
    for (int i = 0; i < 10000; i++)
        log_write(LOG_INFO, "a line of many, which fill the pipe and are then dropped");
    cr_expect(strstr(heard(), "a line of many"));
}

Test(log, a_gate_opens_at_most_once_per_interval)
{
    struct log_gate gate = {0};
    cr_expect(log_gate_open(&gate));
    struct log_gate shut = {.next_ms = ~0ull};
    cr_expect_not(log_gate_open(&shut));
}
