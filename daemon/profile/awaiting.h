/* awaiting.h - calls that wait for a caller that has not returned yet.
 *
 * Calls below an unknown caller of depth N are counted below a placeholder "[depth N running]". The
 * placeholders form one chain below the root, and for each depth a struct awaited has the earliest start of
 * the calls there. The first later call of depth N or less decides. If it has depth N and began no later, it
 * is the caller, and the placeholder's children move below it. Otherwise their caller was lost, and they move
 * to "[depth N not seen]". Calls that are there only because of a doubt (doubts.h) move below the caller when
 * the doubt is resolved. */
#ifndef PROFILE_AWAITING_H
#define PROFILE_AWAITING_H

#include "profile/calltree.h"
#include "profile/pending.h"

/* Waiting calls, by the depth of their caller. */
struct awaiting {
    struct calltree *tree; /* borrowed, like the next */
    struct functions *functions;
    struct awaited *at; /* per depth of the caller, `depths` elements */
    uint32_t depths;
    int32_t deepest_open; /* the deepest depth with waiting calls; -1 when there are none */
    uint64_t unplaced;    /* calls whose caller was lost, or may have been */
};

/* Allocates room for callers of `depths` depths. Returns false when memory is used up. */
bool awaiting_init(struct awaiting *awaiting, struct calltree *tree, struct functions *functions,
                   uint32_t depths);
void awaiting_fini(struct awaiting *awaiting);
void awaiting_clear(struct awaiting *awaiting);

/* Both return the node of `call`, which has depth 1 or more: the first while its caller may still be running,
 * the second if its caller was lost. Neither counts the call. */
uint32_t awaiting_running_node(struct awaiting *awaiting, const struct pending *call);
uint32_t awaiting_lost_node(struct awaiting *awaiting, const struct pending *call);

/* Lets `call`, whose node is that of awaiting_running_node(), wait for its caller. Calls must be added in the
 * order of arrival. Returns true if it leads (doubts.h). */
bool awaiting_leave_open(struct awaiting *awaiting, const struct pending *call);

/* Counts `call`, whose node is that of awaiting_lost_node(), as one whose caller was lost. */
void awaiting_leave_unplaced(struct awaiting *awaiting, const struct pending *call);

/* Does the same, but the call moves to `node` if it turns out that nothing was lost. `below`: `node` is below
 * a call that leads. */
void awaiting_ask(struct awaiting *awaiting, const struct pending *call, uint32_t node, bool below);

/* Returns the earliest start of the calls that wait for a caller at `depth`; UINT64_MAX when none does. */
uint64_t awaiting_since(const struct awaiting *awaiting, uint32_t depth);

/* `call` returned: decides about calls that wait for callers of its depth and deeper. If it `fits`, it is the
 * caller of those that wait at its depth, and they move below `node`. `below`: it leads, or is below a call
 * that does. */
void awaiting_close(struct awaiting *awaiting, struct pending *call, bool fits, uint32_t node, bool below);

/* Resolves doubts: `complete` when nothing was lost since the last time. Returns true if anything was in
 * doubt. */
bool awaiting_judge(struct awaiting *awaiting, bool complete);

/* Gives up all waiting calls: their callers will not return. */
void awaiting_abandon(struct awaiting *awaiting);

#endif
