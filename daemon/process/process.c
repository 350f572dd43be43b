/* process.c - what the process is given before anything of the program runs. */
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

/* If our parent closed one of the three, we must not find a socket or a signal in its place. What takes it
 * cannot be read or written, so that using it is still noticed. */
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Each snapshot is as large as the one that goes: pages that were given back would be asked for again,
 * zeroed, ten times a second. What is kept for that is bounded by the number of heaps. */
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
    process_set_name("miniprofd"); /* in the release archive the kernel has the loader's name */
    keep_freed_memory();
    fill_standard_descriptors();
}
