/* backlog.h - the newest bytes that came, and when: what there was before something happened. */
#ifndef RECORDING_BACKLOG_H
#define RECORDING_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two rings, both of a size that never changes. Zero is one that keeps nothing. */
struct backlog {
    uint8_t *bytes;
    size_t room, first, n;
    struct backlog_read {
        uint64_t at_us;
        uint64_t missing; /* bytes of the line before them */
        size_t n;
    } * reads;        /* of these bytes, in order; reads that follow each other closely share one */
    uint64_t missing; /* behind the newest */
    size_t reads_room, reads_first, reads_n;
};

/* Makes room for this many bytes, of at most this many milliseconds. False when memory is used up. */
bool backlog_init(struct backlog *backlog, size_t room, size_t most_ms);
void backlog_fini(struct backlog *backlog);

/* Adds n bytes that came at `now_us` of the monotonic clock; the oldest go when there is no room. */
void backlog_add(struct backlog *backlog, uint64_t now_us, const uint8_t *bytes, size_t n);

/* Notes that n bytes of the line are missing before what is added next. */
void backlog_skip(struct backlog *backlog, uint64_t n);

/* Tells `each` of what came at `since_us` or later, and how many bytes of the line are missing between that
 * and what it reported before, oldest first, until it answers false; false then. */
typedef bool (*backlog_fn)(void *user, uint64_t at_us, uint64_t missing, const uint8_t *bytes, size_t n);
bool backlog_tell(const struct backlog *backlog, uint64_t since_us, backlog_fn each, void *user);

#endif
