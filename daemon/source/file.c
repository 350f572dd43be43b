/* file.c - a capture from a file, as fast as possible or at the recorded pace; standard input and pipes, as
 * their bytes arrive. */
#include "base/clock.h"
#include "source/pace.h"
#include "source/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_source {
    struct source base;
    char path[SOURCE_SPEC_SIZE]; /* "" for standard input */
    int fd;                      /* -1: closed */
    bool regular;
    double speed; /* 0: no pace */
    struct pace pace;
    uint64_t opened_ns;
    uint64_t offset;   /* bytes read so far */
    uint64_t due_size; /* bytes that may be read by now; without a pace: those that arrived together */
    uint64_t due_us;   /* when the last of them arrived, since the recording began */
    uint64_t due_ns;   /* when more may be read */
};

/* Bytes of a recording that arrived within this time are read at once. */
enum { TOGETHER_US = 1000000 };

static const char *display_name(const struct file_source *file)
{
    return *file->path ? file->path : "standard input";
}

/* Allows the bytes of the next pace line to be read at their time; without a line, all remaining ones at
 * once. */
static void schedule_next(struct file_source *file)
{
    if (pace_next(&file->pace)) {
        file->due_ns = file->opened_ns + (uint64_t)((double)file->pace.elapsed_us * 1000.0 / file->speed);
        return;
    }
    file->due_ns = 0;
    file->pace.offset = UINT64_MAX;
    file->pace.missing = 0;
}

/* Counts the gap of the last pace line, if any, limited to more than any line ever carries. */
static void note_gap(struct file_source *file)
{
    const uint64_t most = UINT64_C(1) << 56, room = most - file->base.dropped;
    file->base.dropped += file->pace.missing < room ? file->pace.missing : room;
}

/* Determines the arrival time of the bytes from `offset` on, and how many arrived together. */
static void follow_pace(struct file_source *file)
{
    struct pace *pace = &file->pace;
    if (file->offset < file->due_size)
        return;
    while (pace->file && pace->offset <= file->offset) {
        if (!pace_next(pace))
            pace_close(pace);
        note_gap(file);
    }
    if (!pace->file) {
        file->due_size = file->due_us = UINT64_MAX;
        return;
    }
    pace_skip(pace, pace->elapsed_us + TOGETHER_US);
    file->due_size = pace->offset;
    file->due_us = pace->elapsed_us;
}

/* The number of bytes that may be read now. */
static uint64_t due_bytes(struct file_source *file)
{
    if (file->speed == 0)
        follow_pace(file);
    while (file->speed != 0 && file->due_size != UINT64_MAX && file->due_ns <= clock_monotonic_ns()) {
        if (file->pace.offset == UINT64_MAX && file->due_size > file->offset)
            break; /* first those with a known arrival time */
        if (file->pace.missing > 0 && file->due_size > file->offset)
            break; /* first those before the gap */
        note_gap(file);
        file->due_size = file->pace.offset;
        file->due_us = file->due_size == UINT64_MAX ? UINT64_MAX : file->pace.elapsed_us;
        if (file->due_size != UINT64_MAX)
            schedule_next(file);
    }
    return file->due_size - file->offset;
}

static bool file_open(struct source *source, struct error *err)
{
    struct file_source *file = (struct file_source *)source;
    /* Non-blocking, so that opening a named pipe without a writer does not block. */
    file->fd = *file->path ? open(file->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
                           : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file->fd < 0)
        return error_set_errno(err, errno, "Cannot read %s", display_name(file));
    struct stat info;
    if (fstat(file->fd, &info) < 0)
        return error_set_errno(err, errno, "Cannot read %s", display_name(file));
    if (S_ISDIR(info.st_mode))
        return error_set(err, "%s is a folder; name a file in it.", display_name(file));
    file->regular = S_ISREG(info.st_mode);
    source->recorded_wall_ns =
        file->regular ? (uint64_t)info.st_mtim.tv_sec * 1000000000u + (uint64_t)info.st_mtim.tv_nsec : 0;
    file->offset = file->due_size = 0;
    source->arrival_us = file->due_us = SOURCE_ARRIVAL_UNKNOWN;
    file->opened_ns = clock_monotonic_ns();
    if (file->regular)
        posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (file->speed != 0) {
        if (!pace_open(&file->pace, file->path, err))
            return false;
        schedule_next(file);
    } else if (file->regular) {
        pace_open(&file->pace, file->path, NULL);
    }
    source->is_open = true;
    return true;
}

