/* hooks.h - what the hooks and the rest of the library share. */
#ifndef PORT_HOST_LIBRARY_HOOKS_H
#define PORT_HOST_LIBRARY_HOOKS_H

#include "code.h"

#include <pthread.h>

/* Held by whoever runs the agent: a hook, or the thread that polls. By no other function, since a signal's
 * handler may want it. */
extern pthread_mutex_t mpt_host_mutex;

/* Where the program's code lies: before the agent is initialised. */
void mpt_host_set_code(const struct mpt_host_code *code);

/* The calling thread is measured from here on. The calls that run in it are handed to the agent. */
void mpt_host_measure_me(void);

/* Nothing is measured any more. */
void mpt_host_measure_none(void);

/* True when a function of the program was entered while it was measured. */
bool mpt_host_has_measured(void);

/* Starts as the environment says, before main(). */
void mpt_host_begin(void);

/* In the child of a fork: this thread is not the one that is measured. */
void mpt_host_is_forked(void);

#endif
