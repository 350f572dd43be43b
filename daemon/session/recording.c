/* recording.c - whether what comes is recorded, where, and how that ended. */
#include "session/recording.h"

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
    /* In full, since whoever is told where a recording lies may be somewhere else. */
    if (!realpath(dir ? dir : ".", recording->dir)) {
        if (dir)
            return error_set_errno(err, errno, "Cannot use %s, the folder for recordings", dir);
        strcpy(recording->dir, ".");
    }
    if (stat(recording->dir, &info) == 0 && !S_ISDIR(info.st_mode))
        return error_set(err, "%s, where recordings should go, is not a folder.", recording->dir);
    return true;
}

void recording_fini(struct recording *recording)
{
    recorder_free(recording->recorder, NULL);
    recording->recorder = NULL;
}

static bool begun(struct recording *recording, struct recorder *recorder)
{
    if (!recorder)
        return false;
    const char *path = recorder_path(recorder);
    recording->recorder = recorder;
    recording->shown = (struct snapshot_recording){.since_wall_ns = clock_wall_ns()};
    text_clean_utf8(recording->shown.path, sizeof recording->shown.path, path, strlen(path));
    return true;
}

bool recording_begin_at(struct recording *recording, const char *path, struct error *err)
{
    recording->asked_at_start = true;
    return begun(recording, recorder_new(path, &recording->terms, err));
}

bool recording_begin(struct recording *recording, uint64_t now_us, const uint8_t *head, size_t n,
                     struct error *err)
{
    if (!begun(recording, recorder_new_in(recording->dir, clock_wall_ns(), &recording->terms, err)))
        return false;
    recording->asked_at_start = false;
    recording_keep(recording, now_us, head, n);
    log_write(LOG_INFO, "Recording into %s", recording->shown.path);
    return true;
}

bool recording_is_on(const struct recording *recording)
{
    return recording->recorder != NULL;
}

/* Tells that the recording is not whole, and ends it. */
static void break_off(struct recording *recording, const struct error *why)
{
    if (recording->recorder)
        recording->shown.bytes = recorder_bytes(recording->recorder);
    text_clean_utf8(recording->shown.failure, sizeof recording->shown.failure, why->text, strlen(why->text));
    if (recording->asked_at_start)
        recording->promise_broken = *why;
    recording_fini(recording);
    log_write(LOG_ERROR, "%s", why->text);
}

bool recording_keep(struct recording *recording, uint64_t now_us, const uint8_t *bytes, size_t n)
{
    struct error why;
    if (!recording->recorder || recorder_keep(recording->recorder, now_us, bytes, n, &why))
        return false;
    break_off(recording, &why);
    return true;
}

bool recording_flush(struct recording *recording, uint64_t now_ms)
{
    struct error why;
    if (now_ms < recording_deadline_ms(recording) || recorder_flush(recording->recorder, &why))
        return false;
    break_off(recording, &why);
    return true;
}

bool recording_turn(struct recording *recording, uint64_t now_us, const struct recording_head *head, size_t n)
{
    struct error why;
    if (!recording->recorder || !recorder_is_full(recording->recorder, n))
        return false;
    if (recorder_turn(recording->recorder, &why) &&
        recorder_keep(recording->recorder, now_us, head->known, head->known_n, &why) &&
        recorder_keep(recording->recorder, now_us, head->unfinished, head->unfinished_n, &why))
        return false;
    break_off(recording, &why);
    return true;
}

uint64_t recording_deadline_ms(const struct recording *recording)
{
    return recording->recorder ? recorder_deadline_ms(recording->recorder) : UINT64_MAX;
}

void recording_finish(struct recording *recording)
{
    struct error why;
    if (!recording->recorder)
        return;
    uint64_t bytes = recorder_bytes(recording->recorder);
    bool kept = recorder_free(recording->recorder, &why);
    recording->recorder = NULL;
    if (kept) {
        recording->shown = (struct snapshot_recording){0};
        return;
    }
    recording->shown.bytes = bytes;
    break_off(recording, &why);
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
    if (recording->recorder)
        out->bytes = recorder_bytes(recording->recorder);
}
