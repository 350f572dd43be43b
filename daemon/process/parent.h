/* parent.h - ends a process together with its parent. */
#ifndef PROCESS_PARENT_H
#define PROCESS_PARENT_H

#include <stdbool.h>
#include <sys/types.h>

/* Has the system send signal `number` to this process when `parent` ends, even by SIGKILL. False when that fails, or
 * `parent` has ended already. On systems without this feature it returns true and does nothing: the process must
 * then notice the end by its pipes or sockets. */
bool parent_end_with(pid_t parent, int number);

#endif
