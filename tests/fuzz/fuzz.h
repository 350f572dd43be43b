/* fuzz.h - what a fuzz target is: LLVMFuzzerTestOneInput for a fuzzer, and an input to start from for
 * driver.c, which makes a short test of it that every test run does. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "support/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sensible input, to be spoilt. */
void fuzz_begin_with(struct stream *stream);

#define FUZZ_CHECK(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
