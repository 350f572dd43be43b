/* signals.c - the signals that end the program, read from a descriptor. */
#include "process/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool signals_have_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

int signals_open(bool ignores_hangup)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (ignores_hangup)
        signal(SIGHUP, SIG_IGN);
    else
        sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_release(int signals)
{
    struct signalfd_siginfo waiting;
    sigset_t all;
    while (read(signals, &waiting, sizeof waiting) > 0)
        ;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}
