/* unconfined.c - replaces confinement.c, landlock.c and the list of calls on systems without Landlock and seccomp.
 * No right is dropped, and confinement_in_force() reports that. */
#include "process/confinement.h"
#include "process/landlock.h"

bool landlock_init(struct landlock *landlock, uint64_t files, uint64_t tcp)
{
    *landlock = (struct landlock){.fd = -1};
    return false;
}

int landlock_begin(struct landlock *landlock)
{
    return 0;
}

void confinement_restrict_rights(const struct confinement *confinement) {}

void confinement_keep_capabilities(uint32_t kept) {}

void confinement_restrict_calls(const struct confinement *confinement) {}

const char *confinement_in_force(void)
{
    return "nothing";
}
