/* session.h - one target being listened to: who runs when.
 *
 * A session owns the ingest thread, which reads the source, decodes, adds up, and hangs snapshots on the
 * board. All functions here are for the thread that made it, except for what is said otherwise. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/error.h"
#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "handoff/replay.h"
#include "process/pulse.h"
#include "session/session_settings.h"

/* Prepares everything that can fail at the start: the source's name, a file to read, the ELF, the recording.
 * A live source is opened before the ELF is read, and what comes from then on is kept for session_start().
 * NULL with a sentence when something does. A live source that is not there yet is no failure. Snapshots go
 * to `board` (borrowed) as they come; with NULL only the last one is made. The settings are copied except for
 * the strings in them, the dialect's and the source's, which must live on. */
struct session *session_new(const struct session_settings *settings, struct board *board, struct error *err);

/* Stops the session first. NULL is fine. */
void session_free(struct session *session);

/* Starts the ingest thread. */
bool session_start(struct session *session, struct error *err);

/* Tells the device to stop when it is under control, waits for that (bounded), places what is pending, makes
 * the last snapshot, closes the mailbox, ends the recording, and joins the thread. Returns at once when it
 * has not been started, or is stopped already. */
void session_stop(struct session *session);

/* Does that, unless the ingest thread takes more than `most_ms` over one piece of work: then it hangs, and
 * this is false. It can be asked again; until it is true the session must not be freed, nor asked how it
 * went. */
bool session_stop_within(struct session *session, uint32_t most_ms);

/* Says why session_stop() will be called, for the last snapshot; without it a live session was ended by a
 * signal. A finite source that has ended, and work that is done, ended it themselves. */
void session_stopped_by(struct session *session, enum snapshot_end why);

/* A descriptor that becomes readable in poll(), and stays so, when a finite source has ended and all of it is
 * in the snapshot, or when the work is done. */
int session_ended_fd(const struct session *session);

/* True when the function of --work was called often enough. Any thread may ask. */
bool session_has_worked(const struct session *session);

/* True when the function was called as often as it was to be, or nothing was to be; false with a sentence. To
 * be asked after session_stop(). */
bool session_worked(const struct session *session, struct error *err);

/* True when a finite source could be read to its end; false with a sentence when reading broke off. To be
 * asked after the end. */
bool session_succeeded(const struct session *session, struct error *err);

/* True when anything came that could be read; false with a sentence when the source was never there, kept
 * quiet, or reported nothing that makes sense in its dialect. To be asked after session_stop(). */
bool session_heard(const struct session *session, struct error *err);

/* Says, in a sentence, that a finite source is valid to its end and that nothing was measured in it; NULL
 * when something was, or it is not valid. Static. To be asked after session_stop(). */
const char *session_empty(const struct session *session);

/* True when the device profiled as it was asked to, up to the end; false with a sentence when START was never
 * answered, or nothing at the end. To be asked after session_stop(). */
bool session_ran(const struct session *session, struct error *err);

/* True when all of the recording that record_path asked for was kept; false with a sentence when it broke
 * off. To be asked after session_stop(). */
bool session_recorded(const struct session *session, struct error *err);

/* Where any thread may put orders, until session_free(). */
struct mailbox *session_mailbox(struct session *session);

/* Shows whether the ingest thread makes progress, for any thread until session_free(). */
const struct pulse *session_pulse(const struct session *session);

/* How many bytes of the source have been read, for any thread until session_free(). */
uint64_t session_bytes_read(const struct session *session);

/* Returns the newest snapshot, with a reference that is the caller's; NULL before the first. Any thread may
 * call it. */
struct snapshot *session_snapshot(struct session *session);

/* Reads a recording of a session that began with the settings `user` (struct session_settings), as struct
 * replay has it. Nothing is recorded, sent or logged. In replay.c. */
struct snapshot *session_replay(const void *user, const struct replay_order *order, struct error *err);

#endif
