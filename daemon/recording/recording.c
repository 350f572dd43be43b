/* recording.c - the user's recording: its state, its file and its result. */
#include "recording/recording.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool recording_init(struct recording *recording, const char *dir, const struct recorder_terms *terms,
                    struct error *err)
{
    *recording = (struct recording){.terms = *terms};
    struct stat info;
    /* As an absolute path, since a user who reads it may be in another folder. */
    if (!realpath(dir ? dir : ".", recording->dir)) {
        if (dir)
            return error_set_errno(err, errno, "Cannot use %s, the folder for recordings", dir);
        strcpy(recording->dir, ".");
    }
    if (stat(recording->dir, &info) == 0 && !S_ISDIR(info.st_mode))
        return error_set(err, "%s, where recordings should go, is not a folder.", recording->dir);
    return true;
}

/* Ends the tape without waiting for its result. */
static void drop_tape(struct recording *recording)
{
    if (recording->tape && !recording->is_closing)
        tape_end(recording->tape);
    tape_free(recording->tape);
    recording->tape = NULL;
    recording->is_opening = recording->is_closing = false;
}

void recording_fini(struct recording *recording)
{
    drop_tape(recording);
}

void recording_write_by(struct recording *recording, struct writer *writer)
{
    recording->writer = writer;
    if (recording->tape)
        tape_hand_over(recording->tape, writer);
}

/* Sets the state to show, once the path is known. */
static void show_recording(struct recording *recording)
{
    const char *path = tape_path(recording->tape);
    recording->has_gap = false;
    recording->shown = (struct snapshot_recording){.since_wall_ns = recording->begun_wall_ns};
    text_clean_utf8(recording->shown.path, sizeof recording->shown.path, path, strlen(path));
}

bool recording_begin_at(struct recording *recording, const char *path, struct error *err)
{
    struct recorder *recorder = recorder_new(path, &recording->terms, err);
    recording->asked_at_start = true;
    recording->tape = recorder ? tape_new(recorder, err) : NULL;
    if (!recording->tape)
        return false;
    recording->begun_wall_ns = clock_wall_ns();
    tape_hand_over(recording->tape, recording->writer);
    show_recording(recording);
    return true;
}

bool recording_begin(struct recording *recording, uint64_t now_us, const uint8_t *head, size_t n,
                     struct error *err)
{
    recording->begun_wall_ns = clock_wall_ns();
    recording->tape =
        tape_open(recording->writer, recording->dir, recording->begun_wall_ns, &recording->terms, err);
    recording->is_opening = recording->tape != NULL;
    recording_keep(recording, now_us, NULL, head, n);
    return recording->is_opening;
}

bool recording_is_opening(const struct recording *recording)
{
    return recording->is_opening && tape_state(recording->tape, NULL) == TAPE_OPENING;
}

bool recording_opened(struct recording *recording, struct error *err)
{
    enum tape_state state = tape_state(recording->tape, err);
    if (state == TAPE_OPENING)
        error_set(
            err,
            "The disk did not make the file of the recording in %.300s in time; record to a faster disk.",
            recording->dir);
    if (state == TAPE_OPENING || state == TAPE_FAILED) {
        drop_tape(recording);
        return false;
    }
    recording->is_opening = recording->asked_at_start = false;
    show_recording(recording);
    log_write(LOG_INFO, "Recording into %s", recording->shown.path);
    return true;
}

bool recording_is_on(const struct recording *recording)
{
    return recording->tape && !recording->is_closing;
}

/* Records and logs that the recording is incomplete. */
static void show_failure(struct recording *recording, const struct error *why)
{
    text_clean_utf8(recording->shown.failure, sizeof recording->shown.failure, why->text, strlen(why->text));
    if (recording->asked_at_start)
        recording->promise_broken = *why;
    log_write(LOG_ERROR, "%s", why->text);
}

static void count_recorded_bytes(const struct recording *recording, struct snapshot_recording *out)
{
    if (!recording->tape || recording->is_opening)
        return;
    out->bytes = tape_bytes(recording->tape);
    out->bytes_lost = tape_lost(recording->tape);
}

