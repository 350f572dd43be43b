/* tx_thread.h - a stand-in for ThreadX' header: the scheduler's variables. */
#ifndef TX_THREAD_H
#define TX_THREAD_H

#include "tx_api.h"

extern TX_THREAD *_tx_thread_current_ptr; /* the running thread, or NULL */
extern TX_THREAD *_tx_thread_execute_ptr; /* the thread to run next; NULL when none is ready */

#endif
