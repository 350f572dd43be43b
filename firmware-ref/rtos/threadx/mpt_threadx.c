/* mpt_threadx.c - the functions that ThreadX calls where it switches. Task 0 is its idle time, which has no
 * thread. */
#include "mpt_threadx.h"

#include "mpt.h"
#include "rtos/mpt_numbers.h"
#include "tx_thread.h"

MPT_NOT_INSTRUMENTED VOID _tx_execution_initialize(VOID);
MPT_NOT_INSTRUMENTED VOID _tx_execution_thread_enter(VOID);
MPT_NOT_INSTRUMENTED VOID _tx_execution_thread_exit(VOID);
MPT_NOT_INSTRUMENTED VOID _tx_execution_isr_enter(VOID);
MPT_NOT_INSTRUMENTED VOID _tx_execution_isr_exit(VOID);

VOID _tx_execution_initialize(VOID)
{
    mpt_context_name(0, "idle");
    mpt_context_idle(0);
}

/* A run count of 1 is a thread's first run, also of a thread in the memory of a previous one. */
VOID _tx_execution_thread_enter(VOID)
{
    const TX_THREAD *thread = _tx_thread_current_ptr;
    UCHAR number = mpt_number_find(thread);

    if (number && thread->tx_thread_run_count == 1) {
        mpt_context_begin(number);
        mpt_number_name(number, thread->tx_thread_name);
    } else if (!number) {
        number = mpt_number_give(thread, thread->tx_thread_name);
    }
    mpt_context_switch(number);
}

/* Called before the current thread is saved; no thread follows when none is ready. */
VOID _tx_execution_thread_exit(VOID)
{
    const TX_THREAD *thread = _tx_thread_current_ptr;

    if (thread && thread->tx_thread_state != TX_READY)
        mpt_context_block();
    if (!_tx_thread_execute_ptr)
        mpt_context_switch(0);
}

/* The hooks detect interrupts by themselves. */
VOID _tx_execution_isr_enter(VOID) {}

VOID _tx_execution_isr_exit(VOID) {}

MPT_NOT_INSTRUMENTED void mpt_threadx_delete(TX_THREAD *thread)
{
    mpt_number_take_back(mpt_number_find(thread));
}
