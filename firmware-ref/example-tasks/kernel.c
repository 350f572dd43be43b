/* kernel.c - tasks of fixed priority that preempt each other. Do not instrument it: it switches stacks. */
#include "kernel.h"

#include "mpt.h"

#include <stdbool.h>

struct exception_frame {
    uint32_t saved[8]; /* r4 to r11, which PendSV_Handler saves */
    uint32_t r0_to_r3[4], r12;
    void (*lr)(void);
    void (*pc)(void);
    uint32_t xpsr;
};

#define THUMB_STATE   0x01000000u
#define PEND_SWITCH() (*(volatile uint32_t *)0xE000ED04u = 1u << 28)

static volatile uint8_t *const system_priority = (volatile uint8_t *)0xE000ED18u; /* of exceptions 4 to 15 */
static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;

static struct {
    uint32_t *stack[KERNEL_TASKS]; /* of tasks that do not run */
    uint32_t wake[KERNEL_TASKS];   /* ticks at which sleeping tasks wake */
    volatile uint32_t ready;       /* a bit for each task */
    volatile uint32_t sleeping;
    volatile uint32_t ticks;
    volatile uint32_t running;
} kernel;

static inline uint32_t mask(void)
{
    uint32_t primask;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
    return primask;
}

/* A pending switch happens here. */
static inline void unmask(uint32_t primask)
{
    __asm__ volatile("msr primask, %0\n\tisb" ::"r"(primask) : "memory");
}

static uint32_t bit(uint32_t number)
{
    return 1u << number;
}

/* Returns the number of the most urgent of `tasks`, which must not be empty. */
static uint32_t first(uint32_t tasks)
{
    return 31u - (uint32_t)__builtin_clz(tasks);
}

/* Makes the running task wait; it continues after unmask() once it is ready again. */
static void wait_for(volatile uint32_t *waiting)
{
    *waiting |= bit(kernel.running);
    kernel.ready &= ~bit(kernel.running);
    PEND_SWITCH();
}

/* Makes the most urgent waiting task ready. */
static void wake_one(volatile uint32_t *waiting)
{
    if (!*waiting)
        return;
    uint32_t woken = bit(first(*waiting));

    *waiting &= ~woken;
    kernel.ready |= woken;
    PEND_SWITCH();
}

/* Runs in PendSV, with interrupts masked: keeps the stack of the task that ran, and returns that of the next.
 * Here the kernel reports its switch to the agent. */
uint32_t *kernel_switch(uint32_t *stack);
__attribute__((used)) uint32_t *kernel_switch(uint32_t *stack)
{
    uint32_t before = kernel.running, next = first(kernel.ready);

    kernel.stack[before] = stack;
    if (next != before) {
        if (!(kernel.ready & bit(before)))
            mpt_context_block();
        mpt_context_switch((uint8_t)next);
        kernel.running = next;
    }
    return kernel.stack[next];
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile("mrs r0, psp\n\t"
                     "stmdb r0!, {r4-r11}\n\t"
                     "push {r4, lr}\n\t"
                     "cpsid i\n\t"
                     "bl kernel_switch\n\t"
                     "cpsie i\n\t"
                     "pop {r4, lr}\n\t"
                     "ldmia r0!, {r4-r11}\n\t"
                     "msr psp, r0\n\t"
                     "bx lr");
}

void SysTick_Handler(void)
{
    uint32_t key = mask();

    kernel.ticks = kernel.ticks + 1;
    for (uint32_t i = 1; i < KERNEL_TASKS; i++) {
        if ((kernel.sleeping & bit(i)) && kernel.wake[i] == kernel.ticks) {
            kernel.sleeping &= ~bit(i);
            kernel.ready |= bit(i);
            PEND_SWITCH();
        }
    }
    unmask(key);
    kernel_tick_hook();
}

void kernel_add(uint32_t number, const char *name, void (*run)(void), uint32_t *stack, uint32_t words)
{
    struct exception_frame *frame = (struct exception_frame *)(stack + words) - 1;

    frame->pc = run;
    frame->lr = run;
    frame->xpsr = THUMB_STATE;
    kernel.stack[number] = frame->saved;
    kernel.ready |= bit(number);
    mpt_context_name((uint8_t)number, name);
}

_Noreturn void kernel_start(uint32_t clock_hz, void (*idle)(void), uint32_t *stack, uint32_t words)
{
    (void)mask();
    mpt_context_name(0, "idle");
    mpt_context_idle(0);
    kernel.ready |= bit(0);
    system_priority[10] = 0xFF; /* PendSV: after all interrupts */
    system_priority[11] = 0x80; /* SysTick */
    systick[1] = clock_hz / KERNEL_HZ - 1;
    systick[2] = 0;
    systick[0] = 7; /* processor clock, interrupt, on */
    PEND_SWITCH();
    /* From here on threads use the process stack; interrupts continue to use that of main. */
    __asm__ volatile(
        "msr psp, %0\n\tmovs r3, #2\n\tmsr control, r3\n\tisb\n\tcpsie i\n\tbx %1" ::"r"(stack + words),
        "r"(idle)
        : "r3", "memory");
    __builtin_unreachable();
}

uint32_t kernel_ticks(void)
{
    return kernel.ticks;
}

void kernel_sleep(uint32_t ticks)
{
    uint32_t key = mask();

    kernel.wake[kernel.running] = kernel.ticks + ticks;
    wait_for(&kernel.sleeping);
    unmask(key);
}

void semaphore_take(struct semaphore *semaphore)
{
    uint32_t key = mask();

    while (!semaphore->count) {
        wait_for(&semaphore->waiting);
        unmask(key);
        key = mask();
    }
    semaphore->count = semaphore->count - 1;
    unmask(key);
}

void semaphore_give(struct semaphore *semaphore)
{
    uint32_t key = mask();

    semaphore->count = semaphore->count + 1;
    wake_one(&semaphore->waiting);
    unmask(key);
}

void mutex_lock(struct mutex *mutex)
{
    uint32_t key = mask();

    while (mutex->owner) {
        wait_for(&mutex->waiting);
        unmask(key);
        key = mask();
    }
    mutex->owner = kernel.running + 1;
    unmask(key);
}

void mutex_unlock(struct mutex *mutex)
{
    uint32_t key = mask();

    mutex->owner = 0;
    wake_one(&mutex->waiting);
    unmask(key);
}
