/* pipeline.h - decodes bytes of any dialect and freezes their profile, for the targets `pipeline` and `exports`. */
#ifndef FUZZ_PIPELINE_H
#define FUZZ_PIPELINE_H

#include "fuzz.h"

#include "profile/profile.h"
#include "session/decoder.h"

struct pipeline {
    struct profile *profile;
    struct decoder *decoder;
    struct snapshot_source source;
    struct snapshot *last; /* the latest; owned */
};

/* Begins with the dialect of this number in the registry; one past the last guesses it. Ceilings are small, so that
 * inputs reach them. Aborts when out of memory. */
void pipeline_begin(struct pipeline *pipeline, size_t dialect);
/* Returns the number of dialects. */
size_t pipeline_dialects(void);
/* Freezes the profile into `last`. Checks its names and parents, and the changes since the one before. */
void pipeline_look(struct pipeline *pipeline);
/* Ends input and profile, and calls pipeline_look() once more. */
void pipeline_finish(struct pipeline *pipeline);
void pipeline_fini(struct pipeline *pipeline);
/* Appends a session of the agent's own protocol: METADATA, records, STATUS. */
void pipeline_begin_with(struct stream *stream);

#endif
