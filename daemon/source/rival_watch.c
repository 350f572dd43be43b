/* rival_watch.c - the process that detects other programs at the daemon's port.
 *
 * It reads single bytes from the daemon, inotify events of the port, links in /proc, and names of processes.
 * It has only the system calls for that, and sleeps until a program opens or closes the port. */
#include "source/rivals.h"

#include "base/clock.h"
#include "process/callfilter.h"
#include "process/child.h"
#include "process/confinement.h"
#include "process/observed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A program that opens the port and closes it at once (since it is locked) is no rival. Reading all of /proc
 * takes long if there are many processes. */
enum { SETTLE_MS = 300, LOOK_MS = 100 };

struct rival_watcher {
    int socket, events;
    int watch; /* inotify's number for the port; -1: not watched */
    const char *path;
    pid_t daemon;
    /* When to look for the program that opened it, and for those that still have it open; UINT64_MAX: when one opens or
     * closes it. Later events do not put either off. */
    uint64_t look_ms, settle_ms;
    uint64_t looked_ms; /* time of the last look; 0: none */
    bool was_opened;
};

/* The system calls of the loop below, in the versions of several C libraries and machines. */
static const int loop_calls[] = {
    SYS_read,
    SYS_close,
    SYS_sendto,
    SYS_recvfrom,
    SYS_ppoll,
    SYS_getdents64,
    SYS_readlinkat,
    SYS_fstat,
    SYS_statx,
    SYS_lseek,
    SYS_inotify_add_watch,
    SYS_inotify_rm_watch,
    SYS_brk,
    SYS_munmap,
    SYS_madvise,
    SYS_getrandom,
    SYS_getpid,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigreturn,
    SYS_restart_syscall,
    SYS_clock_gettime,
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_poll
    SYS_poll,
    SYS_stat,
    SYS_readlink,
#endif
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
    SYS_ppoll_time64,
    SYS_fstat64,
    SYS_stat64,
    SYS_fstatat64,
    SYS__llseek,
#endif
};

static void restrict_calls(void)
{
    static const uint32_t reading[] = {O_RDONLY};
    static struct callfilter filter;
    const struct callfilter_test reads = {2, O_ACCMODE | O_CREAT | O_TRUNC, reading, 1},
                                 opens = {1, O_ACCMODE | O_CREAT | O_TRUNC, reading, 1};
    callfilter_init(&filter);
    callfilter_allow(&filter, loop_calls, sizeof loop_calls / sizeof *loop_calls);
    callfilter_allow_when(&filter, SYS_openat, &reads, 1);
#ifdef SYS_open /* musl's open() and opendir() */
    callfilter_allow_when(&filter, SYS_open, &opens, 1);
#endif
    callfilter_allow_data_maps(&filter);
    callfilter_begin(&filter);
}

/* The kind of a process's descriptor: the port; its other end, which is the device if the port is a pty; or
 * neither. Paths outside /dev are not followed, since a file on a server that does not answer would block. */
enum end { NO_END, PORT_END, DEVICE_END };

/* Reads the start of a file of a process into `text`, which is terminated; "" on failure. */
static void read_of(const char *process, const char *file, char *text, size_t size)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%.15s/%.24s", process, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n < 0 ? 0 : n] = '\0';
}

/* The number of the pty whose master a descriptor is; -1: none. */
static long pty_number(const char *process, const char *descriptor)
{
    char file[24], text[512];
    snprintf(file, sizeof file, "fdinfo/%.15s", descriptor);
    read_of(process, file, text, sizeof text);
    const char *index = strstr(text, "tty-index:");
    return index ? strtol(index + strlen("tty-index:"), NULL, 10) : -1;
}

enum { PTY_FIRST = 136, PTY_LAST = 143 }; /* device numbers of the pty drivers */

static bool is_pty(dev_t device)
{
    return major(device) >= PTY_FIRST && major(device) <= PTY_LAST;
}

static enum end end_of(int folder, const char *process, const char *descriptor, const struct stat *port)
{
    enum { MASTER_MAJOR = 5, MASTER_MINOR = 2, PTYS_A_MAJOR = 256 };
    char target[64];
    struct stat node;
    ssize_t n = readlinkat(folder, descriptor, target, sizeof target);
    if (n < 5 || memcmp(target, "/dev/", 5) != 0 || fstatat(folder, descriptor, &node, 0) != 0 ||
        !S_ISCHR(node.st_mode))
        return NO_END;
    bool is_same = !is_pty(port->st_rdev) || node.st_dev == port->st_dev; /* each /dev/pts has its own */
    if (node.st_rdev == port->st_rdev)
        return is_same ? PORT_END : NO_END;
    long number = (long)(major(port->st_rdev) - PTY_FIRST) * PTYS_A_MAJOR + minor(port->st_rdev);
    bool is_device = is_pty(port->st_rdev) && node.st_rdev == makedev(MASTER_MAJOR, MASTER_MINOR) &&
                     pty_number(process, descriptor) == number;
    return is_device ? DEVICE_END : NO_END;
}

