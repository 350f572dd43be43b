/* hooks.h - shared by the hooks and the rest of the library. */
#ifndef PORT_HOST_LIBRARY_HOOKS_H
#define PORT_HOST_LIBRARY_HOOKS_H

#include "code.h"

#include <pthread.h>

/* Held while the agent runs, by a hook or by the thread that polls. No other function may hold it, since a
 * signal handler may need it. */
extern pthread_mutex_t mpt_host_mutex;

/* Sets where the program's code lies, before the agent is initialised. */
void mpt_host_set_code(const struct mpt_host_code *code);

/* Measures the calling thread from here on, including the calls that run in it. */
void mpt_host_measure_me(void);

/* Ends measuring in all threads. */
void mpt_host_measure_none(void);

/* Returns true when a function of the program was entered while it was measured. */
bool mpt_host_has_measured(void);

/* Starts before main() if the environment asks for it. */
void mpt_host_begin(void);

/* In the child of a fork: this thread is not measured. */
void mpt_host_is_forked(void);

#endif
