/* pipeline.h - bytes of any dialect, decoded, added up and frozen: what the targets `pipeline` and `exports`
 * have in common. */
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

/* Begins with the dialect of that number in the registry; one past the last has it found out. Ceilings are
 * small, so that inputs reach them. Dies where there is no memory. */
void pipeline_begin(struct pipeline *pipeline, size_t dialect);
/* How many dialects there are. */
size_t pipeline_dialects(void);
/* Freezes the profile into `last`, whose names and parents are checked, with the changes since the one before. */
void pipeline_look(struct pipeline *pipeline);
/* Ends input and profile, and looks once more. */
void pipeline_finish(struct pipeline *pipeline);
void pipeline_fini(struct pipeline *pipeline);
/* Appends a session of the agent's own protocol: METADATA, records, STATUS. */
void pipeline_begin_with(struct stream *stream);

#endif
