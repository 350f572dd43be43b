/* pieces.h - runs the ingest thread over a source whose reads return the pieces of a test. */
#ifndef TESTS_SESSION_PIECES_H
#define TESTS_SESSION_PIECES_H

#include "session/ingest.h"
#include "source/transport.h"

/* A piece for which reads return nothing until a record was decoded. */
enum { PIECES_NOTHING = 0 };

struct pieces {
    /* For the test to fill in. */
    uint32_t patience_ms;
    const uint8_t *bytes;
    const size_t *sizes; /* of each read, PIECES_NOTHING or at most INGEST_BUFFER_SIZE */
    size_t count;
    /* Results. */
    uint64_t records;             /* decoded by the dialect at the end */
    uint64_t records_before_last; /* when the last read began */

    struct source base;
    size_t at;
    atomic_bool stop;
    const struct decoder *decoder;
    uint64_t deadline_ms; /* for that record */
};

/* Reads all of them with the thread; the settings need not name a source. */
void pieces_take(struct pieces *pieces, const struct session_settings *settings);

#endif
