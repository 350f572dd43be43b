/* recording.h - whether what comes is recorded, where, and how that ended. Begun by an option at the start or
 * by an order at any time; at most one at a time. */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "base/error.h"
#include "snapshot/snapshot.h"
#include "recording/writer.h"

#include <limits.h>

struct recording {
    struct recorder_terms terms;
    char dir[PATH_MAX];              /* where recordings go that an order begins */
    struct writer *writer;           /* borrowed; NULL: bytes are written at once */
    struct tape *tape;               /* NULL: nothing is recorded */
    bool is_opening;                 /* it is not known yet whether the tape could be made */
    uint64_t begun_wall_ns;          /* the tape was, or is to be */
    bool is_closing;                 /* nothing more goes onto the tape */
    bool has_gap;                    /* which has been reported */
    bool asked_at_start;             /* it is the one that an option asked for */
    struct snapshot_recording shown; /* except for the bytes, which the tape counts */
    struct error promise_broken;     /* why the one that an option asked for is not whole; "" it is */
};

/* Prepares for recordings in the folder `dir`; NULL is the working directory. False with a sentence when it
 * is no folder. */
bool recording_init(struct recording *recording, const char *dir, const struct recorder_terms *terms,
                    struct error *err);

/* Ends the recording that is under way. */
void recording_fini(struct recording *recording);

/* From now on the thread of `writer` (borrowed) writes what is recorded. */
void recording_write_by(struct recording *recording, struct writer *writer);

/* Begins the recording that an option asks for. False with a sentence when the file cannot be made. */
bool recording_begin_at(struct recording *recording, const char *path, struct error *err);

/* Begins one at `now_us` of the monotonic clock under a name of its own making, with n bytes (see
 * decoder_introduction()) at its head; none may be under way. True when its file could be made is known as
 * soon as recording_is_opening() is false, and recording_opened() tells; what comes meanwhile is kept. False
 * with a sentence when that is known at once: it cannot. */
bool recording_begin(struct recording *recording, uint64_t now_us, const uint8_t *head, size_t n,
                     struct error *err);

/* True when the file of the recording that was begun is still being made. */
bool recording_is_opening(const struct recording *recording);

/* Has the recording that was begun be shown, and forgets that an earlier one broke off. False with a
 * sentence, and there is none, when its file could not be made, or is not made yet. */
bool recording_opened(struct recording *recording, struct error *err);

bool recording_is_on(const struct recording *recording);

/* Keeps n bytes as tape_keep() does, if a recording is under way. True when there is something new to show:
 * it just broke off, or has its first gap, since the disk does not keep up. Both are logged, and shown from
 * now on. */
bool recording_keep(struct recording *recording, uint64_t now_us, const struct tape_head *head,
                    const uint8_t *bytes, size_t n);

/* Notes that n bytes of the line are missing before what comes next, if a recording is under way. */
void recording_skip(struct recording *recording, uint64_t n);

/* Does what tape_flush() does, and takes in what became of the recording. True when it just broke off. */
bool recording_flush(struct recording *recording, uint64_t now_ms);

/* When recording_flush() has something to do, in milliseconds of the monotonic clock. */
uint64_t recording_deadline_ms(const struct recording *recording);

/* Nothing more is recorded: what has come is written to the disk, which recording_is_closing() waits for. */
void recording_close(struct recording *recording);

/* True when the recording that was closed is still being written. */
bool recording_is_closing(const struct recording *recording);

/* Ends the recording, if it is on, since nothing more will come. One that is still being written is not
 * waited for: it lacks what is queued. What broke off, now or before, stays to be shown. */
void recording_finish(struct recording *recording);

/* Ends one that was closed, or has broken off; *last becomes what there was to show of it, its path "" when
 * there was none. False with a sentence when it is not whole, be it that it broke off earlier; that is
 * reported once, then forgotten. */
bool recording_end(struct recording *recording, struct snapshot_recording *last, struct error *err);

/* Tells how it is now. */
void recording_tell(const struct recording *recording, struct snapshot_recording *out);

#endif
