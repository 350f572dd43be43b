/* examiner.h - passes bytes to the decoder. If they make no sense, or many are damaged, it finds out how they
 * were changed (disguise.h), and undoes the change if that is safe. */
#ifndef SESSION_EXAMINER_H
#define SESSION_EXAMINER_H

#include "session/decoder.h"
#include "session/disguise.h"

/* Zero is the start state. */
struct examiner {
    const char *sentence;             /* static: what changed the bytes and what to do; NULL: unknown */
    const struct dialect *looks_like; /* the dialect of the newest bytes; NULL: the one in use */
    undo_fn undo;                     /* undoes received bytes; NULL: they are decoded as they are */
    uint8_t *memory; /* the newest bytes without sense, and space for as many undone; NULL: none came */
    size_t n, look_at;
    uint64_t good, skipped; /* packets and records that the decoder had read, and bytes it had skipped */
    uint64_t between;       /* part of the skipped bytes: the link's bytes_between */
    uint64_t good_before, skipped_before; /* the same when these bytes began */
    uint64_t healthy;                     /* bytes since the last that made no sense */
    size_t mute_n, mute_look_at;          /* while undoing: bytes since the last packet, in the second half */
    uint8_t carry[UNDO_UNFINISHED_MOST];  /* the start of an incomplete group */
    size_t carry_n;
    uint64_t encoding, again; /* bytes that undoing has removed so far, and bytes that were read twice */
    size_t held_n;            /* bytes held in the second half until it is clear what they are */
    bool is_clear;            /* true: they are understood, and no more are held */
    bool begun, is_text;
    uint64_t rest, resting; /* bytes not to examine after a check without result; how many are left */
};

void examiner_fini(struct examiner *examiner);

/* Passes n bytes to the decoder, undone if a change was found, and examines those that make no sense. */
void examiner_feed(struct examiner *examiner, struct decoder *decoder, const uint8_t *bytes, size_t n);

/* The line is quiet: held bytes are decoded, undone if they are UTF-8. */
void examiner_idle(struct examiner *examiner, struct decoder *decoder);
bool examiner_is_waiting(const struct examiner *examiner); /* true if examiner_idle() has an effect */

/* The next bytes do not continue the last ones: findings no longer apply. To be called before
 * decoder_break(). */
void examiner_break(struct examiner *examiner, struct decoder *decoder);

/* The number of bytes received over the line, each counted once. */
uint64_t examiner_bytes(const struct examiner *examiner, const struct decoder *decoder);

/* Corrects the byte counts of decoder_tell() to bytes received over the line. */
void examiner_tell(const struct examiner *examiner, const struct decoder *decoder,
                   struct snapshot_link *link);

/* No more bytes will come: examines the rest, even if it is short. To be called before decoder_finish(). */
void examiner_finish(struct examiner *examiner, struct decoder *decoder);

#endif
