/* examiner.h - stands before the decoder: where what comes makes no sense, or much of it is damaged, it finds
 * out what happened to the bytes (disguise.h), and has them read all the same where that is safe. */
#ifndef SESSION_EXAMINER_H
#define SESSION_EXAMINER_H

#include "session/decoder.h"
#include "session/disguise.h"

/* Zero is the start state. */
struct examiner {
    const char *sentence; /* what happened to what comes and what to do, static; NULL: nothing is known */
    const struct dialect *looks_like; /* of which the newest bytes are; NULL: no other than is read */
    undo_fn undo;                     /* what is read is undone by this; NULL: it is read as it comes */
    uint8_t *memory; /* the newest bytes without sense, and room for as many undone ones; NULL: none came */
    size_t n, look_at;
    uint64_t good, skipped; /* packets, records and bytes that the decoder had read and skipped */
    uint64_t between;       /* of those skipped, the link's bytes_between */
    uint64_t good_before, skipped_before; /* ... when these bytes began */
    uint64_t healthy;                     /* bytes since the last that made no sense */
    size_t mute_n, mute_look_at; /* bytes since the last packet while some are undone, in the second half */
    uint8_t carry[UNDO_UNFINISHED_MOST]; /* the begin of a group that more bytes end */
    size_t carry_n;
    uint64_t encoding, again; /* bytes that undoing has saved so far, and that were read twice */
    size_t held_n;            /* bytes that wait in the second half for what they are, */
    bool is_clear;            /* which is known: none are held any more */
    bool begun, is_text;
    uint64_t rest,
        resting; /* how many bytes not to look at after a look without success; how many of them are left */
};

void examiner_fini(struct examiner *examiner);

/* Hands n bytes to the decoder, undone where it was found out how, and looks at what makes no sense. */
void examiner_feed(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n);

/* The line went quiet: bytes held back until it is clear what they are may be given up. */
void examiner_idle(struct examiner *examiner, struct decoder *decoder);
bool examiner_is_waiting(const struct examiner *examiner); /* whether examiner_idle() has a purpose */

/* What comes next does not continue what came: nothing that was found out of it holds. To be called before
 * decoder_break(). */
void examiner_break(struct examiner *examiner, struct decoder *decoder);

/* How many bytes came over the line, each counted once. */
uint64_t examiner_bytes(const struct examiner *examiner, const struct decoder *decoder);

/* Says of what decoder_tell() has reported how many of its bytes came over the line. */
void examiner_tell(const struct examiner *examiner, const struct decoder *decoder,
                   struct snapshot_link *link);

/* No more bytes will follow: looks at what was too little before. To be called before decoder_finish(). */
void examiner_finish(struct examiner *examiner, struct decoder *decoder);

#endif
