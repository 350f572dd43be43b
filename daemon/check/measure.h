/* measure.h - measures a profile by running this program in another process. */
#ifndef CHECK_MEASURE_H
#define CHECK_MEASURE_H

#include "base/error.h"

enum { MEASURE_PATH_SIZE = 4096 };

enum measure_outcome {
    MEASURE_DONE,
    MEASURE_FAILED, /* with an error, or without one if the process printed it */
    MEASURE_USAGE,  /* the process rejected the options and printed an error */
};

/* Runs this program with `arguments` (argv[0] is filled in here; NULL ends them) until it ends by itself. Ctrl+C is
 * a failure. It writes the profile as JSON to `keep`, or if that is NULL to a new file, whose path is stored in
 * `path` and which the caller deletes. After a failure there is no new file, and an old one at `keep` stays. Broken
 * limits are not a failure. */
enum measure_outcome measure(const char *arguments[], const char *keep, char path[static MEASURE_PATH_SIZE],
                             struct error *err);

#endif
