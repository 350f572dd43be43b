/* nth_call.c - is preloaded and makes system calls fail: of the calls of one kind the Nth, the Nth and all after it,
 * or every Nth.
 *
 * The environment controls a whole run: FAIL is the kind (default: allocation), FAIL_AT is N, FAIL_ON=1 includes all
 * calls after it; without FAIL_AT none fails. At the end the number of calls is written to the file COUNT_TO. A forked
 * process continues with its own copy of the count. Calls of the loader and the C library before main() count as
 * well; their number is the same in each run.
 *
 * A test can control a running program: the file FAULTS holds a struct faults, which the test maps and writes
 * (tests/support/faults.py); all processes share it.
 *
 * With HANG the chosen call never returns instead of failing.
 *
 * Standard output and error never fail, since failures are reported there; nor do event, signal and timer
 * descriptors, which cannot fail in reality. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

enum kind { NONE, ALLOCATION, READ, WRITE, SYNC, RENAME, THREAD, SOCKET, OPEN, REMOVE, KINDS };
static const char *const names[KINDS] = {"",       "allocation", "read",   "write", "sync",
                                         "rename", "thread",     "socket", "open",  "remove"};
static const int codes[KINDS] = {0, ENOMEM, EIO, ENOSPC, EIO, EACCES, EAGAIN, EMFILE, EMFILE, EACCES};

enum how { ONCE, ON, EACH, HANG };

/* tests/support/faults.py has the same. */
struct faults {
    _Atomic uint32_t kind, how; /* which calls fail, and how; kind is written last */
    _Atomic uint64_t at;        /* N, from 1 */
    _Atomic uint64_t seen;      /* calls of this kind since kind was written */
    _Atomic uint64_t failed;    /* number of failed ones */
    _Atomic uint64_t counts[16];
    char path[256];  /* only for files whose path contains this; "": for all */
    char thread[16]; /* only in threads of this name; "": in all */
};

static struct faults own, *faults = &own;

static _Thread_local char thread_name[16] __attribute__((tls_model("initial-exec")));

int pthread_setname_np(pthread_t thread, const char *name)
{
    static int (*real)(pthread_t, const char *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_setname_np");
    snprintf(thread_name, sizeof thread_name, "%s", name);
    return real(thread, name);
}

static bool is_chosen(uint64_t number)
{
    uint64_t at = faults->at;
    switch (faults->how) {
    case ONCE:
    case HANG: return number == at;
    case ON: return number >= at;
    default: return number % at == 0;
    }
}

static bool fails(enum kind kind)
{
    faults->counts[kind]++;
    if (faults->kind != kind || (*faults->thread && strcmp(faults->thread, thread_name) != 0) ||
        !is_chosen(++faults->seen))
        return false;
    faults->failed++;
    while (faults->how == HANG)
        poll(NULL, 0, -1);
    errno = codes[kind];
    return true;
}

/* As fails(), for a call on the file at `path`. */
static bool fails_at(enum kind kind, const char *path)
{
    if (faults->kind == kind && *faults->path && !strstr(path, faults->path)) {
        faults->counts[kind]++;
        return false;
    }
    return fails(kind);
}

static bool fails_on(enum kind kind, int fd)
{
    char link[32], path[PATH_MAX];
    int error = errno;
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO)
        return false;
    if (faults->kind != kind)
        return fails(kind);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    errno = error;
    return strncmp(path, "anon_inode:", 11) != 0 && fails_at(kind, path);
}

/* ---- memory ---- */

void *malloc(size_t size)
{
    return fails(ALLOCATION) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(ALLOCATION) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return size != 0 && fails(ALLOCATION) ? NULL : __libc_realloc(old, size);
}

/* ---- all others ---- */

/* Defines NAME(parameters), which returns `failed` if `condition`, else calls the C library's function. */
#define STANDS_BEFORE(type, name, parameters, arguments, condition, failed)                                  \
    type name parameters                                                                                     \
    {                                                                                                        \
        static type(*real) parameters;                                                                       \
        if (!real)                                                                                           \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                       \
        return condition ? failed : real arguments;                                                          \
    }

STANDS_BEFORE(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), fails_on(READ, fd), -1)
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
STANDS_BEFORE(ssize_t, __read_chk, (int fd, void *to, size_t n, size_t room), (fd, to, n, room),
              fails_on(READ, fd), -1)
