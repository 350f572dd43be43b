/* log.c - one write per line, so that lines of several threads do not mix.
 *
 * A reader that does not read (a full pipe, a terminal on hold) costs lines, not time. */
#include "base/log.h"

#include "base/clock.h"
#include "base/text.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const level_names[] = {
    [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info", [LOG_DEBUG] = "debug"};
static enum log_level threshold = LOG_INFO;

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

void log_write(enum log_level level, const char *format, ...)
{
    if (level > threshold)
        return;
    char line[1024];
    int start = snprintf(line, sizeof line, "miniprofd: %s: ", level_names[level]);
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
    /* A log that cannot be written has nobody to tell. */
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
