/* dialect.c - the registry of dialects. */
#include "dialect/dialect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIALECT(id) extern const struct dialect dialect_##id;
#include "dialect_list.h"
#undef DIALECT

const struct dialect *const dialect_registry[] = {
#define DIALECT(id) &dialect_##id,
#include "dialect_list.h"
#undef DIALECT
    NULL,
};

const struct dialect *dialect_find(const char *id)
{
    for (const struct dialect *const *dialect = dialect_registry; *dialect; dialect++)
        if (!strcmp((*dialect)->id, id))
            return *dialect;
    return NULL;
}

const struct dialect *dialect_find_extension(uint8_t extension)
{
    for (const struct dialect *const *dialect = dialect_registry; extension && *dialect; dialect++)
        if ((*dialect)->extension == extension)
            return *dialect;
    return NULL;
}

/* Returns what follows "ID." in a key; NULL when it does not begin with that. */
static const char *behind_id(const char *key, const char *id)
{
    size_t n = strlen(id);
    return !strncmp(key, id, n) && key[n] == '.' ? key + n + 1 : NULL;
}

bool dialect_settings_has_carried(const struct dialect_settings *settings, const char *id)
{
    for (size_t i = 0; i < settings->n; i++)
        if (behind_id(settings->settings[i].key, id))
            return true;
    return false;
}

bool dialect_settings_is(const struct dialect_settings *settings, size_t i, const char *key)
{
    const char *chosen = settings->settings[i].key;
    const char *name = settings->carried ? behind_id(chosen, settings->carried) : chosen;
    return name && !strcmp(name, key);
}

const char *dialect_settings_value(const struct dialect_settings *settings,
                                   const struct dialect_option *options, const char *key)
{
    for (size_t i = settings ? settings->n : 0; i-- > 0;)
        if (dialect_settings_is(settings, i, key))
            return settings->settings[i].value;
    for (; options && options->key; options++)
        if (!strcmp(options->key, key))
            return options->fallback;
    return NULL;
}

bool dialect_settings_u64(const struct dialect_settings *settings, const struct dialect_option *options,
                          const char *key, uint64_t least, uint64_t most, uint64_t *number, struct error *err)
{
    const char *text = dialect_settings_value(settings, options, key);
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *rest;
    errno = 0;
    *number = strtoull(text, &rest, hexadecimal ? 16 : 10);
    if (*text >= '0' && *text <= '9' && !*rest && !errno && *number >= least && *number <= most)
        return true;
    return error_set(err, "The dialect's option %s is a number from %llu to %llu, not \"%s\".", key,
                     (unsigned long long)least, (unsigned long long)most, text);
}
