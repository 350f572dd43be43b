/* extensions.c - other dialects' bytes inside this link's packets. */
#include "session/extensions.h"

#include "protocol/packet.h"

#include <stdlib.h>

static void forget(struct extension *extension)
{
    free(extension->state);
    if (extension->dialect && extension->dialect->unload)
        extension->dialect->unload(extension->companion);
    *extension = (struct extension){0};
}

void extensions_fini(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        forget(&extensions->met[i]);
}

static bool meet(const struct extensions *extensions, struct extension *extension, uint8_t id)
{
    const struct dialect *dialect = dialect_find_extension(id);
    if (!dialect)
        return false;
    struct dialect_settings settings = {0};
    if (extensions->settings)
        settings = *extensions->settings;
    settings.settings = NULL;
    settings.n = 0;
    extension->dialect = dialect;
    extension->state = calloc(1, dialect->state_size);
    bool good = extension->state && (!dialect->load || dialect->load(&settings, &extension->companion, NULL));
    settings.companion = extension->companion;
    if (good && (!dialect->start || dialect->start(extension->state, &settings, NULL)))
        return true;
    forget(extension);
    return false;
}

void extensions_decode(struct extensions *extensions, const uint8_t *payload, size_t n)
{
    uint8_t number;
    const uint8_t *bytes = mp_extension_decode(&number, payload, n);
    if (!bytes || number >= DIALECT_EXTENSIONS ||
        (!extensions->met[number].dialect && !meet(extensions, &extensions->met[number], number))) {
        extensions->unknown++;
        return;
    }
    struct extension *extension = &extensions->met[number];
    extension->dialect->decode(extension->state, bytes, n - MP_EXTENSION_HEAD, &extensions->out);
}

void extensions_finish(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        if (extensions->met[i].dialect && extensions->met[i].dialect->finish)
            extensions->met[i].dialect->finish(extensions->met[i].state, &extensions->out);
}

void extensions_reset(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        if (extensions->met[i].dialect && extensions->met[i].dialect->reset)
            extensions->met[i].dialect->reset(extensions->met[i].state);
}

uint32_t extensions_provides(const struct extensions *extensions)
{
    uint32_t provides = 0;
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        if (extensions->met[i].dialect)
            provides |= extensions->met[i].dialect->provides;
    return provides;
}

struct dialect_health extensions_health(const struct extensions *extensions)
{
    struct dialect_health sum = {.malformed = extensions->unknown};
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++) {
        if (!extensions->met[i].dialect)
            continue;
        const struct dialect_health *health = extensions->met[i].dialect->health(extensions->met[i].state);
        sum.records += health->records;
        sum.malformed += health->malformed;
        sum.unsupported_version += health->unsupported_version;
        sum.bytes_skipped += health->bytes_skipped;
        sum.framing_errors += health->framing_errors;
        sum.crc_errors += health->crc_errors;
    }
    return sum;
}
