/* pace.c - when the bytes of a recording came. */
#include "source/pace.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

size_t pace_format(char out[static PACE_LINE_SIZE], uint64_t elapsed_us, uint64_t offset)
{
    return (size_t)snprintf(out, PACE_LINE_SIZE, "%" PRIu64 " %" PRIu64 "\n", elapsed_us, offset);
}

bool pace_open(struct pace *pace, const char *recording, struct error *err)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s" PACE_SUFFIX, recording);
    if ((size_t)length >= sizeof path)
        return error_set(err, "The path '%.40s...' is too long.", recording);
    *pace = (struct pace){.file = fopen(path, "re")};
    if (!pace->file && errno == ENOENT)
        return error_set(
            err,
            "--speed needs to know when the bytes of %s came, and there is no %s beside it; make "
            "recordings with --record, or leave --speed out.",
            recording, path);
    if (!pace->file)
        return error_set_errno(err, errno, "Cannot read %s", path);
    char line[sizeof PACE_HEADER + 1] = "";
    bool is_empty = !fgets(line, sizeof line, pace->file) && feof(pace->file);
    if (!is_empty && strcmp(line, PACE_HEADER) != 0) {
        pace_close(pace);
        return error_set(err, "%s is not a file that --record wrote; leave --speed out, or record again.",
                         path);
    }
    return true;
}

void pace_close(struct pace *pace)
{
    if (pace->file)
        fclose(pace->file);
    *pace = (struct pace){0};
}

bool pace_next(struct pace *pace)
{
    char line[PACE_LINE_SIZE];
    uint64_t elapsed_us, offset;
    int end = 0;
    if (!fgets(line, sizeof line, pace->file) ||
        sscanf(line, "%" SCNu64 " %" SCNu64 "%n", &elapsed_us, &offset, &end) != 2 || line[end] != '\n' ||
        elapsed_us < pace->elapsed_us || offset < pace->offset)
        return false;
    pace->elapsed_us = elapsed_us;
    pace->offset = offset;
    return true;
}
