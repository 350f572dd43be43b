/* rivals.c - the daemon's side of the process that detects other programs at its port. */
#include "source/rivals.h"

#include "base/linux_calls.h"
#include "source/source.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Set before the first thread. A program has only one port to watch. */
static int news_socket = -1;
static pid_t watcher; /* 0: there is none, or it has ended */
static bool is_lost;

bool rivals_start(const char *spec, bool confined, struct error *err)
{
    static char path[SOURCE_PORT_PATH_SIZE];
    const char *name;
    int ends[2];
    const pid_t daemon __attribute__((unused)) = getpid();
    /* Only Linux provides the open files of programs, and openings of a file, in this way (/proc,
     * inotify). */
    if (!HAS_LINUX_CALLS || source_kind_of(spec, &name) != SOURCE_KIND_PORT || !source_port_path(name, path))
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set_errno(err, errno, "Cannot watch for other programs at %s", path);
    watcher = fork();
#if HAS_LINUX_CALLS
    if (watcher == 0)
        rival_watch(ends[1], path, daemon, confined);
#endif
    close(ends[1]);
    if (watcher > 0) {
        news_socket = ends[0];
        return true;
    }
    error_set_errno(err, errno, "Cannot watch for other programs at %s", path);
    close(ends[0]);
    return false;
}

static void watcher_reap(void)
{
    if (watcher > 0 && waitpid(watcher, NULL, WNOHANG) != 0)
        watcher = 0;
}

/* It ends when its socket is closed, and at the latest with this process; a stopped one is not waited for. */
void rivals_stop(void)
{
    enum { TRIES = 20, MS = 5 };
    if (news_socket >= 0)
        close(news_socket);
    news_socket = -1;
    watcher_reap();
    for (int i = 0; i < TRIES && watcher > 0; i++) {
        poll(NULL, 0, MS);
        watcher_reap();
    }
}

int rivals_fd(void)
{
    return news_socket;
}

void rivals_watch(bool is_open)
{
    const char order = is_open ? '1' : '0';
    struct rivals_news old;
    if (news_socket < 0)
        return;
    while (rivals_take(&old))
        ;
    if (news_socket >= 0)
        send(news_socket, &order, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* A socket whose other end is closed would stay readable. The process closes it shortly before it can be
 * reaped; if that takes long, a later call reaps it. */
bool rivals_take(struct rivals_news *news)
{
    if (news_socket < 0) {
        watcher_reap();
        return false;
    }
    ssize_t n = recv(news_socket, news, sizeof *news, MSG_DONTWAIT);
    if (n == sizeof *news)
        return true;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    is_lost = true;
    rivals_stop();
    return false;
}

bool rivals_are_lost(void)
{
    return is_lost;
}
