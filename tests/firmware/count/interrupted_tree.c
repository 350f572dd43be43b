/* interrupted_tree.c - tests the call tree under task switches and interrupts of two priorities, one of which is
 * asynchronous and interrupts hooks anywhere. Checks that every call is counted in its node, and every tick once.
 * With HAS_POLL that interrupt has no hooks and polls; its time must count for no function. Runs in the emulator
 * and prints the result. */
#include "mpt.h"
#include "mpt_tree_send.h"
#include "mpt_window.h"
#include "nvic.h"

#include <stdbool.h>

#ifndef IS_FLAT
#define IS_FLAT false
#endif

/* Events are recorded beside the tree. */
#ifndef HAS_WINDOW
#define HAS_WINDOW 0
#endif

/* Nodes are evicted. */
#ifndef IS_EVICTING
#define IS_EVICTING 0
#endif

/* The asynchronous interrupt calls mpt_poll(), and no function that has hooks. */
#ifndef HAS_POLL
#define HAS_POLL 0
#endif

#define INSTRUMENTED __attribute__((noinline))
#define PLAIN        __attribute__((no_instrument_function))

/* Not all calls find a node. */
#define IS_TOO_SMALL (MPT_TREE_NODES < 8)

/* Hooks that record or evict take longer, and must fit between two interrupts. At the slowest rate a tick is about
 * 10 instructions. */
enum { WORK = HAS_WINDOW ? 5000 : IS_EVICTING ? 30000 : 20000, LEAST_INTERRUPTS = 200 };
enum { LEAST_TICKS = HAS_WINDOW ? 700 : IS_EVICTING ? 1000 : 300 };
enum {
    POLL = 500 /* iterations of a loop */,
    STEPS = 15 /* most ticks before a poll reads the counter */
};

struct cmsdk_timer {
    uint32_t control, value, reload, interrupts;
};

static volatile struct cmsdk_timer *const timer0 = (volatile struct cmsdk_timer *)0x40000000u;

/* Calls of each function, counted by itself, in the program and in both interrupts. */
static volatile uint32_t calls[3][3];
static volatile uint32_t interrupts, requested;
static volatile bool is_requesting; /* the poll is to be interrupted */
static volatile uint32_t polled;    /* ticks of polls, without interrupts in them */

PLAIN int main(int argc, char **argv);
PLAIN void TIMER0_IRQHandler(void);
PLAIN void SysTick_Handler(void);
PLAIN void ADC_IRQHandler(void);
PLAIN void UART0_RX_IRQHandler(void);
PLAIN void UART0_TX_IRQHandler(void);

void SysTick_Handler(void) {}

void UART0_RX_IRQHandler(void) {}

void UART0_TX_IRQHandler(void) {}

PLAIN size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

PLAIN size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    for (uint32_t i = 0; i < POLL; i++)
        __asm__ volatile("nop");
    if (is_requesting) {
        is_requesting = false;
        nvic_request(IRQ_ADC);
    }
    return 0;
}

PLAIN static uint32_t ticks_since(uint32_t before)
{
    return (mpt_port_ticks() - before) & 0xFFFFFFu;
}

PLAIN static void ran(uint32_t context, uint32_t function)
{
    calls[context][function] = calls[context][function] + 1;
}

INSTRUMENTED static void inner(uint32_t context)
{
    ran(context, 0);
    __asm__ volatile("nop");
}

INSTRUMENTED static void outer(uint32_t context)
{
    ran(context, 1);
    inner(context);
    inner(context);
}

INSTRUMENTED static void work(uint32_t context)
{
    ran(context, 2);
    for (uint32_t i = 0; i < WORK; i++) {
        inner(context);
        outer(context);
#if MPT_TASKS > 1
        if (i % 16 == 0) {
            mpt_context_switch(1);
            inner(context);
            mpt_context_switch(0);
        }
#endif
    }
}

/* Comes at any instruction. One in three requests the other interrupt, which interrupts it. */
void TIMER0_IRQHandler(void)
{
    timer0->interrupts = 1;
    interrupts = interrupts + 1;
    timer0->reload = LEAST_TICKS + interrupts * 2654435761u % 61;
#if HAS_POLL
    is_requesting = interrupts % 3 == 0;
    uint32_t before = mpt_port_ticks();

    mpt_poll();
    polled = polled + ticks_since(before);
    return;
#endif
    outer(1);
    if (interrupts % 3 == 0)
        nvic_request(IRQ_ADC);
    inner(1);
}

