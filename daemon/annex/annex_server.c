/* annex_server.c - the server process, which forks a worker for each job. It reads only the daemon's orders. */
#include "annex/annex_private.h"

#include "process/child.h"
#include "process/landlock.h"
#include "process/observed.h"
#include "process/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAUSE_MS = 10 };

/* Returns the socket received with the order: -1 for none, -2 at the end. Retries when memory or descriptors are used
 * up, since all later jobs need this process. */
static int receive_order(int orders, struct annex_order *order)
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

/* Drops the rights to open files and to connect, for this process and its workers. Workers have further, independent
 * restrictions (limits, a list of calls). */
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

/* Forks another server. It survives the end of this one, to take over. */
static int make_spare(int orders, int socket)
{
    if (fork() != 0)
        return orders;
    close(orders);
    process_set_name("mp-spare");
    return child_keep_only(socket);
}

void annex_serve(int orders, pid_t daemon, bool confined)
{
    child_begin(daemon, "mp-spare"); /* the name until it gets its first job */
    signal(SIGCHLD, SIG_IGN);        /* workers need no waitpid(): their exit status is not used */
    orders = child_keep_only(orders);
    if (confined && !IS_OBSERVED)
        give_up_files();
    for (;;) {
        struct annex_order order;
        int socket = receive_order(orders, &order);
        if (socket == -2)
            _exit(0);
        if (socket < 0)
            continue;
        process_set_name("mp-annex");
        if (!order.job) {
            int before = orders;
            orders = make_spare(orders, socket);
            if (orders != before)
                continue;
        } else if (fork() == 0) {
            close(orders);
            annex_work(&order, socket, confined);
        }
        close(socket); /* so that the caller notices the end or absence of a worker */
    }
}
