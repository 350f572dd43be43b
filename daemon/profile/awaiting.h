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

/* What waits for a caller, by the depth of that caller. */
struct awaiting {
    struct calltree *tree; /* borrowed, like the next */
    struct functions *functions;
    struct awaited *at; /* per depth of the caller, `depths` of them */
    uint32_t depths;
    int32_t deepest_open; /* of those that hold something, -1 */
    uint64_t unplaced;    /* calls whose caller was lost */
};

/* Makes room for callers of `depths` depths. False when memory is used up. */
bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths);
void awaiting_fini(struct awaiting *awaiting);
void awaiting_clear(struct awaiting *awaiting);

/* Files `call`, at depth 1 or more, below a caller that has not returned, as far as is known. Returns the
 * node of that caller's placeholder. */
uint32_t awaiting_leave_open(struct awaiting *awaiting, struct pending *call);

/* Files `call` below a caller that was lost: it must have returned before a call that was told later, but was
 * not told itself. Returns the node of its placeholder. */
uint32_t awaiting_leave_unplaced(struct awaiting *awaiting, struct pending *call);

/* Decides what was open at the depth of `call` and deeper, since `call`, which has its node, returned. */
void awaiting_close(struct awaiting *awaiting, struct pending *call);

/* Gives up all that is open: its callers will not return any more. */
void awaiting_abandon(struct awaiting *awaiting);

#endif
