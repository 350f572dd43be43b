/* pace.c - arrival times of a recording's bytes. */
#include "source/pace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

size_t pace_format(char out[static PACE_LINE_SIZE], uint64_t elapsed_us, uint64_t offset)
{
    return (size_t)snprintf(out, PACE_LINE_SIZE, "%" PRIu64 " %" PRIu64 "\n", elapsed_us, offset);
}

size_t pace_format_gap(char out[static PACE_LINE_SIZE], uint64_t elapsed_us, uint64_t offset,
                       uint64_t missing)
{
    return (size_t)snprintf(out, PACE_LINE_SIZE, "%" PRIu64 " %" PRIu64 " -%" PRIu64 "\n", elapsed_us, offset,
                            missing);
}

bool pace_open(struct pace *pace, const char *recording, struct error *err)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s" PACE_SUFFIX, recording);
    if ((size_t)length >= sizeof path)
        return error_set(err, "The path '%.40s...' is too long.", recording);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* do not block on a named pipe */
    *pace = (struct pace){.file = fd < 0 ? NULL : fdopen(fd, "r")};
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

/* Parses a number; returns its end, or NULL if there is none. sscanf() is ten times slower, and first
 * determines the length of all of the text. */
static const char *read_number(const char *text, uint64_t *number)
{
    const char *at = text;
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return NULL;
        *number = *number * 10 + digit;
    }
    return at > text ? at : NULL;
}

/* Parses a whole line; returns false if it is invalid, or earlier than the last one. */
static bool parse_pace_line(const struct pace *pace, const char *line, struct pace *next)
{
    const char *rest = read_number(line, &next->elapsed_us);
    rest = rest && *rest == ' ' ? read_number(rest + 1, &next->offset) : NULL;
    next->missing = 0;
    if (rest && rest[0] == ' ' && rest[1] == '-') {
        rest = read_number(rest + 2, &next->missing);
        rest = next->missing > 0 && next->offset == pace->offset ? rest : NULL;
    }
    return rest && *rest == '\n' && next->elapsed_us >= pace->elapsed_us && next->offset >= pace->offset;
}

bool pace_next(struct pace *pace)
{
    char line[PACE_LINE_SIZE];
    struct pace next = {.file = pace->file};
    if (!fgets(line, sizeof line, pace->file) || !parse_pace_line(pace, line, &next))
        return false;
    *pace = next;
    return true;
}

/* The begin of the line with text[at]. */
static size_t line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

/* Times never decrease, so the last line in time is found by binary search. An invalid line counts as too
 * late, and stops a reader that reaches it. */
void pace_skip(struct pace *pace, uint64_t elapsed_us)
{
    char text[PACE_SKIP + 1];
    off_t begin = ftello(pace->file);
    ssize_t got = begin < 0 ? -1 : pread(fileno(pace->file), text, PACE_SKIP, begin);
    size_t low = 0, high = got > 0 ? line_begin(text, (size_t)got) : 0; /* begins of lines */
    const char *gap = memchr(text, '-', high);
    if (gap)
        high = line_begin(text, (size_t)(gap - text));
    text[high] = '\0';
    while (low < high) {
        size_t at = line_begin(text, low + (high - low) / 2);
        struct pace next = {.file = pace->file};
        if (parse_pace_line(pace, text + at, &next) && next.elapsed_us <= elapsed_us) {
            *pace = next;
            low = (size_t)(strchr(text + at, '\n') + 1 - text);
        } else {
            high = at;
        }
    }
    if (low > 0)
        fseeko(pace->file, begin + (off_t)low, SEEK_SET);
}
