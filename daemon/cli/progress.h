/* progress.h - shows on a terminal how far a recording has been read, when that takes long. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Zero is one that shows nothing. */
struct progress {
    uint64_t size; /* bytes of the file; 0: nothing is shown */
    uint64_t began_ms, next_ms;
    bool is_shown;
};

/* Begins where `spec` is a file and standard error a terminal. */
void progress_begin(struct progress *progress, const char *spec, uint64_t now_ms);

/* When progress_follow() has something to do; UINT64_MAX: never. */
uint64_t progress_deadline_ms(const struct progress *progress);

/* Shows how much has been read, and how long the rest takes: a line that the next line of the log, or of
 * this, writes over. */
void progress_follow(struct progress *progress, uint64_t bytes_read, uint64_t now_ms);

/* Erases that line. */
void progress_end(struct progress *progress);

/* The words for it. */
void progress_text(uint64_t bytes_read, uint64_t size, uint64_t taken_ms, char *out, unsigned out_size);

#endif
