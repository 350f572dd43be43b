/* samples.h - sample streams of the dialects, as a real target would send them. */
#ifndef CONTRACT_SAMPLES_H
#define CONTRACT_SAMPLES_H

#include "support/stream.h"

struct sample {
    const char *id; /* of the dialect */
    void (*write)(struct stream *stream);
};

extern const struct sample samples[];
extern const size_t sample_count;

/* Returns NULL if the dialect has no sample. */
const struct sample *sample_find(const char *id);

#endif
