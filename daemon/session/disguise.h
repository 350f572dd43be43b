/* disguise.h - says what happened to bytes that make no sense, or of which many are damaged: undoes one
 * change at a time, and sees whether packets come out. */
#ifndef SESSION_DISGUISE_H
#define SESSION_DISGUISE_H

#include "dialect/dialect.h"
#include "session/undo.h"

/* The newest bytes that are looked at. */
enum { DISGUISE_MOST = 16384 };

/* What was found. */
struct disguise {
    const char *sentence;             /* static: what it is and what to do; NULL: it is unknown */
    undo_fn undo;                     /* how to read it all the same, where that is safe; else NULL */
    const struct dialect *looks_like; /* no disguise: they are of another dialect; else NULL */
    bool is_text;                     /* plain text, behind which packets may come */
};

/* True when the n bytes, of the begin of a stream, may be of a kind that it is safe to undo: text, or UTF-16.
 * Costs little. */
bool disguise_may_be_safe(const uint8_t *bytes, size_t n);

/* How many good packets from a target are in the n bytes, at most DISGUISE_MOST. 0 without memory for it. */
size_t disguise_packets(const uint8_t *bytes, size_t n);

/* The sentence about bytes that are at least two commands of a host, and little else; NULL: they are not. It
 * needs fewer bytes than disguise_find(). */
const char *disguise_find_echo(const uint8_t *bytes, size_t n);

/* Looks at n bytes, at most DISGUISE_MOST, from anywhere in a stream that is read as `dialect`; NULL: it is
 * not known which it is. Takes some tens of milliseconds at the most. Without memory for it
 * nothing is found. */
struct disguise disguise_find(const uint8_t *bytes, size_t n, const struct dialect *dialect);

#endif
