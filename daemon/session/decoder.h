/* decoder.h - converts the source's bytes to events: with the framing, if the dialect has one, then the
 * dialect. */
#ifndef SESSION_DECODER_H
#define SESSION_DECODER_H

#include "dialect/dialect.h"
#include "session/carried_clock.h"
#include "snapshot/snapshot.h"

/* The way the dialect was chosen. */
enum decoder_choice {
    DECODER_NAMED,     /* by the user */
    DECODER_UNDECIDED, /* not yet: it is detected from the bytes */
    DECODER_SURE,      /* by the form of the first bytes */
    DECODER_UNSURE,    /* not recognized, so it is the first of the registry */
};

/* If `dialect` is NULL, it is detected from the first bytes, at most DIALECT_GUESS_MOST, which are decoded
 * after that; the settings then have no options. Returns NULL with an error if a setting is invalid. `out`
 * receives the events, during the calls below. */
struct decoder *decoder_new(const struct dialect *dialect, const struct dialect_settings *settings,
                            const struct event_out *out, struct error *err);
void decoder_free(struct decoder *decoder);

void decoder_feed(struct decoder *decoder, const uint8_t *bytes, size_t n);

/* The line is quiet: drops or reads bytes that wait for the rest of their packet. */
void decoder_idle(struct decoder *decoder);
bool decoder_is_waiting(const struct decoder *decoder); /* true if decoder_idle() has an effect */

/* The next bytes do not continue the last ones: the line was away. */
void decoder_break(struct decoder *decoder);

/* No more bytes will come. */
void decoder_finish(struct decoder *decoder);

/* Emits persistent state again: contexts, and the calls that run in them. */
void decoder_retell(struct decoder *decoder);

/* The target has restarted: emits RESET before later events. May be called from `out`. */
void decoder_restart(struct decoder *decoder);

/* The target may have restarted: RESET is emitted before the next records if they do not continue the
 * previous ones. decoder_trust() withdraws this. */
void decoder_suspect_restart(struct decoder *decoder);
void decoder_trust(struct decoder *decoder);

/* The target's last METADATA packet as received, which a reader that starts now needs first. n becomes 0 if
 * there is none, or the dialect has no such packet. Borrowed until the next call. */
const uint8_t *decoder_introduction(const struct decoder *decoder, size_t *n);

/* The last bytes fed, if they wait for the rest of their packet; n becomes 0 if none do, or the dialect has
 * no packets. Borrowed until the next call. */
const uint8_t *decoder_unfinished(const struct decoder *decoder, size_t *n);

enum decoder_choice decoder_choice(const struct decoder *decoder);

/* The dialect, as far as known: the first of the registry while that is undecided. */
const struct dialect *decoder_dialect(const struct decoder *decoder);

/* The dialect that recent bytes look like if they make no sense in the one in use; otherwise NULL. */
const struct dialect *decoder_looks_like(const struct decoder *decoder);

/* The clock of the link's own dialect, as far as it was reported; NULL while that dialect does not keep real
 * time (`pass` of struct dialect). */
const struct link_clock *decoder_clock(const struct decoder *decoder);

/* By the host's clock, about `ticks` ticks have passed from the newest one to the next bytes fed. */
void decoder_pass(struct decoder *decoder, uint64_t ticks);

/* An assumption about the input that may be wrong, see struct dialect_health; NULL if nothing. */
const char *decoder_doubt(const struct decoder *decoder);

uint64_t decoder_bytes(const struct decoder *decoder);   /* fed so far */
uint64_t decoder_records(const struct decoder *decoder); /* valid ones so far */

/* Valid records that the target sent one by one, as counted in its STATUS. */
uint64_t decoder_records_sent(const struct decoder *decoder);

uint32_t decoder_provides(
    const struct decoder *decoder); /* enum provides bits, those of dialects met inside packets too */

/* After decoder_finish(): a static sentence that all input is valid but has no measurements; NULL if there
 * are some, or it is not valid. */
const char *decoder_empty(const struct decoder *decoder);

/* Sets the link's counters of bytes, packets, records and damage. */
void decoder_tell(const struct decoder *decoder, struct snapshot_link *link);

#endif
