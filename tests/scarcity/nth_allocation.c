/* nth_allocation.c - to be preloaded: the allocation with the number FAIL_AT fails, once; with FAIL_ON=1 all
 * from there on. Without FAIL_AT none does. How many there were is written to the file COUNT_TO at the end.
 *
 * A process that this one forks counts on from where this was, and by itself.
 *
 * What the loader and the C library ask for before main() counts, too: it is the same in each run. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_ulong count;
static unsigned long fail_at;
static bool fail_on;

static bool fails(void)
{
    unsigned long number = ++count;
    if (!fail_at || (fail_on ? number < fail_at : number != fail_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return size != 0 && fails() ? NULL : __libc_realloc(old, size);
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT"), *on = getenv("FAIL_ON");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    fail_on = on && *on == '1';
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COUNT_TO");
    char text[24];
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    int n = snprintf(text, sizeof text, "%lu\n", (unsigned long)count);
    if (write(fd, text, (size_t)n) != n)
        abort();
    close(fd);
}
