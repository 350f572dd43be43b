/* report.c - what was looked at, a line each. */
#include "doctor/report.h"

#include <stdarg.h>
#include <stdio.h>

void report_say(struct report *report, enum verdict verdict, const char *format, ...)
{
    static const char *const words[] = {
        [VERDICT_OK] = "ok", [VERDICT_WARN] = "warn", [VERDICT_FAIL] = "fail"};
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    for (char *c = sentence; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    sink_printf(report->out, "%s: %s\n", words[verdict], sentence);
    report->fails += verdict == VERDICT_FAIL;
}
