/* idle.h - which time of a profile is idle; as webroot/js/model/idle.js has it, so that page and terminal
 * show the same shares. */
#ifndef TOP_IDLE_H
#define TOP_IDLE_H

#include "top/reading.h"

/* Fills in what is idle of the reading, its functions and contexts, from its call tree. A call tree that is
 * no tree, or that memory is missing for, has no idle time. */
void idle_find(struct reading *reading);

#endif
