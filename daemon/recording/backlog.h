/* backlog.h - keeps the newest bytes with their arrival times, for recordings that begin before an event. */
#ifndef RECORDING_BACKLOG_H
#define RECORDING_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two rings of fixed size. Zero keeps nothing. */
struct backlog {
    uint8_t *bytes;
    size_t room, first, n;
    struct backlog_read {
        uint64_t at_us;
        uint64_t missing; /* bytes of the line missing before them */
        size_t n;
    } * reads;        /* reads of these bytes, in order; reads in quick succession share one */
    uint64_t missing; /* after the newest */
    size_t reads_room, reads_first, reads_n;
};

/* Allocates space for this many bytes, of at most this many milliseconds. Returns false if memory is used
 * up. */
bool backlog_init(struct backlog *backlog, size_t room, size_t most_ms);
void backlog_fini(struct backlog *backlog);

/* Adds n bytes that arrived at `now_us` of the monotonic clock; the oldest are dropped if there is no
 * space. */
void backlog_add(struct backlog *backlog, uint64_t now_us, const uint8_t *bytes, size_t n);

/* Notes that n bytes of the line are missing before the next ones. */
void backlog_skip(struct backlog *backlog, uint64_t n);

/* Calls `each` with the bytes that arrived at `since_us` or later, and the number of bytes missing before
 * them, oldest first, until it returns false; returns false then. */
typedef bool (*backlog_fn)(void *user, uint64_t at_us, uint64_t missing, const uint8_t *bytes, size_t n);
bool backlog_tell(const struct backlog *backlog, uint64_t since_us, backlog_fn each, void *user);

#endif
