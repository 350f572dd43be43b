/* recorder.c - writes bytes exactly as they arrived, and their arrival times.
 *
 * Reads in quick succession share one line of times, with the time of the first. */
#include "recording/recorder.h"

#include "base/sink.h"
#include "recording/parts.h"
#include "source/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PACE_STEP_US = 1000, NAMES_TRIED = 100 };

struct recorder {
    char path[PATH_MAX];
    struct sink_fd bytes, times;
    struct recorder_terms terms;
    unsigned parts;             /* number of parts, including this one */
    uint64_t older[PARTS_MOST]; /* size in bytes of each older part, by its number */
    uint64_t dirty_since_ms;    /* UINT64_MAX: nothing waits */
    bool began;
    uint64_t began_us; /* the first read */
    uint64_t group_us; /* the first of the reads that share a line */
    bool group_open;   /* some of its bytes are in no line yet */
};

/* True for a pipe or a device, which is written to as it is, or an empty file, as mktemp makes one. */
static bool holds_nothing(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (!S_ISREG(about.st_mode) || about.st_size == 0);
}

/* A generated name must be new; a user's file must be empty. */
enum naming { NAMED_BY_US, NAMED_BY_THE_USER };

/* Replaces no file. Non-blocking only so that a pipe without a reader is an error and does not block. */
static int create_bytes(const char *path, enum naming naming, bool *is_new)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *is_new = fd >= 0;
    if (fd >= 0 || errno != EEXIST || naming == NAMED_BY_US)
        return fd;
    if (holds_nothing(path))
        return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    errno = EEXIST; /* also for a dangling link */
    return -1;
}

/* Times of deleted bytes are useless after the user has made a new file of that name, so they are
 * replaced. */
static int create_times(const char *path, enum naming naming)
{
    int how = naming == NAMED_BY_US ? O_EXCL : O_TRUNC | O_NOFOLLOW;
    return open(path, O_WRONLY | O_CREAT | how | O_NONBLOCK | O_CLOEXEC, 0666);
}

/* Opens the two files of a new part. Returns false with errno and an error if one cannot be made; then no new
 * file is left. */
static bool open_part(struct recorder *recorder, enum naming naming, struct error *err)
{
    char times_path[PATH_MAX + sizeof PACE_SUFFIX];
    const char *path = recorder->path;
    bool is_new;
    int code;
    snprintf(times_path, sizeof times_path, "%s" PACE_SUFFIX, path);
    int bytes_fd = create_bytes(path, naming, &is_new);
    if (bytes_fd < 0) {
        code = errno;
        if (code == EEXIST)
            error_set(
                err,
                "%s is there already and is not overwritten: give the recording another name, or delete "
                "it.",
                path);
        else
            error_set_errno(err, code, "Cannot write the recording %s", path);
        errno = code;
        return false;
    }
    int times_fd = create_times(times_path, naming);
    if (times_fd < 0) {
        error_set_errno(err, code = errno, "Cannot write %s, which keeps the pace of the recording",
                        times_path);
        close(bytes_fd);
        if (is_new)
            unlink(path);
        errno = code;
        return false;
    }
    sink_fd_init(&recorder->bytes, bytes_fd);
    sink_fd_init(&recorder->times, times_fd);
    recorder->dirty_since_ms = UINT64_MAX;
    recorder->began = recorder->group_open = false;
    /* At once, so that a crash leaves a recording that can be replayed. */
    sink_text(&recorder->times.sink, PACE_HEADER);
    sink_fd_flush(&recorder->times);
    return true;
}

/* Returns NULL with errno and an error on failure. */
static struct recorder *new_at(const char *path, enum naming naming, const struct recorder_terms *terms,
                               struct error *err)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    int code = ENOMEM;
    if (!recorder) {
        error_set(err, "Out of memory while preparing the recording %s.", path);
        goto failed;
    }
    if (strlen(path) >= sizeof recorder->path) {
        code = ENAMETOOLONG;
        error_set(err, "The path of the recording, '%.40s...', is too long.", path);
        goto failed;
    }
    strcpy(recorder->path, path);
    recorder->terms = *terms;
    recorder->parts = 1;
    code = EEXIST;
    if (terms->most && !parts_are_free(path, err))
        goto failed;
    if (open_part(recorder, naming, err))
        return recorder;
    code = errno;
failed:
    free(recorder);
    errno = code;
    return NULL;
}

struct recorder *recorder_new(const char *path, const struct recorder_terms *terms, struct error *err)
{
    return new_at(path, NAMED_BY_THE_USER, terms, err);
}

struct recorder *recorder_new_in(const char *dir, uint64_t now_wall_ns, const struct recorder_terms *terms,
                                 struct error *err)
{
    time_t seconds = (time_t)(now_wall_ns / 1000000000u);
    char when[24], path[PATH_MAX];
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &utc);
    for (int i = 1; i <= NAMES_TRIED; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        int n = snprintf(path, sizeof path, "%s/%s-%s%s.bin", dir,
                         terms->prefix ? terms->prefix : "miniprofd", when, number);
        if (n < 0 || n >= (int)sizeof path) {
            error_set(err, "The path of the folder for recordings, '%.40s...', is too long.", dir);
            return NULL;
        }
        struct recorder *recorder = new_at(path, NAMED_BY_US, terms, err);
        if (recorder || errno != EEXIST)
            return recorder;
    }
    return NULL;
}

