/* thread.h - starts a thread that leaves signals to the main thread. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/* Like pthread_create(), but with all signals blocked in the thread, so that the main thread, which waits for
 * them, gets each. Returns 0 or an errno. */
int thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user);

#endif
