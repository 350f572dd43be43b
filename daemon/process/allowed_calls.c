/* allowed_calls.c - the system calls that the confined daemon may make. All others fail, including those of
 * future kernels.
 *
 * Versions of the C library use different variants of a call. So a call that can do no more than a needed one is
 * on the list, too. docs/security.md has the reasons for the others. */
#include "process/allowed_calls.h"

#include "process/callfilter.h"
#include "process/rights.h"
#include "process/observed.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Memory, threads, time, open descriptors, and information about the process itself. */
static const int harmless[] = {
    SYS_read,
    SYS_futex,
    SYS_write,
    SYS_ppoll,
    SYS_clock_gettime,
    SYS_recvfrom,
    SYS_epoll_pwait,
    SYS_epoll_ctl,
    SYS_epoll_create1,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    SYS_timerfd_create,
    SYS_eventfd2,
    SYS_signalfd4,
    SYS_pselect6,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fstat,
    SYS_statx,
    SYS_fstatfs,
    SYS_statfs,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_sendfile,
    SYS_umask,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_exit,
    SYS_exit_group,
    SYS_gettid,
    SYS_getpid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_wait4,
    SYS_waitid,
    SYS_getsockname,
    SYS_getpeername,
    SYS_setsockopt,
    SYS_getsockopt,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_recvmsg,
    SYS_shutdown,
    SYS_unlinkat,
    SYS_renameat2,
#ifdef SYS_sync_file_range
    SYS_sync_file_range,
#endif
#ifdef SYS_arm_sync_file_range
    SYS_arm_sync_file_range,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_fadvise64
    SYS_fadvise64,
#endif
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_poll /* older machines, which still have these calls */
    SYS_poll,
    SYS_select,
    SYS_epoll_wait,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_dup2,
    SYS_pipe,
    SYS_rename,
    SYS_unlink,
    SYS_time,
#endif
#ifdef SYS_clock_gettime64 /* 32-bit machines */
    SYS_clock_gettime64,
    SYS_futex_time64,
    SYS_ppoll_time64,
    SYS_pselect6_time64,
    SYS_clock_nanosleep_time64,
    SYS_timerfd_settime64,
    SYS_timerfd_gettime64,
    SYS_clock_getres_time64,
    SYS_rt_sigtimedwait_time64,
    SYS__llseek,
    SYS__newselect,
    SYS_fstat64,
    SYS_stat64,
    SYS_lstat64,
    SYS_fstatat64,
    SYS_fstatfs64,
    SYS_statfs64,
    SYS_sendfile64,
    SYS_ugetrlimit,
    SYS_getuid32,
    SYS_geteuid32,
    SYS_getgid32,
    SYS_getegid32,
    SYS_sigreturn,
    SYS_recv,
    SYS_send,
#endif
#ifdef SYS_arm_fadvise64_64
    SYS_arm_fadvise64_64,
#endif
};

/* A sanitizer stops all threads to find leaks, and starts a program that reads symbols. */
static const int for_sanitizers[] = {
    SYS_clone,
    SYS_execve,
    SYS_ptrace,
    SYS_prctl,
    SYS_kill,
    SYS_tgkill,
    SYS_setrlimit,
    SYS_fcntl,
    SYS_getppid,
    SYS_mincore,
    SYS_personality,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_setpriority,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_prlimit64,
    SYS_mprotect,
    SYS_openat,
    SYS_ftruncate,
    SYS_mkdirat,
#ifdef SYS_mmap
    SYS_mmap,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
#ifdef SYS_getdents
    SYS_getdents,
#endif
#ifdef SYS_vfork
    SYS_fork,
    SYS_vfork,
#endif
};

static void allow_when(struct callfilter *filter, int number, unsigned argument, uint32_t mask,
                       const uint32_t *values, size_t n)
{
    const struct callfilter_test test = {argument, mask, values, n};
    callfilter_allow_when(filter, number, &test, 1);
}

/* Executable memory is never writable, but libraries may be loaded (name services, on demand). Threads are
 * allowed, processes are not. A filter cannot see the flags of clone3, so it fails; callers then use clone. */
static void allow_memory_and_threads(struct callfilter *filter)
{
    static const uint32_t not_both[] = {0, PROT_WRITE, PROT_EXEC}, none[] = {0};
    static const uint32_t thread[] = {CLONE_THREAD | CLONE_VM | CLONE_SIGHAND};
    static const uint32_t name[] = {PR_SET_NAME, PR_GET_NAME};
    const uint32_t self[] = {(uint32_t)getpid()};
    const uint32_t seen = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_NEWNS | CLONE_NEWCGROUP |
                          CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                          CLONE_PTRACE;
#ifdef SYS_mmap
    allow_when(filter, SYS_mmap, 2, PROT_WRITE | PROT_EXEC, not_both, COUNT(not_both));
#endif
#ifdef SYS_mmap2
    allow_when(filter, SYS_mmap2, 2, PROT_WRITE | PROT_EXEC, not_both, COUNT(not_both));
#endif
    allow_when(filter, SYS_mprotect, 2, PROT_EXEC, none, COUNT(none));
    allow_when(filter, SYS_clone, 0, seen, thread, COUNT(thread));
    allow_when(filter, SYS_tgkill, 0, UINT32_MAX, self, COUNT(self));
    allow_when(filter, SYS_prlimit64, 0, UINT32_MAX, none, COUNT(none));
    allow_when(filter, SYS_prctl, 0, UINT32_MAX, name, COUNT(name));
#ifdef SYS_clone3
    callfilter_fail(filter, SYS_clone3, ENOSYS);
#endif
}

