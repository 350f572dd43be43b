/* config.h - the configuration file: a JSON object whose members are options, and objects with those of a
 * command, called like it. */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/error.h"

/* A function that takes one setting: a text or number as text, or NULL for a flag that is true. */
typedef bool (*config_fn)(void *user, const char *name, const char *value, struct error *err);

/* Hands on every member of the object in the file at `path`, in its order, or of the object in it for the
 * command `section`; lists one element at a time, flags that are false not at all. False when the file cannot
 * be read, is no JSON object, or `take` refused a member. */
bool config_read(const char *path, const char *section, config_fn take, void *user, struct error *err);

#endif
