/* signals.c - reads the signals that end the program from a descriptor. */
#include "process/signals.h"

#include "base/linux_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#if HAS_LINUX_CALLS
#include <sys/signalfd.h>

int signals_queue(const sigset_t *set)
{
    pthread_sigmask(SIG_BLOCK, set, NULL);
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_take(int signals)
{
    struct signalfd_siginfo info;
    return read(signals, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
#else
static int queue[2] = {-1, -1}; /* a pipe of numbers, which handlers write */

static void queue_signal(int number)
{
    const int errno_before = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t n = write(queue[1], &byte, 1); /* a full pipe wakes the reader anyway */
    (void)n;
    errno = errno_before;
}

int signals_queue(const sigset_t *set)
{
    if (pipe2(queue, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    struct sigaction action = {.sa_handler = queue_signal, .sa_flags = SA_RESTART};
    for (int number = 1; number < NSIG; number++)
        if (sigismember(set, number) == 1)
            sigaction(number, &action, NULL);
    return queue[0];
}

int signals_take(int signals)
{
    unsigned char byte;
    return read(signals, &byte, 1) == 1 ? byte : 0;
}
#endif

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
    signal(SIGPIPE, SIG_IGN);
    return signals_queue(&set);
}

void signals_release(int signals)
{
    sigset_t all;
    while (signals_take(signals) != 0)
        ;
    if (!HAS_LINUX_CALLS) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
    }
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}
