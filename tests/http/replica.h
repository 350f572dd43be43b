/* replica.h - a client's data: a snapshot with deltas applied. */
#ifndef TESTS_HTTP_REPLICA_H
#define TESTS_HTTP_REPLICA_H

#include "base/jsonio.h"

enum { REPLICA_COLUMNS = 6 };

/* Rows point into the texts that contain them. All zero is empty. */
struct replica {
    uint64_t sequence;
    struct jsonio **texts; /* all of them, owned */
    size_t text_n;
    const struct jsonio *newest;     /* the newest text, with the members that are always whole */
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

/* True when it equals `snapshot`; otherwise `difference` names the first difference. */
bool replica_equals(const struct replica *replica, const struct jsonio *snapshot, char *difference,
                    size_t size);

#endif
