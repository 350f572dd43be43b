/* change.c - computes changes of figures, and whether noise explains them. */
#include "check/change.h"

#include "check/noise.h"

#include <math.h>

static double cycles_ns(double cycles, uint64_t hz)
{
    static const double usual_hz = 25e6; /* for an unknown clock */
    return cycles * 1e9 / (hz ? (double)hz : usual_hz);
}

/* ---- interrupts ---- */

/* Returns the tolerance for interrupts in all calls together. An interrupt counts in the interrupted function, so one
 * more short interrupt in a function with few calls is not a slowdown. */
static double interrupts_cost(const struct gate *gate, const struct gate_sides *sides)
{
    enum { INTERRUPT_CYCLES = 250 };
    uint64_t hz = sides->after->clock_hz ? sides->after->clock_hz : sides->before->clock_hz;
    return gate->is_usual_delta ? cycles_ns(INTERRUPT_CYCLES, hz) : 0;
}

struct change_rules change_rules(const struct gate *gate, const struct gate_sides *sides)
{
    struct change_rules rules = {.gate = gate, .sides = sides};
    if (!sides->before)
        return rules;
    rules.tick = fmax(sides->before->tick, sides->after->tick);
    rules.interrupts = interrupts_cost(gate, sides);
    return rules;
}

/* True when most of the increase of all calls together is in the longest call, and interrupts could have caused it.
 * Needs the longest call on both sides. */
static bool is_one_call(const struct change_rules *rules, const struct gate_row *row,
                        const struct change *change)
{
    enum { CALLS_LEAST = 10, INTERRUPTS_CYCLES = 10000 };
    static const double part = 0.8;
    double most = cycles_ns(INTERRUPTS_CYCLES, rules->sides->after->clock_hz);
    double grown = (change->is - change->was) * change->calls;
    if (row->after->calls < CALLS_LEAST || !row->before->is_known[MEASURED_MAX] ||
        !row->after->is_known[MEASURED_MAX])
        return false;
    double longer = row->after->figure[MEASURED_MAX] - row->before->figure[MEASURED_MAX];
    return longer >= part * grown && grown <= most;
}

/* True when the shortest call, which was not interrupted, grew by nearly as much as the mean. Then each call is
 * slower, and interrupts do not explain that. Needs the shortest call on both sides. */
static bool is_each_call(const struct change_rules *rules, const struct gate_row *row,
                         const struct change *change)
{
    enum { CALLS_LEAST = 3 };
    static const double part = 0.2;
    const struct measured_function *before = row->before, *after = row->after;
    if (before->calls < CALLS_LEAST || after->calls < CALLS_LEAST || !before->is_known[MEASURED_SHORTEST] ||
        !after->is_known[MEASURED_SHORTEST] || !before->is_known[MEASURED_TOTAL_MEAN] ||
        !after->is_known[MEASURED_TOTAL_MEAN])
        return false;
    double longer = after->figure[MEASURED_SHORTEST] - before->figure[MEASURED_SHORTEST];
    double total = after->figure[MEASURED_TOTAL_MEAN] - before->figure[MEASURED_TOTAL_MEAN];
    return longer > fmax(change->delta, rules->tick) && longer >= total - part * (change->is - change->was);
}

/* ---- ticks ---- */

/* Returns how much rounding may add to the mean of a total. Begin and end of a call are rounded down to ticks, so its
 * duration is rounded up or down to whole ticks. The phase may be the same in each round of a run. So in another run
 * the mean may be up to a tick longer. If all calls took one or two numbers of ticks, the larger one is the limit. */
static double total_rounding(const struct change_rules *rules, const struct measured_function *before)
{
    double tick = rules->tick, mean = before->figure[MEASURED_TOTAL_MEAN];
    double shortest = before->figure[MEASURED_SHORTEST];
    bool is_steady = before->is_known[MEASURED_SHORTEST] && before->is_known[MEASURED_P99] &&
                     before->figure[MEASURED_P99] < shortest + 1.5 * tick;
    return is_steady && mean > shortest ? fmax(shortest + tick - mean, 0) : tick;
}

