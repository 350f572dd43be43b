/* check_options.h - the command line of `miniprofd check`. */
#ifndef CHECK_CHECK_OPTIONS_H
#define CHECK_CHECK_OPTIONS_H

#include "arguments/arguments.h"
#include "check/gate.h"
#include "check/places.h"
#include "check/report.h"

enum { CHECK_REPORTS_MAX = 8, CHECK_PASSED_ON_MAX = 2 * GATE_LIMITS_MAX + 128 };

/* What the command line says. Text is the command line's. */
struct check_options {
    const char *baseline, *again; /* a file, or a folder of them; a file; NULL: none */
    const char *against;          /* a file; NULL: it is measured now */
    const char *keep;             /* where what is measured goes; NULL: to a file that is deleted */
    struct check_report {
        const struct report *form;
        const char *path; /* NULL: standard output */
    } reports[CHECK_REPORTS_MAX];
    size_t reports_n;
    struct gate gate;
    struct places places;
    regex_t only, ignore; /* compiled where the gate points at them */
    /* The options of the program that measures, up to a NULL; the first one is left free for its name. */
    const char *passed_on[CHECK_PASSED_ON_MAX + 1];
    size_t passed_on_n;
    const char *unknown; /* the first that only that program may know; NULL: none */
    const char *delta;   /* --min-delta; read when the metric is known */
    bool help;
};

extern const struct arguments check_arguments;

/* Reads a command line; the caller ends with check_options_fini(), whatever the outcome. False with a
 * sentence. */
bool check_options_parse(struct check_options *options, int argc, char *const *argv, struct error *err);
void check_options_fini(struct check_options *options);

#endif
