/* own_program.c - starts this program in another process, and waits for it. */
#include "process/own_program.h"

#include "process/parent.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The release archive has the launcher as bin/miniprofd, the loader as lib/miniprofd/loader. */
static const char loader_place[] = "/lib/miniprofd/loader", launcher_place[] = "/bin/miniprofd";

const char *own_program_path(void)
{
    static const char itself[] = "/proc/self/exe";
    static char path[PATH_MAX];
    ssize_t length = readlink(itself, path, sizeof path - 1);
    if (length < (ssize_t)(sizeof loader_place - 1))
        return itself;
    path[length] = '\0';
    char *place = path + length - (sizeof loader_place - 1);
    if (strcmp(place, loader_place) != 0)
        return itself;
    snprintf(place, sizeof loader_place, "%s", launcher_place);
    return path;
}

/* Executes the program in the child. */
static _Noreturn void become_own_program(const struct own_program_start *start, const char *path)
{
    const int streams[] = {start->in, start->out, start->log};
    sigset_t none;
    sigemptyset(&none);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (streams[fd] >= 0)
            dup2(streams[fd], fd);
    if (start->without)
        unsetenv(start->without);
    sigprocmask(SIG_SETMASK, start->blocked ? start->blocked : &none, NULL);
    execv(path, (char *const *)(const void *)start->arguments);
    static const char sentence[] =
        "miniprofd: Cannot start the program once more to measure; is /proc mounted?\n";
    ssize_t n = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    _exit(n < 0 ? 127 : 1);
}

pid_t own_program_start(const struct own_program_start *start)
{
    const pid_t parent = getpid();
    const char *path = own_program_path();
    pid_t child = fork();
    if (child != 0)
        return child;
    if (!parent_end_with(parent, SIGTERM))
        _exit(1);
    become_own_program(start, path);
}

static sigset_t signals_waited_for(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void own_program_block_signals(sigset_t *before)
{
    const sigset_t set = signals_waited_for();
    signal(SIGCHLD, SIG_DFL); /* the parent may have ignored it; then waiting would fail */
    sigprocmask(SIG_BLOCK, &set, before);
}

int own_program_wait(pid_t pid, bool *interrupted)
{
    const sigset_t set = signals_waited_for();
    int status = 0, number;
    *interrupted = false;
    while (waitpid(pid, &status, WNOHANG) != pid) {
        if (sigwait(&set, &number) != 0 || number == SIGCHLD)
            continue;
        *interrupted = true;
        kill(pid, SIGTERM); /* it may have got a signal from the terminal already */
    }
    return status;
}

int own_program_end(pid_t pid)
{
    int status = -1;
    kill(pid, SIGTERM);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}
