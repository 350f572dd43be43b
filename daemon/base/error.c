/* error.c - sets error sentences for users. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
