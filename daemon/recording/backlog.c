/* backlog.c - keeps the newest bytes with their arrival times. */
#include "recording/backlog.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_US = 1000 };

bool backlog_init(struct backlog *backlog, size_t room, size_t most_ms)
{
    *backlog = (struct backlog){.room = room, .reads_room = most_ms + 2};
    backlog->bytes = malloc(room);
    backlog->reads = malloc(backlog->reads_room * sizeof *backlog->reads);
    if (backlog->bytes && backlog->reads)
        return true;
    backlog_fini(backlog);
    return false;
}

void backlog_fini(struct backlog *backlog)
{
    free(backlog->bytes);
    free(backlog->reads);
    *backlog = (struct backlog){.room = 0};
}

static struct backlog_read *read_at(const struct backlog *backlog, size_t index)
{
    return &backlog->reads[(backlog->reads_first + index) % backlog->reads_room];
}

/* Drops the oldest n bytes; part of a read may stay. */
static void drop_oldest_bytes(struct backlog *backlog, size_t n)
{
    backlog->first = (backlog->first + n) % backlog->room;
    backlog->n -= n;
    while (n > 0) {
        struct backlog_read *oldest = read_at(backlog, 0);
        size_t part = n < oldest->n ? n : oldest->n;
        oldest->n -= part;
        oldest->missing = 0;
        n -= part;
        if (oldest->n > 0)
            continue;
        backlog->reads_first = (backlog->reads_first + 1) % backlog->reads_room;
        backlog->reads_n--;
    }
}

static void note_read(struct backlog *backlog, uint64_t now_us, size_t n)
{
    struct backlog_read *last = backlog->reads_n ? read_at(backlog, backlog->reads_n - 1) : NULL;
    if (last && now_us - last->at_us < STEP_US && backlog->missing == 0) {
        last->n += n;
        return;
    }
    if (backlog->reads_n == backlog->reads_room)
        drop_oldest_bytes(backlog, read_at(backlog, 0)->n);
    *read_at(backlog, backlog->reads_n++) = (struct backlog_read){now_us, backlog->missing, n};
    backlog->missing = 0;
}

void backlog_skip(struct backlog *backlog, uint64_t n)
{
    backlog->missing += n;
}

void backlog_add(struct backlog *backlog, uint64_t now_us, const uint8_t *bytes, size_t n)
{
    if (n > backlog->room) {
        bytes += n - backlog->room;
        n = backlog->room;
    }
    if (n == 0)
        return;
    if (n > backlog->room - backlog->n)
        drop_oldest_bytes(backlog, n - (backlog->room - backlog->n));
    note_read(backlog, now_us, n);
    size_t at = (backlog->first + backlog->n) % backlog->room;
    size_t straight = n < backlog->room - at ? n : backlog->room - at;
    memcpy(backlog->bytes + at, bytes, straight);
    memcpy(backlog->bytes, bytes + straight, n - straight);
    backlog->n += n;
}

bool backlog_tell(const struct backlog *backlog, uint64_t since_us, backlog_fn each, void *user)
{
    size_t at = backlog->first;
    bool is_first = true;
    for (size_t i = 0; i < backlog->reads_n; i++) {
        const struct backlog_read *read = read_at(backlog, i);
        size_t straight = read->n < backlog->room - at ? read->n : backlog->room - at;
        bool is_wanted = read->at_us >= since_us;
        if (is_wanted &&
            !each(user, read->at_us, is_first ? 0 : read->missing, backlog->bytes + at, straight))
            return false;
        if (is_wanted && read->n > straight &&
            !each(user, read->at_us, 0, backlog->bytes, read->n - straight))
            return false;
        is_first &= !is_wanted;
        at = (at + read->n) % backlog->room;
    }
    return true;
}
