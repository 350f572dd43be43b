/* defaults.c - options that are not on the command line. */
#include "cli/defaults.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Who names no file has to be told which one is wrong. */
static bool name_file(const char *path, struct error *err)
{
    char sentence[sizeof err->text];
    if (strstr(err->text, path))
        return false;
    memcpy(sentence, err->text, sizeof sentence);
    return error_set(err, "%.300s This is in %.180s.", sentence, path);
}

bool defaults_read_file(const char *path, config_fn take, void *user, struct error *err)
{
    return access(path, F_OK) != 0 || config_read(path, take, user, err) || name_file(path, err);
}

bool defaults_read_users_file(config_fn take, void *user, struct error *err)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME"), *below = "";
    char path[PATH_MAX];
    if (!folder || *folder != '/') { /* others are to be ignored, says its specification */
        folder = home;
        below = "/.config";
    }
    if (!folder || *folder != '/' ||
        snprintf(path, sizeof path, "%s%s/miniprofd/config.json", folder, below) >= (int)sizeof path)
        return true;
    return defaults_read_file(path, take, user, err);
}

const char *defaults_variable(const char *option)
{
    char name[64] = "MINIPROFD_";
    size_t n = strlen(name);
    for (; *option && n + 1 < sizeof name; option++)
        name[n++] = *option == '-' ? '_' : (char)toupper((unsigned char)*option);
    name[n] = '\0';
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* -1: the value is neither. */
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
