/* gate.h - what two profiles of a program are held against, and how that is told. */
#ifndef CHECK_GATE_H
#define CHECK_GATE_H

#include "base/sink.h"
#include "check/measured.h"

#include <regex.h>

/* What is let through. A function must exceed both, since a share of little is noise, and so is little of
 * much. */
struct gate {
    enum measured_metric metric;
    double regress; /* a share of what it took: 0.05 is 5 % */
    double delta_ns;
    uint64_t calls; /* so many at least, on both sides; 1 or more */
    double loss;    /* share of records that may be missing on each side */
    const regex_t *only,
        *ignore; /* names that are compared, and those of them that are not; NULL: any, none */
};

/* A function that became slower than the gate lets through. */
struct gate_finding {
    const struct measured_function *before, *after;
};

struct gate_result {
    struct gate_finding *findings; /* n of them, in order of name and file */
    size_t n;
    size_t compared, gone,
        added;     /* functions; those that are no more, or were not before, are not compared */
    size_t untold; /* nor are those that share name and file with another, or whose figure is not known */
};

/* Compares the functions of two profiles. False with a sentence, and nothing to free, when that says nothing:
 * too much was lost, names are of another program, no function could be compared. */
bool gate_compare(const struct gate *gate, const struct measured *before, const struct measured *after,
                  struct gate_result *result, struct error *err);
void gate_result_fini(struct gate_result *result);

/* Writes a result in one of these forms. */
struct gate_format {
    const char *name;
    void (*write)(const struct gate *gate, const struct gate_result *result, struct sink *sink);
};
extern const struct gate_format gate_formats[]; /* the last has no name */

#endif
