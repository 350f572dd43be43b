/* decoder.h - from the source's bytes to events: the framing, where the dialect has one, then the dialect. */
#ifndef SESSION_DECODER_H
#define SESSION_DECODER_H

#include "dialect/dialect.h"
#include "session/carried_clock.h"
#include "snapshot/snapshot.h"

/* How the dialect came about. */
enum decoder_choice {
    DECODER_NAMED,     /* by the user */
    DECODER_UNDECIDED, /* not yet: it is found out from the bytes */
    DECODER_SURE,      /* by what the first bytes look like */
    DECODER_UNSURE,    /* they look like none, so it is the first of the registry */
};

/* A `dialect` of NULL is found out from the first bytes, at most DIALECT_GUESS_MOST of them, which are read
 * once it is known; the settings then have no options. NULL with a sentence when a setting cannot be. `out`
 * gets the events, during the calls below. */
struct decoder *decoder_new(const struct dialect *dialect, const struct dialect_settings *settings,
                            const struct event_out *out, struct error *err);
void decoder_free(struct decoder *decoder);

void decoder_feed(struct decoder *decoder, const uint8_t *bytes, size_t n);

/* The line went quiet: bytes held back for the rest of their packet may be given up. */
void decoder_idle(struct decoder *decoder);
bool decoder_is_waiting(const struct decoder *decoder); /* whether decoder_idle() has a purpose */

/* What comes next does not continue what came before: the line was away. */
void decoder_break(struct decoder *decoder);

/* Nothing will come any more. */
void decoder_finish(struct decoder *decoder);

/* Tells once more what holds until it is reported otherwise: contexts, and calls that run in them. */
void decoder_retell(struct decoder *decoder);

/* The target started again: emits RESET before anything that follows. May be called from `out`. */
void decoder_restart(struct decoder *decoder);

/* It may have started again: RESET is emitted before the next records if they do not continue those before.
 * decoder_trust(): they did, or it does not matter any more. */
void decoder_suspect_restart(struct decoder *decoder);
void decoder_trust(struct decoder *decoder);

/* What a listener who joins now has missed and must know first: the target's last METADATA packet, as it
 * came. n becomes 0 when there is none, or the dialect has no such thing. Borrowed until the next call. */
const uint8_t *decoder_introduction(const struct decoder *decoder, size_t *n);

/* The bytes fed last that wait for the rest of their packet; n becomes 0 when none do, or the dialect has no
 * packets. Borrowed until the next call. */
const uint8_t *decoder_unfinished(const struct decoder *decoder, size_t *n);

enum decoder_choice decoder_choice(const struct decoder *decoder);

/* What is spoken, as far as one knows: the first of the registry while that is undecided. */
const struct dialect *decoder_dialect(const struct decoder *decoder);

/* What the bytes of late look like when they make no sense in that dialect; NULL otherwise, and when they
 * look like nothing. */
const struct dialect *decoder_looks_like(const struct decoder *decoder);

/* The clock of what the link itself speaks, as far as it was reported. NULL while that dialect does not keep
 * real time (`pass` of struct dialect). */
const struct link_clock *decoder_clock(const struct decoder *decoder);

/* About `ticks` ticks have passed since the newest one, by the host's clock, up to what is fed next. */
void decoder_pass(struct decoder *decoder, uint64_t ticks);

/* What had to be assumed of the input and may be wrong, see struct dialect_health; NULL: nothing. */
const char *decoder_doubt(const struct decoder *decoder);

uint64_t decoder_bytes(const struct decoder *decoder);   /* fed so far */
uint64_t decoder_records(const struct decoder *decoder); /* good ones so far */

/* Good ones so far which the target sent one by one: those that its STATUS counts. */
uint64_t decoder_records_sent(const struct decoder *decoder);

uint32_t decoder_provides(
    const struct decoder *decoder); /* enum provides bits, those of dialects met inside packets too */

/* After decoder_finish(): says, in a sentence, that all of the input is valid and nothing was measured in it;
 * NULL when something was, or it is not valid. Static. */
const char *decoder_empty(const struct decoder *decoder);

/* Sets the link's counters of bytes, packets, records and damage. */
void decoder_tell(const struct decoder *decoder, struct snapshot_link *link);

#endif
