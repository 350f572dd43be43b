/* scarce.c - wraps functions of the C library by the linker's --wrap, for the objects of the program. */
#include "support/scarce.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/types.h>

static _Thread_local unsigned left; /* until one is refused; 0 when none will be */
static _Thread_local bool refused;
static atomic_uint left_elsewhere;
static atomic_bool refused_elsewhere;
static _Thread_local bool is_spared; /* this thread has refusals apply to other threads */
static _Thread_local const char *failing = "";
static _Thread_local unsigned calls_left; /* of `failing`, until one fails; 0 when none will */
static _Thread_local int failure;

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

void scarce_begin_elsewhere(unsigned nth)
{
    is_spared = true;
    atomic_store(&refused_elsewhere, false);
    atomic_store(&left_elsewhere, nth);
}

bool scarce_end_elsewhere(void)
{
    atomic_store(&left_elsewhere, 0);
    return atomic_load(&refused_elsewhere);
}

void scarce_fail(const char *call, unsigned nth, int code)
{
    failing = call;
    calls_left = nth;
    failure = code;
}

static pthread_mutex_t stall_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stall_changed = PTHREAD_COND_INITIALIZER;
static const char *stalled_folder; /* NULL when none stalls */
static unsigned stalled;           /* number of threads that wait for it */

void scarce_stall(const char *folder)
{
    pthread_mutex_lock(&stall_lock);
    stalled_folder = folder;
    pthread_mutex_unlock(&stall_lock);
}

void scarce_go_on(void)
{
    pthread_mutex_lock(&stall_lock);
    stalled_folder = NULL;
    pthread_cond_broadcast(&stall_changed);
    pthread_mutex_unlock(&stall_lock);
}

void scarce_await_stalled(void)
{
    pthread_mutex_lock(&stall_lock);
    while (stalled == 0)
        pthread_cond_wait(&stall_changed, &stall_lock);
    pthread_mutex_unlock(&stall_lock);
}

static void wait_for_disk(const char *path)
{
    pthread_mutex_lock(&stall_lock);
    while (stalled_folder && strncmp(path, stalled_folder, strlen(stalled_folder)) == 0) {
        stalled++;
        pthread_cond_broadcast(&stall_changed);
        pthread_cond_wait(&stall_changed, &stall_lock);
        stalled--;
    }
    pthread_mutex_unlock(&stall_lock);
}

static bool fails(const char *call)
{
    if (!calls_left || strcmp(call, failing) != 0 || --calls_left)
        return false;
    errno = failure;
    return true;
}

static bool is_the_nth_elsewhere(void)
{
    unsigned n = is_spared ? 0 : atomic_load(&left_elsewhere);
    while (n > 0 && !atomic_compare_exchange_weak(&left_elsewhere, &n, n - 1))
        ;
    return n == 1;
}

static bool refuses(int code)
{
    bool is_here = left && --left == 0, is_elsewhere = is_the_nth_elsewhere();
    if (is_here)
        refused = true;
    if (is_elsewhere)
        atomic_store(&refused_elsewhere, true);
    if (is_here || is_elsewhere)
        errno = code;
    return is_here || is_elsewhere;
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

/* NAME(parameters) fails when that is set. */
#define MAY_FAIL(type, name, parameters, arguments)                                                          \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fails(#name) ? -1 : __real_##name arguments;                                                  \
    }

MAY_FAIL(ssize_t, read, (int fd, void *bytes, size_t n), (fd, bytes, n))
MAY_FAIL(ssize_t, write, (int fd, const void *bytes, size_t n), (fd, bytes, n))
MAY_FAIL(ssize_t, send, (int fd, const void *bytes, size_t n, int flags), (fd, bytes, n, flags))
MAY_FAIL(int, poll, (struct pollfd * fds, nfds_t n, int timeout_ms), (fds, n, timeout_ms))
MAY_FAIL(int, connect, (int fd, const struct sockaddr *address, socklen_t n), (fd, address, n))
MAY_FAIL(int, bind, (int fd, const struct sockaddr *address, socklen_t n), (fd, address, n))
MAY_FAIL(int, listen, (int fd, int backlog), (fd, backlog))
MAY_FAIL(ssize_t, getrandom, (void *bytes, size_t n, unsigned flags), (bytes, n, flags))
MAY_FAIL(int, fsync, (int fd), (fd))
MAY_FAIL(int, renameat2, (int from_dir, const char *from, int to_dir, const char *to, unsigned flags),
         (from_dir, from, to_dir, to, flags))
MAY_FAIL(int, unlink, (const char *path), (path))

int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *); /* or a number, or absent; it is passed on unchanged */
    va_end(arguments);
    return fails("ioctl") ? -1 : __real_ioctl(fd, request, argument);
}

/* The mode argument of open() or open64(). */
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
        wait_for_disk(path);                                                                                 \
        return refuses(EMFILE) ? -1 : __real_##name(path, flags, mode);                                      \
    }

STANDS_BEFORE_OPEN(open)
STANDS_BEFORE_OPEN(open64)
