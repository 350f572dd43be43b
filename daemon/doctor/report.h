/* report.h - what was looked at, a line each: "ok: ...", "warn: ...", "fail: ...". For this room only. */
#ifndef DOCTOR_REPORT_H
#define DOCTOR_REPORT_H

#include "base/sink.h"

enum verdict {
    VERDICT_OK,
    VERDICT_WARN, /* a profile is to be had, but lacks something, or nobody can tell */
    VERDICT_FAIL, /* there will be no profile, or a wrong one */
};

struct report {
    struct sink *out;
    unsigned fails;
};

/* Writes the line: the sentence, and what to do next unless it is "ok". Names in it may be the device's, so
 * control bytes become '?'. */
void report_say(struct report *report, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
