/* log.c - one write per line, so that lines of several threads do not mix.
 *
 * While the reader does not read (a full pipe, a terminal on hold), lines are dropped, and no caller waits. */
#include "base/log.h"

#include "base/clock.h"
#include "base/text.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {
    [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info", [LOG_DEBUG] = "debug"};
static enum log_level threshold = LOG_INFO;
static _Thread_local bool is_muted;

/* The reader. */
static enum { READER_ANY, READER_JOURNAL, READER_TERMINAL } reader;

/* True when standard error is the stream that systemd connected to the journal. */
static bool is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat is;
    return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 && fstat(STDERR_FILENO, &is) == 0 &&
           is.st_dev == device && is.st_ino == inode;
}

void log_begin(void)
{
    reader = is_journal() ? READER_JOURNAL : isatty(STDERR_FILENO) ? READER_TERMINAL : READER_ANY;
    tzset();
}

int log_write_prefix(char out[LOG_PREFIX_SIZE], enum log_level level)
{
    static const int priorities[] = {[LOG_ERROR] = 3, [LOG_WARNING] = 4, [LOG_INFO] = 6, [LOG_DEBUG] = 7};
    time_t now = time(NULL);
    struct tm day;
    out[0] = '\0';
    if (reader == READER_JOURNAL)
        return snprintf(out, LOG_PREFIX_SIZE, "<%d>", priorities[level]);
    if (reader == READER_TERMINAL && localtime_r(&now, &day))
        return (int)strftime(out, LOG_PREFIX_SIZE, "%H:%M:%S ", &day);
    return 0;
}

void log_set_level(enum log_level level)
{
    threshold = level;
}

bool log_level_parse(const char *name, enum log_level *level)
{
    for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

void log_mute(bool is_mute)
{
    is_muted = is_mute;
}

void log_write(enum log_level level, const char *format, ...)
{
    if (level > threshold || is_muted)
        return;
    char line[1024];
    int start = log_write_prefix(line, level);
    start += snprintf(line + start, sizeof line - (size_t)start, "miniprofd: %s: ", level_names[level]);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line + start, sizeof line - (size_t)start - 1, format, args);
    va_end(args);
    if (n < 0)
        return;
    size_t length = (size_t)start + text_plain(line + start);
    line[length++] = '\n';
    struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&ready, 1, 0) == 0)
        return;
    /* A failure to write the log cannot be reported. */
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written;
}

bool log_gate_open(struct log_gate *gate)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (now_ms < gate->next_ms)
        return false;
    gate->next_ms = now_ms + 1000;
    return true;
}
