/* process.c - sets up the process before anything else runs. */
#include "process/process.h"

#include "base/linux_calls.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#if HAS_LINUX_CALLS
#include <sys/prctl.h>
#endif

/* Opens standard descriptors that the parent closed, so that no socket or signal descriptor gets their numbers. They
 * can be neither read nor written, so that using one is still noticed. */
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Each snapshot is as large as the one it replaces: returning its pages to the system would mean getting them back,
 * zeroed, ten times a second. The memory kept is limited by the number of heaps. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { KEPT_BYTES = 16 << 20, HEAPS = 4 };
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_ARENA_MAX, HEAPS);
#endif
}

void process_set_name(const char *name)
{
#if HAS_LINUX_CALLS
    prctl(PR_SET_NAME, name);
#endif
}

void process_begin(void)
{
    process_set_name("miniprofd"); /* in the release archive it would be the loader's name */
    keep_freed_memory();
    fill_standard_descriptors();
}
