/* progress.c - shows on a terminal how much of a recording has been read. */
#include "cli/progress.h"

#include "source/source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000, STEP_MS = 250, LINE_SIZE = 96 };

void progress_begin(struct progress *progress, const char *spec, uint64_t now_ms)
{
    const char *path;
    struct stat info;
    *progress = (struct progress){.began_ms = now_ms, .next_ms = now_ms + PATIENCE_MS};
    if (isatty(STDERR_FILENO) && source_kind_of(spec, &path) == SOURCE_KIND_FILE && stat(path, &info) == 0 &&
        S_ISREG(info.st_mode))
        progress->size = (uint64_t)info.st_size;
}

uint64_t progress_deadline_ms(const struct progress *progress)
{
    return progress->size > 0 ? progress->next_ms : UINT64_MAX;
}

void progress_text(uint64_t bytes_read, uint64_t size, uint64_t taken_ms, char *out, unsigned out_size)
{
    double share = bytes_read < size ? (double)bytes_read / (double)size : 1;
    int n = snprintf(out, out_size, "%.0f %% read", 100 * share);
    /* The first percent is too little to estimate the rest. */
    if (share >= 0.01 && share < 1 && n > 0 && (unsigned)n < out_size)
        snprintf(out + n, out_size - (unsigned)n, ", %.0f s left",
                 (double)taken_ms / 1000 * (1 - share) / share);
}

static void write_line(const char *text)
{
    char line[LINE_SIZE + 8];
    int n = snprintf(line, sizeof line, "\r%s\033[K\r", text);
    ssize_t written = write(STDERR_FILENO, line, (size_t)n);
    (void)written; /* a failure cannot be reported */
}

void progress_follow(struct progress *progress, uint64_t bytes_read, uint64_t now_ms)
{
    char text[LINE_SIZE];
    if (now_ms < progress_deadline_ms(progress))
        return;
    progress->next_ms = now_ms + STEP_MS;
    progress->is_shown = true;
    progress_text(bytes_read, progress->size, now_ms - progress->began_ms, text, sizeof text);
    write_line(text);
}

void progress_end(struct progress *progress)
{
    if (progress->is_shown)
        write_line("");
    *progress = (struct progress){0};
}
