/* pace.h - arrival times of a recording's bytes, in FILE.pace beside FILE, so that FILE has only the bytes.
 *
 * A text file: the line "miniprofd-pace 1", then for each read of the recording session one line
 *      <microseconds since the recording began> <bytes of FILE up to and including that read>
 * in decimal, both never decreasing. If bytes are missing, since the recording machine had no space for them,
 * one line
 *      <microseconds> <bytes of FILE before the gap, as in the line before> -<number of missing bytes>
 * A last line without newline was being written when the machine stopped, and is ignored. The arrival time of
 * bytes after the last line is unknown; of all bytes, if the file is empty because its disk was full. */
#ifndef SOURCE_PACE_H
#define SOURCE_PACE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PACE_SUFFIX ".pace"
#define PACE_HEADER "miniprofd-pace 1\n"
enum { PACE_LINE_SIZE = 72 };

/* Writes one line, newline included; returns its length. */
size_t pace_format(char out[static PACE_LINE_SIZE], uint64_t elapsed_us, uint64_t offset);

/* The same for a gap in which `missing` bytes are missing, at least one. */
size_t pace_format_gap(char out[static PACE_LINE_SIZE], uint64_t elapsed_us, uint64_t offset,
                       uint64_t missing);

/* A reader of such a file. Zero is closed. */
struct pace {
    FILE *file;
    uint64_t elapsed_us, offset; /* of the newest line */
    uint64_t missing;            /* bytes in the gap of that line; 0: no gap */
};

/* Opens the file beside `recording`. Returns false with an error if it does not exist or is not a pace
 * file. */
bool pace_open(struct pace *pace, const char *recording, struct error *err);
void pace_close(struct pace *pace);

/* Reads the next line; returns false if there is no valid one. */
bool pace_next(struct pace *pace);

/* Moves to the last of the following lines that is not later than `elapsed_us` and before the next gap,
 * unless the next line is later. Lines are skipped by binary search, at most PACE_SKIP bytes at once, so
 * several calls may be needed. */
enum { PACE_SKIP = 8192 };
void pace_skip(struct pace *pace, uint64_t elapsed_us);

#endif
