/* dialect.c - the registry of dialects. */
#include "dialect/dialect.h"

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

const char *dialect_settings_value(const struct dialect_settings *settings,
                                   const struct dialect_option *options, const char *key)
{
    for (size_t i = settings ? settings->n : 0; i-- > 0;)
        if (!strcmp(settings->settings[i].key, key))
            return settings->settings[i].value;
    for (; options && options->key; options++)
        if (!strcmp(options->key, key))
            return options->fallback;
    return NULL;
}
