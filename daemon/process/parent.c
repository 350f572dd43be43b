/* parent.c - ends a process together with its parent. */
#include "process/parent.h"

#include "base/linux_calls.h"

#include <unistd.h>
#if HAS_LINUX_CALLS
#include <sys/prctl.h>
#endif

bool parent_end_with(pid_t parent, int number)
{
#if HAS_LINUX_CALLS
    if (prctl(PR_SET_PDEATHSIG, number) != 0)
        return false;
#endif
    return getppid() == parent;
}
