/* nobody.h - what an ordinary user may not do, for tests that root may run, too. */
#ifndef TESTS_HTTP_NOBODY_H
#define TESTS_HTTP_NOBODY_H

#include <criterion/criterion.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* From now on this process has an ordinary user's rights: another's than root's, if it was root, who is to
 * have them back before the test ends. */
static inline bool rights_drop(void)
{
    bool is_root = geteuid() == 0;
    cr_assert(!is_root || seteuid(NOBODY) == 0);
    return is_root;
}

static inline void rights_restore(bool is_root)
{
    cr_assert(!is_root || seteuid(0) == 0);
}

#endif
