/* test_rivals.c - the process that looks for other programs at a port, on its own. The open() below makes the
 * system call that musl's makes on machines that have it: glibc's makes openat(). */
#include "source/rivals.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
#ifdef SYS_open
    return (int)syscall(SYS_open, path, flags, mode);
#else
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
#endif
}

struct scene {
    int master, slave;
    char path[64];
    int socket; /* to the process that looks */
    pid_t watcher, rival;
};

/* A program that has the port open, and nothing of ours. */
static pid_t start_rival(const struct scene *scene)
{
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    pid_t rival = fork();
    if (rival == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "rival");
        close(scene->master);
        close(scene->socket);
        if (write(ready[1], "r", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return rival;
}

static struct scene begin(void)
{
    struct scene scene;
    int ends[2];
    const pid_t daemon = getpid();
    cr_assert_eq(openpty(&scene.master, &scene.slave, scene.path, NULL, NULL), 0);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    scene.socket = ends[0];
    scene.watcher = fork();
    if (scene.watcher == 0)
        rival_watch(ends[1], scene.path, daemon, true);
    close(ends[1]);
    scene.rival = start_rival(&scene);
    close(scene.slave);
    return scene;
}

static void end(struct scene *scene)
{
    kill(scene->rival, SIGKILL);
    waitpid(scene->rival, NULL, 0);
    close(scene->socket); /* which ends it */
    waitpid(scene->watcher, NULL, 0);
    close(scene->master);
}

Test(rivals, are_found_and_named_where_the_c_library_opens_files_by_the_older_call)
{
    struct scene scene = begin();
    struct rivals_news news = {.is_settled = false};
    cr_assert_eq(send(scene.socket, "1", 1, 0), 1);
    while (!news.is_settled)
        cr_assert_eq(recv(scene.socket, &news, sizeof news, 0), sizeof news);
    cr_expect_eq(news.count, 1);
    cr_expect_eq(news.rival.process, scene.rival);
    cr_expect_str_eq(news.rival.name, "rival");
    end(&scene);
}
