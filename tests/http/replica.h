/* replica.h - what a client holds that applies deltas to a snapshot. */
#ifndef TESTS_HTTP_REPLICA_H
#define TESTS_HTTP_REPLICA_H

#include "base/jsonio.h"

enum { REPLICA_COLUMNS = 6 };

/* Rows point into the texts that brought them. Zero is the empty one. */
struct replica {
    uint64_t sequence;
    struct jsonio **texts; /* all of them, owned */
    size_t text_n;
    const struct jsonio *newest;     /* the text that brought the members that come whole each time */
    const struct jsonio **functions; /* by id */
    size_t function_n;
    const struct jsonio **contexts; /* by id */
    size_t context_n;
    double *tree[REPLICA_COLUMNS]; /* by index */
    size_t node_n;
};

/* Both take the text over. */
void replica_load(struct replica *replica, struct jsonio *snapshot);
void replica_apply(struct replica *replica, struct jsonio *delta);
void replica_fini(struct replica *replica);

/* True when it holds what `snapshot` has; when not, `difference` names the first difference. */
bool replica_equals(const struct replica *replica, const struct jsonio *snapshot, char *difference,
                    size_t size);

#endif
