/* error.c - sentences for users. */
#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool error_set(struct error *err, const char *format, ...)
{
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool error_set_errno(struct error *err, int code, const char *format, ...)
{
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->text) {
        char reason[128];
        snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s",
                 strerror_r(code, reason, sizeof reason));
    }
    return false;
}

int error_end(int status, const char *sentence)
{
    struct sink_fd out;
    sink_fd_init(&out, STDERR_FILENO);
    sink_text(&out.sink, "miniprofd: ");
    text_write_plain(&out.sink, sentence);
    sink_char(&out.sink, '\n');
    sink_fd_flush(&out); /* nobody is left to tell of a failure */
    return status;
}
