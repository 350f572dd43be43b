/* mpt_tree_send.h - version 3 as mpt_poll() sees it: runs of the call tree, and packets of their sums; not
 * for applications. */
#ifndef MPT_TREE_SEND_H
#define MPT_TREE_SEND_H

#include "mpt_tree.h"
#include "protocol/packet.h"

/* What START's flags ask for (enum mp_tree_wish), for the run that begins next or goes on. */
void mpt_tree_want(uint8_t wishes);

/* True when the run is one whose packets tell of evictions. */
#if MPT_TREE_EVICTION
bool mpt_tree_may_evict(void);
#else
#define mpt_tree_may_evict() false
#endif

/* A new run begins, whatever ran before. */
void mpt_tree_begin_run(bool is_flat);

/* The run ends; its sums stay to be sent. Once more when it has ended: they are sent again. */
void mpt_tree_end_run(void);

/* The number of the run that is under way or was last. */
uint8_t mpt_tree_run(void);

/* As before, but nothing is sent any more. */
void mpt_tree_forget_run(void);

/* Writes sums that have changed to `payload`: the payload's size, 0 when nothing is due. *closes: once the
 * run has been stopped and all its sums are sent, the packet reports that, and the result is false. */
uint16_t mpt_tree_fill(uint8_t *payload, bool *closes);

/* Calls counted, and how full the tree is. */
void mpt_tree_status(struct mp_status *status);

#endif
