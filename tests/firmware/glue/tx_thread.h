/* tx_thread.h - the scheduler's variables of ThreadX: stands in for the kernel's. */
#ifndef TX_THREAD_H
#define TX_THREAD_H

#include "tx_api.h"

extern TX_THREAD *_tx_thread_current_ptr; /* runs; NULL: none */
extern TX_THREAD *_tx_thread_execute_ptr; /* is to run next; NULL: none is ready */

#endif
