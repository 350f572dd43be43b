/* nobody.h - drops root's rights, for tests of permissions that root may run, too. */
#ifndef TESTS_HTTP_NOBODY_H
#define TESTS_HTTP_NOBODY_H

#include <criterion/criterion.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* Gives this process an ordinary user's rights. Returns true if it was root; rights_restore() must then follow before
 * the test ends. */
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
