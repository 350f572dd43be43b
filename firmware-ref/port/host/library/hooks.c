/* hooks.c - the hooks that gcc calls, in any thread of any program: they pass the calls of one thread, in the
 * program's own code, to the agent.
 *
 * The agent is made for one core, so its hooks run with the mutex that the polling thread holds while it
 * polls. A signal handler that interrupts its own thread while that holds the mutex, or waits for it, is left
 * out: its calls begin and end before the interrupted hook continues. */
#include "hooks.h"

#include <signal.h>
#include <stdatomic.h>

#define NOT_INSTRUMENTED __attribute__((no_instrument_function))

enum { MOST_EARLIER = 64 };

/* The agent's hooks (mpt_hooks.c), with the names that mpt_board.h gives them. */
void mpt_agent_enter(void *function, void *call_site);
void mpt_agent_exit(void *function, void *call_site);
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

pthread_mutex_t mpt_host_mutex = PTHREAD_MUTEX_INITIALIZER;
uint32_t mpt_host_stack; /* stack pointer of the function whose hook runs */

static struct mpt_host_code code;
static atomic_bool is_over;    /* measuring has begun or ended: threads need not note their calls any more */
static atomic_bool is_stopped; /* for the thread that is measured */
static bool has_measured;

static _Thread_local struct {
    bool is_measured;
    volatile sig_atomic_t is_in_hook;
    uint32_t n; /* calls that run, before measuring begins; calls beyond MOST_EARLIER are only counted */
    void *earlier[MOST_EARLIER];
} self;

NOT_INSTRUMENTED static void note_enter(void *function)
{
    if (self.n < MOST_EARLIER)
        self.earlier[self.n] = function;
    self.n++;
}

/* Calls above it were ended by a longjmp. */
NOT_INSTRUMENTED static void note_exit(void *function)
{
    uint32_t n = self.n;

    if (n > MOST_EARLIER) {
        self.n--;
        return;
    }
    while (n && self.earlier[n - 1] != function)
        n--;
    if (n)
        self.n = n - 1;
}

/* Converts an address to that in the program's file. Returns false for functions outside of the program. */
NOT_INSTRUMENTED static inline bool find_own(void **function)
{
    uintptr_t address = (uintptr_t)*function;

    if (address - code.first >= code.bytes)
        return false;
    *function = (void *)(address - code.base);
    return true;
}

NOT_INSTRUMENTED static void measure(void *function, void *stack, bool is_enter)
{
    if (self.is_in_hook || atomic_load_explicit(&is_stopped, memory_order_relaxed) || !find_own(&function))
        return;
    self.is_in_hook = 1;
    pthread_mutex_lock(&mpt_host_mutex);
    mpt_host_stack = (uint32_t)(uintptr_t)stack;
    if (is_enter) {
        mpt_agent_enter(function, NULL);
        has_measured = true;
    } else {
        mpt_agent_exit(function, NULL);
    }
    pthread_mutex_unlock(&mpt_host_mutex);
    self.is_in_hook = 0;
}

NOT_INSTRUMENTED void __cyg_profile_func_enter(void *function, void *call_site)
{
    if (self.is_measured)
        measure(function, __builtin_dwarf_cfa(), true);
    else if (!atomic_load_explicit(&is_over, memory_order_relaxed))
        note_enter(function);
}

NOT_INSTRUMENTED void __cyg_profile_func_exit(void *function, void *call_site)
{
    if (self.is_measured)
        measure(function, __builtin_dwarf_cfa(), false);
    else if (!atomic_load_explicit(&is_over, memory_order_relaxed))
        note_exit(function);
}

void mpt_host_set_code(const struct mpt_host_code *where)
{
    code = *where;
}

/* Runs the hooks with an address that is no function's, while the agent measures their cost (mpt_board.h). */
void mpt_host_hook_pair(void);

void mpt_host_hook_pair(void)
{
    self.is_measured = true;
    __cyg_profile_func_enter((void *)code.first, NULL);
    __cyg_profile_func_exit((void *)code.first, NULL);
    self.is_measured = has_measured = false;
}

void mpt_host_measure_me(void)
{
    uint32_t n = self.n < MOST_EARLIER ? self.n : MOST_EARLIER;

    atomic_store(&is_over, true);
    self.is_measured = true;
    for (uint32_t i = 0; i < n; i++)
        measure(self.earlier[i], __builtin_dwarf_cfa(), true);
}

void mpt_host_measure_none(void)
{
    atomic_store(&is_stopped, true);
    atomic_store(&is_over, true);
}

bool mpt_host_has_measured(void)
{
    return has_measured;
}

/* In this file, so that programs linked with the hooks get the rest of the library as well. */
NOT_INSTRUMENTED static __attribute__((constructor)) void begin(void)
{
    mpt_host_begin();
}

void mpt_host_is_forked(void)
{
    self.is_measured = false;
    mpt_host_measure_none();
}
