/* keeper.h - keeps the seconds around each time that a limit was broken: a recording of its own, from some
 * time before to some time after, so that what happened at night can be replayed in the morning.
 *
 * Their number and size are limited: the newer half always, and of the older ones those in
 * which a limit was missed by most, then the worst. Only what this run has made is ever deleted. */
#ifndef RECORDING_KEEPER_H
#define RECORDING_KEEPER_H

#include "recording/backlog.h"
#include "recording/writer.h"
#include "snapshot/snapshot.h"

#include <limits.h>

struct keeper_terms {
    const char *dir;    /* an existing folder; NULL: nothing is kept */
    uint32_t around_ms; /* before, and after */
    uint32_t files;     /* 2 to KEEPING_FILES_MAX */
    uint64_t most;      /* bytes of all of them together */
    uint32_t flush_ms;  /* as struct recorder_terms has it */
};

/* By how much each limit was missed at the worst in one of them. */
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
    struct writer *writer; /* borrowed; NULL: bytes are written at once */
    struct tape *tape;     /* NULL: none is under way */
    bool is_opening;       /* it is not known yet whether its files could be made, and no row shows it */
    bool is_ended;         /* nothing more goes onto it */
    struct snapshot_keeping_row next; /* of the one that is being opened, except for its name */
    bool is_over;                     /* nothing more comes */
    uint64_t until_us;                /* of that one; and until then none is begun after one that failed */
    struct keeper_misses misses[KEEPING_FILES_MAX + 1]; /* in each of those that are shown */
    struct snapshot_keeping shown;
};

/* False with a sentence when the folder is none, or memory is used up. */
bool keeper_init(struct keeper *keeper, const struct keeper_terms *terms, struct error *err);

/* Ends the one that is under way. */
void keeper_fini(struct keeper *keeper);

/* From now on the thread of `writer` (borrowed) writes what is kept. */
void keeper_write_by(struct keeper *keeper, struct writer *writer);

/* Takes in n bytes that came at `now_us` of the monotonic clock. True when there is something new to show. */
bool keeper_take(struct keeper *keeper, uint64_t now_us, const uint8_t *bytes, size_t n);

/* Takes in that n bytes of the line are missing before what comes next. */
void keeper_skip(struct keeper *keeper, uint64_t n);

/* Takes in that a limit was broken in what came last, and keeps the time around that. `head` (n bytes): what
 * somebody who listens from then on must know, see decoder_introduction(). True when there is something new
 * to show. */
bool keeper_hear(struct keeper *keeper, uint64_t now_us, const struct snapshot_breach *breach,
                 const uint8_t *head, size_t n);

/* When keeper_rest() has something to do, in milliseconds of the monotonic clock; UINT64_MAX: never. */
uint64_t keeper_deadline_ms(const struct keeper *keeper);

/* Shows a recording whose files have been made; ends one whose time is over, or which could not be written.
 * True when there is something new to show. */
bool keeper_rest(struct keeper *keeper, uint64_t now_ms);

/* Nothing more will come: ends the one that is under way, and begins no other. One whose files are still
 * being made has until the next keeper_rest(). */
void keeper_finish(struct keeper *keeper);

#endif
