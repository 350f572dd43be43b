/* tree_cases.c - measures the instructions of the hooks of version 3, case by case: entry and exit together,
 * without the calls to them. Runs in the emulator, where time follows the number of instructions. */
#include "mpt.h"
#include "mpt_tree_send.h"
#include "mpt_window.h"

#ifndef IS_FLAT
#define IS_FLAT false
#endif
#ifndef HAS_WINDOW
#define HAS_WINDOW 0
#endif

enum { TURNS = 2000, TICK_NS = 40, INSTRUCTION_NS = 32 };

typedef void hook(void *, void *);

hook __cyg_profile_func_enter, __cyg_profile_func_exit;

void SysTick_Handler(void);

void SysTick_Handler(void) {}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return n;
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return 0;
}

__attribute__((noinline)) static void no_hook(void *function, void *call_site)
{
    __asm__ volatile("");
}

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

/* Ticks of `turns` calls each of `n` functions in turn. */
static uint32_t time_of(hook *volatile enter, hook *volatile exit, uint32_t first, uint32_t n, uint32_t turns)
{
    uint32_t begun = mpt_port_ticks();

    for (uint32_t i = 0; i < turns; i++) {
        for (uint32_t k = 0; k < n; k++) {
            enter((void *)(first + 4 * k), 0);
            exit((void *)(first + 4 * k), 0);
        }
    }
    return (mpt_port_ticks() - begun) & 0xFFFFFFu;
}

/* Prints the instructions of a call, from the ticks of `calls` of them and of as many of no_hook, whose return
 * is one instruction of each hook. */
static void say(const char *name, uint32_t ticks, uint32_t nothing, uint32_t calls)
{
    char number[] = " 0000\n";
    uint32_t instructions =
        ((ticks - nothing) * (TICK_NS / 8) / (INSTRUCTION_NS / 8) + calls / 2) / calls + 2;

    for (char *digit = number + 4; instructions; instructions /= 10)
        *digit-- = (char)('0' + instructions % 10);
    semihost(0x04, name);
    semihost(0x04, number);
}

/* Calls of functions that have nodes. */
static void say_usual(const char *name, hook *enter, hook *enter_nothing, uint32_t first, uint32_t n)
{
    (void)time_of(enter, __cyg_profile_func_exit, first, n, TURNS); /* creates the nodes */
    say(name, time_of(enter, __cyg_profile_func_exit, first, n, TURNS),
        time_of(enter_nothing, no_hook, first, n, TURNS), TURNS * n);
}

/* Calls that create a node. */
__attribute__((unused)) static void say_first(const char *name, uint32_t first, uint32_t n)
{
    uint32_t nothing = time_of(no_hook, no_hook, first, n, 1);

    say(name, time_of(__cyg_profile_func_enter, __cyg_profile_func_exit, first, n, 1), nothing, n);
}

/* A callee that is not predicted, and found in the hash table. */
static void enter_unexpected(void *function, void *call_site)
{
    mpt_tree.at[mpt_tree.node].child = 0;
    __cyg_profile_func_enter(function, call_site);
}

static void enter_forgetting(void *function, void *call_site)
{
    mpt_tree.at[mpt_tree.node].child = 0;
    no_hook(function, call_site);
}

int main(int argc, char **argv)
{
    volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010u;

    systick[1] = 0xFFFFFF;
    systick[2] = 0;
    systick[0] = 5; /* processor clock, no interrupt */
    mpt_tree_begin_run(IS_FLAT);
#if HAS_WINDOW
    mpt_window_configure(MPT_CONFIG_WINDOW_FUNCTION, 0x12345678);
    mpt_window_configure(MPT_CONFIG_WINDOW, 1);
#endif
    say_usual("same_callee", __cyg_profile_func_enter, no_hook, 0x1001, 1);
    say_usual("three_in_turn", __cyg_profile_func_enter, no_hook, 0x1001, 3);
    __cyg_profile_func_enter((void *)0x2001, 0);
    for (uint32_t i = 0; i < 30; i++) {
        __cyg_profile_func_enter((void *)(0x3001 + 4 * i), 0);
        __cyg_profile_func_exit((void *)(0x3001 + 4 * i), 0);
    }
    say_usual("thirty_in_turn", __cyg_profile_func_enter, no_hook, 0x3001, 30);
    say_usual("unexpected", enter_unexpected, enter_forgetting, 0x3001, 30);
#if !HAS_WINDOW
    say_first("first_call", 0x4001, 20);
#endif
    while (mpt_tree.n < MPT_TREE_ALL) {
        __cyg_profile_func_enter((void *)(0x5001 + 4 * mpt_tree.n), 0);
        __cyg_profile_func_exit((void *)(0x5001 + 4 * mpt_tree.n), 0);
    }
    say_usual("no_room", __cyg_profile_func_enter, no_hook, 0x7001, 1);
    semihost(0x18, (const void *)0x20026); /* exit, as it should be */
    return 0;
}
