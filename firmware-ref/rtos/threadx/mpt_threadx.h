/* mpt_threadx.h - ThreadX (Azure RTOS, Eclipse ThreadX) reports its threads to the agent. Build mpt_threadx.c and
 * mpt_numbers.c with the agent, with MPT_TASKS two more than there are threads, those of the kernel counted;
 * and the kernel, its assembly with it, with TX_ENABLE_EXECUTION_CHANGE_NOTIFY, without its own
 * tx_execution_profile.c. */
#ifndef MPT_THREADX_H
#define MPT_THREADX_H

#include "tx_api.h"

/* Call it after tx_thread_delete(): releases the thread's number. Not needed for a thread that is created
 * again in the same memory. */
void mpt_threadx_delete(TX_THREAD *thread);

#endif
