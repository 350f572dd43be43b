/* measure.h - has a profile measured: by this program, in a process of its own. */
#ifndef CHECK_MEASURE_H
#define CHECK_MEASURE_H

#include "base/error.h"

enum { MEASURE_PATH_SIZE = 4096 };

enum measure_outcome {
    MEASURE_DONE,
    MEASURE_FAILED, /* with a sentence, or without one where the process said it */
    MEASURE_USAGE,  /* the process rejected the options with a sentence */
};

/* Runs this program with `arguments` (argv[0] is filled in here; NULL ends them) until it ends by itself or
 * somebody presses Ctrl+C, which is a failure, and has it write the profile as JSON to `keep`, or where that
 * is NULL to a new file, whose path goes to `path` and which the caller deletes; there is none when it
 * failed, and what stood at `keep` stays. Limits that were broken meanwhile are no failure. */
enum measure_outcome measure(const char *arguments[], const char *keep, char path[static MEASURE_PATH_SIZE],
                             struct error *err);

#endif