static bool has_port_open(const char *process, const struct stat *port)
{
    char path[32];
    bool found = false, is_device = false;
    snprintf(path, sizeof path, "/proc/%.15s/fd", process);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        enum end end = *entry->d_name == '.' ? NO_END : end_of(dirfd(folder), process, entry->d_name, port);
        found |= end == PORT_END;
        is_device |= end == DEVICE_END;
    }
    if (folder)
        closedir(folder);
    return found && !is_device;
}

static void read_name(struct rival *rival, const char *process)
{
    read_of(process, "comm", rival->name, sizeof rival->name);
    rival->name[strcspn(rival->name, "\n")] = '\0';
    for (char *at = rival->name; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

/* Checks each process that this user may inspect. */
static void look_for_rivals(const struct rival_watcher *watcher, struct rivals_news *news)
{
    struct stat port;
    DIR *processes = stat(watcher->path, &port) == 0 ? opendir("/proc") : NULL;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process <= 0 || process == watcher->daemon || !has_port_open(entry->d_name, &port))
            continue;
        if (news->count++ > 0)
            continue;
        news->rival.process = process;
        read_name(&news->rival, entry->d_name);
    }
    if (processes)
        closedir(processes);
}

static void send_news(struct rival_watcher *watcher, bool is_settled)
{
    struct rivals_news news = {.was_opened = watcher->was_opened, .is_settled = is_settled};
    look_for_rivals(watcher, &news);
    if (send(watcher->socket, &news, sizeof news, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof news)
        watcher->was_opened = false;
    watcher->looked_ms = clock_monotonic_ms();
    watcher->look_ms = UINT64_MAX;
    if (is_settled)
        watcher->settle_ms = UINT64_MAX;
}

/* Plans a look LOOK_MS after the last one, and another for programs that stay. */
static void plan_looks(struct rival_watcher *watcher)
{
    uint64_t now_ms = clock_monotonic_ms(), next_ms = watcher->looked_ms + LOOK_MS;
    if (watcher->look_ms == UINT64_MAX)
        watcher->look_ms = next_ms > now_ms ? next_ms : now_ms;
    if (watcher->settle_ms == UINT64_MAX)
        watcher->settle_ms = now_ms + SETTLE_MS;
}

static void follow_order(struct rival_watcher *watcher)
{
    char order;
    if (recv(watcher->socket, &order, 1, 0) != 1)
        _exit(0);
    if (watcher->watch >= 0)
        inotify_rm_watch(watcher->events, watcher->watch);
    watcher->watch = -1;
    watcher->look_ms = watcher->settle_ms = UINT64_MAX;
    watcher->was_opened = false;
    if (order != '1')
        return;
    watcher->watch = inotify_add_watch(watcher->events, watcher->path, IN_OPEN | IN_CLOSE);
    plan_looks(watcher);
}

static void follow_events(struct rival_watcher *watcher)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool is_news = false;
    ssize_t n = read(watcher->events, bytes, sizeof bytes);
    for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= n;) {
        const struct inotify_event *event = (const struct inotify_event *)(bytes + at);
        bool is_ours = event->wd == watcher->watch && watcher->watch >= 0;
        is_news |= is_ours && (event->mask & (IN_OPEN | IN_CLOSE));
        watcher->was_opened |= is_ours && (event->mask & IN_OPEN);
        at += (ssize_t)(sizeof *event + event->len);
    }
    if (is_news)
        plan_looks(watcher);
}

static void look_when_due(struct rival_watcher *watcher)
{
    uint64_t now_ms = clock_monotonic_ms();
    if (now_ms >= watcher->settle_ms)
        send_news(watcher, true);
    else if (now_ms >= watcher->look_ms)
        send_news(watcher, false);
}

/* The timeout for poll(). */
static int ms_until_due(const struct rival_watcher *watcher)
{
    uint64_t due_ms = watcher->look_ms < watcher->settle_ms ? watcher->look_ms : watcher->settle_ms;
    uint64_t now_ms = clock_monotonic_ms();
    return due_ms == UINT64_MAX ? -1 : now_ms < due_ms ? (int)(due_ms - now_ms) : 0;
}

void rival_watch(int socket, const char *path, pid_t daemon, bool confined)
{
    enum { SEEING = 1U << CAP_SYS_PTRACE | 1U << CAP_DAC_READ_SEARCH };
    struct rival_watcher watcher = {
        .watch = -1, .path = path, .daemon = daemon, .look_ms = UINT64_MAX, .settle_ms = UINT64_MAX};
    child_begin(daemon, "mp-rivals");
    watcher.socket = child_keep_only(socket);
    watcher.events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (confined) {
        confinement_keep_capabilities(SEEING);
        if (!IS_OBSERVED)
            restrict_calls();
    }
    for (;;) {
        struct pollfd fds[] = {{.fd = watcher.socket, .events = POLLIN},
                               {.fd = watcher.events, .events = POLLIN}};
        int ready = poll(fds, 2, ms_until_due(&watcher));
        if (ready < 0 && errno != EINTR)
            _exit(1);
        if (ready > 0 && fds[0].revents)
            follow_order(&watcher);
        else if (ready > 0 && fds[1].revents)
            follow_events(&watcher);
        look_when_due(&watcher);
    }
}