/* The same, and ends it. */
static void break_off(struct recording *recording, const struct error *why)
{
    count_recorded_bytes(recording, &recording->shown);
    show_failure(recording, why);
    drop_tape(recording);
}

/* Reports the first gap at once; the total is reported at the end. */
static bool follow_gap(struct recording *recording)
{
    if (recording->has_gap || tape_lost(recording->tape) == 0)
        return false;
    recording->has_gap = true;
    log_write(LOG_WARNING, "The disk does not keep up, so the recording %s has gaps, the profile has not.",
              recording->shown.path);
    return true;
}

bool recording_keep(struct recording *recording, uint64_t now_us, const struct tape_head *head,
                    const uint8_t *bytes, size_t n)
{
    struct error why;
    if (!recording_is_on(recording))
        return false;
    bool is_kept = tape_keep(recording->tape, now_us, head, bytes, n, &why);
    if (recording->is_opening) /* the result is reported when opening ends */
        return false;
    if (is_kept)
        return follow_gap(recording);
    break_off(recording, &why);
    return true;
}

void recording_skip(struct recording *recording, uint64_t n)
{
    if (recording_is_on(recording))
        tape_skip(recording->tape, n);
}

bool recording_flush(struct recording *recording, uint64_t now_ms)
{
    struct error why;
    if (!recording_is_on(recording) || recording->is_opening || tape_flush(recording->tape, now_ms, &why))
        return false;
    break_off(recording, &why);
    return true;
}

uint64_t recording_deadline_ms(const struct recording *recording)
{
    return recording_is_on(recording) ? tape_deadline_ms(recording->tape) : UINT64_MAX;
}

void recording_close(struct recording *recording)
{
    if (!recording_is_on(recording))
        return;
    tape_end(recording->tape);
    recording->is_closing = true;
}

bool recording_is_closing(const struct recording *recording)
{
    enum tape_state state = recording->is_closing ? tape_state(recording->tape, NULL) : TAPE_KEPT;
    return state == TAPE_OPEN || state == TAPE_OPENING || state == TAPE_WRITTEN;
}

/* Returns false if the recording is incomplete, with the reason in `why`. */
static bool is_whole(const struct recording *recording, struct error *why)
{
    const char *path = recording->shown.path;
    enum tape_state state = tape_state(recording->tape, why);
    uint64_t lost = tape_lost(recording->tape), queued = tape_queued(recording->tape);
    if (state == TAPE_FAILED)
        return false;
    if (state == TAPE_OPEN)
        return error_set(why,
                         "The recording %.300s lacks its last %llu bytes: the disk did not take them in "
                         "time.",
                         path, (unsigned long long)queued);
    if (lost > 0)
        return error_set(why,
                         "The recording %.300s lacks %llu bytes, since the disk did not keep up; record "
                         "to a faster one.",
                         path, (unsigned long long)lost);
    if (state == TAPE_WRITTEN)
        log_write(LOG_WARNING,
                  "The recording %s is written, but the system has not said yet that all of it "
                  "is on the disk.",
                  path);
    return true;
}

void recording_finish(struct recording *recording)
{
    struct error why;
    recording_close(recording);
    if (!recording->tape)
        return;
    count_recorded_bytes(recording, &recording->shown);
    if (is_whole(recording, &why))
        recording->shown = (struct snapshot_recording){0};
    else
        show_failure(recording, &why);
    drop_tape(recording);
}

bool recording_end(struct recording *recording, struct snapshot_recording *last, struct error *err)
{
    recording_tell(recording, last);
    recording_finish(recording);
    if (!*recording->shown.failure)
        return true;
    error_set(err, "%s", recording->shown.failure);
    recording->shown = (struct snapshot_recording){0};
    return false;
}

void recording_tell(const struct recording *recording, struct snapshot_recording *out)
{
    *out = recording->shown;
    count_recorded_bytes(recording, out);
}
