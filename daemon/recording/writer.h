/* writer.h - writes recordings on a thread of its own, so that a disk that stalls holds up neither the line
 * nor the decoding.
 *
 * A recording that is being written is a *tape*. Without a writer its bytes are written at once, by whoever
 * hands them in: a file or standard input has no sender that could be held up. With one they are copied into
 * a queue of bounded size. Bytes for which there is no room are counted as lost by the tape, and missing in
 * the recording, which goes on behind them.
 *
 * Making the files of a recording can take as long as writing to them, so with a writer that is done by the
 * thread, too (tape_open()).
 *
 * All functions here are for one thread, which is not the writer's. */
#ifndef RECORDING_WRITER_H
#define RECORDING_WRITER_H

#include "base/wake.h"
#include "recording/recorder.h"

/* Starts the thread, with a queue of `room` bytes (0: 16 MiB). It rings `wake` (borrowed) when a tape was
 * opened, has failed or has ended. NULL with a sentence. */
struct writer *writer_new(size_t room, const struct wake *wake, struct error *err);

/* Waits until nothing is queued and nothing is being written, up to `until_ms` of the monotonic clock. True
 * when it came to that. NULL is fine, and true. */
bool writer_drain(struct writer *writer, uint64_t until_ms);

/* Ends the thread when it has written what is queued. Where writer_drain() has failed it is not waited for:
 * the thread frees everything itself, should the disk go on while the process lives. Tapes must have been
 * freed. NULL is fine. */
void writer_free(struct writer *writer);

/* Deletes the recording at `path` and its pace file, after what was queued before. NULL: at once. */
void writer_remove(struct writer *writer, const char *path);

/* Why a tape that was released could not be written; reported once. False: none has failed since. NULL is
 * fine. */
bool writer_take_failure(struct writer *writer, struct error *why);

/* Makes a tape of a recorder, which is taken over in any case. NULL with a sentence when
 * memory is used up. */
struct tape *tape_new(struct recorder *recorder, struct error *err);

/* Begins one under a name of its own making in the folder `dir` (recorder_new_in()). The thread of `writer`
 * (borrowed) makes its files, and until that is done it is TAPE_OPENING; what it is to keep waits meanwhile.
 * It becomes TAPE_FAILED when they cannot be made. NULL as writer: they are made at once. NULL with a
 * sentence when memory is used up or, without a writer, the files cannot be made. */
struct tape *tape_open(struct writer *writer, const char *dir, uint64_t now_wall_ns,
                       const struct recorder_terms *terms, struct error *err);

/* From now on the thread of `writer` (borrowed; NULL: nobody) writes. A tape that is a pipe waits for its
 * reader from then on, and does not fail when that is late. */
void tape_hand_over(struct tape *tape, struct writer *writer);

/* What a part of a recording, or what follows a gap, has to begin with: what somebody who listens from there
 * on must know (decoder_introduction()), and what has come of the packet that is under way
 * (decoder_unfinished()). So a packet that is cut in two is whole behind the cut. */
struct tape_head {
    const uint8_t *known, *unfinished;
    size_t known_n, unfinished_n;
};

/* Keeps n bytes that came at `now_us` of the monotonic clock; a new part begins, with `head`, where they do
 * not fit into this one (recorder_is_full()). With NULL they go into this one. False with a sentence when the
 * tape has failed; there is no use in going on then. */
bool tape_keep(struct tape *tape, uint64_t now_us, const struct tape_head *head, const uint8_t *bytes,
               size_t n, struct error *err);

/* Notes that n bytes of the line are missing before what is kept next, so that a replay tells them as well.
 * What finds no room in the queue is noted without that. */
void tape_skip(struct tape *tape, uint64_t n);

/* Does what recorder_flush() does if it is due and no thread does that. False with a sentence when the tape
 * has failed. */
bool tape_flush(struct tape *tape, uint64_t now_ms, struct error *err);
uint64_t tape_deadline_ms(const struct tape *tape); /* when tape_flush() has something to do */

const char *tape_path(const struct tape *tape); /* lives as long as the tape; not for TAPE_OPENING */
uint64_t tape_bytes(struct tape *tape);         /* kept in all parts that there are, queued ones included */
uint64_t tape_queued(struct tape *tape);        /* of these, how many are not written yet */
uint64_t tape_lost(struct tape *tape);          /* bytes for which there was no room, in all */

/* Nothing more comes: has all of it written, and synchronised with the disk. */
void tape_end(struct tape *tape);

/* Tells how far that is. */
enum tape_state {
    TAPE_OPEN,    /* it was not ended yet, or is being written */
    TAPE_OPENING, /* its files are being made */
    TAPE_WRITTEN, /* it was ended, and all was handed to the system, but maybe not to the disk */
    TAPE_KEPT,    /* all of it is on the disk */
    TAPE_FAILED,  /* it is not; `why` says why */
};
enum tape_state tape_state(struct tape *tape, struct error *why);

/* Frees one that was ended. What is still to be written is, and what fails then is reported by
 * writer_take_failure(). NULL is fine. */
void tape_free(struct tape *tape);

#endif
