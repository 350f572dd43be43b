/* notifier.c - notifies the service manager of the program's state. */
#include "process/notifier.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t n = strlen(path);
    if (n < 2 || n >= sizeof address.sun_path || (*path != '/' && *path != '@'))
        return -1;
    memcpy(address.sun_path, path, n);
    if (*path == '@') /* an abstract socket */
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static uint64_t number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : 0;
}

void notifier_open(struct notifier *notifier)
{
    const char *path = getenv("NOTIFY_SOCKET");
    uint64_t pid = number_of("WATCHDOG_PID");
    *notifier = (struct notifier){.fd = path ? connect_to(path) : -1};
    if (notifier->fd >= 0 && (pid == 0 || pid == (uint64_t)getpid()))
        notifier->watchdog_us = number_of("WATCHDOG_USEC");
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

void notifier_close(struct notifier *notifier)
{
    if (notifier->fd >= 0)
        close(notifier->fd);
    notifier->fd = -1;
}

void notifier_tell(const struct notifier *notifier, const char *state)
{
    if (notifier->fd >= 0 && write(notifier->fd, state, strlen(state)) < 0)
        return;
}
