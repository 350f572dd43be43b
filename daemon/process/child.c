/* child.c - sets up a forked process beside the daemon. */
#include "process/child.h"

#include "base/linux_calls.h"
#include "process/observed.h"
#include "process/parent.h"
#include "process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#if HAS_LINUX_CALLS
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static void let_go_of_signals(void)
{
    static const int meant_for_the_daemon[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    for (size_t i = 0; i < sizeof meant_for_the_daemon / sizeof *meant_for_the_daemon; i++)
        signal(meant_for_the_daemon[i], SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* unblocks all, including SIGALRM */
}

static void let_go_of_streams(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; fd <= (IS_OBSERVED ? STDOUT_FILENO : STDERR_FILENO); fd++)
        if (nothing < 0)
            close(fd);
        else
            dup2(nothing, fd);
    if (nothing > STDERR_FILENO)
        close(nothing);
}

void child_begin(pid_t daemon, const char *name)
{
    let_go_of_signals();
    let_go_of_streams();
    process_set_name(name);
#if HAS_LINUX_CALLS
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
    /* A stopped child would not notice that its socket is closed. */
    if (!parent_end_with(daemon, SIGKILL))
        _exit(0);
}

int child_keep_only(int socket)
{
    if (socket != CHILD_SOCKET && dup2(socket, CHILD_SOCKET) < 0)
        return socket;
#if HAS_LINUX_CALLS && defined SYS_close_range
    if (syscall(SYS_close_range, CHILD_SOCKET + 1, ~0U, 0) == 0)
        return CHILD_SOCKET;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = CHILD_SOCKET + 1; fd < most && fd < 65536; fd++)
        close(fd);
    return CHILD_SOCKET;
}
