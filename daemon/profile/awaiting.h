/* awaiting.h - what ran inside callers that have not returned, until they do or are found lost.
 *
 * Calls below a caller of depth N that is not known yet are counted below a placeholder "[depth N running]";
 * these form one chain below the root, and per depth a struct awaited remembers where what lies there begins.
 * The first call of depth N or less that returns after that decides: if it has depth N and began no later, it
 * is the caller, and the placeholder's children move below it; else their caller was lost, and they move to
 * "[depth N not seen]". Calls placed there by order alone (doubts.h) move below it by and by. */
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
    uint64_t unplaced;    /* calls whose caller was lost, or may have been */
};

/* Makes room for callers of `depths` depths. False when memory is used up. */
bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths);
void awaiting_fini(struct awaiting *awaiting);
void awaiting_clear(struct awaiting *awaiting);

/* Where `call`, at depth 1 or more, counts while its caller has not returned, as far as is known; and where
 * if its caller was lost. Nothing is counted yet. */
uint32_t awaiting_running_node(struct awaiting *awaiting, const struct pending *call);
uint32_t awaiting_lost_node(struct awaiting *awaiting, const struct pending *call);

/* `call`, which has the node of the first, waits: in the order of arrival. True when it leads (doubts.h). */
bool awaiting_leave_open(struct awaiting *awaiting, const struct pending *call);

/* `call`, which has the node of the second, was called by one that was lost. */
void awaiting_leave_unplaced(struct awaiting *awaiting, const struct pending *call);

/* The same, but it counts at `node` if nothing was lost; `below`: under a call that leads. */
void awaiting_ask(struct awaiting *awaiting, const struct pending *call, uint32_t node, bool below);

/* When the first began of what waits for a caller at `depth`; UINT64_MAX when nothing does. */
uint64_t awaiting_since(const struct awaiting *awaiting, uint32_t depth);

/* `call` returned: what was open at its depth and deeper is decided. If it `fits` what waits for a caller of
 * its depth is its own, and counts below `node`; `below`: it leads, or is under a call that does. */
void awaiting_close(struct awaiting *awaiting, struct pending *call, bool fits, uint32_t node, bool below);

/* Since the last time nothing was lost, or else something may be: whether anything was in doubt. */
bool awaiting_judge(struct awaiting *awaiting, bool complete);

/* Gives up all that is open: its callers will not return any more. */
void awaiting_abandon(struct awaiting *awaiting);

#endif
