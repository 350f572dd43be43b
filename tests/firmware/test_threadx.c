/* test_threadx.c - the glue for ThreadX, compiled with stand-ins for the kernel's headers, and called as the
 * kernel calls it. */
#include "glue/fake_agent.h"

#include "rtos/threadx/mpt_threadx.h"
#include "tx_thread.h"

TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;

VOID _tx_execution_initialize(VOID);
VOID _tx_execution_thread_enter(VOID);
VOID _tx_execution_thread_exit(VOID);
VOID _tx_execution_isr_enter(VOID);
VOID _tx_execution_isr_exit(VOID);

/* The kernel counts a run, and then runs the thread. */
static void enter_thread(TX_THREAD *thread)
{
    thread->tx_thread_run_count++;
    _tx_thread_current_ptr = thread;
    _tx_execution_thread_enter();
}

/* Leaves the current thread, in that state, for `next`; NULL when none is ready. */
static void leave_thread(UINT state, TX_THREAD *next)
{
    _tx_thread_current_ptr->tx_thread_state = state;
    _tx_thread_execute_ptr = next;
    _tx_execution_thread_exit();
    _tx_thread_current_ptr = NULL;
}

Test(threadx, threads_are_named_switched_and_blocked)
{
    TX_THREAD control = {.tx_thread_name = (CHAR[]){"control"}},
              logger = {.tx_thread_name = (CHAR[]){"logger"}};
    _tx_execution_initialize();
    expect_told("name 0 idle; idle 0; ");
    enter_thread(&control);
    expect_told("begin 1; name 1 control; switch 1; ");
    leave_thread(TX_READY, &logger);
    expect_told("");
    enter_thread(&logger);
    expect_told("begin 2; name 2 logger; switch 2; ");
    leave_thread(TX_SLEEP, &control);
    expect_told("block; ");
    enter_thread(&control);
    expect_told("switch 1; ");
    leave_thread(TX_SUSPENDED, NULL);
    expect_told("block; switch 0; ");
    _tx_execution_isr_enter();
    _tx_execution_isr_exit();
    expect_told("");
}

Test(threadx, a_deleted_thread_releases_its_number)
{
    TX_THREAD one = {.tx_thread_name = (CHAR[]){"one"}}, other = {.tx_thread_name = (CHAR[]){"other"}};
    enter_thread(&one);
    leave_thread(TX_READY, &one);
    one = (TX_THREAD){.tx_thread_name = (CHAR[]){"again"}}; /* created in the same memory */
    told[0] = '\0';
    enter_thread(&one);
    expect_told("begin 1; name 1 again; switch 1; ");
    leave_thread(TX_TERMINATED, &other);
    expect_told("block; ");
    mpt_threadx_delete(&one);
    enter_thread(&other);
    expect_told("begin 2; name 2 other; switch 2; ");
}
