/* disguise.h - finds out how bytes were changed on their way if they make no sense, or many are damaged:
 * undoes one change at a time, and checks whether packets appear. */
#ifndef SESSION_DISGUISE_H
#define SESSION_DISGUISE_H

#include "dialect/dialect.h"
#include "session/undo.h"

/* The newest bytes, which are examined. */
enum { DISGUISE_MOST = 16384 };

/* The result. */
struct disguise {
    const char *sentence;             /* static: the problem and its remedy; NULL: unknown */
    undo_fn undo;                     /* undoes the change, if that is safe; else NULL */
    const struct dialect *looks_like; /* the bytes are unchanged, but of this dialect; else NULL */
    bool is_text;                     /* they are plain text, which packets may follow */
};

/* True if the n bytes at the start of a stream may be text or UTF-16, which are safe to undo. Fast. */
bool disguise_may_be_safe(const uint8_t *bytes, size_t n);

/* The number of valid packets from a target in the n bytes, at most DISGUISE_MOST; 0 without memory. */
size_t disguise_packets(const uint8_t *bytes, size_t n);

/* A sentence if the bytes are at least two commands of a host and little else; otherwise NULL. Needs fewer
 * bytes than disguise_find(). */
const char *disguise_find_echo(const uint8_t *bytes, size_t n);

/* Examines n bytes, at most DISGUISE_MOST, from any part of a stream that is decoded as `dialect`; NULL:
 * undecided. Takes up to some tens of milliseconds. Without memory nothing is found. */
struct disguise disguise_find(const uint8_t *bytes, size_t n, const struct dialect *dialect);

#endif
