/* extensions.h - decodes bytes of other dialects inside this link's packets (protocol/SPEC.md, EXTENSION). */
#ifndef SESSION_EXTENSIONS_H
#define SESSION_EXTENSIONS_H

#include "session/carried_clock.h"
#include "session/dialect_instance.h"

enum { EXTENSIONS_HELD = 4096 };

/* One instance per dialect, made when its first packet comes, or at the start if the user has settings for
 * it. Zero has no settings and no output. */
struct extensions {
    const struct dialect_settings *settings; /* of the link's own dialect, with those of the carried ones;
                                                borrowed, copied from on first use */
    struct event_out out;
    struct dialect_instance met[DIALECT_EXTENSIONS]; /* by their ids */
    bool heard[DIALECT_EXTENSIONS];                  /* a packet came for it */
    struct carried_clock clocks[DIALECT_EXTENSIONS];
    struct link_clock link;
    bool holds_no_more;
    size_t held_n;
    uint8_t held[EXTENSIONS_HELD]; /* payloads, each preceded by its length, u16 */
    uint8_t speaks;                /* the id of the dialect that reports events now */
    uint64_t unknown;              /* packets of dialects that are unknown or could not be started */
};

/* Makes the dialects that have settings. Returns false with an error if a setting is invalid;
 * extensions_fini() must be called all the same. */
bool extensions_init(struct extensions *extensions, const struct dialect_settings *settings,
                     const struct event_out *out, struct error *err);
void extensions_fini(struct extensions *extensions);

/* Where the link's own dialect emits its events, which are passed to `out`; they provide the times for
 * placing carried events. To be followed by extensions_settle() after each packet. */
struct event_out extensions_beside(struct extensions *extensions);
void extensions_settle(struct extensions *extensions);

/* Emits what was held back, with the time known by then, if any. */
void extensions_release(struct extensions *extensions);

/* Decodes the payload of an EXTENSION packet. Until the link has reported a time, packets of dialects with a
 * clock are held back, at most EXTENSIONS_HELD bytes. */
void extensions_decode(struct extensions *extensions, const uint8_t *payload, size_t n);

void extensions_finish(struct extensions *extensions); /* no more will come */
void extensions_reset(struct extensions *extensions);  /* the target has restarted */

uint32_t extensions_provides(const struct extensions *extensions);            /* enum provides bits */
struct dialect_health extensions_health(const struct extensions *extensions); /* summed over all */

#endif