/* Returns how much rounding may add to a mean. Self time may be off by more than a total, since callees are rounded
 * separately, too. But one tick is enough if the total grew by more than rounding and by nearly as much, in enough
 * calls. */
static double rounding_of(const struct change_rules *rules, const struct gate_row *row,
                          enum measured_figure figure)
{
    enum { CALLS_LEAST = 16 };
    const struct measured_function *before = row->before, *after = row->after;
    if (!rules->gate->is_usual_delta || !measured_is_mean(figure))
        return 0;
    if (!before->is_known[MEASURED_TOTAL_MEAN] || !after->is_known[MEASURED_TOTAL_MEAN])
        return 2 * rules->tick;
    double total = total_rounding(rules, before);
    double was = before->figure[MEASURED_TOTAL_MEAN], is = after->figure[MEASURED_TOTAL_MEAN];
    bool has_callees = before->figure[MEASURED_SELF_MEAN] < was || after->figure[MEASURED_SELF_MEAN] < is;
    if (figure != MEASURED_SELF_MEAN || !has_callees)
        return total;
    double own = after->figure[MEASURED_SELF_MEAN] - before->figure[MEASURED_SELF_MEAN];
    bool is_whole = before->calls >= CALLS_LEAST && is - was > total && fabs(is - was - own) < own / 4;
    return is_whole ? rules->tick : 2 * rules->tick;
}

/* True when runs of the same build often differ like this, so that it is not worth reporting. */
static bool is_often_rounding(const struct change_rules *rules, const struct gate_row *row)
{
    enum { CALLS_LEAST = 10 };
    double longer = row->after->figure[MEASURED_TOTAL_MEAN] - row->before->figure[MEASURED_TOTAL_MEAN];
    return row->after->calls < CALLS_LEAST || longer <= rules->gate->delta;
}

/* ---- a change ---- */

struct change change_of(const struct change_rules *rules, const struct gate_row *row,
                        enum measured_figure figure)
{
    const struct gate_sides *sides = rules->sides;
    struct change change = {.was = row->before->figure[figure], .is = row->after->figure[figure]};
    double least = change.was;
    change.most = change.was;
    change.delta = rules->gate->delta;
    change.calls = (double)row->after->calls;
    for (size_t i = 0; i < sides->others_n; i++) {
        const struct measured_function *other = measured_find(&sides->others[i], row->before);
        if (!other || other->is_ambiguous || !other->is_known[figure])
            continue;
        change.most = fmax(change.most, other->figure[figure]);
        least = fmin(least, other->figure[figure]);
    }
    change.apart = change.most - least;
    if (rules->gate->by_spread)
        change.apart = fmax(change.apart, spread_of(figure, row->before, row->after));
    if (!measured_is_mean(figure))
        return change;
    change.delta += row->before->error + row->after->error;
    if (!rules->gate->is_usual_delta)
        return change;
    change.rounding = rounding_of(rules, row, figure);
    change.is_rounding = is_often_rounding(rules, row);
    change.cost = rules->interrupts;
    change.is_one_call = is_one_call(rules, row, &change);
    change.is_each_call = is_each_call(rules, row, &change);
    return change;
}

static bool is_longer(const struct gate *gate, const struct change *change)
{
    double more = change->is - change->most;
    return change->is > change->most * (1 + gate->regress) && more > change->delta && more > change->apart;
}

/* True when rounding, or interrupts during its calls, may explain the increase. */
static bool is_explained(const struct change *change)
{
    double more = change->is - change->most;
    if (more <= change->rounding)
        return true;
    return !change->is_each_call && (more * change->calls <= change->cost || change->is_one_call);
}

bool change_is_worse(const struct gate *gate, const struct change *change)
{
    return is_longer(gate, change) && !is_explained(change);
}

bool change_is_unclear(const struct gate *gate, const struct change *change)
{
    bool is_rounding = change->is_rounding && change->is - change->most <= change->rounding;
    return is_longer(gate, change) && is_explained(change) && !is_rounding;
}

bool change_is_better(const struct gate *gate, const struct change *change)
{
    double less = change->was - change->is;
    return change->was > change->is * (1 + gate->regress) && less > change->delta &&
           less > change->rounding && less > change->apart && less * change->calls > change->cost;
}
