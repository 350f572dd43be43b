/* options_dialect.c - whether the options of dialects are such as the dialect that was named has, or one that
 * its packets carry. */
#include "cli/option_rows.h"

#include <string.h>

static bool has_option(const struct dialect *dialect, const char *key)
{
    for (const struct dialect_option *option = dialect->options; option && option->key; option++)
        if (!strcmp(option->key, key))
            return true;
    return false;
}

/* An option as "ID.KEY" is of the dialect ID where packets of another one carry it. */
static bool check_carried(const struct options *options, const char *key, struct error *err)
{
    const char *dot = strchr(key, '.');
    const struct dialect *const *carried = dialect_registry;
    while (*carried && (strlen((*carried)->id) != (size_t)(dot - key) ||
                        strncmp((*carried)->id, key, (size_t)(dot - key)) != 0))
        carried++;
    if (!*carried || !(*carried)->extension)
        return error_set(err,
                         "No dialect '%.*s' that packets may carry, so there is no option '%s'; see --help.",
                         (int)(dot - key), key, key);
    if (!has_option(*carried, dot + 1))
        return error_set(err, "The %s dialect has no option '%s'; see --help.", (*carried)->id, dot + 1);
    if (!options->dialect)
        return error_set(err,
                         "The option '%s' is of what another dialect's packets carry, which must be named: "
                         "--dialect %s.",
                         key, dialect_registry[0]->id);
    if (options->dialect->framing == DIALECT_RAW)
        return error_set(err, "The %s dialect carries no other one, so '%s' is of no use to it.",
                         options->dialect->id, key);
    return true;
}

bool options_check_dialect(struct options *options, struct error *err)
{
    bool recorded = !strcmp(options->port, "-") || !strncmp(options->port, "file:", 5);
    if (!options->dialect_chosen && (!recorded || options->dialect_settings_n > 0))
        options->dialect = dialect_registry[0];
    for (size_t i = 0; i < options->dialect_settings_n; i++) {
        const char *key = options->dialect_settings[i].key;
        if (strchr(key, '.')) {
            if (!check_carried(options, key, err))
                return false;
            continue;
        }
        if (options->dialect && has_option(options->dialect, key))
            continue;
        const struct dialect *const *owner = dialect_registry;
        while (*owner && !has_option(*owner, key))
            owner++;
        if (options->dialect_chosen && options->dialect)
            return error_set(err, "The %s dialect has no option '%s'; see --help.", options->dialect->id,
                             key);
        if (*owner)
            return error_set(err, "The option '%s' belongs to a dialect, which must be named: --dialect %s.",
                             key, (*owner)->id);
        return error_set(err, "No dialect has an option '%s'; see --help.", key);
    }
    return true;
}
