/* samples.h - for each dialect a stream as a real target would send it. */
#ifndef CONTRACT_SAMPLES_H
#define CONTRACT_SAMPLES_H

#include "support/stream.h"

struct sample {
    const char *id; /* of the dialect */
    void (*write)(struct stream *stream);
};

extern const struct sample samples[];
extern const size_t sample_count;

/* NULL when the dialect has none. */
const struct sample *sample_find(const char *id);

#endif
