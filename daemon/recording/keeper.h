/* keeper.h - records the seconds around each breach of a limit, from some time before to some time after, so
 * that events of the night can be replayed in the morning.
 *
 * Number and size of these recordings are limited. The newer half is always kept, and of the older ones those
 * with the largest miss of each limit, then the worst. Only recordings of this run are ever deleted. */
#ifndef RECORDING_KEEPER_H
#define RECORDING_KEEPER_H

#include "recording/backlog.h"
#include "recording/writer.h"
#include "snapshot/snapshot.h"

#include <limits.h>

struct keeper_terms {
    const char *dir;    /* an existing folder; NULL: nothing is kept */
    uint32_t around_ms; /* time before, and after */
    uint32_t files;     /* 2 to KEEPING_FILES_MAX */
    uint64_t most;      /* bytes of all together */
    uint32_t flush_ms;  /* as in struct recorder_terms */
};

/* The largest miss of each limit in one recording. */
struct keeper_misses {
    uint32_t count;
    struct {
        uint32_t limit; /* its id */
        double excess;
    } rows[BOUNDS_MAX];
};

struct keeper {
    struct keeper_terms terms;
    char dir[PATH_MAX];
    struct backlog backlog;
    struct writer *writer;            /* borrowed; NULL: bytes are written at once */
    struct tape *tape;                /* NULL: none in progress */
    bool is_opening;                  /* its files are not known to be made yet, and no row shows it */
    bool is_ended;                    /* no more is written to it */
    struct snapshot_keeping_row next; /* row of the one being opened, except for its name */
    bool is_over;                     /* no more bytes come */
    uint64_t until_us;                /* end of that recording; after a failure, none begins before */
    struct keeper_misses misses[KEEPING_FILES_MAX + 1]; /* of each recording shown */
    struct snapshot_keeping shown;
};

/* Returns false with an error if the folder is invalid, or memory is used up. */
bool keeper_init(struct keeper *keeper, const struct keeper_terms *terms, struct error *err);

/* Ends the recording in progress. */
void keeper_fini(struct keeper *keeper);

/* From now on the thread of `writer` (borrowed) writes the recordings. */
void keeper_write_by(struct keeper *keeper, struct writer *writer);

/* Processes n bytes that arrived at `now_us` of the monotonic clock. Returns true if there is something new
 * to show. */
bool keeper_take(struct keeper *keeper, uint64_t now_us, const uint8_t *bytes, size_t n);

/* Notes that n bytes of the line are missing before the next ones. */
void keeper_skip(struct keeper *keeper, uint64_t n);

/* A limit was broken in the last bytes: records the time around that. `head` (n bytes): what a reader that
 * starts there must know, see decoder_introduction(). Returns true if there is something new to show. */
bool keeper_hear(struct keeper *keeper, uint64_t now_us, const struct snapshot_breach *breach,
                 const uint8_t *head, size_t n);

/* When keeper_rest() is to be called, in milliseconds of the monotonic clock; UINT64_MAX: never. */
uint64_t keeper_deadline_ms(const struct keeper *keeper);

/* Shows a recording whose files were made; ends one whose time is over, or that could not be written. Returns
 * true if there is something new to show. */
bool keeper_rest(struct keeper *keeper, uint64_t now_ms);

/* No more bytes will come: ends the recording in progress, and begins no other. One whose files are still
 * being made stays until the next keeper_rest(). */
void keeper_finish(struct keeper *keeper);

#endif
