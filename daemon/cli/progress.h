/* progress.h - shows on a terminal how much of a recording has been read, when that takes long. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero shows nothing. */
struct progress {
    uint64_t size; /* bytes of the file; 0: show nothing */
    uint64_t began_ms, next_ms;
    bool is_shown;
};

/* Starts the display if `spec` is a file and standard error a terminal. */
void progress_begin(struct progress *progress, const char *spec, uint64_t now_ms);

/* Returns the time of the next progress_follow(), UINT64_MAX for never. */
uint64_t progress_deadline_ms(const struct progress *progress);

/* Shows how much has been read, and the remaining time, in a line that the next line of the log or of the display
 * overwrites. */
void progress_follow(struct progress *progress, uint64_t bytes_read, uint64_t now_ms);

/* Erases that line. */
void progress_end(struct progress *progress);

/* Writes the text of the line. */
void progress_text(uint64_t bytes_read, uint64_t size, uint64_t taken_ms, char *out, unsigned out_size);

#endif
