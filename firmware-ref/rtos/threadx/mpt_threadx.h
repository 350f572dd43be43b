/* mpt_threadx.h - makes ThreadX (Azure RTOS, Eclipse ThreadX) report its threads to the agent. Build
 * mpt_threadx.c and mpt_numbers.c with the agent; MPT_TASKS is the number of threads, including those of the
 * kernel, plus two. Build the kernel and its assembly with TX_ENABLE_EXECUTION_CHANGE_NOTIFY, without its own
 * tx_execution_profile.c. */
#ifndef MPT_THREADX_H
#define MPT_THREADX_H

#include "tx_api.h"

/* Call it after tx_thread_delete(): releases the thread's number. Not needed for a thread that is created
 * again in the same memory. */
void mpt_threadx_delete(TX_THREAD *thread);

#endif
