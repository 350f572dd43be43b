/* writer.h - writes recordings on its own thread, so that a disk that stalls blocks neither the line nor
 * decoding.
 *
 * A recording that is being written is a *tape*. Without a writer its bytes are written at once, by the thread that
 * hands them in: a file or standard input has no sender that could be held up. With one they are copied into
 * a queue of bounded size. Bytes for which there is no room are counted as lost by the tape, and missing in
 * the recording, which goes on behind them.
 *
 * Making files can take as long as writing to them, so with a writer its thread does that, too (tape_open()).
 *
 * All functions here are for one thread, which is not the writer's. */
#ifndef RECORDING_WRITER_H
#define RECORDING_WRITER_H

#include "base/wake.h"
#include "recording/recorder.h"

/* Starts the thread, with a queue of `room` bytes (0: 16 MiB). It rings `wake` (borrowed) when a tape was
 * opened, has failed or has ended. Returns NULL with an error on failure. */
struct writer *writer_new(size_t room, const struct wake *wake, struct error *err);

/* Waits until nothing is queued or being written, up to `until_ms` of the monotonic clock. Returns true if
 * that was reached. Accepts NULL, and returns true. */
bool writer_drain(struct writer *writer, uint64_t until_ms);

/* Ends the thread after it has written the queue. If writer_drain() failed it is not waited for: the thread
 * frees everything itself, if the disk continues while the process lives. Tapes must have been freed. Accepts
 * NULL. */
void writer_free(struct writer *writer);

/* Deletes the recording at `path` and its pace file, after earlier jobs. With NULL: at once. */
void writer_remove(struct writer *writer, const char *path);

/* Returns true, once, with the error of a freed tape that could not be written; false if none has failed
 * since. Accepts NULL. */
bool writer_take_failure(struct writer *writer, struct error *why);

/* Makes a tape of a recorder, and takes over the recorder in any case. Returns NULL with an error if memory
 * is used up. */
struct tape *tape_new(struct recorder *recorder, struct error *err);

/* Begins a tape under a generated name in the folder `dir` (recorder_new_in()). The thread of `writer`
 * (borrowed) makes its files; until then it is TAPE_OPENING, and bytes for it wait. It becomes TAPE_FAILED if
 * they cannot be made. Without a writer (NULL) they are made at once. Returns NULL with an error if memory is
 * used up or, without a writer, the files cannot be made. */
struct tape *tape_open(struct writer *writer, const char *dir, uint64_t now_wall_ns,
                       const struct recorder_terms *terms, struct error *err);

/* From now on the thread of `writer` (borrowed; NULL: none) writes. A tape that is a pipe then waits for its
 * reader, and does not fail if that is late. */
void tape_hand_over(struct tape *tape, struct writer *writer);

/* The head of a part of a recording, and of the bytes after a gap: what a reader that starts there must
 * know (decoder_introduction()), and the received bytes of the packet in progress (decoder_unfinished()). So
 * a packet that is cut in two is complete after the cut. */
struct tape_head {
    const uint8_t *known, *unfinished;
    size_t known_n, unfinished_n;
};

/* Writes n bytes that arrived at `now_us` of the monotonic clock. If they do not fit into this part
 * (recorder_is_full()), a new one begins, with `head`; without `head` (NULL) they go into this part. Returns
 * false with an error if the tape has failed; further calls are useless then. */
bool tape_keep(struct tape *tape, uint64_t now_us, const struct tape_head *head, const uint8_t *bytes,
               size_t n, struct error *err);

/* Notes that n bytes of the line are missing before the next ones, so that a replay reports them, too. Bytes
 * that do not fit into the queue are noted automatically. */
void tape_skip(struct tape *tape, uint64_t n);

/* Calls recorder_flush() if it is due and no thread does that. Returns false with an error if the tape has
 * failed. */
bool tape_flush(struct tape *tape, uint64_t now_ms, struct error *err);
uint64_t tape_deadline_ms(const struct tape *tape); /* when tape_flush() is to be called */

const char *tape_path(const struct tape *tape); /* lives as long as the tape; not for TAPE_OPENING */
uint64_t tape_bytes(struct tape *tape);         /* in all parts, including queued bytes */
uint64_t tape_queued(struct tape *tape);        /* of these, not written yet */
uint64_t tape_lost(struct tape *tape);          /* bytes that did not fit into the queue, in all */

/* No more bytes come: starts writing all of it to the disk. */
void tape_end(struct tape *tape);

/* The progress of that. */
enum tape_state {
    TAPE_OPEN,    /* not ended yet, or being written */
    TAPE_OPENING, /* its files are being made */
    TAPE_WRITTEN, /* ended, and all passed to the system, but maybe not on the disk */
    TAPE_KEPT,    /* all of it is on the disk */
    TAPE_FAILED,  /* it could not be written; see `why` */
};
enum tape_state tape_state(struct tape *tape, struct error *why);

/* Frees a tape that was ended. Remaining bytes are still written; a failure of that is reported by
 * writer_take_failure(). Accepts NULL. */
void tape_free(struct tape *tape);

#endif
