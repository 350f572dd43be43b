/* read_gap.c - is preloaded and measures how long the thread mp-reader leaves a line unread.
 *
 * A gap is the time from the end of one read of the line to the begin of the next. Its *own* part excludes the time
 * slept for lack of bytes and the time waited for a processor (/proc/thread-self/schedstat), so that other programs
 * of this machine do not count. The wait after short reads (source/reader.c) is part of it, but not the delay of the
 * kernel's timer, which is reported separately. After SIGTERM, one line on standard error reports the worst gap since
 * GAP_FROM, in seconds of the run.
 *
 * From GAP_FROM on, one write to a file whose name ends with STALL takes five seconds. */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Thread_local bool is_reader __attribute__((tls_model("initial-exec")));
static int schedstat = -1; /* of the reader's thread */
static double from, last, slept, waited_before, worst, worst_own, worst_late;
static unsigned long reads, too_late;
static int stalled;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

__attribute__((constructor)) static void begin(void)
{
    const char *word = getenv("GAP_FROM");
    from = seconds() + (word ? atof(word) : 0);
}

/* Returns the time that the thread has waited for a processor so far. */
static double waited(void)
{
    char text[80] = "";
    if (schedstat < 0)
        schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (syscall(SYS_pread64, schedstat, text, sizeof text - 1, 0) <= 0)
        return 0;
    const char *second = strchr(text, ' ');
    return second ? atof(second) * 1e-9 : 0;
}

#define REAL(name)                                                                                           \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

int pthread_setname_np(pthread_t thread, const char *name)
{
    REAL(pthread_setname_np);
    is_reader |= strcmp(name, "mp-reader") == 0;
    return real(thread, name);
}

/* If the descriptors include the line, the reader waits for bytes, else for a time. The line alone is polled without a
 * timeout; on a terminal even that waits for the kernel's worker, which delivers its bytes. */
int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    REAL(poll);
    if (!is_reader)
        return real(fds, n, timeout_ms);
    bool is_for_bytes = n == 1 || fds[1].fd >= 0;
    double begun = seconds(), before = waited();
    int ready = real(fds, n, timeout_ms);
    double took = seconds() - begun, queued = waited() - before;
    double late = took - queued - timeout_ms * 1e-3;
    if (is_for_bytes) {
        slept += took;
        waited_before += queued; /* already part of that */
    } else if (timeout_ms > 0 && late > 0) {
        slept += late;
        worst_late = last > 0 && begun >= from && late > worst_late ? late : worst_late;
    }
    return ready;
}

ssize_t read(int fd, void *bytes, size_t n)
{
    REAL(read);
    if (!is_reader || n <= 8) /* 8 bytes or fewer: the bell */
        return real(fd, bytes, n);
    double now = seconds();
    if (last > 0 && now >= from) {
        double gap = now - last, own = gap - slept - (waited() - waited_before);
        worst = gap > worst ? gap : worst;
        worst_own = own > worst_own ? own : worst_own;
        too_late += own > 0.02;
        reads++;
    }
    ssize_t got = real(fd, bytes, n);
    last = seconds();
    slept = 0;
    waited_before = waited();
    return got;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    REAL(write);
    const char *end = getenv("STALL");
    char link[40], path[300];
    if (!end || stalled || seconds() < from)
        return real(fd, bytes, n);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (length > (ssize_t)strlen(end) && strcmp(path + length - (ssize_t)strlen(end), end) == 0) {
        stalled = 1;
        nanosleep(&(struct timespec){.tv_sec = 5}, NULL);
    }
    return real(fd, bytes, n);
}

__attribute__((destructor)) static void end(void)
{
    if (reads == 0) /* a process of the annex */
        return;
    char text[200];
    int n = snprintf(text, sizeof text,
                     "read-gap: %lu reads, worst %.1f ms, own %.1f ms, own over 20 ms: %lu, timer late %.1f "
                     "ms, stalled: %d\n",
                     reads, worst * 1e3, worst_own * 1e3, too_late, worst_late * 1e3, stalled);
    syscall(SYS_write, STDERR_FILENO, text, (size_t)n);
}

/* The program calls _exit() when cleaning up takes too long, for example while an ELF is read. scripts/coverage.h has a
 * macro of this name. */
#undef _exit
void _exit(int status)
{
    end();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