static void file_close(struct source *source)
{
    struct file_source *file = (struct file_source *)source;
    pace_close(&file->pace);
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

static struct source_wait file_poll(const struct source *source)
{
    const struct file_source *file = (const struct file_source *)source;
    if (!file->regular)
        return (struct source_wait){.fd = file->fd, .events = POLLIN, .timeout_ms = -1};
    uint64_t now_ns;
    if (file->speed == 0 || file->due_size > file->offset || file->due_ns <= (now_ns = clock_monotonic_ns()))
        return (struct source_wait){.fd = -1, .timeout_ms = 0};
    uint64_t wait_ms = (file->due_ns - now_ns) / 1000000 + 1;
    return (struct source_wait){.fd = -1, .timeout_ms = wait_ms < 60000 ? (int)wait_ms : 60000};
}

/* For all but regular files: true if read() would return at once. */
static bool is_ready(const struct file_source *file)
{
    struct pollfd wait = {.fd = file->fd, .events = POLLIN};
    return poll(&wait, 1, 0) > 0;
}

static enum source_result file_read(struct source *source, void *bytes, size_t room, size_t *n,
                                    struct error *err)
{
    struct file_source *file = (struct file_source *)source;
    if (!file->regular && !is_ready(file))
        return SOURCE_QUIET;
    uint64_t due = due_bytes(file);
    if (due == 0)
        return SOURCE_QUIET;
    ssize_t got = read(file->fd, bytes, due < room ? (size_t)due : room);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return SOURCE_QUIET;
    if (got < 0) {
        error_set_errno(err, errno, "Reading %s failed at byte %llu", display_name(file),
                        (unsigned long long)file->offset);
        return SOURCE_GONE;
    }
    *n = (size_t)got;
    file->offset += (uint64_t)got;
    source->arrival_us = file->due_us;
    return got > 0 ? SOURCE_DATA : SOURCE_ENDED;
}

static void file_free(struct source *source)
{
    free(source);
}

static const struct source_ops file_ops = {
    .is_finite = true,
    .free = file_free,
    .open = file_open,
    .close = file_close,
    .poll = file_poll,
    .read = file_read,
};

bool file_source_reads(const struct source *source, const char *path)
{
    const struct file_source *file = (const struct file_source *)source;
    struct stat ours, theirs;
    int known = *file->path ? stat(file->path, &ours) : fstat(STDIN_FILENO, &ours);
    return known == 0 && stat(path, &theirs) == 0 && S_ISREG(ours.st_mode) && ours.st_dev == theirs.st_dev &&
           ours.st_ino == theirs.st_ino;
}

struct source *file_source_new(const struct source_settings *settings, const char *path, struct error *err)
{
    if (path && (!*path || strlen(path) >= sizeof((struct file_source *)0)->path)) {
        error_set(err, "'file:%s' needs the path of a file.", path);
        return NULL;
    }
    if (!(settings->speed >= 0) || (settings->speed > 0 && !path)) {
        error_set(err, path ? "--speed must be a number above 0."
                            : "--speed needs a recording, not standard input.");
        return NULL;
    }
    struct file_source *file = calloc(1, sizeof *file);
    if (!file) {
        error_set(err, "Out of memory while preparing %s.", settings->spec);
        return NULL;
    }
    file->base.ops = &file_ops;
    file->fd = -1;
    file->speed = settings->speed;
    if (path)
        strcpy(file->path, path);
    return &file->base;
}
