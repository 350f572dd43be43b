/* parent.h - a process that ends with the one that made it. */
#ifndef PROCESS_PARENT_H
#define PROCESS_PARENT_H

#include <stdbool.h>
#include <sys/types.h>

/* Has the system send `number` to this process when `parent` ends, also by SIGKILL. False when it cannot, or
 * `parent` has ended already. On systems without such an order it returns true and does nothing more: the
 * process then has to see by its pipes or sockets that the other has ended. */
bool parent_end_with(pid_t parent, int number);

#endif
