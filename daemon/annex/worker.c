/* worker.c - the process that does one job, and what it gives up before it looks at its request. */
#include "annex/process.h"

#include "base/callfilter.h"
#include "base/observed.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void limit(int what, uint64_t most)
{
    const struct rlimit limit = {most, most};
    setrlimit((__rlimit_resource_t)what, &limit);
}

/* No file can be opened from here on, none written, and no core is left. */
static void limit_all(const struct annex_order *order)
{
    const uint64_t some = UINT64_C(1) << 30, each = 24;
    alarm(order->job->seconds);
    limit(RLIMIT_CPU, order->job->seconds);
    limit(RLIMIT_CORE, 0);
    if (IS_OBSERVED)
        return;
    limit(RLIMIT_AS, order->n > 3 * some / each ? 4 * some : some + each * order->n);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 0);
}

#define ALLOW(name) CALLFILTER_AT(name, CALLFILTER_ALLOW)

/* What malloc, the clock and the socket at hand take, and to end. All else fails. */
static void restrict_calls(void)
{
#ifdef CALLFILTER_MACHINE
    static struct sock_filter steps[] = {
        CALLFILTER_BEGIN,
        ALLOW(read),
        ALLOW(write),
        ALLOW(exit),
        ALLOW(exit_group),
        ALLOW(brk),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(mprotect),
        ALLOW(madvise),
        ALLOW(futex),
        ALLOW(getrandom),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(tgkill),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
#ifdef SYS_mmap
        ALLOW(mmap),
#endif
#ifdef SYS_mmap2
        ALLOW(mmap2),
#endif
#ifdef SYS_clock_gettime
        ALLOW(clock_gettime),
#endif
#ifdef SYS_clock_gettime64
        ALLOW(clock_gettime64),
#endif
        CALLFILTER_REFUSE,
    };
    callfilter_begin(steps, sizeof steps / sizeof *steps);
#endif
}

static bool read_all(int socket, uint8_t *bytes, size_t n)
{
    while (n > 0) {
        ssize_t got = read(socket, bytes, n);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            bytes += got;
            n -= (size_t)got;
        }
    }
    return true;
}

static bool write_all(int socket, const void *from, size_t n)
{
    const uint8_t *bytes = from;
    while (n > 0) {
        ssize_t put = write(socket, bytes, n);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0) {
            bytes += put;
            n -= (size_t)put;
        }
    }
    return true;
}

void annex_work(const struct annex_order *order, int socket, bool confined)
{
    signal(SIGALRM, SIG_DFL);
    limit_all(order);
    if (confined && !IS_OBSERVED)
        restrict_calls();
    uint8_t *request = malloc(order->n + 1);
    if (!request || !read_all(socket, request, order->n))
        _exit(1);
    struct sink_buffer answer;
    sink_buffer_init(&answer);
    answer.limit = order->most;
    order->job->run(request, order->n, &answer.sink);
    uint64_t length = answer.n;
    bool good = !answer.sink.failed && write_all(socket, &length, sizeof length) &&
                write_all(socket, answer.bytes, answer.n);
    _exit(good ? 0 : 1);
}
