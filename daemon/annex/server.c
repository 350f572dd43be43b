/* server.c - the process that makes a fresh one for each job. It reads nothing but orders of the daemon. */
#include "annex/process.h"

#include "process/landlock.h"
#include "process/observed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The daemon's end is what ends this process, and who waits for the daemon's output to end shall not wait for
 * it. A sanitizer tells on standard error what it found. */
static void let_go(void)
{
    static const int meant_for_the_daemon[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    for (size_t i = 0; i < sizeof meant_for_the_daemon / sizeof *meant_for_the_daemon; i++)
        signal(meant_for_the_daemon[i], SIG_IGN);
    signal(SIGCHLD, SIG_IGN); /* nobody asks how they ended: an answer came, or it did not */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* a worker's alarm among them */
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; fd <= (IS_OBSERVED ? STDOUT_FILENO : STDERR_FILENO); fd++)
        if (nothing < 0)
            close(fd);
        else
            dup2(nothing, fd);
    if (nothing > STDERR_FILENO)
        close(nothing);
    prctl(PR_SET_NAME, "mp-spare"); /* until there is something to do */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* A server that was stopped does not see that its socket is closed. */
static void end_with(pid_t daemon)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != daemon)
        _exit(0);
}

enum { ORDERS = STDERR_FILENO + 1, PAUSE_MS = 10 };

/* Of the descriptors that the daemon was started with a worker gets none. Returns where orders come now. */
static int keep_only(int orders)
{
    if (orders != ORDERS && dup2(orders, ORDERS) < 0)
        return orders;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, ORDERS + 1, ~0U, 0) == 0)
        return ORDERS;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = ORDERS + 1; fd < most && fd < 65536; fd++)
        close(fd);
    return ORDERS;
}

/* Returns the socket that came with the order; -1 for none, -2 at the end. What fails for want of memory or
 * of descriptors is tried again: without this process nothing is disassembled or read any more. */
static int receive(int orders, struct annex_order *order)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec what = {order, sizeof *order};
    struct msghdr message = {
        .msg_iov = &what, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(orders, &message, MSG_CMSG_CLOEXEC);
    if (n == 0)
        return -2;
    if (n < 0) {
        if (errno != EINTR)
            poll(NULL, 0, PAUSE_MS);
        return -1;
    }
    int socket = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(&socket, CMSG_DATA(header), sizeof socket);
    return socket;
}

/* Neither this process nor a worker opens a file or connects to anything. The ways in which the worker is
 * held to that (limits, a list of calls) do not depend on this one. */
static void give_up_files(void)
{
    const uint64_t all = LANDLOCK_FILE_EXECUTE | LANDLOCK_FILE_WRITE | LANDLOCK_FILE_READ |
                         LANDLOCK_FILE_TRUNCATE | LANDLOCK_FILE_REMOVE_DIR | LANDLOCK_FILE_REMOVE |
                         LANDLOCK_FILE_MAKE_CHAR | LANDLOCK_FILE_MAKE_DIR | LANDLOCK_FILE_MAKE_REG |
                         LANDLOCK_FILE_MAKE_SOCK | LANDLOCK_FILE_MAKE_FIFO | LANDLOCK_FILE_MAKE_BLOCK |
                         LANDLOCK_FILE_MAKE_SYM | LANDLOCK_FILE_DEVICE_IOCTL;
    struct landlock landlock;
    if (landlock_init(&landlock, all, LANDLOCK_TCP_BIND | LANDLOCK_TCP_CONNECT))
        landlock_begin(&landlock);
}

/* Makes another server. It lives on when this one ends, since it is to take over then. */
static int make_spare(int orders, int socket)
{
    if (fork() != 0)
        return orders;
    close(orders);
    prctl(PR_SET_NAME, "mp-spare");
    return keep_only(socket);
}

void annex_serve(int orders, pid_t daemon, bool confined)
{
    let_go();
    end_with(daemon);
    orders = keep_only(orders);
    if (confined && !IS_OBSERVED)
        give_up_files();
    for (;;) {
        struct annex_order order;
        int socket = receive(orders, &order);
        if (socket == -2)
            _exit(0);
        if (socket < 0)
            continue;
        prctl(PR_SET_NAME, "mp-annex");
        if (!order.job) {
            int before = orders;
            orders = make_spare(orders, socket);
            if (orders != before)
                continue;
        } else if (fork() == 0) {
            close(orders);
            annex_work(&order, socket, confined);
        }
        close(socket); /* so that who asked sees the end of a worker, or that there is none */
    }
}