/* A file opened for reading cannot be truncated, which older versions of Landlock do not prevent. No process can
 * get signals from a descriptor. */
static void allow_files(struct callfilter *filter)
{
    static const uint32_t ways[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC};
    static const uint32_t what[] = {F_GETFL, F_SETFL, F_GETFD, F_SETFD, F_DUPFD_CLOEXEC, F_DUPFD};
    allow_when(filter, SYS_openat, 2, O_ACCMODE | O_TRUNC, ways, COUNT(ways));
#ifdef SYS_open
    allow_when(filter, SYS_open, 1, O_ACCMODE | O_TRUNC, ways, COUNT(ways));
#endif
    allow_when(filter, SYS_fcntl, 1, UINT32_MAX, what, COUNT(what));
#ifdef SYS_fcntl64
    allow_when(filter, SYS_fcntl64, 1, UINT32_MAX, what, COUNT(what));
#endif
}

/* Baud rate, format, modem lines and the number of waiting bytes. No request that types on a terminal, takes it
 * over, or changes its driver. */
static void allow_line_settings(struct callfilter *filter)
{
    static const uint32_t requests[] = {
        TCGETS,   TCSETS,   TCSETSW,  TCSETSF,     TCGETS2,  TCSETS2,  TCSETSW2,
        TCSETSF2, TCGETX,   TCFLSH,   TCSBRK,      TIOCMGET, TIOCMSET, TIOCMBIS,
        TIOCMBIC, TIOCEXCL, TIOCNXCL, TIOCGSERIAL, TIOCOUTQ, FIONREAD, FIONBIO,
    };
    allow_when(filter, SYS_ioctl, 1, UINT32_MAX, requests, COUNT(requests));
}

static void allow_socket(struct callfilter *filter, uint32_t family, uint32_t type, uint32_t protocol)
{
    const uint32_t protocols[] = {0, protocol};
    const struct callfilter_test tests[] = {
        {0, UINT32_MAX, &family, 1}, {1, 0xf /* without flags */, &type, 1}, {2, UINT32_MAX, protocols, 2}};
    callfilter_allow_when(filter, SYS_socket, tests, COUNT(tests));
}

/* Only sockets of the kinds that are needed. Sending cannot open a connection (TCP fast open). */
static void allow_network(struct callfilter *filter, const struct confinement *confinement)
{
    static const uint32_t none[] = {0}, pair[] = {SOCK_STREAM, SOCK_SEQPACKET /* orders to an annex */};
    static const int connect_call[] = {SYS_connect};
    enum confinement_peer peer = confinement->peer;
    allow_when(filter, SYS_sendto, 3, MSG_FASTOPEN, none, COUNT(none));
    allow_when(filter, SYS_sendmsg, 2, MSG_FASTOPEN, none, COUNT(none));
    allow_when(filter, SYS_socketpair, 1, 0xf, pair, COUNT(pair));
    if (confinement->listen_port >= 0 || peer >= CONFINEMENT_ADDRESS) {
        allow_socket(filter, AF_INET, SOCK_STREAM, IPPROTO_TCP);
        allow_socket(filter, AF_INET6, SOCK_STREAM, IPPROTO_TCP);
    }
    if (confinement->socket || peer == CONFINEMENT_UNIX_SOCKET || peer == CONFINEMENT_NAME)
        allow_socket(filter, AF_UNIX, SOCK_STREAM, 0);
    if (confinement->socket || peer != CONFINEMENT_NOBODY)
        callfilter_allow(filter, connect_call, 1);
    if (peer == CONFINEMENT_NAME) {
        static const uint32_t index[] = {SIOCGIFINDEX};
        allow_socket(filter, AF_INET, SOCK_DGRAM, IPPROTO_UDP);
        allow_socket(filter, AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
        allow_socket(filter, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
        allow_when(filter, SYS_sendmmsg, 3, MSG_FASTOPEN, none, COUNT(none));
        allow_when(filter, SYS_ioctl, 1, UINT32_MAX, index, COUNT(index));
    }
}

static void allow_end_of_annex(struct callfilter *filter, const struct confinement *confinement)
{
    const uint32_t signal = SIGKILL;
    uint32_t pids[CONFINEMENT_ANNEX_MOST];
    for (size_t i = 0; i < confinement->annex_n; i++)
        pids[i] = (uint32_t)confinement->annex[i];
    const struct callfilter_test tests[] = {{0, UINT32_MAX, pids, confinement->annex_n},
                                            {1, UINT32_MAX, &signal, 1}};
    callfilter_allow_when(filter, SYS_kill, tests, COUNT(tests));
}

bool allowed_calls_begin(const struct confinement *confinement)
{
    static struct callfilter filter;
    callfilter_init(&filter);
    callfilter_allow(&filter, harmless, COUNT(harmless));
    if (IS_OBSERVED)
        callfilter_allow(&filter, for_sanitizers, COUNT(for_sanitizers));
    allow_memory_and_threads(&filter);
    allow_files(&filter);
    allow_line_settings(&filter);
    allow_network(&filter, confinement);
    if (confinement->annex_n > 0)
        allow_end_of_annex(&filter, confinement);
    return callfilter_begin(&filter);
}
