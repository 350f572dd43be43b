/* worker.c - the process that does one job. It drops all rights before it parses its request. */
#include "annex/annex_private.h"

#include "base/linux_calls.h"
#include "process/observed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#if HAS_LINUX_CALLS
#include "process/callfilter.h"

#include <sys/syscall.h>
#endif

static void limit_resource(int what, uint64_t most)
{
    const struct rlimit limit = {most, most};
    setrlimit((__rlimit_resource_t)what, &limit);
}

/* Sets limits. From here on, no file can be opened or written, and no core is dumped. */
static void limit_all(const struct annex_order *order)
{
    const uint64_t some = UINT64_C(1) << 30, each = 24;
    alarm(order->job->seconds);
    limit_resource(RLIMIT_CPU, order->job->seconds);
    limit_resource(RLIMIT_CORE, 0);
    if (IS_OBSERVED)
        return;
    limit_resource(RLIMIT_AS, order->n > 3 * some / each ? 4 * some : some + each * order->n);
    limit_resource(RLIMIT_FSIZE, 0);
    limit_resource(RLIMIT_NOFILE, 0);
}

/* Allows only calls for malloc, the clock, the open socket, and exit. All others fail. */
static void restrict_calls(void)
{
#if HAS_LINUX_CALLS
    static const int calls[] = {
        SYS_read,
        SYS_write,
        SYS_exit,
        SYS_exit_group,
        SYS_brk,
        SYS_munmap,
        SYS_mremap,
        SYS_madvise,
        SYS_futex,
        SYS_getrandom,
        SYS_getpid,
        SYS_gettid,
        SYS_rt_sigprocmask,
        SYS_rt_sigreturn,
#ifdef SYS_clock_gettime
        SYS_clock_gettime,
#endif
#ifdef SYS_clock_gettime64
        SYS_clock_gettime64,
#endif
    };
    static struct callfilter filter;
    const uint32_t none = 0, self = (uint32_t)getpid();
    const struct callfilter_test not_executable = {2, PROT_EXEC, &none, 1},
                                 of_its_own = {0, UINT32_MAX, &self, 1};
    callfilter_init(&filter);
    callfilter_allow(&filter, calls, sizeof calls / sizeof *calls);
    callfilter_allow_data_maps(&filter);
    callfilter_allow_when(&filter, SYS_mprotect, &not_executable, 1);
    callfilter_allow_when(&filter, SYS_tgkill, &of_its_own, 1); /* abort() */
    callfilter_begin(&filter);
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

/* Has the kernel end this process by SIGIO when the caller closes its end of the socket, since nothing else
 * would stop a job that is no longer needed. There is no other activity on the socket while the job runs. */
static void end_with_asker(int socket)
{
    char nothing;
    signal(SIGIO, SIG_DFL);
    fcntl(socket, F_SETOWN, getpid());
    fcntl(socket, F_SETFL, O_ASYNC);
    if (recv(socket, &nothing, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        _exit(1);
}

/* Blocks SIGIO while writing, since it also arrives when the socket has room for more. */
static void outlive_asker(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGIO);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

void annex_work(const struct annex_order *order, int socket, bool confined)
{
    static const char here = 0;
    signal(SIGALRM, SIG_DFL);
    limit_all(order);
    uint8_t *request = malloc(order->n + 1);
    if (!request || !write_all(socket, &here, 1) || !read_all(socket, request, order->n))
        _exit(1);
    end_with_asker(socket);
    if (confined && !IS_OBSERVED)
        restrict_calls();
    struct sink_buffer answer;
    sink_buffer_init(&answer);
    answer.limit = order->most;
    order->job->run(request, order->n, &answer.sink);
    uint64_t length = answer.n;
    outlive_asker();
    bool good = !answer.sink.failed && write_all(socket, &length, sizeof length) &&
                write_all(socket, answer.bytes, answer.n);
    _exit(good ? 0 : 1);
}
