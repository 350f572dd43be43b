/* mpt_zephyr.c - makes Zephyr report its threads to the agent. Build it and mpt_numbers.c with the agent;
 * MPT_TASKS is the number of threads, including those of the kernel, plus two. Set in prj.conf
 *
 *     CONFIG_TRACING=y
 *     CONFIG_TRACING_USER=y
 *     CONFIG_THREAD_NAME=y
 *
 * These functions replace weak ones of the kernel. This file is for versions in which those for a switch take
 * no argument (tracing_user.h). */
#include "mpt.h"
#include "rtos/mpt_numbers.h"

#include "zephyr/kernel.h"
#include "tracing_user.h"

MPT_NOT_INSTRUMENTED void sys_trace_thread_switched_in_user(void);
MPT_NOT_INSTRUMENTED void sys_trace_thread_switched_out_user(void);
MPT_NOT_INSTRUMENTED void sys_trace_thread_create_user(struct k_thread *thread);
MPT_NOT_INSTRUMENTED void sys_trace_thread_name_set_user(struct k_thread *thread);
MPT_NOT_INSTRUMENTED void sys_trace_thread_abort_user(struct k_thread *thread);

/* The main and the idle thread exist before anything is traced, so they get their numbers here. */
MPT_NOT_INSTRUMENTED static uint8_t number_of(struct k_thread *thread)
{
    uint8_t number = mpt_number_find(thread);

    if (!number) {
        number = mpt_number_give(thread, k_thread_name_get(thread));
        if (k_thread_priority_get(thread) == K_IDLE_PRIO)
            mpt_context_idle(number);
    }
    return number;
}

void sys_trace_thread_create_user(struct k_thread *thread)
{
    /* A thread that never ended may have had the same memory. */
    mpt_number_take_back(mpt_number_find(thread));
    (void)number_of(thread);
}

void sys_trace_thread_name_set_user(struct k_thread *thread)
{
    mpt_number_name(number_of(thread), k_thread_name_get(thread));
}

void sys_trace_thread_abort_user(struct k_thread *thread)
{
    mpt_number_take_back(mpt_number_find(thread));
}

/* Called in a switch, while the thread that is left is the current one. */
void sys_trace_thread_switched_out_user(void)
{
    if (k_current_get()->base.thread_state & ~(_THREAD_QUEUED | _THREAD_DUMMY))
        mpt_context_block();
}

void sys_trace_thread_switched_in_user(void)
{
    mpt_context_switch(number_of(k_current_get()));
}
