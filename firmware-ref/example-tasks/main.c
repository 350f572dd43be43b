/* main.c - starts the board, the agent and the kernel; the idle task starts rounds and runs the agent. Not
 * instrumented. */
#include "counts.h"
#include "kernel.h"
#include "machine.h"
#include "mpt.h"
#include "mpt_port.h"
#include "nvic.h"
#include "uart.h"
#include "workload.h"

#ifndef EXAMPLE_ROUNDS
#define EXAMPLE_ROUNDS 0
#endif
#ifndef EXAMPLE_PACE_MS
#define EXAMPLE_PACE_MS 20
#endif

enum { STACK_WORDS = 256, PRIORITY_SAMPLING = 0x40, PRIORITY_LINE = 0xC0 };

enum config_key {
    CONFIG_ROUNDS = MPT_CONFIG_APPLICATION, /* 0: without end; N: this many after each start of profiling */
    CONFIG_PACE_MS, /* from one round to the next; 0: once there is room for its calls */
    CONFIG_LINE,    /* bytes per millisecond that the line carries; 0: no limit */
};

extern const uint8_t __text_start[], __text_end[];

int main(int argc, char **argv);

static struct {
    uint32_t rounds, pace_ms;
    uint32_t begun; /* number of rounds ever begun */
    uint32_t since_start;
    uint32_t last_ms; /* when the latest round began */
    bool was_profiling;
    volatile bool is_due;
    volatile uint32_t tick; /* of the round; ROUND_TICKS: no round runs */
} schedule = {.rounds = EXAMPLE_ROUNDS, .pace_ms = EXAMPLE_PACE_MS, .tick = ROUND_TICKS};

static struct {
    uint32_t bytes_a_ms; /* 0: no limit */
    uint32_t allowed;
    uint32_t at_ms;
} line;

/* The port's UART takes as many bytes as a line of that rate would have carried by now. (The UART's own
 * function has another name here.) */
size_t uart_write(const uint8_t *bytes, size_t n);

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    if (line.bytes_a_ms) {
        line.allowed += (kernel_ticks() - line.at_ms) * line.bytes_a_ms;
        line.at_ms = kernel_ticks();
        if (line.allowed > 10 * line.bytes_a_ms)
            line.allowed = 10 * line.bytes_a_ms;
        n = n < line.allowed ? n : line.allowed;
    }
    size_t taken = uart_write(bytes, n);

    line.allowed -= line.bytes_a_ms ? (uint32_t)taken : 0;
    return taken;
}

static bool configure(uint8_t key, uint32_t value)
{
    switch (key) {
    case CONFIG_ROUNDS:
        schedule.rounds = value;
        schedule.since_start = 0;
        return true;
    case CONFIG_PACE_MS:
        if (value > 60000)
            return false;
        schedule.pace_ms = value;
        return true;
    case CONFIG_LINE:
        if (value > 10000)
            return false;
        line.bytes_a_ms = value;
        return true;
    default: return false;
    }
}

/* Runs in the idle task, so no other task is in the middle of a round that is counted as done. */
static bool round_is_due(void)
{
    bool is_profiling = mpt_is_profiling();

    if (is_profiling && !schedule.was_profiling)
        schedule.since_start = 0;
    schedule.was_profiling = is_profiling;
    if (schedule.is_due || schedule.tick < ROUND_TICKS || rounds_done() != schedule.begun)
        return false;
    if (schedule.rounds && (!is_profiling || schedule.since_start >= schedule.rounds))
        return false;
    return schedule.pace_ms ? kernel_ticks() - schedule.last_ms >= schedule.pace_ms
                            : mpt_room() >= 2 * TASKS_CALLS_PER_ROUND;
}

void kernel_tick_hook(void)
{
    if (schedule.is_due) {
        schedule.is_due = false;
        schedule.tick = 0;
    }
    if (schedule.tick < ROUND_TICKS) {
        timers_expire(schedule.tick);
        schedule.tick = schedule.tick + 1;
    }
}

static void idle(void)
{
    for (;;) {
        mpt_poll();
        if (round_is_due()) {
            schedule.last_ms = kernel_ticks();
            schedule.since_start++;
            schedule.begun++;
            schedule.is_due = true;
        }
        __asm__ volatile("wfi" ::: "memory");
    }
}

/* Four instructions a turn, 6 turns a microsecond at 25 MHz. */
void work_us(uint32_t us)
{
    for (uint32_t turns = us * 6; turns; turns--)
        __asm__ volatile("nop");
}

int main(int argc, char **argv)
{
    static uint32_t stacks[KERNEL_TASKS][STACK_WORDS] __attribute__((aligned(8)));
    static const struct mpt_interrupt_name interrupts[] = {
        {15, "SysTick"}, {16 + IRQ_TIMER0, "sampling"}, {0, 0}};
    static struct mpt_target target = {.clock_hz = MPT_TICK_HZ,
                                       .fw_version = "tasks-demo 1.0",
                                       .text = __text_start,
                                       .configure = configure};

    mpt_board_open();
    nvic_set_priority(IRQ_TIMER0, PRIORITY_SAMPLING);
    nvic_set_priority(IRQ_UART0_RX, PRIORITY_LINE);
    nvic_set_priority(IRQ_UART0_TX, PRIORITY_LINE);
    nvic_enable(IRQ_TIMER0);
    uart_open();
    target.text_bytes = (uint32_t)(__text_end - __text_start);
    mpt_init(&target);
    mpt_context_interrupts(interrupts);
    kernel_add(1, "reporter", reporter_task, stacks[1], STACK_WORDS);
    kernel_add(2, "control", control_task, stacks[2], STACK_WORDS);
    kernel_add(3, "sampler", sampler_task, stacks[3], STACK_WORDS);
    kernel_start(MPT_TICK_HZ, idle, stacks[0], STACK_WORDS);
}
