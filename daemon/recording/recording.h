/* recording.h - the user's recording: its state, its file and its result. Started by an option, or by an
 * order at any time; at most one at a time. */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "base/error.h"
#include "snapshot/snapshot.h"
#include "recording/writer.h"

#include <limits.h>

struct recording {
    struct recorder_terms terms;
    char dir[PATH_MAX];              /* folder for recordings started by an order */
    struct writer *writer;           /* borrowed; NULL: bytes are written at once */
    struct tape *tape;               /* NULL: not recording */
    bool is_opening;                 /* it is not known yet if the tape could be made */
    uint64_t begun_wall_ns;          /* start of the tape */
    bool is_closing;                 /* no more bytes are added to the tape */
    bool has_gap;                    /* a gap was reported */
    bool asked_at_start;             /* an option started it */
    struct snapshot_recording shown; /* except for the bytes, which the tape counts */
    struct error promise_broken;     /* why the option's recording is incomplete; "" if it is not */
};

/* Prepares for recordings in the folder `dir`; NULL is the working directory. Returns false with an error if
 * it is no folder. */
bool recording_init(struct recording *recording, const char *dir, const struct recorder_terms *terms,
                    struct error *err);

/* Ends the recording in progress. */
void recording_fini(struct recording *recording);

/* From now on the thread of `writer` (borrowed) writes the recording. */
void recording_write_by(struct recording *recording, struct writer *writer);

/* Starts the recording that an option requested. Returns false with an error if the file cannot be made. */
bool recording_begin_at(struct recording *recording, const char *path, struct error *err);

/* Starts a recording at `now_us` of the monotonic clock under a generated name, with n bytes (see
 * decoder_introduction()) at its head; none may be in progress. When recording_is_opening() is false,
 * recording_opened() tells whether its file could be made; bytes are kept until then. Returns false with an
 * error if it is known at once that it cannot. */
bool recording_begin(struct recording *recording, uint64_t now_us, const uint8_t *head, size_t n,
                     struct error *err);

/* True while the file of the recording is being made. */
bool recording_is_opening(const struct recording *recording);

/* Shows the recording that was started, and forgets that an earlier one failed. Returns false with an error,
 * without a recording, if its file could not be made, or is not made yet. */
bool recording_opened(struct recording *recording, struct error *err);

bool recording_is_on(const struct recording *recording);

/* Records n bytes with tape_keep(), if a recording is in progress. Returns true if there is something new to
 * show: it has failed, or has its first gap, since the disk is too slow. Both are logged and shown. */
bool recording_keep(struct recording *recording, uint64_t now_us, const struct tape_head *head,
                    const uint8_t *bytes, size_t n);

/* Notes that n bytes of the line are missing before the next ones, if a recording is in progress. */
void recording_skip(struct recording *recording, uint64_t n);

/* Calls tape_flush(), and checks the recording. Returns true if it has just failed. */
bool recording_flush(struct recording *recording, uint64_t now_ms);

/* When recording_flush() is to be called, in milliseconds of the monotonic clock. */
uint64_t recording_deadline_ms(const struct recording *recording);

/* Stops recording: received bytes are still written to the disk; see recording_is_closing(). */
void recording_close(struct recording *recording);

/* True while the stopped recording is being written. */
bool recording_is_closing(const struct recording *recording);

/* Ends the recording, if any, since no more bytes will come. Does not wait for one that is still being
 * written, which lacks its queued bytes then. A failure, now or before, stays to be shown. */
void recording_finish(struct recording *recording);

/* Ends a recording that was stopped or has failed; *last becomes its last state, with path "" if there was
 * none. Returns false with an error if it is incomplete, even if it failed earlier; this is reported once. */
bool recording_end(struct recording *recording, struct snapshot_recording *last, struct error *err);

/* Returns how it is now. */
void recording_tell(const struct recording *recording, struct snapshot_recording *out);

#endif
