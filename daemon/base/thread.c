/* thread.c - starts a thread with all signals blocked: it inherits the mask of its creator. */
#include "base/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, attributes, run, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}
