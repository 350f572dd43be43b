/* test_zephyr.c - the glue for Zephyr, compiled with stand-ins for the kernel's headers, and called as the
 * kernel calls it. */
#include "glue/fake_agent.h"

#include "tracing_user.h"
#include "zephyr/kernel.h"

static struct k_thread *current;

k_tid_t k_current_get(void)
{
    return current;
}

const char *k_thread_name_get(k_tid_t thread)
{
    return thread->name;
}

int k_thread_priority_get(k_tid_t thread)
{
    return thread->base.prio;
}

static void switch_in(struct k_thread *thread)
{
    current = thread;
    sys_trace_thread_switched_in_user();
}

/* Leaves the current thread, in that state. */
static void switch_out(uint8_t state)
{
    current->base.thread_state = state;
    sys_trace_thread_switched_out_user();
}

Test(zephyr, threads_are_named_switched_and_blocked)
{
    struct k_thread idle = {.base.prio = K_IDLE_PRIO, .name = "idle"}, task = {.name = ""};
    sys_trace_thread_create_user(&task);
    expect_told("begin 1; name 1 ; ");
    task.name = "control";
    sys_trace_thread_name_set_user(&task);
    expect_told("name 1 control; ");
    switch_in(&idle); /* which existed before tracing began */
    expect_told("begin 2; name 2 idle; idle 2; switch 2; ");
    switch_out(_THREAD_QUEUED);
    expect_told("");
    switch_in(&task);
    expect_told("switch 1; ");
    switch_out(_THREAD_PENDING);
    expect_told("block; ");
}

Test(zephyr, a_thread_that_ended_gives_its_number_back)
{
    struct k_thread one = {.name = "one"}, other = {.name = "other"};
    sys_trace_thread_create_user(&one);
    sys_trace_thread_abort_user(&one);
    told[0] = '\0';
    sys_trace_thread_create_user(&other);
    expect_told("begin 2; name 2 other; ");
    sys_trace_thread_create_user(&other); /* in the same memory, and never ended */
    expect_told("begin 3; name 3 other; ");
}