static bool sync_all(struct recorder *recorder, struct error *err)
{
    return (parts_sync_fd(recorder->bytes.fd) && parts_sync_fd(recorder->times.fd) &&
            parts_sync_older(recorder->path, recorder->parts)) ||
           error_set_errno(err, errno, "The recording %s could not be written to the disk as a whole",
                           recorder->path);
}

static void close_part(struct recorder *recorder)
{
    close(recorder->bytes.fd);
    close(recorder->times.fd);
    recorder->bytes.fd = recorder->times.fd = -1;
}

bool recorder_free(struct recorder *recorder, struct error *err)
{
    if (!recorder)
        return true;
    /* If the new part could not be opened, there is nothing to write. */
    bool kept = recorder->bytes.fd >= 0 && recorder_flush(recorder, err) && sync_all(recorder, err);
    if (recorder->bytes.fd >= 0)
        close_part(recorder);
    free(recorder);
    return kept;
}

static bool check_written(const struct recorder *recorder, struct error *err)
{
    const struct sink_fd *failed = recorder->bytes.sink.failed ? &recorder->bytes : &recorder->times;
    if (!failed->sink.failed)
        return true;
    return error_set_errno(err, failed->error_number,
                           "The recording %s ends here, the profile goes on; make room and record again",
                           recorder->path);
}

static void close_group(struct recorder *recorder)
{
    char line[PACE_LINE_SIZE];
    if (!recorder->group_open)
        return;
    size_t n = pace_format(line, recorder->group_us - recorder->began_us, recorder->bytes.sink.written);
    sink_write(&recorder->times.sink, line, n);
    recorder->group_open = false;
}

static void note_arrival(struct recorder *recorder, uint64_t now_us)
{
    if (!recorder->began)
        recorder->began_us = recorder->group_us = now_us;
    recorder->began = true;
    if (recorder->dirty_since_ms == UINT64_MAX)
        recorder->dirty_since_ms = now_us / 1000;
}

void recorder_skip(struct recorder *recorder, uint64_t now_us, uint64_t n)
{
    char line[PACE_LINE_SIZE];
    note_arrival(recorder, now_us);
    close_group(recorder);
    if (now_us > recorder->group_us)
        recorder->group_us = now_us;
    size_t length =
        pace_format_gap(line, recorder->group_us - recorder->began_us, recorder->bytes.sink.written, n);
    sink_write(&recorder->times.sink, line, length);
}

bool recorder_keep(struct recorder *recorder, uint64_t now_us, const uint8_t *bytes, size_t n,
                   struct error *err)
{
    note_arrival(recorder, now_us);
    if (now_us - recorder->group_us >= PACE_STEP_US) {
        close_group(recorder);
        recorder->group_us = now_us;
    }
    sink_write(&recorder->bytes.sink, bytes, n);
    recorder->group_open = true;
    return check_written(recorder, err);
}

bool recorder_is_full(const struct recorder *recorder, size_t n)
{
    uint64_t taken = recorder->bytes.sink.written + recorder->times.sink.written;
    return recorder->terms.most && taken + n + 2 * PACE_LINE_SIZE > recorder->terms.most / PARTS_MOST;
}

bool recorder_turn(struct recorder *recorder, struct error *err)
{
    if (!recorder_flush(recorder, err))
        return false;
    close_part(recorder);
    if (!parts_shift(recorder->path, recorder->parts, err))
        return false;
    memmove(recorder->older + 1, recorder->older, sizeof recorder->older - sizeof *recorder->older);
    recorder->older[0] = recorder->bytes.sink.written;
    recorder->parts += recorder->parts < PARTS_MOST;
    return open_part(recorder, NAMED_BY_US, err);
}

void recorder_wait_for_room(struct recorder *recorder)
{
    int flags = fcntl(recorder->bytes.fd, F_GETFL);
    if (flags >= 0)
        fcntl(recorder->bytes.fd, F_SETFL, flags & ~O_NONBLOCK);
}

const char *recorder_path(const struct recorder *recorder)
{
    return recorder->path;
}

uint64_t recorder_bytes(const struct recorder *recorder)
{
    uint64_t bytes = recorder->bytes.fd >= 0 ? recorder->bytes.sink.written : 0;
    for (unsigned part = 1; part < recorder->parts; part++)
        bytes += recorder->older[part - 1];
    return bytes;
}

uint64_t recorder_deadline_ms(const struct recorder *recorder)
{
    return recorder->dirty_since_ms == UINT64_MAX ? UINT64_MAX
                                                  : recorder->dirty_since_ms + recorder->terms.flush_ms;
}

bool recorder_flush(struct recorder *recorder, struct error *err)
{
    close_group(recorder);
    if (sink_fd_flush(&recorder->bytes)) /* no times without their bytes */
        sink_fd_flush(&recorder->times);
    recorder->dirty_since_ms = UINT64_MAX;
    /* Does not wait, but leaves little to wait for at the end. */
    sync_file_range(recorder->bytes.fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    return check_written(recorder, err);
}
