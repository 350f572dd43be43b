/* session.h - a session with one target.
 *
 * A session owns the ingest thread, which reads the source, decodes, aggregates, and publishes snapshots on
 * the board. Unless stated otherwise, all functions are for the thread that made the session. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/error.h"
#include "handoff/board.h"
#include "handoff/mailbox.h"
#include "handoff/replay.h"
#include "process/pulse.h"
#include "session/session_settings.h"

/* Prepares everything that can fail at the start: the source's name, a file to read, the ELF, the recording.
 * A live source is opened before the ELF is read, and bytes received from then on are kept for
 * session_start(). Returns NULL with an error on failure; a live source that is missing is no failure.
 * Snapshots are published on `board` (borrowed); with NULL only the last one is made. The settings are copied
 * except for strings and those of dialect and source, which must outlive the session. */
struct session *session_new(const struct session_settings *settings, struct board *board, struct error *err);

/* Stops the session first. Accepts NULL. */
void session_free(struct session *session);

/* Starts the ingest thread. */
bool session_start(struct session *session, struct error *err);

/* Stops a device under control and waits for that (limited), places pending calls, makes the last snapshot,
 * closes the mailbox, ends the recording, and joins the thread. Returns at once if the session was not
 * started, or is stopped already. */
void session_stop(struct session *session);

/* As session_stop(), but returns false if the ingest thread hangs: one piece of its work takes more than
 * `most_ms`. May be called again; until it returns true the session must not be freed, nor asked for
 * results. */
bool session_stop_within(struct session *session, uint32_t most_ms);

/* Sets the reason for session_stop() in the last snapshot; without it, the reason for a live session is a
 * signal. A finite source that has ended before, and work that is done, take precedence. */
void session_stopped_by(struct session *session, enum snapshot_end why);

/* A descriptor that becomes readable in poll(), and stays so, when a finite source has ended and all of it is
 * in the snapshot, or when the work is done. */
int session_ended_fd(const struct session *session);

/* True if the function of --work was called often enough. For any thread. */
bool session_has_worked(const struct session *session);

/* True if the function was called as often as required, or none was required; otherwise false with an
 * error. Valid after session_stop(). */
bool session_worked(const struct session *session, struct error *err);

/* True if a finite source was read to its end; otherwise false with an error. Valid after the end. */
bool session_succeeded(const struct session *session, struct error *err);

/* True if readable data came; false with an error if the source never existed, was silent, or sent nothing
 * that makes sense in its dialect. Valid after session_stop(). */
bool session_heard(const struct session *session, struct error *err);

/* A static sentence that a finite source is valid to its end but has no measurements; NULL if it has some, or
 * is not valid. Valid after session_stop(). */
const char *session_empty(const struct session *session);

/* True if the device profiled as requested up to the end; false with an error if it never answered START, or
 * did not answer at the end. Valid after session_stop(). */
bool session_ran(const struct session *session, struct error *err);

/* True if all of the recording in record_path was kept; otherwise false with an error. Valid after
 * session_stop(). */
bool session_recorded(const struct session *session, struct error *err);

/* The mailbox for orders of any thread, until session_free(). */
struct mailbox *session_mailbox(struct session *session);

/* Shows whether the ingest thread makes progress; for any thread until session_free(). */
const struct pulse *session_pulse(const struct session *session);

/* The number of bytes read from the source; for any thread until session_free(). */
uint64_t session_bytes_read(const struct session *session);

/* Returns the newest snapshot with a reference for the caller, or NULL before the first. For any thread. */
struct snapshot *session_snapshot(struct session *session);

/* Reads a recording of a session that began with the settings `user` (struct session_settings), as struct
 * replay has it. Nothing is recorded, sent or logged. In replay.c. */
struct snapshot *session_replay(const void *user, const struct replay_order *order, struct error *err);

#endif
