/* check_options.h - the command line of `miniprofd check`. */
#ifndef CHECK_CHECK_OPTIONS_H
#define CHECK_CHECK_OPTIONS_H

#include "arguments/arguments.h"
#include "check/gate.h"
#include "check/places.h"
#include "check/report.h"

enum { CHECK_REPORTS_MAX = 8, CHECK_PASSED_ON_MAX = 2 * GATE_LIMITS_MAX + 128 };

/* The parsed command line, which owns the texts. */
struct check_options {
    const char *baseline, *again; /* a file, or a folder of them; a file; NULL: none */
    const char *against;          /* a file; NULL: measure now */
    const char *keep;             /* where to write the measured profile; NULL: a temporary file */
    struct check_report {
        const struct report *form;
        const char *path; /* NULL: standard output */
    } reports[CHECK_REPORTS_MAX];
    size_t reports_n;
    struct gate gate;
    struct places places;
    regex_t only, ignore; /* compiled if the gate points to them */
    /* The options for the measuring program, up to a NULL. The first is reserved for its name. */
    const char *passed_on[CHECK_PASSED_ON_MAX + 1];
    size_t passed_on_n;
    const char *unknown; /* the first option that only that program may have; NULL: none */
    const char *delta;   /* --min-delta, parsed when the metric is known */
    bool help;
};

extern const struct arguments check_arguments;

/* Parses a command line. False with an error. The caller ends with check_options_fini() in any case. */
bool check_options_parse(struct check_options *options, int argc, char *const *argv, struct error *err);
void check_options_fini(struct check_options *options);

#endif
