/* defaults.h - reads options that are not on the command line: those of system, user and environment. */
#ifndef CLI_DEFAULTS_H
#define CLI_DEFAULTS_H

#include "arguments/arguments.h"
#include "cli/config.h"

/* Reads the file at `path` with config_read(), if it exists. */
bool defaults_read_file(const char *path, const char *section, config_fn take, void *user, struct error *err);

/* Does the same with miniprofd/config.json in $XDG_CONFIG_HOME, or else in ~/.config. */
bool defaults_read_users_file(const char *section, config_fn take, void *user, struct error *err);

/* The system's configuration file. */
#define DEFAULTS_SYSTEM_FILE "/etc/miniprofd/config.json"

/* Reads the command's options from environment variables, such as MINIPROFD_BAUD_MAX for "baud-max". An empty
 * variable counts as unset. --config, --help, --version and --list-ports have no variable. */
bool defaults_read_environment(const struct arguments *command, config_fn take, void *user,
                               struct error *err);

/* Logs a warning for each variable MINIPROFD_... that belongs to no option. */
void defaults_warn_of_unknown(const struct arguments *command);

/* Returns the value of the option's variable, NULL when there is none. */
const char *defaults_variable(const char *option);

#endif
