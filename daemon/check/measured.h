/* measured.h - what a profile that was written as JSON says of its functions. */
#ifndef CHECK_MEASURED_H
#define CHECK_MEASURED_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* What a gate looks at. Means are per call, as a program's input may differ in length from run to run. */
enum measured_metric { METRIC_TOTAL_MEAN, METRIC_SELF_MEAN, METRIC_P99, METRICS };

/* The metric's word on the command line. */
extern const char *const measured_metrics[METRICS];

/* One function that was called. Texts belong to the file that it is of. */
struct measured_function {
    const char *name, *file; /* file is "" where it is not known */
    uint64_t line;           /* 0: not known */
    uint64_t calls;
    double ns[METRICS];
    bool is_known[METRICS]; /* a tree that the target counts tells means, and no percentiles */
    bool is_ambiguous;      /* another has the same name and file */
};

/* A profile as read from a file. */
struct measured {
    struct jsonio *json; /* owns the texts */
    struct measured_function *functions;
    size_t n;           /* ordered by name and file */
    double lost;        /* share of the records that did not come, 0 to 1 */
    bool loses_unknown; /* records were lost, and nobody knows how many */
    bool lacks_more;    /* it is incomplete for another reason than records that were counted as lost */
    bool elf_differs;   /* names may be those of another program */
};

enum measured_outcome { MEASURED_OK, MEASURED_UNREADABLE, MEASURED_UNUSABLE };

/* Reads the snapshot JSON at `path`. UNREADABLE: there is no such file; UNUSABLE: it is there, and no profile
 * that can be compared (damaged, newer schema, tick rate unknown). Both with a sentence, and nothing to free.
 */
enum measured_outcome measured_read(struct measured *measured, const char *path, struct error *err);
void measured_fini(struct measured *measured);

/* Orders two functions by name and file, as the functions of struct measured are. */
int measured_order(const void *a, const void *b);

#endif
