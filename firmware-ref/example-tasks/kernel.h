/* kernel.h - a kernel small enough to be read: tasks of fixed priority that preempt each other on a Cortex-M,
 * semaphores, mutexes, sleep. Its calls of the agent are in kernel.c; no kernel needs more.
 *
 * A task's number is its priority: 0, the lowest, is the idle task, which must never wait. There is no
 * priority inheritance. */
#ifndef EXAMPLE_TASKS_KERNEL_H
#define EXAMPLE_TASKS_KERNEL_H

#include <stdint.h>

enum { KERNEL_TASKS = 4, KERNEL_HZ = 1000 };

/* Initially zero. The bits are the tasks that wait for it. */
struct semaphore {
    volatile uint32_t count;
    volatile uint32_t waiting;
};

struct mutex {
    volatile uint32_t owner; /* task + 1; 0: free */
    volatile uint32_t waiting;
};

/* Call it before kernel_start. `stack` has `words` words, an even number; `run` never returns; `name` is
 * borrowed. */
void kernel_add(uint32_t number, const char *name, void (*run)(void), uint32_t *stack, uint32_t words);

/* Starts the tick and the tasks; `idle` is task 0's function. */
_Noreturn void kernel_start(uint32_t clock_hz, void (*idle)(void), uint32_t *stack, uint32_t words);

/* At least 1 tick. */
void kernel_sleep(uint32_t ticks);
uint32_t kernel_ticks(void);

void semaphore_take(struct semaphore *semaphore);
void semaphore_give(struct semaphore *semaphore); /* by tasks and interrupts */

void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

/* Called in the tick's interrupt: the application's part of each tick. */
void kernel_tick_hook(void);

/* Interrupt handlers, for the vector table. */
void SysTick_Handler(void);
void PendSV_Handler(void);

#endif
