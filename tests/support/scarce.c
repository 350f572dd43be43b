/* scarce.c - stands before the C library for the objects of the program: the linker's --wrap. */
#include "support/scarce.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

static _Thread_local unsigned left; /* until one is refused; 0: none will be */
static _Thread_local bool refused;
static _Thread_local int read_code;

void scarce_begin(unsigned nth)
{
    left = nth;
    refused = false;
}

bool scarce_end(void)
{
    left = 0;
    return refused;
}

void scarce_read(int code)
{
    read_code = code;
}

static bool refuses(int code)
{
    if (!left || --left)
        return false;
    refused = true;
    errno = code;
    return true;
}

/* NAME(parameters) returns `failed` when it is refused. */
#define STANDS_BEFORE(type, name, parameters, arguments, failed, code)                                       \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return refuses(code) ? failed : __real_##name arguments;                                             \
    }

STANDS_BEFORE(void *, malloc, (size_t size), (size), NULL, ENOMEM)
STANDS_BEFORE(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
STANDS_BEFORE(void *, realloc, (void *old, size_t size), (old, size), NULL, ENOMEM)
STANDS_BEFORE(void *, reallocarray, (void *old, size_t n, size_t size), (old, n, size), NULL, ENOMEM)
STANDS_BEFORE(char *, strdup, (const char *text), (text), NULL, ENOMEM)
STANDS_BEFORE(char *, strndup, (const char *text, size_t n), (text, n), NULL, ENOMEM)
STANDS_BEFORE(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
STANDS_BEFORE(int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
STANDS_BEFORE(int, eventfd, (unsigned count, int flags), (count, flags), -1, EMFILE)
STANDS_BEFORE(int, epoll_create1, (int flags), (flags), -1, EMFILE)
STANDS_BEFORE(int, timerfd_create, (int clock, int flags), (clock, flags), -1, EMFILE)
STANDS_BEFORE(int, pthread_create,
              (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
              (thread, attributes, run, user), EAGAIN, EAGAIN)

ssize_t __real_read(int fd, void *bytes, size_t n);
ssize_t __wrap_read(int fd, void *bytes, size_t n);
ssize_t __wrap_read(int fd, void *bytes, size_t n)
{
    if (!read_code)
        return __real_read(fd, bytes, n);
    errno = read_code;
    read_code = 0;
    return -1;
}

/* open() by either of its names. */
static int open_mode(int flags, va_list arguments)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
}

#define STANDS_BEFORE_OPEN(name)                                                                             \
    int __real_##name(const char *path, int flags, ...);                                                     \
    int __wrap_##name(const char *path, int flags, ...);                                                     \
    int __wrap_##name(const char *path, int flags, ...)                                                      \
    {                                                                                                        \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        int mode = open_mode(flags, arguments);                                                              \
        va_end(arguments);                                                                                   \
        return refuses(EMFILE) ? -1 : __real_##name(path, flags, mode);                                      \
    }

STANDS_BEFORE_OPEN(open)
STANDS_BEFORE_OPEN(open64)
