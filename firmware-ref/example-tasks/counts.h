/* counts.h - the known calls of the example with tasks: caller and callee in each task or interrupt, and how
 * often in a round.
 *
 * The functions of the tasks never return, so they are never sent as finished calls. */
#ifndef EXAMPLE_TASKS_COUNTS_H
#define EXAMPLE_TASKS_COUNTS_H

/* X(context, caller, callee, calls per round); a caller of "" is no function. */
#define TASKS_EDGES(X)                                                                                       \
    X("SysTick", "", "timers_expire", 4)                                                                     \
    X("SysTick", "timers_expire", "wheel_turn", 4)                                                           \
    X("SysTick", "timers_expire", "sampling_start", 1)                                                       \
    X("sampling", "", "TIMER0_IRQHandler", 8)                                                                \
    X("sampling", "TIMER0_IRQHandler", "adc_read", 8)                                                        \
    X("sampling", "TIMER0_IRQHandler", "sample_put", 8)                                                      \
    X("sampler", "sampler_task", "sampler_step", 4)                                                          \
    X("sampler", "sampler_step", "sample_get", 8)                                                            \
    X("sampler", "sampler_step", "scale", 8)                                                                 \
    X("sampler", "sampler_step", "bus_publish", 4)                                                           \
    X("sampler", "bus_publish", "bus_lock", 4)                                                               \
    X("sampler", "bus_publish", "bus_unlock", 4)                                                             \
    X("control", "control_task", "control_step", 1)                                                          \
    X("control", "control_step", "pid_step", 3)                                                              \
    X("control", "pid_step", "scale", 3)                                                                     \
    X("control", "control_step", "settle", 1)                                                                \
    X("control", "control_step", "actuate", 1)                                                               \
    X("reporter", "reporter_task", "report", 1)                                                              \
    X("reporter", "report", "bus_lock", 1)                                                                   \
    X("reporter", "report", "format_decimal", 1)                                                             \
    X("reporter", "format_decimal", "format_decimal", 3)                                                     \
    X("reporter", "report", "checksum", 12)                                                                  \
    X("reporter", "report", "bus_unlock", 1)

/* X(context, number on the wire): tasks by their number, interrupts by their exception's. */
#define TASKS_CONTEXTS(X)                                                                                    \
    X("idle", 2 * 0)                                                                                         \
    X("reporter", 2 * 1)                                                                                     \
    X("control", 2 * 2)                                                                                      \
    X("sampler", 2 * 3)                                                                                      \
    X("SysTick", 2 * 15 + 1)                                                                                 \
    X("sampling", 2 * 24 + 1)

/* The sum of the fourth column. */
#define TASKS_CALLS_PER_ROUND 93

#endif
