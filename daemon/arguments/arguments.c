/* arguments.c - parses command lines by a table. */
#include "arguments/arguments.h"

#include "arguments/suggestion.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_LEAST_MIB = 1, SIZE_MOST_MIB = 1 << 30 };

const struct argument_option *arguments_find(const struct arguments *command, const char *name, size_t n)
{
    for (const struct argument_option *option = command->options; option->name; option++)
        if (strlen(option->name) == n && !memcmp(option->name, name, n))
            return option;
    return NULL;
}

static const struct argument_option *find_letter(const struct arguments *command, char letter)
{
    for (const struct argument_option *option = command->options; letter && option->name; option++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* ---- values ---- */

static bool parse_number(const struct argument_option *option, const char *value, uint32_t *out)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || number < option->least || number > option->most)
        return false;
    *out = (uint32_t)number;
    return true;
}

static bool parse_positive(const char *value, double *out)
{
    char *end;
    *out = strtod(value, &end);
    return end != value && !*end && isfinite(*out) && *out > 0;
}

static bool parse_size(const char *value, uint64_t *out)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    uint64_t size = strtoull(value, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    bool is_number = *value >= '0' && *value <= '9' && !errno && (!*end || (unit && !end[1]));
    for (const char *step = units; is_number && unit && step <= unit; step++)
        size = size > UINT64_MAX >> 10 ? UINT64_MAX : size << 10;
    *out = size;
    return is_number && size >= (uint64_t)SIZE_LEAST_MIB << 20 && size <= (uint64_t)SIZE_MOST_MIB << 20;
}

static bool store_value(const struct argument_option *option, void *options, const char *value)
{
    void *member = (char *)options + option->member;
    if (!option->value) {
        *(bool *)member = option->type != ARGUMENT_OFF;
        return true;
    }
    switch (option->type) {
    case ARGUMENT_NUMBER: return parse_number(option, value, member);
    case ARGUMENT_POSITIVE: return parse_positive(value, member);
    case ARGUMENT_SIZE: return parse_size(value, member);
    default: *(const char **)member = value; return true;
    }
}

static bool refuse_value(const struct argument_option *option, const char *value, struct error *err)
{
    if (option->expects)
        return error_set(err, "--%s takes %s, not '%.100s'.", option->name, option->expects, value);
    switch (option->type) {
    case ARGUMENT_NUMBER:
        return error_set(err, "--%s takes a number from %u to %u, not '%.100s'.", option->name,
                         (unsigned)option->least, (unsigned)option->most, value);
    case ARGUMENT_POSITIVE:
        return error_set(err, "--%s takes a number greater than 0, not '%.100s'.", option->name, value);
    case ARGUMENT_SIZE:
        return error_set(err, "--%s takes a size such as 500M, of 1M at least, not '%.100s'.", option->name,
                         value);
    default: return error_set(err, "--%s cannot be '%.100s'.", option->name, value);
    }
}

bool arguments_apply(const struct argument_option *option, void *options, const char *value,
                     struct error *err)
{
    struct error why = {""};
    if (option->take ? option->take(options, value, &why) : store_value(option, options, value))
        return true;
    if (!*why.text)
        return refuse_value(option, value ? value : "", err);
    *err = why;
    return false;
}

/* ---- one argument ---- */

const char *arguments_nearest(const struct arguments *command, const char *name, size_t n)
{
    const char *nearest = NULL;
    unsigned best = UINT_MAX;
    for (const struct argument_option *option = command->options; option->name; option++) {
        unsigned distance = suggestion_distance(name, n, option->name);
        if (distance < best && suggestion_is_likely(name, n, option->name)) {
            best = distance;
            nearest = option->name;
        }
    }
    return nearest;
}

bool arguments_unknown(const struct arguments *command, const char *argument, struct error *err)
{
    if (*argument != '-' || !argument[1] || !strcmp(argument, "--"))
        return error_set(err, "There is nothing to do with '%.100s'.", argument);
    const char *name = argument + strspn(argument, "-");
    size_t n = strcspn(name, "=");
    const char *meant = arguments_nearest(command, name, n);
    int length = (int)(name - argument + (ptrdiff_t)(n < 100 ? n : 100));
    return meant ? error_set(err, "There is no option '%.*s'; did you mean --%s?", length, argument, meant)
                 : error_set(err, "There is no option '%.*s'.", length, argument);
}

/* An argument list, and which options to take. */
struct argument_list {
    int argc, at;
    char *const *argv;
    const char *name; /* take only this option, or all but this; NULL: all */
    bool is_taken;
};

static bool list_takes(const struct argument_list *list, const struct argument_option *option)
{
    bool is_named = option && list->name && !strcmp(option->name, list->name);
    return !list->name || is_named == list->is_taken;
}

/* Takes an option. `value` is its value in the same argument; NULL: none. */
static bool take_option(struct argument_list *list, const struct argument_option *option, const char *value,
                        void *options, struct error *err)
{
    if (!option->value && value)
        return error_set(err, "--%s takes no value.", option->name);
    if (option->value && !value) {
        if (list->at + 1 >= list->argc)
            return error_set(err, "--%s needs a value: %s.", option->name, option->value);
        value = list->argv[++list->at];
    }
    return !list_takes(list, option) || arguments_apply(option, options, value, err);
}

static bool take_argument(struct argument_list *list, const struct arguments *command, void *options,
                          struct error *err)
{
    const char *argument = list->argv[list->at], *value = NULL;
    const struct argument_option *option;
    if (argument[0] != '-' || !argument[1] || !strcmp(argument, "--")) {
        if (!list_takes(list, NULL))
            return true;
        return command->operand ? command->operand(options, argument, err)
                                : arguments_unknown(command, argument, err);
    }
    if (argument[1] == '-') {
        size_t n = strcspn(argument + 2, "=");
        option = arguments_find(command, argument + 2, n);
        value = argument[2 + n] ? argument + 3 + n : NULL;
    } else {
        option = find_letter(command, argument[1]);
        value = argument[2] ? argument + 2 : NULL;
        if (option && !option->value && value)
            option = NULL; /* "-hello" is not -h */
    }
    if (option)
        return take_option(list, option, value, options, err);
    if (!command->unknown)
        return arguments_unknown(command, argument, err);
    return !list_takes(list, NULL) || command->unknown(options, argument, err);
}

bool arguments_parse_some(const struct arguments *command, void *options, int argc, char *const *argv,
                          const char *name, bool is_taken, struct error *err)
{
    struct argument_list list = {.argc = argc, .argv = argv, .name = name, .is_taken = is_taken};
    for (list.at = 1; list.at < argc; list.at++)
        if (!take_argument(&list, command, options, err))
            return false;
    return true;
}

bool arguments_parse(const struct arguments *command, void *options, int argc, char *const *argv,
                     struct error *err)
{
    return arguments_parse_some(command, options, argc, argv, NULL, true, err);
}
