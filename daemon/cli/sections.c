/* sections.c - reads options of a command from configuration files. */
#include "cli/sections.h"

#include "cli/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct section_option {
    const struct argument_option *option;
    int file; /* index of the file, 0 for the highest precedence */
    char *text;
};

/* A file being read. */
struct section_reading {
    struct sections *sections;
    const struct arguments *command;
    int file, argc;
    char *const *argv;
};

static bool is_on_command_line(const struct section_reading *reading, const struct argument_option *option)
{
    size_t n = strlen(option->name);
    for (int i = 1; i < reading->argc; i++) {
        const char *word = reading->argv[i];
        if (!strncmp(word, "--", 2) && !strncmp(word + 2, option->name, n) &&
            (!word[2 + n] || word[2 + n] == '='))
            return true;
        if (option->letter && word[0] == '-' && word[1] == option->letter)
            return true;
    }
    return false;
}

static bool is_in_stronger_file(const struct section_reading *reading, const struct argument_option *option)
{
    for (size_t i = 0; i < reading->sections->n; i++)
        if (reading->sections->options[i].option == option &&
            reading->sections->options[i].file < reading->file)
            return true;
    return false;
}

static bool add_section_option(struct section_reading *reading, const struct argument_option *option,
                               const char *value, struct error *err)
{
    struct sections *sections = reading->sections;
    size_t size = strlen(option->name) + (value ? strlen(value) : 0) + sizeof "--=";
    struct section_option *grown = realloc(sections->options, (sections->n + 1) * sizeof *grown);
    char *text = grown ? malloc(size) : NULL;
    if (grown)
        sections->options = grown;
    if (!text)
        return error_set(err, "Out of memory.");
    snprintf(text, size, "--%s%s%s", option->name, value ? "=" : "", value ? value : "");
    sections->options[sections->n++] = (struct section_option){option, reading->file, text};
    return true;
}

static bool take_section_option(void *user, const char *name, const char *value, struct error *err)
{
    struct section_reading *reading = user;
    const char *command = reading->command->command;
    const struct argument_option *option = arguments_find(reading->command, name, strlen(name));
    if (!option || !strcmp(name, "help")) {
        const char *nearest = arguments_nearest(reading->command, name, strlen(name));
        if (nearest)
            return error_set(err, "'%.100s' is no option of miniprofd %s; did you mean '%s'?", name, command,
                             nearest);
        return error_set(err, "'%.100s' is no option of miniprofd %s; see miniprofd help %s.", name, command,
                         command);
    }
    if (!option->value != !value)
        return error_set(err,
                         option->value ? "The configuration's '%s' of %s needs a value."
                                       : "The configuration's '%s' of %s is true or false.",
                         name, command);
    if (is_on_command_line(reading, option) || is_in_stronger_file(reading, option))
        return true;
    return add_section_option(reading, option, value, err);
}

static bool asks_for_help(int argc, char *const *argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static bool join_command_line(struct sections *sections, int argc, char *const *argv)
{
    size_t given = (size_t)argc;
    sections->argv = calloc(sections->n + given + 1, sizeof *sections->argv);
    if (!sections->argv)
        return false;
    sections->argv[sections->argc++] = argv[0];
    for (size_t i = 0; i < sections->n; i++)
        sections->argv[sections->argc++] = sections->options[i].text;
    for (int i = 1; i < argc; i++)
        sections->argv[sections->argc++] = argv[i];
    return true;
}

bool sections_read(struct sections *sections, const struct arguments *command, const char *system_file,
                   int argc, char *const *argv, struct error *err)
{
    struct section_reading reading = {.sections = sections, .command = command, .argc = argc, .argv = argv};
    const char *named = defaults_variable("config"), *section = command->command;
    *sections = (struct sections){0};
    if (!asks_for_help(argc, argv)) {
        if (named && !defaults_read_file(named, section, take_section_option, &reading, err))
            return false;
        reading.file++;
        if (!defaults_read_users_file(section, take_section_option, &reading, err))
            return false;
        reading.file++;
        if (!defaults_read_file(system_file, section, take_section_option, &reading, err))
            return false;
    }
    return join_command_line(sections, argc, argv) || error_set(err, "Out of memory.");
}

void sections_free(struct sections *sections)
{
    for (size_t i = 0; i < sections->n; i++)
        free(sections->options[i].text);
    free(sections->options);
    free(sections->argv);
    *sections = (struct sections){0};
}
