/* defaults.h - options that are not on the command line: the system's, the user's, and the environment's. */
#ifndef CLI_DEFAULTS_H
#define CLI_DEFAULTS_H

#include "arguments/arguments.h"
#include "cli/config.h"

/* Hands on what stands in the file at `path`, as config_read() does, if there is one. */
bool defaults_read_file(const char *path, const char *section, config_fn take, void *user, struct error *err);

/* Does the same with miniprofd/config.json in $XDG_CONFIG_HOME, or else in ~/.config. */
bool defaults_read_users_file(const char *section, config_fn take, void *user, struct error *err);

/* The system's file. */
#define DEFAULTS_SYSTEM_FILE "/etc/miniprofd/config.json"

/* Hands on each option of the command that a variable is called after: MINIPROFD_BAUD_MAX for "baud-max". One
 * that is empty counts as none. --config, --help, --version and --list-ports have none. */
bool defaults_read_environment(const struct arguments *command, config_fn take, void *user,
                               struct error *err);

/* Warns in the log of each variable that is called like one of an option (MINIPROFD_...) and is of none. */
void defaults_warn_of_unknown(const struct arguments *command);

/* The value of the variable of that option; NULL when there is none. */
const char *defaults_variable(const char *option);

#endif
