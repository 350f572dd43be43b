/* extensions.c - other dialects' bytes inside this link's packets. */
#include "session/extensions.h"

#include "protocol/packet.h"

enum { CONTEXT_BITS = 26 }; /* no dialect has more of them */

void extensions_fini(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        dialect_instance_close(&extensions->met[i]);
}

/* Contexts are numbers of whoever tells them: those of stacks that a carried dialect tells must not be the
 * link's own dialect's. Marks have none but their calibration index. */
static void pass(void *user, const struct event *events, size_t n)
{
    const struct extensions *extensions = user;
    for (size_t i = 0; i < n; i++) {
        struct event event = events[i];
        bool is_call = event.kind == EVENT_ENTER || event.kind == EVENT_EXIT;
        if (is_call && event.context != EVENT_CONTEXT_UNKNOWN)
            event.context ^= (uint32_t)extensions->speaks << CONTEXT_BITS;
        extensions->out.batch(extensions->out.user, &event, 1);
    }
}

static struct event_out out_of(struct extensions *extensions, size_t id)
{
    extensions->speaks = (uint8_t)id;
    return (struct event_out){pass, extensions};
}

/* `dialect` may be NULL: there is none. */
static bool meet(struct extensions *extensions, const struct dialect *dialect, struct error *err)
{
    struct dialect_settings settings = {0};
    if (!dialect)
        return false;
    if (extensions->settings)
        settings = *extensions->settings;
    settings.carried = dialect->id;
    return dialect_instance_open(&extensions->met[dialect->extension], dialect, &settings, err);
}

bool extensions_init(struct extensions *extensions, const struct dialect_settings *settings,
                     const struct event_out *out, struct error *err)
{
    *extensions = (struct extensions){.settings = settings, .out = *out};
    for (uint8_t id = 0; id < DIALECT_EXTENSIONS; id++) {
        const struct dialect *dialect = dialect_find_extension(id);
        if (dialect && dialect_settings_has_carried(settings, dialect->id) && !meet(extensions, dialect, err))
            return false;
    }
    return true;
}

void extensions_decode(struct extensions *extensions, const uint8_t *payload, size_t n)
{
    uint8_t id;
    const uint8_t *bytes = mp_extension_decode(&id, payload, n);
    if (!bytes || id >= DIALECT_EXTENSIONS ||
        (!extensions->met[id].dialect && !meet(extensions, dialect_find_extension(id), NULL))) {
        extensions->unknown++;
        return;
    }
    extensions->heard[id] = true;
    struct event_out out = out_of(extensions, id);
    dialect_instance_decode(&extensions->met[id], bytes, n - MP_EXTENSION_HEAD, &out);
}

void extensions_finish(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++) {
        struct event_out out = out_of(extensions, i);
        dialect_instance_finish(&extensions->met[i], &out);
    }
}

void extensions_reset(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        dialect_instance_reset(&extensions->met[i]);
}

uint32_t extensions_provides(const struct extensions *extensions)
{
    uint32_t provides = 0;
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        if (extensions->heard[i])
            provides |= extensions->met[i].dialect->provides;
    return provides;
}

struct dialect_health extensions_health(const struct extensions *extensions)
{
    struct dialect_health sum = {.malformed = extensions->unknown};
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++) {
        if (!extensions->met[i].dialect)
            continue;
        const struct dialect_health *health = dialect_instance_health(&extensions->met[i]);
        sum.records += health->records;
        sum.malformed += health->malformed;
        sum.unsupported_version += health->unsupported_version;
        sum.duplicates += health->duplicates;
        sum.bytes_skipped += health->bytes_skipped;
        sum.framing_errors += health->framing_errors;
        sum.crc_errors += health->crc_errors;
        sum.doubt = sum.doubt ? sum.doubt : health->doubt;
    }
    return sum;
}
