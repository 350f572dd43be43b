/* mpt_tree_send.h - version 3 in mpt_poll(): runs of the call tree, and packets of their sums; not for
 * applications. */
#ifndef MPT_TREE_SEND_H
#define MPT_TREE_SEND_H

#include "mpt_tree.h"
#include "protocol/packet.h"

/* Keeps what START's flags ask for (enum mp_tree_wish), for the run that begins or continues next. */
void mpt_tree_want(uint8_t wishes);

/* Returns true when the packets of the run report evictions. */
#if MPT_TREE_EVICTION
bool mpt_tree_may_evict(void);
#else
#define mpt_tree_may_evict() false
#endif

/* Begins a new run, whatever ran before. */
void mpt_tree_begin_run(bool is_flat);

/* Ends the run; its sums remain to be sent. When it has ended already, they are sent again. */
void mpt_tree_end_run(void);

/* Returns the number of the run that is under way or was last. */
uint8_t mpt_tree_run(void);

/* Ends the run, and sends nothing more. */
void mpt_tree_forget_run(void);

/* Writes sums that have changed to `payload`, and returns the payload's size, 0 when nothing is due. Once the
 * run has been stopped and all its sums are sent, the packet reports that, and *closes is set to false. */
uint16_t mpt_tree_fill(uint8_t *payload, bool *closes);

/* Reports calls counted, and how full the tree is. */
void mpt_tree_status(struct mp_status *status);

#endif
