/* escape.c - is preloaded into miniprofd, tries what an attacker inside it would, and prints the result of each
 * act.
 *
 * It runs when the program makes its first thread: by then the program has dropped all its rights.
 * Lines are written to the descriptor ESCAPE_TO: the act's name, a tab, and "allowed" or the name of the error.
 * The environment names the objects of the acts: ESCAPE_VICTIM, a file elsewhere; ESCAPE_PLACE, the folder to
 * which the program may write; ESCAPE_TERMINAL, a terminal that is not its port; ESCAPE_PORT, a TCP port with a
 * listener; ESCAPE_ABSTRACT, the name of an abstract socket, and ESCAPE_SOCKET, the path of another socket, both
 * with a listener.
 *
 * An act that would do harm gets arguments that the kernel rejects: any error but EPERM and EACCES then means
 * that the act was allowed.
 *
 * ESCAPE_LANDLOCK simulates an older version of Landlock (0: none), ESCAPE_SECCOMP=0 a kernel without seccomp. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* These numbers are the same on all architectures. */
enum {
    NR_PIDFD_SEND_SIGNAL = 424,
    NR_IO_URING_SETUP = 425,
    NR_OPEN_TREE = 428,
    NR_MOVE_MOUNT = 429,
    NR_FSOPEN = 430,
    NR_PIDFD_OPEN = 434,
    NR_CLONE3 = 435,
    NR_OPENAT2 = 437,
    NR_PIDFD_GETFD = 438,
    NR_PROCESS_MADVISE = 440,
    NR_MOUNT_SETATTR = 442,
    NR_FCHMODAT2 = 452,
    NR_OF_THE_FUTURE = 700,
};

typedef long (*raw_call)(long, ...);
static raw_call kernel;
static const char *victim, *place, *terminal, *in_place, *abstract_name, *socket_path;
static int tcp_port;
static pid_t parent;

static long wrong(long number)
{
    return kernel(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

static long opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (fd >= 0)
        close(fd);
    return fd;
}

/* Uses /dev/null, which has no such command and gives a different error than a refusal. */
static long asks_terminal(unsigned long request)
{
    return ioctl(STDIN_FILENO, request, NULL);
}

static long connects(const struct sockaddr *address, socklen_t size, int type)
{
    int fd = socket(address->sa_family, type, 0);
    if (fd < 0)
        return -1;
    long done = connect(fd, address, size);
    int error = errno;
    close(fd);
    errno = error;
    return done;
}

static long connects_tcp(int port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connects((const struct sockaddr *)&address, sizeof address, SOCK_STREAM);
}

static long connects_unix(const char *name, bool is_abstract)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + is_abstract, name, sizeof address.sun_path - 2);
    return connects((const struct sockaddr *)&address,
                    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(name)),
                    SOCK_STREAM);
}

static long sends_fast(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)tcp_port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    long done =
        sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (const struct sockaddr *)&address, sizeof address);
    int error = errno;
    close(fd);
    errno = error;
    return done;
}

static long makes_socket(int family, int type, int protocol)
{
    int fd = socket(family, type, protocol);
    if (fd >= 0)
        close(fd);
    return fd;
}

static long binds_tcp(int port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    long done = bind(fd, (const struct sockaddr *)&address, sizeof address);
    int error = errno;
    close(fd);
    errno = error;
    return done;
}

static long forks(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child;
}

static long clones(unsigned long flags)
{
    long child = kernel(SYS_clone, flags | SIGCHLD, 0L, 0L, 0L, 0L);
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    return child;
}

static long maps(int protection)
{
    void *at = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? -1 : 0;
}

static long makes_executable(void)
{
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(at, 4096, PROT_READ | PROT_EXEC);
}

static long signals_by_descriptor(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    long done = fcntl(ends[0], F_SETOWN, parent);
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return done;
}

static long reads_memory_of_parent(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)parent);
    return opens(path, O_RDWR);
}

static long reads_environment_of_parent(void)
{
    char path[64], first;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)parent);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, &first, 1);
    close(fd);
    errno = EACCES; /* some kernels return 0 bytes without an error */
    return n > 0 ? 0 : -1;
}

static long makes_link(bool is_symbolic)
{
    char path[512];
    snprintf(path, sizeof path, "%s/link", place);
    return is_symbolic ? symlink("/etc/passwd", path) : link(victim, path);
}

static long makes_node(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/node", place);
    return mknod(path, S_IFIFO | 0600, 0);
}

static long beside_victim(char what)
{
    char path[512];
    snprintf(path, sizeof path, "%s.%c", victim, what);
    return what == 'd' ? mkdir(path, 0700) : opens(path, O_CREAT | O_WRONLY);
}

#define ACT(name, expression)                                                                                \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        long done = (long)(expression);                                                                      \
        report(name, done, errno);                                                                           \
    } while (0)

