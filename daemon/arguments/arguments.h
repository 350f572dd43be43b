/* arguments.h - command lines: what a command takes is one table, of which parsing, --help, man pages and
 * completions are made. */
#ifndef ARGUMENTS_ARGUMENTS_H
#define ARGUMENTS_ARGUMENTS_H

#include "base/error.h"
#include "base/sink.h"

#include <stddef.h>
#include <stdint.h>

enum argument_type {
    ARGUMENT_TEXT,     /* const char *: the value as it stands; a flag's: bool, which becomes true */
    ARGUMENT_OFF,      /* bool, which becomes false */
    ARGUMENT_NUMBER,   /* uint32_t, from `least` to `most` */
    ARGUMENT_POSITIVE, /* double, greater than 0 */
    ARGUMENT_SIZE,     /* uint64_t: bytes, such as 500M; from 1M to 1P */
};

/* An option. */
struct argument_option {
    const char *name;  /* without the dashes */
    char letter;       /* its short form, -p for one; 0: it has none */
    const char *group; /* the heading of the help that it begins; NULL: it stands below the one before */
    const char *value; /* what to call the value in the help; NULL: a flag */
    const char *help;  /* lines separated by \n */
    const char *words; /* the values there are, with spaces between, for completion; NULL: any */

    /* Takes the value (NULL for flags); NULL: it goes to `member` of the options, as `type` says. False
     * without a sentence: the value cannot be, and `expects` says what can. */
    bool (*take)(void *options, const char *value, struct error *err);
    size_t member;
    uint8_t type;         /* enum argument_type */
    uint32_t least, most; /* of a number */
    const char *expects;  /* such as "a speed in bits per second, such as 115200"; NULL: `type` says */
};

/* A command line. */
struct arguments {
    const char *command;  /* "check" for one; NULL: the program itself */
    const char *usage;    /* "usage: ...", a line or several, each with its end */
    const char *about;    /* what it does, likewise */
    const char *examples; /* command lines, likewise */
    const char *notes;    /* what stands behind the options: exit statuses, for one; likewise */
    const struct argument_option *options; /* ends with one without a name */

    /* Takes a word that is no option; NULL: there are none. */
    bool (*operand)(void *options, const char *word, struct error *err);
    /* Takes an option that is in no row, as it stands; its value, if it has one, comes as an operand. NULL:
     * it is an error. */
    bool (*unknown)(void *options, const char *argument, struct error *err);
};

/* Reads argv from 1 on: `--name value`, `--name=value`, `--flag`, `-x value`, `-xvalue`, `-x`. Text is the
 * command line's. False with a sentence; then what stood before has been taken. */
bool arguments_parse(const struct arguments *command, void *options, int argc, char *const *argv,
                     struct error *err);

/* Does the same for the option `name` alone (is_taken), or for all the others: one whose values the others
 * override. */
bool arguments_parse_some(const struct arguments *command, void *options, int argc, char *const *argv,
                          const char *name, bool is_taken, struct error *err);

/* The option of that name, n bytes long; NULL when there is none. */
const struct argument_option *arguments_find(const struct arguments *command, const char *name, size_t n);

/* The name of the option that was probably meant by a name of n bytes that no option has; NULL: none is like
 * it. */
const char *arguments_nearest(const struct arguments *command, const char *name, size_t n);

/* Gives a value (NULL: of a flag) to the options. False with a sentence. */
bool arguments_apply(const struct argument_option *option, void *options, const char *value,
                     struct error *err);

/* Says that there is no such option, with the one that was probably meant, or nothing to do with such a word.
 * Answers false. */
bool arguments_unknown(const struct arguments *command, const char *argument, struct error *err);

/* Writes the usage; all of --help; and the table for scripts: a line for each option with name, letter,
 * value, words, group and the help's first line, with tabs between. */
void arguments_write_usage(const struct arguments *command, struct sink *sink);
void arguments_write_help(const struct arguments *command, struct sink *sink);
void arguments_write_table(const struct arguments *command, struct sink *sink);

/* Writes `left` and, in a column beside it, `help`: an entry of --help. */
void arguments_write_entry(struct sink *sink, const char *left, const char *help);

/* Reports wrong usage on standard error: the sentence, the usage, and where to read more. Answers 2, the
 * status to end with. */
int arguments_refuse(const struct arguments *command, const struct error *err);

/* Writes --help to standard output. Answers the status to end with: 0, or 1 where that cannot be written. */
int arguments_help(const struct arguments *command);

#endif
