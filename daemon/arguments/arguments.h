/* arguments.h - command lines: one table per command describes its options. Parsing, --help, man pages and completions
 * use it. */
#ifndef ARGUMENTS_ARGUMENTS_H
#define ARGUMENTS_ARGUMENTS_H

#include "base/error.h"
#include "base/sink.h"

#include <stddef.h>
#include <stdint.h>

enum argument_type {
    ARGUMENT_TEXT,     /* const char *, set to the value; for a flag bool, set to true */
    ARGUMENT_OFF,      /* bool, set to false */
    ARGUMENT_NUMBER,   /* uint32_t, from `least` to `most` */
    ARGUMENT_POSITIVE, /* double, greater than 0 */
    ARGUMENT_SIZE,     /* uint64_t: bytes, such as 500M; from 1M to 1P */
};

/* An option. */
struct argument_option {
    const char *name;  /* without the dashes */
    char letter;       /* its short form, such as 'p' for -p; 0: none */
    const char *group; /* heading in the help before this option; NULL: none */
    const char *value; /* name of the value in the help; NULL: a flag */
    const char *help;  /* lines separated by \n */
    const char *words; /* possible values, separated by spaces, for completion; NULL: any */

    /* Takes the value (NULL for flags). If this is NULL, the value is stored in `member` of the options as
     * `type`. False without an error means that the value is invalid; `expects` describes valid ones. */
    bool (*take)(void *options, const char *value, struct error *err);
    size_t member;
    uint8_t type;         /* enum argument_type */
    uint32_t least, most; /* of a number */
    const char *expects;  /* such as "a speed in bits per second, such as 115200"; NULL: as for `type` */
};

/* A command line. */
struct arguments {
    const char *command;                   /* such as "check"; NULL: the program itself */
    const char *usage;                     /* "usage: ...", one or more lines with their ends */
    const char *about;                     /* description, in lines */
    const char *examples;                  /* command lines, in lines */
    const char *notes;                     /* text after the options, such as exit statuses, in lines */
    const struct argument_option *options; /* ends with one without a name */

    /* Takes a word that is not an option; NULL: none allowed. */
    bool (*operand)(void *options, const char *word, struct error *err);
    /* Takes an unknown option, unchanged; its value, if separate, is passed as an operand. NULL: unknown options are
     * errors. */
    bool (*unknown)(void *options, const char *argument, struct error *err);
};

/* Parses argv from 1 on: `--name value`, `--name=value`, `--flag`, `-x value`, `-xvalue`, `-x`. Texts are not copied.
 * False with an error; options before the wrong one have then been taken. */
bool arguments_parse(const struct arguments *command, void *options, int argc, char *const *argv,
                     struct error *err);

/* Does the same only for option `name` (is_taken) or only for all others, so that one option can be read first. */
bool arguments_parse_some(const struct arguments *command, void *options, int argc, char *const *argv,
                          const char *name, bool is_taken, struct error *err);

/* Returns the option with that name of n bytes, NULL when there is none. */
const struct argument_option *arguments_find(const struct arguments *command, const char *name, size_t n);

/* Returns the name of the option that an unknown name of n bytes probably means, NULL when none is similar. */
const char *arguments_nearest(const struct arguments *command, const char *name, size_t n);

/* Sets an option to a value (NULL for a flag). False with an error. */
bool arguments_apply(const struct argument_option *option, void *options, const char *value,
                     struct error *err);

/* Sets the error for an unknown option or word, with a suggestion if there is one. Returns false. */
bool arguments_unknown(const struct arguments *command, const char *argument, struct error *err);

/* Write the usage; all of --help; or the table for scripts: a line per option with name, letter, value,
 * words, group and the help's first line, separated by tabs. */
void arguments_write_usage(const struct arguments *command, struct sink *sink);
void arguments_write_help(const struct arguments *command, struct sink *sink);
void arguments_write_table(const struct arguments *command, struct sink *sink);

/* Writes an entry of --help: `left`, with `help` in a column beside it. */
void arguments_write_entry(struct sink *sink, const char *left, const char *help);

/* Reports wrong usage on standard error: the error, the usage, and where to read more. Returns 2, the exit status. */
int arguments_refuse(const struct arguments *command, const struct error *err);

/* Writes --help to standard output. Returns the exit status: 0, or 1 when that fails. */
int arguments_help(const struct arguments *command);

#endif