static void report(const char *name, long done, int error)
{
    char line[256];
    bool is_refused =
        done < 0 && (error == EPERM || error == EACCES || (error == ENOSYS && !strcmp(name, "clone3")));
    int n = snprintf(line, sizeof line, "%s\t%s\n", name, is_refused ? strerrorname_np(error) : "allowed");
    kernel(SYS_write, (long)atoi(getenv("ESCAPE_TO")), line, (long)n);
}

static void try_files(void)
{
    ACT("read a file of the user", opens(victim, O_RDONLY));
    ACT("create a file in the record folder", opens(in_place, O_CREAT | O_WRONLY));
    ACT("truncate a file in the record folder", opens(in_place, O_WRONLY | O_TRUNC));
    ACT("open a file of the user for writing", opens(victim, O_WRONLY));
    ACT("create a file elsewhere", beside_victim('c'));
    ACT("make a folder elsewhere", beside_victim('d'));
    ACT("rename a file of the user", rename(victim, victim));
    ACT("make a link in the record folder", makes_link(true));
    ACT("make a hard link in the record folder", makes_link(false));
    ACT("make a pipe in the record folder", makes_node());
    ACT("truncate", truncate(victim, 0));
    ACT("truncate by opening for reading", opens(victim, O_RDONLY | O_TRUNC));
    ACT("chmod", chmod(victim, 0666));
    ACT("fchmodat2", wrong(NR_FCHMODAT2));
    ACT("chmod in the record folder", chmod(in_place, 04755));
    ACT("chown", chown(victim, getuid(), getgid()));
    ACT("setxattr", wrong(SYS_setxattr));
    ACT("removexattr", wrong(SYS_removexattr));
    ACT("utimensat", utimensat(AT_FDCWD, victim, NULL, 0));
    ACT("openat2", wrong(NR_OPENAT2));
    ACT("open_by_handle_at", wrong(SYS_open_by_handle_at));
    ACT("write core_pattern", opens("/proc/sys/kernel/core_pattern", O_WRONLY));
}

static void try_devices(void)
{
    ACT("open another terminal for writing", opens(terminal, O_RDWR));
    ACT("read another terminal", opens(terminal, O_RDONLY));
    ACT("type on the terminal (TIOCSTI)", asks_terminal(TIOCSTI));
    ACT("paste on the console (TIOCLINUX)", asks_terminal(0x541C));
    ACT("take the terminal (TIOCSCTTY)", asks_terminal(TIOCSCTTY));
    ACT("redirect the console (TIOCCONS)", asks_terminal(TIOCCONS));
    ACT("change the line discipline (TIOCSETD)", asks_terminal(TIOCSETD));
}

static void try_processes(void)
{
    char *const none[] = {NULL};
    ACT("execve", execve("/nowhere/at/all", none, none));
    ACT("execveat", wrong(SYS_execveat));
    ACT("memfd_create", wrong(SYS_memfd_create));
    ACT("fork", forks());
    ACT("clone with a user namespace", clones(CLONE_NEWUSER));
    ACT("clone3", wrong(NR_CLONE3));
    ACT("unshare", unshare(CLONE_NEWUSER));
    ACT("setns", wrong(SYS_setns));
    ACT("kill", kill(parent, 0));
    ACT("tkill", wrong(SYS_tkill));
    ACT("tgkill of another process", kernel(SYS_tgkill, (long)parent, (long)parent, 0L));
    ACT("signal by a descriptor (F_SETOWN)", signals_by_descriptor());
    ACT("pidfd_open", wrong(NR_PIDFD_OPEN));
    ACT("pidfd_getfd", wrong(NR_PIDFD_GETFD));
    ACT("pidfd_send_signal", wrong(NR_PIDFD_SEND_SIGNAL));
    ACT("rt_sigqueueinfo", wrong(SYS_rt_sigqueueinfo));
    ACT("prlimit of another process", kernel(SYS_prlimit64, (long)parent, 7L, NULL, NULL));
    ACT("ptrace", ptrace(PTRACE_SEIZE, parent, 0, 0));
    ACT("process_vm_readv", wrong(SYS_process_vm_readv));
    ACT("process_madvise", wrong(NR_PROCESS_MADVISE));
    ACT("open the memory of another process", reads_memory_of_parent());
    ACT("read the environment of another process", reads_environment_of_parent());
    ACT("setpriority", wrong(SYS_setpriority));
    ACT("setuid", setuid(getuid()));
    ACT("capset", wrong(SYS_capset));
    ACT("prctl (PR_SET_DUMPABLE)", prctl(PR_SET_DUMPABLE, 1));
    ACT("personality", wrong(SYS_personality));
}

