/* idle.h - computes the idle time of a profile. webroot/js/model/idle.js does the same, so that page and terminal show
 * the same shares. */
#ifndef TOP_IDLE_H
#define TOP_IDLE_H

#include "top/reading.h"

/* Fills in idle times of the reading, its functions and contexts, from its call tree. With an invalid tree, or without
 * memory, there is no idle time. */
void idle_find(struct reading *reading);

#endif
