/* extensions.c - decodes bytes of other dialects inside this link's packets. */
#include "session/extensions.h"

#include "protocol/bytes.h"
#include "protocol/packet.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT_BITS = 26 }; /* no dialect has more of them */

void extensions_fini(struct extensions *extensions)
{
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++)
        dialect_instance_close(&extensions->met[i]);
}

/* Context numbers are per dialect, so stacks of a carried dialect must not share those of the link's own.
 * Marks have only a calibration index as context. Differences of marks are in ticks of the dialect, so its
 * clock has the link's rate, whatever it sends. Once known, the link's clock rate and unit are used. */
static void pass_carried_events(void *user, const struct event *events, size_t n)
{
    struct extensions *extensions = user;
    struct carried_clock *clock = &extensions->clocks[extensions->speaks];
    bool has_rate = !(extensions->met[extensions->speaks].dialect->provides & PROVIDES_MARKS);
    for (size_t i = 0; i < n; i++) {
        struct event event = events[i];
        bool has_context = event.kind == EVENT_ENTER || event.kind == EVENT_EXIT || event.kind == EVENT_TEXT;
        if (has_context && event.context != EVENT_CONTEXT_UNKNOWN)
            event.context ^= (uint32_t)extensions->speaks << CONTEXT_BITS;
        if (event.kind != EVENT_CLOCK || has_rate)
            carried_clock_convert(clock, &event);
        if (event.kind != EVENT_CLOCK || !(extensions->link.is_known || extensions->link.hz))
            extensions->out.batch(extensions->out.user, &event, 1);
    }
}

static struct event_out out_of(struct extensions *extensions, size_t id)
{
    extensions->speaks = (uint8_t)id;
    return (struct event_out){pass_carried_events, extensions};
}

/* Returns false for a `dialect` of NULL. */
static bool open_extension(struct extensions *extensions, const struct dialect *dialect, struct error *err)
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
        if (dialect && dialect_settings_has_carried(settings, dialect->id) &&
            !open_extension(extensions, dialect, err))
            return false;
    }
    return true;
}

/* The newest tick of a packet, and the rate it reports. */
struct preview {
    bool has_ticks;
    uint64_t newest, hz;
};

static void preview_events(void *user, const struct event *events, size_t n)
{
    struct preview *preview = user;
    for (size_t i = 0; i < n; i++) {
        const struct event *event = &events[i];
        if (event->kind == EVENT_CLOCK)
            preview->hz = event->clock.ticks_per_second;
        if (event->kind != EVENT_ENTER && event->kind != EVENT_EXIT && event->kind != EVENT_MARK &&
            event->kind != EVENT_TEXT)
            continue;
        if (!preview->has_ticks || event->ticks > preview->newest)
            preview->newest = event->ticks;
        preview->has_ticks = true;
    }
}

/* The bytes of a carried packet. */
struct carried {
    uint8_t id;
    const uint8_t *bytes;
    size_t n;
};

static bool held_at(const struct extensions *extensions, size_t *at, struct carried *carried)
{
    const uint8_t *length = extensions->held + *at;
    if (*at == extensions->held_n)
        return false;
    size_t n = mp_load_u16(length);
    carried->bytes = mp_extension_decode(&carried->id, length + 2, n);
    carried->n = n - MP_EXTENSION_HEAD;
    *at += 2 + n;
    return true;
}

/* Places the clock of a dialect by the newest tick of the next packet, or of the held ones. They are decoded
 * twice; the state, which is all that a dialect remembers, is restored in between. Without memory, the clock
 * is not placed. */