STANDS_BEFORE(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at), fails_on(READ, fd),
              -1)
STANDS_BEFORE(ssize_t, recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags), fails_on(READ, fd),
              -1)
STANDS_BEFORE(ssize_t, recvmsg, (int fd, struct msghdr *to, int flags), (fd, to, flags), fails_on(READ, fd),
              -1)
STANDS_BEFORE(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), fails_on(WRITE, fd), -1)
STANDS_BEFORE(ssize_t, writev, (int fd, const struct iovec *from, int n), (fd, from, n), fails_on(WRITE, fd),
              -1)
STANDS_BEFORE(ssize_t, send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags),
              fails_on(WRITE, fd), -1)
STANDS_BEFORE(ssize_t, sendmsg, (int fd, const struct msghdr *from, int flags), (fd, from, flags),
              fails_on(WRITE, fd), -1)
STANDS_BEFORE(int, fsync, (int fd), (fd), fails_on(SYNC, fd), -1)
STANDS_BEFORE(int, rename, (const char *from, const char *to), (from, to), fails_at(RENAME, to), -1)
STANDS_BEFORE(int, renameat2, (int from_dir, const char *from, int to_dir, const char *to, unsigned flags),
              (from_dir, from, to_dir, to, flags), fails_at(RENAME, to), -1)
STANDS_BEFORE(int, unlink, (const char *path), (path), fails_at(REMOVE, path), -1)
STANDS_BEFORE(int, pthread_create,
              (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
              (thread, attributes, run, user), fails_at(THREAD, ""), EAGAIN)
STANDS_BEFORE(int, socket, (int domain, int type, int protocol), (domain, type, protocol),
              fails_at(SOCKET, ""), -1)
STANDS_BEFORE(int, socketpair, (int domain, int type, int protocol, int ends[2]),
              (domain, type, protocol, ends), fails_at(SOCKET, ""), -1)
STANDS_BEFORE(int, accept4, (int fd, struct sockaddr *address, socklen_t *n, int flags),
              (fd, address, n, flags), fails_at(SOCKET, ""), -1)
STANDS_BEFORE(int, pipe2, (int ends[2], int flags), (ends, flags), fails_at(OPEN, ""), -1)
STANDS_BEFORE(int, eventfd, (unsigned count, int flags), (count, flags), fails_at(OPEN, ""), -1)
STANDS_BEFORE(int, epoll_create1, (int flags), (flags), fails_at(OPEN, ""), -1)
STANDS_BEFORE(int, timerfd_create, (int clock, int flags), (clock, flags), fails_at(OPEN, ""), -1)

#define STANDS_BEFORE_OPEN(name)                                                                             \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        static int (*real)(const char *, int, ...);                                                          \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;                               \
        va_end(arguments);                                                                                   \
        if (!real)                                                                                           \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                       \
        return fails_at(OPEN, path) ? -1 : real(path, flags, mode);                                          \
    }

STANDS_BEFORE_OPEN(open)
STANDS_BEFORE_OPEN(open64)

/* ---- begin and end ---- */

static void share(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *map = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        abort();
    close(fd);
    faults = map;
}

__attribute__((constructor)) static void begin(void)
{
    const char *shared = getenv("FAULTS"), *wanted = getenv("FAIL"), *at = getenv("FAIL_AT"),
               *on = getenv("FAIL_ON");
    if (shared) {
        share(shared);
        return;
    }
    enum kind kind = at ? ALLOCATION : NONE;
    for (unsigned i = 1; at && wanted && i < KINDS; i++)
        if (strcmp(names[i], wanted) == 0)
            kind = i;
    own.how = on && *on == '1' ? ON : ONCE;
    own.at = at ? strtoul(at, NULL, 10) : 0;
    own.seen = own.counts[kind];
    own.kind = kind;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COUNT_TO"), *wanted = getenv("FAIL");
    char text[24];
    enum kind kind = ALLOCATION;
    for (unsigned i = 1; wanted && i < KINDS; i++)
        if (strcmp(names[i], wanted) == 0)
            kind = i;
    unsigned long long count = own.counts[kind];
    own.kind = NONE;
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    int n = snprintf(text, sizeof text, "%llu\n", count);
    if (write(fd, text, (size_t)n) != n)
        abort();
    close(fd);
}