void ADC_IRQHandler(void)
{
    uint32_t before = mpt_port_ticks();

    requested = requested + 1;
    outer(2);
    polled = polled - ticks_since(before);
}

PLAIN static _Noreturn void end(const char *text)
{
    register uint32_t r0 __asm__("r0") = 0x04; /* write */
    register const void *r1 __asm__("r1") = text;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    r0 = 0x18; /* exit */
    r1 = (const void *)0x20026;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    for (;;)
        ;
}

/* 0 for the program, in any task; 1 and 2 for the interrupts. */
PLAIN static uint32_t context_of(uint32_t node)
{
    while (node >= MPT_TREE_FIRST)
        node = mpt_tree.at[node].parent;
    uint32_t number = mpt_tree.context[(node - 1) / 2].number;

    return number == MP_CONTEXT_INTERRUPT(16u + IRQ_TIMER0) ? 1
           : number == MP_CONTEXT_INTERRUPT(16u + IRQ_ADC)  ? 2
                                                            : 0;
}

#if MPT_TREE_LONGEST
PLAIN static bool is_within(uint32_t node, uint32_t caller)
{
    while (node >= MPT_TREE_FIRST && node != caller)
        node = mpt_tree.at[node].parent;
    return node == caller;
}

/* True when the longest call of each node that was called once, and has ended, is the time of the node and below it.
 */
PLAIN static bool longest_are_right(void)
{
    uint32_t looked_at = 0;

    for (uint32_t i = MPT_TREE_FIRST; i < mpt_tree.n; i++) {
        uint32_t ticks = 0;

        if (mpt_tree.at[i].calls != 1)
            continue;
        looked_at++;
        for (uint32_t k = i; k < mpt_tree.n; k++)
            ticks += is_within(k, i) ? mpt_tree.at[k].self : 0;
        for (uint32_t k = 0; k < MPT_TREE_CONTEXTS; k++)
            ticks += is_within(mpt_tree.context[k].owed_node, i) ? (uint32_t)mpt_tree.context[k].owed : 0;
        if (ticks != mpt_tree.at[i].longest)
            return false;
    }
    return looked_at;
}
#endif

/* True when the tree has the polls as calls of a separate context, with their time except for their first and last
 * steps, and those of interrupts in them. */
PLAIN static bool polls_are_apart(void)
{
    for (uint32_t i = MPT_TASKS; i < MPT_TREE_CONTEXTS; i++) {
        const struct mpt_tree_context *context = &mpt_tree.context[i];
        uint32_t root = mpt_tree_root(context);
        uint32_t ticks = mpt_tree.at[root].self + (uint32_t)context->owed;

        if (context->number == MP_CONTEXT_INTERRUPT(16u + IRQ_TIMER0))
            return mpt_tree.at[root].calls == interrupts && ticks < polled + STEPS * requested &&
                   ticks + STEPS * interrupts > polled;
    }
    return false;
}

#if IS_EVICTING
/* Returns the calls of evicted nodes, and adds their ticks to *ticks. */
PLAIN static uint32_t calls_of_gone(uint32_t *ticks)
{
    uint32_t all = 0;

    for (uint32_t i = 0; i <= MPT_TREE_GONE; i++)
        all += mpt_tree.gone[i].calls;
    for (uint32_t i = 1; i < mpt_tree.n; i++)
        *ticks += mpt_tree.extra[i].below;
    return all;
}
#endif