static void place_clock(struct extensions *extensions, size_t id, const struct carried *packet)
{
    struct dialect_instance *instance = &extensions->met[id];
    struct carried_clock *clock = &extensions->clocks[id];
    struct preview preview = {.hz = clock->hz};
    struct event_out out = {preview_events, &preview};
    void *kept = malloc(instance->dialect->state_size);
    if (!kept)
        return;
    memcpy(kept, instance->state, instance->dialect->state_size);
    if (packet)
        dialect_instance_decode(instance, packet->bytes, packet->n, &out);
    struct carried held;
    for (size_t at = 0; !packet && held_at(extensions, &at, &held);)
        if (held.id == id)
            dialect_instance_decode(instance, held.bytes, held.n, &out);
    memcpy(instance->state, kept, instance->dialect->state_size);
    free(kept);
    if (instance->dialect->provides & PROVIDES_MARKS)
        preview.hz = 0;
    if (preview.has_ticks)
        carried_clock_place(clock, &extensions->link, preview.newest, preview.hz);
}

static bool is_due(const struct extensions *extensions, size_t id)
{
    return extensions->met[id].dialect && carried_clock_is_due(&extensions->clocks[id], &extensions->link);
}

static void decode_carried(struct extensions *extensions, const struct carried *carried)
{
    struct event_out out = out_of(extensions, carried->id);
    dialect_instance_decode(&extensions->met[carried->id], carried->bytes, carried->n, &out);
}

void extensions_release(struct extensions *extensions)
{
    struct carried carried;
    for (size_t id = 0; extensions->held_n && id < DIALECT_EXTENSIONS; id++)
        if (is_due(extensions, id))
            place_clock(extensions, id, NULL);
    for (size_t at = 0; held_at(extensions, &at, &carried);)
        decode_carried(extensions, &carried);
    extensions->holds_no_more |= extensions->held_n > 0;
    extensions->held_n = 0;
}

void extensions_settle(struct extensions *extensions)
{
    if (extensions->link.is_known)
        extensions_release(extensions);
}

static void receive_link_events(void *user, const struct event *events, size_t n)
{
    struct extensions *extensions = user;
    link_clock_see(&extensions->link, events, n);
    extensions->out.batch(extensions->out.user, events, n);
}

struct event_out extensions_beside(struct extensions *extensions)
{
    return (struct event_out){receive_link_events, extensions};
}

/* Holds the packet if it must wait for a time of the link; returns true then. */
static bool hold_packet(struct extensions *extensions, uint8_t id, const uint8_t *payload, size_t n)
{
    bool has_times = extensions->met[id].dialect->provides & PROVIDES_TIMELINE;
    if (!has_times || extensions->link.is_known || extensions->holds_no_more)
        return false;
    if (n + 2 > EXTENSIONS_HELD - extensions->held_n) {
        extensions_release(extensions);
        extensions->holds_no_more = true;
        return false;
    }
    mp_store_u16(extensions->held + extensions->held_n, (uint16_t)n);
    memcpy(extensions->held + extensions->held_n + 2, payload, n);
    extensions->held_n += 2 + n;
    return true;
}

void extensions_decode(struct extensions *extensions, const uint8_t *payload, size_t n)
{
    struct carried carried = {0};
    carried.bytes = mp_extension_decode(&carried.id, payload, n);
    carried.n = n - MP_EXTENSION_HEAD;
    uint8_t id = carried.id;
    if (!carried.bytes || id >= DIALECT_EXTENSIONS ||
        (!extensions->met[id].dialect && !open_extension(extensions, dialect_find_extension(id), NULL))) {
        extensions->unknown++;
        return;
    }
    extensions->heard[id] = true;
    if (hold_packet(extensions, id, payload, n))
        return;
    if (is_due(extensions, id))
        place_clock(extensions, id, &carried);
    decode_carried(extensions, &carried);
}

void extensions_finish(struct extensions *extensions)
{
    extensions_release(extensions);
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++) {
        struct event_out out = out_of(extensions, i);
        dialect_instance_finish(&extensions->met[i], &out);
    }
}

void extensions_reset(struct extensions *extensions)
{
    extensions_release(extensions);
    link_clock_restart(&extensions->link);
    for (size_t i = 0; i < DIALECT_EXTENSIONS; i++) {
        dialect_instance_reset(&extensions->met[i]);
        carried_clock_reset(&extensions->clocks[i]);
    }
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
