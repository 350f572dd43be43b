/* figures_function.c - the figures of a function. */
#include "snapshot/figures.h"

#define AT(member) offsetof(struct snapshot_function, member)

/* Of one call, or of the average one: not known before the first has returned. */
#define OF_A_CALL(name) .key = #name, .offset = AT(name), .unit = UNIT_TICKS, .known = FUNCTION_TIMES

/* Of all calls together. */
#define OF_ALL(name)                                                                                         \
    .key = #name, .offset = AT(name), .unit = UNIT_TICKS, .known = FUNCTION_TIMES, .adds_up = true,          \
    .zero_where_made_up = true

const struct figure figures_function[] = {
    {.key = "calls",
     .title = "Calls",
     .help = "Completed calls",
     .offset = AT(calls),
     .known = FUNCTION_CALLS,
     .metric = "function_calls",
     .adds_up = true,
     .zero_where_made_up = true,
     .csv = 1,
     .column = 4},
    {OF_ALL(total_ticks), .title = "Total",
     .help = "Time in the function and everything it calls; recursion counted once", .metric = "function",
     .csv = 2, .column = 2},
    {OF_ALL(self_ticks), .title = "Self", .help = "Time in the function itself, without what it calls",
     .metric = "function_self", .csv = 3, .column = 1},
    {OF_A_CALL(min_ticks), .title = "Min", .help = "Shortest call", .csv = 4, .column = 6},
    {OF_A_CALL(max_ticks), .title = "Max", .help = "Longest call", .csv = 9, .column = 10},
    {.key = "mean_ticks",
     .title = "Mean",
     .help = "Total time of a call on average",
     .offset = AT(sum_ticks),
     .type = FIGURE_MEAN,
     .decimals = 3,
     .unit = UNIT_TICKS,
     .known = FUNCTION_TIMES,
     .adds_up = true,
     .csv = 5,
     .column = 5},
    {OF_A_CALL(p50_ticks), .title = "p50", .help = "Half of the calls took no longer", .csv = 6, .column = 7},
    {OF_A_CALL(p90_ticks), .title = "p90", .help = "Nine of ten calls took no longer", .csv = 7, .column = 8},
    {OF_A_CALL(p99_ticks), .title = "p99", .help = "99 of 100 calls took no longer", .csv = 8, .column = 9},
    {.key = "samples",
     .title = "Samples",
     .help = "Times the sampling interrupt met the function",
     .offset = AT(samples),
     .known = FUNCTION_SAMPLES,
     .metric = "function_samples",
     .adds_up = true,
     .csv = 10,
     .column = 3},
    {0},
};
