/* tracing_user.h - a stand-in for Zephyr's header: the functions called with CONFIG_TRACING_USER. */
#ifndef TRACING_USER_H
#define TRACING_USER_H

#include "zephyr/kernel.h"

void sys_trace_thread_switched_in_user(void);
void sys_trace_thread_switched_out_user(void);
void sys_trace_thread_create_user(struct k_thread *thread);
void sys_trace_thread_abort_user(struct k_thread *thread);
void sys_trace_thread_name_set_user(struct k_thread *thread);

#endif
