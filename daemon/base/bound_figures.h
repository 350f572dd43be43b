/* bound_figures.h - the figures that can have a limit, one row each. No other file names them.
 *
 * The rows are used by profile/bounds.c (in the daemon), check/limits.c (in a finished profile), --help, the
 * API and its document, and the page's dialog. A test compares docs/limits.md with them.
 * Included by bound.h only. */
#ifndef BASE_BOUND_FIGURES_H
#define BASE_BOUND_FIGURES_H

/* ROW(id, name, unit, members of struct bound_figure_info). The last one is a LAST, for lists in sentences.
 * A figure without .way is the value of its column. */
/* clang-format off */
#define BOUND_FIGURE_ROWS(ROW, LAST)                                                                         \
    ROW(MAX, "max", NS,                                                                                      \
        .judged = BOUND_AT_CALL, .least = "max_ticks", .most = "max_ticks",                                  \
        .help = "how long a call takes, callees included")                                                   \
    ROW(PERIOD, "period", NS,                                                                                \
        .judged = BOUND_AT_PERIOD, .least = "period_min_ticks", .most = "period_max_ticks",                  \
        .help = "from the start of a call to the start of the next", .may_fall_short = true)                 \
    ROW(MEAN, "mean", NS,                                                                                    \
        .way = BOUND_PER_CALL, .least = "total_ticks", .most = "total_ticks",                                \
        .help = "duration of a call on average", .may_fall_short = true)                                     \
    ROW(P50, "p50", NS, .least = "p50_ticks", .most = "p50_ticks",                                           \
        .help = "duration, callees included, that half of the calls do not exceed")                          \
    ROW(P90, "p90", NS, .least = "p90_ticks", .most = "p90_ticks",                                           \
        .help = "duration, callees included, that 90 of 100 calls do not exceed")                            \
    ROW(P99, "p99", NS, .least = "p99_ticks", .most = "p99_ticks",                                           \
        .help = "duration, callees included, that 99 of 100 calls do not exceed")                            \
    ROW(CALLS, "calls", COUNT, .least = "calls", .most = "calls", .help = "how many calls there are")        \
    ROW(RATE, "rate", MILLI_HZ, .judged = BOUND_AT_SECOND,                                                   \
        .help = "calls in a second of the target's time", .may_fall_short = true)                            \
    ROW(LOAD, "load", MILLI_PERCENT, .way = BOUND_SHARE, .most = "total_ticks",                              \
        .help = "share of the time in which it ran, with callees", .may_fall_short = true)                   \
    LAST(SELF, "self", MILLI_PERCENT, .way = BOUND_SHARE, .most = "self_ticks",                              \
        .help = "share of the time in which it ran, without callees", .may_fall_short = true)
/* clang-format on */

#endif
