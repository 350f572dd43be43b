/* config.h - reads the configuration file: a JSON object whose members are options, and one object per command with
 * that command's options. */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/error.h"

/* Receives one setting: a text or number as text, or NULL for a flag that is true. */
typedef bool (*config_fn)(void *user, const char *name, const char *value, struct error *err);

/* Passes the members of the object in the file at `path`, or of its object `section` for a command, to `take` in their
 * order. Lists are passed one element at a time; flags that are false are skipped. False when the file cannot be read,
 * is not a JSON object, or `take` refuses a member. */
bool config_read(const char *path, const char *section, config_fn take, void *user, struct error *err);

#endif
