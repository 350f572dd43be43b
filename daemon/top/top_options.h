/* top_options.h - the command line of `miniprofd top`. */
#ifndef TOP_TOP_OPTIONS_H
#define TOP_TOP_OPTIONS_H

#include "arguments/arguments.h"
#include "top/table.h"

enum { TOP_PASSED_ON_MAX = 256 };

extern const struct arguments top_arguments;

/* The parsed command line, which owns the texts. */
struct top_options {
    const char *at, *token_file;
    bool measures; /* --port: an own daemon reads it, with the options `passed_on` */
    const char *passed_on[TOP_PASSED_ON_MAX];
    size_t passed_on_n;
    const char *unknown; /* the first option that only that daemon may have; NULL: none */
    double interval_s;
    uint32_t updates; /* 0: unlimited */
    bool is_batch, help;
    enum table_sort sort;
};

/* Parses the command line. False with an error. */
bool top_options_parse(struct top_options *options, int argc, char *const *argv, struct error *err);

#endif
