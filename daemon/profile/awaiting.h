/* awaiting.h - what ran inside callers that have not returned, until they do or are found lost.
 *
 * Calls below a caller of depth N that is not known yet are counted below a placeholder "[depth N running]";
 * these form one chain below the root, and per depth a struct awaited remembers the span of what lies there.
 * The first call of depth N or less that returns after that decides: if it has depth N and holds the whole
 * span, it is the caller, and the placeholder's children move below it; else their caller was lost, and they
 * move to "[depth N not seen]". */
#ifndef PROFILE_AWAITING_H
#define PROFILE_AWAITING_H

#include "profile/calltree.h"
#include "profile/pending.h"

struct awaiting {
    struct calltree *tree; /* borrowed, like the next */
    struct functions *functions;
    struct awaited *at; /* per depth of the caller, `depths` of them */
    uint32_t depths;
    int32_t deepest_open; /* of those that hold something, -1 */
    uint64_t unplaced;    /* calls whose caller was lost */
};

/* False when memory is used up. */
bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths);
void awaiting_fini(struct awaiting *awaiting);
void awaiting_clear(struct awaiting *awaiting);

/* `call`, at depth 1 or more, has a caller that has not returned, as far as is known: answers the node of its
 * placeholder. */
uint32_t awaiting_leave_open(struct awaiting *awaiting, struct pending *call);

/* The same where its caller must have returned before a call that was told later, but was not told itself. */
uint32_t awaiting_leave_unplaced(struct awaiting *awaiting, struct pending *call);

/* `call`, which has its node, returned: what was open at its depth and deeper is decided. */
void awaiting_close(struct awaiting *awaiting, struct pending *call);

/* No caller will return any more: all that is open is lost. */
void awaiting_abandon(struct awaiting *awaiting);

#endif