/* Returns an error of the tree, NULL when it is right. */
PLAIN static const char *verdict(uint32_t elapsed)
{
    uint32_t counted[3][3] = {0}, ticks = 0, all = 0, all_counted = 0, other = 0;
    void (*const functions[3])(uint32_t) = {inner, outer, work};

    for (uint32_t i = 1; i < mpt_tree.n; i++) {
        uint32_t function = mpt_tree.at[i].function | 1u;

        ticks += mpt_tree.at[i].self;
        if (i < MPT_TREE_FIRST && i % 2 == 0)
            other += mpt_tree.at[i].calls;
        for (uint32_t k = 0; k < 3; k++)
            if (i >= MPT_TREE_FIRST && function == ((uint32_t)functions[k] | 1u))
                counted[context_of(i)][k] += mpt_tree.at[i].calls;
    }
    for (uint32_t i = 0; i < MPT_TREE_CONTEXTS; i++)
        ticks += (uint32_t)mpt_tree.context[i].owed;
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            all += calls[i][k];
            all_counted += counted[i][k];
            if (counted[i][k] != calls[i][k] && !IS_TOO_SMALL && !IS_EVICTING)
                return "wrong: calls are missing\n";
        }
    }
#if IS_EVICTING
    all_counted += calls_of_gone(&ticks);
    if (mpt_tree.evictions < LEAST_INTERRUPTS)
        return "wrong: hardly an eviction\n";
#endif
    if (all_counted + other != all || (!IS_EVICTING && (other == 0) == IS_TOO_SMALL))
        return "wrong: other calls are not as many as are missing\n";
    if (ticks != elapsed)
        return "wrong: ticks are missing\n";
#if MPT_TREE_LONGEST
    if (!longest_are_right())
        return "wrong: the longest call is another\n";
#endif
    if (HAS_POLL && !polls_are_apart())
        return "wrong: polls are time of what they interrupt\n";
    if (mpt_tree.unseen || interrupts < LEAST_INTERRUPTS || requested != interrupts / 3)
        return "wrong: hardly an interrupt\n";
    return NULL;
}

/* Returns an error of the recorded events, NULL when they are right: in each context they follow each other along
 * the tree's nodes, in order of time. */
PLAIN static const char *verdict_of_window(void)
{
    uint32_t running[MPT_TREE_CONTEXTS] = {0}, seen = 0, before = mpt_window_event(mpt_window.first)->ticks;

    if (mpt_window.end - mpt_window.first != MPT_RING_EVENTS || mpt_window.end < 2 * MPT_RING_EVENTS)
        return "wrong: there are hardly events\n";
    for (uint32_t i = mpt_window.first; i != mpt_window.end; i++) {
        const struct mpt_event *event = mpt_window_event(i);
        uint32_t word = event->word, node = word & 0xFFFFu;

        if (event->ticks - before >= 1u << 24)
            return "wrong: an event is earlier than the one before\n";
        before = event->ticks;
        if (word >= MPT_WORD_NODE_END)
            continue;
        if (word < MPT_WORD_NODE_EXIT)
            return "wrong: an event of no node\n";
        bool is_enter = word >= MPT_WORD_NODE_ENTER;
        uint32_t root = node, runs = is_enter ? mpt_tree.at[node].parent : node;

        while (root >= MPT_TREE_FIRST)
            root = mpt_tree.at[root].parent;
        uint32_t *its = &running[(root - 1) / 2];

        if (*its && *its != runs)
            return "wrong: an event is missing\n";
        *its = is_enter ? node : mpt_tree.at[node].parent;
        seen |= 1u << (root - 1) / 2;
    }
    return seen & (seen - 1) ? NULL : "wrong: events of one context only\n";
}

int main(int argc, char **argv)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;
    volatile uint8_t *const priorities = (volatile uint8_t *)0xE000E400u;

    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* processor clock, no interrupt */
    priorities[IRQ_TIMER0] = 0x80;
    priorities[IRQ_ADC] = 0x40;
    nvic_enable(IRQ_TIMER0);
    nvic_enable(IRQ_ADC);
    mpt_tree_want(IS_EVICTING ? MP_TREE_WANT_EVICTION : 0);
    mpt_tree_begin_run(IS_FLAT);
    if (HAS_WINDOW)
        mpt_window_configure(MPT_CONFIG_WINDOW, 1);
    uint32_t begun = mpt_tree.last;

    timer0->reload = timer0->value = 50;
    timer0->control = 9;
    work(0);
    timer0->control = 0;
    const char *wrong = HAS_WINDOW ? verdict_of_window() : NULL;

    mpt_tree_end_run();
    if (!wrong)
        wrong = verdict((mpt_tree.last - begun) & 0xFFFFFFu);

    end(wrong ? wrong : "right\n");
}
