/* defaults.c - reads options that are not on the command line. */
#include "cli/defaults.h"

#include "base/log.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the path to the error, since the user did not name the file. */
static bool name_file(const char *path, struct error *err)
{
    char sentence[sizeof err->text];
    if (strstr(err->text, path))
        return false;
    memcpy(sentence, err->text, sizeof sentence);
    return error_set(err, "%.300s This is in %.180s.", sentence, path);
}

bool defaults_read_file(const char *path, const char *section, config_fn take, void *user, struct error *err)
{
    return access(path, F_OK) != 0 || config_read(path, section, take, user, err) || name_file(path, err);
}

bool defaults_read_users_file(const char *section, config_fn take, void *user, struct error *err)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME"), *below = "";
    char path[PATH_MAX];
    if (!folder || *folder != '/') { /* its specification requires ignoring relative paths */
        folder = home;
        below = "/.config";
    }
    if (!folder || *folder != '/' ||
        snprintf(path, sizeof path, "%s%s/miniprofd/config.json", folder, below) >= (int)sizeof path)
        return true;
    return defaults_read_file(path, section, take, user, err);
}

enum { NAME_SIZE = 64 };

static const char prefix[] = "MINIPROFD_";

/* Makes MINIPROFD_BAUD_MAX of "baud-max". */
static const char *name_variable(const char *option, char name[static NAME_SIZE])
{
    size_t n = sizeof prefix - 1;
    memcpy(name, prefix, n);
    for (; *option && n + 1 < NAME_SIZE; option++)
        name[n++] = *option == '-' ? '_' : (char)toupper((unsigned char)*option);
    name[n] = '\0';
    return name;
}

const char *defaults_variable(const char *option)
{
    char name[NAME_SIZE];
    name_variable(option, name);
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Returns 1 for yes, 0 for no, -1 for another value. */
static int is_yes(const char *value)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(value, words[i]))
            return i % 2 == 1;
    return -1;
}

static bool take_variable(const struct argument_option *option, const char *value, config_fn take, void *user,
                          struct error *err)
{
    int yes = option->value ? 1 : is_yes(value);
    if (yes < 0)
        return error_set(err, "The environment's variable for --%s must be 1 or 0, not '%.100s'.",
                         option->name, value);
    struct error why = {""};
    if (!yes || take(user, option->name, option->value ? value : NULL, &why))
        return true;
    return error_set(err, "%.400s This is in the environment (MINIPROFD_...).", why.text);
}

bool defaults_read_environment(const struct arguments *command, config_fn take, void *user, struct error *err)
{
    static const char *const without[] = {"config", "help", "version", "list-ports"};
    for (const struct argument_option *option = command->options; option->name; option++) {
        const char *value = defaults_variable(option->name);
        for (size_t i = 0; value && i < sizeof without / sizeof *without; i++)
            if (!strcmp(option->name, without[i]))
                value = NULL;
        if (value && !take_variable(option, value, take, user, err))
            return false;
    }
    return true;
}

/* Checks one "NAME=value" of the environment. */
static void warn_of_variable(const struct arguments *command, const char *variable)
{
    char option[NAME_SIZE], meant[NAME_SIZE];
    size_t n = 0, length = strcspn(variable, "=");
    for (size_t i = sizeof prefix - 1; i < length && n + 1 < sizeof option; i++)
        option[n++] = variable[i] == '_' ? '-' : (char)tolower((unsigned char)variable[i]);
    option[n] = '\0';
    /* The systemd unit uses MINIPROFD_OPTIONS as a command line. */
    if (!strcmp(option, "options") || (arguments_find(command, option, n) && n + 1 < sizeof option))
        return;
    const char *nearest = arguments_nearest(command, option, n);
    int shown = (int)(length < 100 ? length : 100);
    if (nearest)
        log_write(LOG_WARNING, "The environment's variable %.*s is of no option; did you mean %s?", shown,
                  variable, name_variable(nearest, meant));
    else
        log_write(LOG_WARNING,
                  "The environment's variable %.*s is of no option; unset it, or see miniprofd --help.",
                  shown, variable);
}

void defaults_warn_of_unknown(const struct arguments *command)
{
    for (char **variable = environ; variable && *variable; variable++)
        if (!strncmp(*variable, prefix, sizeof prefix - 1))
            warn_of_variable(command, *variable);
}
