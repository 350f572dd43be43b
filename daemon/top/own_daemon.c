/* own_daemon.c - runs a miniprofd only for this command. */
#include "top/own_daemon.h"

#include "process/own_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_ARGUMENTS = 5 };

static bool make_socket_folder(struct own_daemon *daemon, struct error *err)
{
    const char *where = getenv("TMPDIR");
    where = where && *where ? where : "/tmp";
    /* The path of a socket has 107 characters at most. */
    int n = snprintf(daemon->folder, sizeof daemon->folder - 8, "%s/miniprofd-top-XXXXXX", where);
    if (n >= (int)sizeof daemon->folder - 8 || !mkdtemp(daemon->folder)) {
        daemon->folder[0] = '\0';
        return error_set_errno(err, n < (int)sizeof daemon->folder - 8 ? errno : ENAMETOOLONG,
                               "Cannot make a folder for a socket in %.200s; set TMPDIR to another one",
                               where);
    }
    snprintf(daemon->url, sizeof daemon->url, "unix:%s/socket", daemon->folder);
    return true;
}

static bool start_daemon(struct own_daemon *daemon, const char **arguments, bool keeps_log, struct error *err)
{
    int out[2] = {-1, -1}, log[2] = {-1, -1};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); /* it must not read the keys */
    bool good = pipe2(out, O_CLOEXEC) == 0 && (!keeps_log || pipe2(log, O_CLOEXEC) == 0);
    const struct own_program_start start = {.arguments = arguments,
                                            .without = "MINIPROFD_NO_HTTP", /* it must serve HTTP */
                                            .in = nothing,
                                            .out = out[1],
                                            .log = log[1]};
    pid_t child = good ? own_program_start(&start) : -1;
    int why = errno;
    const int theirs[] = {nothing, out[1], log[1]};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    daemon->out = out[0];
    daemon->log = log[0];
    daemon->pid = child > 0 ? child : 0;
    if (daemon->log >= 0)
        fcntl(daemon->log, F_SETFL, O_NONBLOCK);
    return child > 0 || error_set_errno(err, why, "Cannot start a process to measure in");
}

/* Waits for its first line, which shows that it serves requests. */
static enum own_daemon_outcome await_address(struct own_daemon *daemon, int signals)
{
    char text[256];
    struct pollfd fds[] = {{.fd = daemon->out, .events = POLLIN},
                           {.fd = signals, .events = POLLIN},
                           {.fd = daemon->log, .events = POLLIN}};
    for (;;) {
        if (poll(fds, 3, -1) < 0)
            continue;
        if (fds[2].revents && !own_daemon_hear(daemon))
            fds[2].fd = -1;
        if (fds[1].revents)
            return OWN_DAEMON_INTERRUPTED;
        if (!fds[0].revents)
            continue;
        ssize_t n = read(daemon->out, text, sizeof text);
        if (n > 0)
            return OWN_DAEMON_RUNS;
        if (n == 0 || errno != EINTR)
            return OWN_DAEMON_ENDED;
    }
}

enum own_daemon_outcome own_daemon_start(struct own_daemon *daemon, const char *const *arguments, size_t n,
                                         int signals, bool keeps_log, struct error *err)
{
    const char **all = calloc(OWN_ARGUMENTS + n + 1, sizeof *all);
    *daemon = (struct own_daemon){.out = -1, .log = -1};
    if (!all) {
        error_set(err, "Out of memory.");
        return OWN_DAEMON_FAILED;
    }
    bool good = make_socket_folder(daemon, err);
    /* These come first: the user's last option may lack its value, and must not take one of these for it. */
    const char *const own[OWN_ARGUMENTS] = {"miniprofd", "--listen", daemon->url, "--log-level", "warning"};
    memcpy(all, own, sizeof own);
    if (n > 0)
        memcpy(all + OWN_ARGUMENTS, arguments, n * sizeof *all);
    good = good && start_daemon(daemon, all, keeps_log, err);
    free(all);
    return good ? await_address(daemon, signals) : OWN_DAEMON_FAILED;
}

const char *own_daemon_hear(struct own_daemon *daemon)
{
    char part[512];
    ssize_t n = read(daemon->log, part, sizeof part);
    if (n == 0)
        return NULL;
    size_t taken = n > 0 ? (size_t)n : 0, there = strlen(daemon->said);
    if (there + taken >= sizeof daemon->said) {
        size_t gone = there + taken + 1 - sizeof daemon->said;
        memmove(daemon->said, daemon->said + gone, there - gone);
        there -= gone;
    }
    for (size_t i = 0; i < taken; i++)
        daemon->said[there++] = part[i] ? part[i] : '?';
    daemon->said[there] = '\0';
    /* The last line, even if incomplete. */
    size_t at = there > 0 ? there - 1 : 0;
    while (at > 0 && daemon->said[at - 1] != '\n')
        at--;
    return daemon->said + at;
}

int own_daemon_stop(struct own_daemon *daemon)
{
    int status = -1;
    if (daemon->pid > 0) {
        status = own_program_end(daemon->pid);
        if (daemon->log >= 0)
            while (own_daemon_hear(daemon) &&
                   poll(&(struct pollfd){.fd = daemon->log, .events = POLLIN}, 1, 0) > 0)
                ;
    }
    if (daemon->out >= 0)
        close(daemon->out);
    if (daemon->log >= 0)
        close(daemon->log);
    if (*daemon->folder) {
        unlink(daemon->url + strlen("unix:"));
        rmdir(daemon->folder);
    }
    bool has_exited = daemon->pid > 0 && WIFEXITED(status);
    daemon->pid = 0;
    daemon->out = daemon->log = -1;
    daemon->folder[0] = '\0';
    return has_exited ? WEXITSTATUS(status) : -1;
}
