/* test_workload.c - compares the calls of the example's workload with counts.h, without the agent: hooks and
 * schedule are in this file. */
#include "board.h"
#include "edges.h"
#include "elf_symbols.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 3, MAX_DEPTH = 64 };

void __cyg_profile_func_enter(void *this_fn, void *call_site);
void __cyg_profile_func_exit(void *this_fn, void *call_site);

static struct edges edges;
static uint64_t stack[MAX_DEPTH];
static int depth;
static int rounds_begun;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

void __cyg_profile_func_enter(void *this_fn, void *call_site)
{
    if (depth == MAX_DEPTH)
        fail("the workload goes deeper than it should");
    if (depth)
        edges_count(&edges, stack[depth - 1], (uintptr_t)this_fn);
    stack[depth++] = (uintptr_t)this_fn;
}

void __cyg_profile_func_exit(void *this_fn, void *call_site)
{
    if (!depth || stack[--depth] != (uintptr_t)this_fn)
        fail("an exit without its entry");
}

void board_request_adc_interrupt(void)
{
    ADC_IRQHandler();
}

void work_us(uint32_t us) {}

void schedule_open(int argc, char **argv) {}

/* Called by the workload's main before each round; checks the counts after the last one. */
void schedule_wait(void)
{
    if (rounds_begun++ < ROUNDS)
        return;
    struct elf_symbols symbols = elf_symbols_read("/proc/self/exe");
    bool ok = edges_match(&edges, &symbols, ROUNDS, true, NULL);

    elf_symbols_free(&symbols);
    exit(ok ? 0 : 1);
}