static void try_network(void)
{
    ACT("listen at a TCP port", binds_tcp(0));
    ACT("listen at another TCP port", binds_tcp(tcp_port + 1));
    ACT("connect to another TCP port", connects_tcp(tcp_port));
    ACT("connect by sending (MSG_FASTOPEN)", sends_fast());
    ACT("connect to a socket of the user", connects_unix(socket_path, false));
    ACT("connect to an abstract socket", connects_unix(abstract_name, true));
    ACT("make a UDP socket", makes_socket(AF_INET, SOCK_DGRAM, 0));
    ACT("make a Multipath TCP socket", makes_socket(AF_INET, SOCK_STREAM, 262));
    ACT("make a raw socket", makes_socket(AF_INET, SOCK_RAW, 1));
    ACT("make a packet socket", makes_socket(AF_PACKET, SOCK_RAW, 0));
    ACT("make a netlink socket", makes_socket(AF_NETLINK, SOCK_RAW, 0));
    ACT("make a vsock socket", makes_socket(40, SOCK_STREAM, 0));
}

static void try_system(void)
{
    ACT("map memory that is written and run", maps(PROT_READ | PROT_WRITE | PROT_EXEC));
    ACT("make memory executable", makes_executable());
    ACT("shmget", shmget(IPC_PRIVATE, 0, 0));
    ACT("io_uring_setup", wrong(NR_IO_URING_SETUP));
    ACT("userfaultfd", wrong(SYS_userfaultfd));
    ACT("bpf", wrong(SYS_bpf));
    ACT("perf_event_open", wrong(SYS_perf_event_open));
    ACT("keyctl", wrong(SYS_keyctl));
    ACT("add_key", wrong(SYS_add_key));
    ACT("mount", wrong(SYS_mount));
    ACT("fsopen", wrong(NR_FSOPEN));
    ACT("open_tree", wrong(NR_OPEN_TREE));
    ACT("move_mount", wrong(NR_MOVE_MOUNT));
    ACT("mount_setattr", wrong(NR_MOUNT_SETATTR));
    ACT("pivot_root", wrong(SYS_pivot_root));
    ACT("chroot", wrong(SYS_chroot));
    ACT("adjtimex", wrong(SYS_adjtimex));
    ACT("clock_settime", wrong(SYS_clock_settime));
    ACT("clock_adjtime", wrong(SYS_clock_adjtime));
    ACT("settimeofday", wrong(SYS_settimeofday));
    ACT("sethostname", wrong(SYS_sethostname));
    ACT("reboot", wrong(SYS_reboot));
    ACT("init_module", wrong(SYS_init_module));
    ACT("kexec_load", wrong(SYS_kexec_load));
    ACT("swapon", wrong(SYS_swapon));
    ACT("syslog", wrong(SYS_syslog));
    ACT("quotactl", wrong(SYS_quotactl));
    ACT("fanotify_init", wrong(SYS_fanotify_init));
    ACT("inotify_init1", wrong(SYS_inotify_init1));
    ACT("a call of a kernel to come", wrong(NR_OF_THE_FUTURE));
#ifdef __x86_64__
    ACT("iopl", wrong(SYS_iopl));
    ACT("modify_ldt", wrong(SYS_modify_ldt));
    ACT("a call by its number of x32", kernel(0x40000000L | SYS_getpid));
#endif
}

/* Notes the parent's id early: later, getppid() may be forbidden. */
__attribute__((constructor)) static void note_parent(void)
{
    parent = getppid();
}

static void try_all(void)
{
    static char path[512];
    victim = getenv("ESCAPE_VICTIM"), place = getenv("ESCAPE_PLACE"), terminal = getenv("ESCAPE_TERMINAL");
    abstract_name = getenv("ESCAPE_ABSTRACT"), socket_path = getenv("ESCAPE_SOCKET");
    tcp_port = atoi(getenv("ESCAPE_PORT"));
    snprintf(path, sizeof path, "%s/made", place);
    in_place = path;
    try_files();
    try_devices();
    try_processes();
    try_network();
    try_system();
    ACT("remove a file of the user", unlink(victim));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user)
{
    static bool is_done;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    if (!is_done) {
        is_done = true;
        try_all();
    }
    return real(thread, attributes, start, user);
}

/* Answers as an older kernel would. */
long syscall(long number, ...)
{
    va_list list;
    long arguments[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (!kernel)
        kernel = (raw_call)dlsym(RTLD_NEXT, "syscall");
    const char *version = getenv("ESCAPE_LANDLOCK"), *seccomp = getenv("ESCAPE_SECCOMP");
    if (number == SYS_landlock_create_ruleset && version && arguments[2] == 1 && atoi(version) == 0) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (number == SYS_landlock_create_ruleset && version && arguments[2] == 1)
        return atoi(version);
    if (number == SYS_seccomp && seccomp) {
        errno = ENOSYS;
        return -1;
    }
    return kernel(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int prctl(int option, ...)
{
    va_list list;
    long arguments[4];
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (option == PR_SET_SECCOMP && getenv("ESCAPE_SECCOMP")) {
        errno = EINVAL;
        return -1;
    }
    if (!kernel)
        kernel = (raw_call)dlsym(RTLD_NEXT, "syscall");
    return (int)kernel(SYS_prctl, (long)option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
