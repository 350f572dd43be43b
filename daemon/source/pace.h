/* pace.h - when the bytes of a recording came: FILE.pace beside FILE, so that FILE holds nothing but the
 * bytes.
 *
 * A text file: the line "miniprofd-pace 1", then for each read of the recording session one line
 *     <microseconds since the recording began> <bytes of FILE up to and including that read>
 * in decimal, both never falling. Where bytes are missing, since the machine that recorded had no room for
 * them, one line
 *     <microseconds> <bytes of FILE before the gap, as in the line before> -<bytes that are missing>
 * A last line without its newline was being written when the machine stopped and does not count. When
 * bytes behind the last line came is not known; it is of none when the file is empty: its disk was full. */
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
    uint64_t missing;            /* bytes in the gap that it tells of; 0: it tells of none */
};

/* Opens the file beside `recording`. False with a sentence when it is not there, or is something else. */
bool pace_open(struct pace *pace, const char *recording, struct error *err);
void pace_close(struct pace *pace);

/* Goes on to the next line; false when no valid line follows. */
bool pace_next(struct pace *pace);

/* Goes on to the last of the next lines that is no later than `elapsed_us` and before the next gap, if the
 * next one is. Lines are skipped without being read one by one: at most PACE_SKIP bytes of them at once, so
 * it may take several calls. */
enum { PACE_SKIP = 8192 };
void pace_skip(struct pace *pace, uint64_t elapsed_us);

#endif
