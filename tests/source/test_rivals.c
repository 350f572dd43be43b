/* test_rivals.c - the process that looks for other programs at a port, on its own. The open() below makes the
 * system call that musl's makes on machines that have it: glibc's makes openat(). */
#include "source/rivals.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

static bool has_no_processes;

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (has_no_processes) {
        errno = EAGAIN;
        return -1;
    }
    if (!real)
        real = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    return real();
}

struct scene {
    int master, slave;
    char path[64];
    int socket; /* to the watching process */
    pid_t watcher, rival;
};

/* Opens descriptors other than the port. */
static void open_other_things(void)
{
    char path[64];
    int master, slave, file = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
    if (file < 0 || open("/dev/null", O_RDONLY) < 0 || openpty(&master, &slave, path, NULL, NULL) != 0)
        _exit(1);
}

/* Starts a program that has only the port open. Its name contains a terminal's control code. */
static pid_t start_rival(const struct scene *scene)
{
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    pid_t rival = fork();
    if (rival == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, "\033ri\377val");
        open_other_things();
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
    cr_expect_str_eq(news.rival.name, "?ri?val");
    end(&scene);
}

/* Then they are noticed by what they change only. */
static void expect_no_watcher(const char *sentence)
{
    struct error err = {""};
    cr_assert_not(rivals_start("/dev/ttyUSB7", false, &err));
    cr_expect(strstr(err.text, "Cannot watch for other programs at /dev/ttyUSB7") &&
                  strstr(err.text, sentence),
              "%s", err.text);
    cr_expect_eq(rivals_fd(), -1);
    struct rivals_news news;
    cr_expect_not(rivals_take(&news));
    cr_expect_not(rivals_are_lost(), "there never was one");
    rivals_watch(true);
    rivals_stop();
}

static int next_descriptor(void)
{
    int fd = dup(STDIN_FILENO);
    close(fd);
    return fd;
}

Test(rivals, a_process_that_cannot_be_created_is_reported)
{
    struct rlimit before, none;
    int next = next_descriptor();
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){(rlim_t)next, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    expect_no_watcher(strerror(EMFILE));
    setrlimit(RLIMIT_NOFILE, &before);
    has_no_processes = true;
    expect_no_watcher(strerror(EAGAIN));
    has_no_processes = false;
    cr_expect_eq(next_descriptor(), next);
}

Test(rivals, only_local_ports_are_watched)
{
    static char long_name[5000] = "/dev/";
    static const char *const specs[] = {"tcp:127.0.0.1:9", "-", "file:/dev/null", long_name};
    memset(long_name + 5, 'x', sizeof long_name - 6);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct error err = {""};
        cr_expect(rivals_start(specs[i], false, &err), "%s", err.text);
        cr_expect_eq(rivals_fd(), -1);
    }
}
