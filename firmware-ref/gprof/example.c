/* example.c - decides when a round of the example runs, and sends gprof's records: over their own line, or,
 * with EXAMPLE_EXTENSION, in packets of the agent. Replaces example/schedule.c; the workload is compiled with
 * -pg.
 *
 * Paced: a round every N milliseconds, without end. With EXAMPLE_ROUNDS: exactly that number, each when the
 * records of the previous one have been sent. */
#include "workload.h"

#include "board.h"
#include "mpt.h"
#include "mpt_extension.h"
#include "mpt_gprof.h"
#include "mpt_port.h"
#include "machine.h"
#include "nvic.h"
#include "protocol/packet.h"

#ifndef EXAMPLE_EXTENSION
#define EXAMPLE_EXTENSION 0
#endif
#ifndef EXAMPLE_SAMPLES /* 0: arcs only */
#define EXAMPLE_SAMPLES 1
#endif

enum { IDLE_MS = 5, FLUSH_MS = 100, HZ = 1000, LESS_URGENT = 0x40 };

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer1 = (volatile struct cmsdk_timer *)0x40001000u;

static struct {
    uint32_t rounds, rounds_done;
    uint32_t last_ms;    /* when the latest paced round began */
    uint32_t flushed_ms; /* when counts were sent last */
    uint32_t drift;      /* all rounds ever run: determines the cost of a round */
    bool is_on;
} schedule;

void TIMER1_IRQHandler(void);

__attribute__((used)) static void take_sample(uint32_t pc)
{
    timer1->interrupts = 1;
    mpt_gprof_sample(pc);
}

MPT_GPROF_SAMPLER(TIMER1_IRQHandler, take_sample)

static void open_timer(void)
{
    nvic_set_priority(IRQ_UART0_RX, LESS_URGENT);
    nvic_set_priority(IRQ_UART0_TX, LESS_URGENT);
    nvic_set_priority(IRQ_TIMER0, LESS_URGENT);
    nvic_set_priority(IRQ_ADC, LESS_URGENT);
    timer1->reload = timer1->value = MPT_TICK_HZ / HZ - 1;
    timer1->control = 9; /* interrupt, on */
    nvic_enable(IRQ_TIMER1);
}

#if EXAMPLE_EXTENSION
static void open_line(void)
{
    static struct mpt_target target = {.fw_version = "gprof-demo 1.0"};

    target.clock_hz = board_clock_hz();
    target.text = board_text(&target.text_bytes);
    mpt_init(&target);
    mpt_extension(MP_EXTENSION_GPROF, mpt_gprof_take);
}

/* Returns true when more waits. */
static bool poll_line(void)
{
    return mpt_poll();
}

static bool is_wanted(void)
{
    return mpt_is_profiling();
}
#else
/* The board's SysTick calls it, but there is no agent here. */
void mpt_keep_time(void) {}

static void open_line(void) {}

static bool poll_line(void)
{
    return mpt_gprof_poll();
}

static bool is_wanted(void)
{
    return true;
}
#endif

void schedule_open(int argc, char **argv)
{
    board_open(argc, argv);
    schedule.rounds = board_rounds();
    open_line();
    if (EXAMPLE_SAMPLES)
        open_timer();
}

static void start_or_stop(void)
{
    if (is_wanted() == schedule.is_on)
        return;
    schedule.is_on = !schedule.is_on;
    schedule.rounds_done = 0;
    if (schedule.is_on)
        mpt_gprof_start();
    else
        mpt_gprof_stop();
}

static bool counted_round_is_due(bool is_sent)
{
    if (!schedule.is_on || !is_sent || schedule.rounds_done > schedule.rounds)
        return false;
    if (schedule.rounds_done++ < schedule.rounds)
        return true;
    mpt_gprof_stop(); /* after the last round */
    return false;
}

static bool paced_round_is_due(void)
{
    if (board_millis() - schedule.last_ms < board_pace_ms())
        return false;
    schedule.last_ms = board_millis();
    return true;
}

void schedule_wait(void)
{
    for (;;) {
        start_or_stop();
        if (board_millis() - schedule.flushed_ms >= FLUSH_MS) {
            schedule.flushed_ms = board_millis();
            mpt_gprof_flush();
        }
        bool is_sent = !poll_line();

        if (schedule.rounds ? counted_round_is_due(is_sent) : paced_round_is_due())
            break;
        board_idle(IDLE_MS);
    }
    schedule.drift++;
}

/* The same as in example/schedule.c. */
void work_us(uint32_t us)
{
    uint32_t phase = schedule.drift % 512;
    uint32_t height = phase < 256 ? phase : 511 - phase;

    board_spin(us + us * height / 512);
}
