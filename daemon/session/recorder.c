/* recorder.c - keeps the bytes exactly as they came, and when they came.
 *
 * Reads that follow each other closely share one line of times: its time is the first one's. */
#include "session/recorder.h"

#include "base/sink.h"
#include "source/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PACE_STEP_US = 1000 };

struct recorder {
    char path[PATH_MAX];
    struct sink_fd bytes, times;
    uint64_t flush_ms;
    uint64_t dirty_since_ms; /* UINT64_MAX: nothing waits */
    bool began;
    uint64_t began_us; /* the first read */
    uint64_t group_us; /* the first read of those that share a line */
    bool group_open;   /* some of its bytes are in no line yet */
};

/* Non-blocking only so that a pipe nobody reads is an error and does not hold us up. */
static int create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
}

struct recorder *recorder_new(const char *path, uint64_t flush_ms, struct error *err)
{
    char times_path[PATH_MAX + sizeof PACE_SUFFIX];
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder) {
        error_set(err, "Out of memory while preparing the recording %s.", path);
        return NULL;
    }
    if (strlen(path) >= sizeof recorder->path) {
        error_set(err, "The path of the recording, '%.40s...', is too long.", path);
        goto free_recorder;
    }
    strcpy(recorder->path, path);
    strcpy(times_path, path);
    strcat(times_path, PACE_SUFFIX);
    int bytes_fd = create(path);
    if (bytes_fd < 0) {
        error_set_errno(err, errno, "Cannot write the recording %s", path);
        goto free_recorder;
    }
    int times_fd = create(times_path);
    if (times_fd < 0) {
        error_set_errno(err, errno, "Cannot write %s, which keeps the pace of the recording", times_path);
        goto close_bytes;
    }
    sink_fd_init(&recorder->bytes, bytes_fd);
    sink_fd_init(&recorder->times, times_fd);
    recorder->flush_ms = flush_ms;
    recorder->dirty_since_ms = UINT64_MAX;
    sink_text(&recorder->times.sink, PACE_HEADER);
    return recorder;

close_bytes:
    close(bytes_fd);
free_recorder:
    free(recorder);
    return NULL;
}

bool recorder_free(struct recorder *recorder, struct error *err)
{
    if (!recorder)
        return true;
    bool kept = recorder_flush(recorder, err);
    close(recorder->bytes.fd);
    close(recorder->times.fd);
    free(recorder);
    return kept;
}

static bool check(const struct recorder *recorder, struct error *err)
{
    const struct sink_fd *failed = recorder->bytes.sink.failed ? &recorder->bytes : &recorder->times;
    if (!failed->sink.failed)
        return true;
    return error_set_errno(err, failed->error_number,
                           "The recording %s ends here, the profile goes on; make room and record anew",
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

bool recorder_keep(struct recorder *recorder, uint64_t now_us, const uint8_t *bytes, size_t n,
                   struct error *err)
{
    if (!recorder->began)
        recorder->began_us = recorder->group_us = now_us;
    recorder->began = true;
    if (now_us - recorder->group_us >= PACE_STEP_US) {
        close_group(recorder);
        recorder->group_us = now_us;
    }
    sink_write(&recorder->bytes.sink, bytes, n);
    recorder->group_open = true;
    if (recorder->dirty_since_ms == UINT64_MAX)
        recorder->dirty_since_ms = now_us / 1000;
    return check(recorder, err);
}

uint64_t recorder_deadline_ms(const struct recorder *recorder)
{
    return recorder->dirty_since_ms == UINT64_MAX ? UINT64_MAX
                                                  : recorder->dirty_since_ms + recorder->flush_ms;
}

bool recorder_flush(struct recorder *recorder, struct error *err)
{
    close_group(recorder);
    sink_fd_flush(&recorder->bytes);
    sink_fd_flush(&recorder->times);
    recorder->dirty_since_ms = UINT64_MAX;
    return check(recorder, err);
}
