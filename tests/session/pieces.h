/* pieces.h - the ingest thread's work over a source that gives what a test says with each read. */
#ifndef TESTS_SESSION_PIECES_H
#define TESTS_SESSION_PIECES_H

#include "session/ingest.h"
#include "source/transport.h"

/* Reads find nothing in the place of it, until there is a record. */
enum { PIECES_NOTHING = 0 };

struct pieces {
    /* For the test to fill in. */
    uint32_t patience_ms;
    const uint8_t *bytes;
    const size_t *sizes; /* of what each read gives, PIECES_NOTHING or at most INGEST_BUFFER_SIZE */
    size_t count;
    /* What it finds there afterwards. */
    uint64_t records;             /* of the dialect in the end */
    uint64_t records_before_last; /* when the last read began */

    struct source base;
    size_t at;
    atomic_bool stop;
    const struct decoder *decoder;
    uint64_t deadline_ms; /* for that record */
};

/* Has the thread read all of them; the settings need not name a source. */
void pieces_take(struct pieces *pieces, const struct session_settings *settings);

#endif
