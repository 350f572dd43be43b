/* segments.h - what ran inside callers that have not returned, until they do or are found lost.
 *
 * Calls below a caller of depth N that is not known yet are counted below a placeholder "[depth N running]";
 * these form one chain below the root, and per depth a *segment* remembers the span of what lies there. The
 * first call of depth N or less that returns after that decides: if it has depth N and holds the whole span,
 * it is the caller, and the placeholder's children move below it; else their caller was lost, and they move
 * to "[depth N not seen]". */
#ifndef PROFILE_SEGMENTS_H
#define PROFILE_SEGMENTS_H

#include "profile/calltree.h"
#include "profile/pending.h"

struct segments {
    struct calltree *tree; /* borrowed, like the next */
    struct functions *functions;
    struct segment *at; /* per depth of the caller, `depths` of them */
    uint32_t depths;
    int32_t deepest_open; /* of those that hold something, -1 */
    uint64_t unplaced;    /* calls whose caller was lost */
};

/* False when memory is used up. */
bool segments_init(struct segments *segments, struct calltree *tree, struct functions *functions,
                   uint32_t depths);
void segments_fini(struct segments *segments);
void segments_clear(struct segments *segments);

/* `call`, at depth 1 or more, has a caller that has not returned, as far as is known: answers the node of its
 * placeholder. */
uint32_t segments_leave_open(struct segments *segments, struct pending *call);

/* The same where its caller must have returned before a call that was told later, but was not told itself. */
uint32_t segments_leave_unplaced(struct segments *segments, struct pending *call);

/* `call`, which has its node, returned: what was open at its depth and deeper is decided. */
void segments_close(struct segments *segments, struct pending *call);

/* No caller will return any more: all that is open is lost. */
void segments_abandon(struct segments *segments);

#endif
