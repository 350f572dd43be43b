/* judge.c - finds functions that became slower, and why, and sorts them for the report. */
#include "check/change.h"
#include "check/gate.h"
#include "check/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void record_change(struct gate_row *row, enum measured_figure figure, const struct change *change)
{
    row->figure = figure;
    row->was = change->was;
    row->is = change->is;
    bool is_of_a_call = figure != MEASURED_CALLS && figure != MEASURED_STACK;
    row->cost = (change->is - change->was) * (is_of_a_call ? (double)row->after->calls : 1);
}

/* True when self time grew only because the function took over work of its callees, as by inlining. `taken` is the
 * time of callees that are gone or called less often, else 0. */
static bool took_over(const struct change *self, const struct change *total, double taken)
{
    double grown = self->is - self->was, longer = total->is - total->was;
    return taken > 0 && longer < grown / 2 &&
           grown <= taken + fmax(longer, 0) + fmax(self->delta, self->rounding);
}

/* Judges total and self time. */
static void judge_time(const struct change_rules *rules, double taken, struct gate_row *row)
{
    const struct gate *gate = rules->gate;
    struct change total = change_of(rules, row, MEASURED_TOTAL_MEAN);
    struct change self = change_of(rules, row, MEASURED_SELF_MEAN);
    bool is_itself = change_is_worse(gate, &self) && !took_over(&self, &total, taken);
    bool is_total = change_is_worse(gate, &total);
    bool is_better_total = change_is_better(gate, &total);
    record_change(row, is_itself ? MEASURED_SELF_MEAN : MEASURED_TOTAL_MEAN, is_itself ? &self : &total);
    row->is_unclear = change_is_unclear(gate, &self) && !took_over(&self, &total, taken);
    if (is_itself || is_total) {
        row->verdict = GATE_FAILS;
        row->cause = is_itself ? GATE_ITSELF : GATE_CALLEE;
    } else if (gate->warns_faster && (is_better_total || change_is_better(gate, &self))) {
        row->verdict = GATE_WARNS;
        if (!is_better_total)
            record_change(row, MEASURED_SELF_MEAN, &self);
    }
}

static void judge_figure(const struct change_rules *rules, struct gate_row *row)
{
    const struct gate *gate = rules->gate;
    struct change change = change_of(rules, row, gate->metric);
    record_change(row, gate->metric, &change);
    row->is_unclear = change_is_unclear(gate, &change);
    if (!change_is_worse(gate, &change)) {
        row->verdict = gate->warns_faster && change_is_better(gate, &change) ? GATE_WARNS : GATE_HOLDS;
        return;
    }
    row->verdict = GATE_FAILS;
    bool has_self = row->before->is_known[MEASURED_SELF_MEAN] && row->after->is_known[MEASURED_SELF_MEAN];
    if (gate->metric == MEASURED_SELF_MEAN) {
        row->cause = GATE_ITSELF;
    } else if (gate->metric == MEASURED_TOTAL_MEAN && has_self) {
        struct change self = change_of(rules, row, MEASURED_SELF_MEAN);
        row->cause = change_is_worse(gate, &self) ? GATE_ITSELF : GATE_CALLEE;
    }
}

static void count_failed_row(const struct gate_row *row, struct gate_result *result)
{
    result->is_led |= row->verdict == GATE_FAILS && (row->cause == GATE_ITSELF || row->cause == GATE_CALLS);
    if (row->verdict != GATE_FAILS || !row->is_chosen)
        return;
    result->failed_gone += row->kind == GATE_GONE;
    result->slower += row->kind == GATE_COMPARED && row->cause != GATE_CALLS;
    result->more_calls += row->kind == GATE_COMPARED && row->cause == GATE_CALLS;
    result->itself += row->kind == GATE_COMPARED && row->cause == GATE_ITSELF;
    result->by_callee += row->kind == GATE_COMPARED && row->cause == GATE_CALLEE;
}

/* Returns the increase of a function's self time in all its calls, 0 if that is within the tolerated share. */
static double own_cost(const struct change_rules *rules, const struct gate_row *row)
{
    if (row->kind != GATE_COMPARED || row->verdict != GATE_HOLDS)
        return 0;
    struct change self = change_of(rules, row, MEASURED_SELF_MEAN);
    bool is_more = self.is > self.most * (1 + rules->gate->regress) && self.is - self.most > self.apart;
    return is_more ? (self.is - self.was) * (double)row->after->calls : 0;
}

/* Returns the cost of calls in excess of the overall ratio of calls, 0 if there are none. */
static double cost_of_more_calls(const struct gate *gate, const struct gate_row *row, double ratio)
{
    if (row->kind != GATE_COMPARED || row->verdict != GATE_HOLDS)
        return 0;
    double expected = ratio * (double)row->before->calls, more = (double)row->after->calls - expected;
    bool is_more = more > gate->regress * expected && more > 2;
    return is_more ? more * row->after->figure[MEASURED_TOTAL_MEAN] : 0;
}

/* A function that holds but costs more. */
struct cause {
    struct gate_row *row;
    double cost;
    enum gate_cause why;
};

static void prefer_cause(struct cause *cause, struct gate_row *row, double cost, enum gate_cause why)
{
    if (cost > cause->cost)
        *cause = (struct cause){row, cost, why};
}

/* Finds a cause when only callers are slower. A small increase per call is large in a caller that makes many calls,
 * or more than before. So the function with the largest cost is the cause. */
static void find_cause(const struct change_rules *rules, struct gate_result *result)
{
    const struct gate *gate = rules->gate;
    static const double part = 0.3;
    struct cause cause = {0};
    double callers = 0;
    for (size_t i = 0; i < result->n; i++) {
        struct gate_row *row = &result->rows[i];
        prefer_cause(&cause, row, own_cost(rules, row), GATE_ITSELF);
        if (!(gate->allowed & GATE_ALLOW_WORK))
            prefer_cause(&cause, row, cost_of_more_calls(gate, row, result->ratio), GATE_CALLS);
        if (row->kind == GATE_COMPARED && row->verdict == GATE_FAILS)
            callers = fmax(callers, row->cost);
    }
    if (!cause.row || cause.cost < part * callers)
        return;
    enum measured_figure figure = cause.why == GATE_CALLS ? MEASURED_CALLS : MEASURED_SELF_MEAN;
    struct change change = change_of(rules, cause.row, figure);
    record_change(cause.row, figure, &change);
    cause.row->verdict = GATE_FAILS;
    cause.row->cause = cause.why;
    count_failed_row(cause.row, result);
}

/* Warns of functions that are called less often, if the user wants to know what became faster: the measurement may
 * lack some of its work. */
static void warn_of_fewer_calls(const struct change_rules *rules, struct gate_result *result)
{
    const double most = 1 / (1 + rules->gate->regress);
    for (size_t i = 0; i < result->n; i++) {
        struct gate_row *row = &result->rows[i];
        if (row->kind != GATE_COMPARED || row->verdict != GATE_HOLDS)
            continue;
        double was = (double)row->before->calls, least = fmin(was, result->ratio * was);
        if ((double)row->after->calls >= most * least || least - (double)row->after->calls <= 2)
            continue;
        struct change change = change_of(rules, row, MEASURED_CALLS);
        record_change(row, MEASURED_CALLS, &change);
        row->verdict = GATE_WARNS;
    }
}

static void leave_chosen_rows(struct gate_result *result)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++)
        if (result->rows[i].is_chosen)
            result->rows[n++] = result->rows[i];
    result->n = n;
    for (size_t i = 0; i < n; i++) {
        result->rows[i].is_unclear &= result->rows[i].verdict == GATE_HOLDS;
        result->unclear += result->rows[i].is_unclear;
    }
}

void gate_judge(const struct gate *gate, const struct gate_sides *sides, struct gate_result *result)
{
    const struct change_rules rules = change_rules(gate, sides);
    result->ratio = gate_work_ratio(result);
    double *taken = sides->before ? tree_taken_over(sides->before, sides->after) : NULL;
    for (size_t i = 0; i < result->n; i++) {
        struct gate_row *row = &result->rows[i];
        if (row->kind == GATE_GONE)
            row->verdict = gate->fails_gone ? GATE_FAILS : gate->warns_gone ? GATE_WARNS : GATE_HOLDS;
        else if (row->kind == GATE_COMPARED && gate->metric == MEASURED_TIME)
            judge_time(&rules, taken ? taken[row->before->id] : 0, row);
        else if (row->kind == GATE_COMPARED)
            judge_figure(&rules, row);
        count_failed_row(row, result);
    }
    free(taken);
    if (gate->metric == MEASURED_TIME && result->by_callee > 0 && !result->is_led)
        find_cause(&rules, result);
    if (gate->metric == MEASURED_TIME && gate->warns_faster)
        warn_of_fewer_calls(&rules, result);
    leave_chosen_rows(result);
}

/* ---- sorting, the most important first ---- */

static int row_rank(const struct gate_row *row)
{
    if (row->verdict == GATE_WARNS)
        return 5;
    if (row->kind == GATE_LIMIT)
        return 4;
    if (row->kind == GATE_GONE)
        return 3;
    return row->cause == GATE_CALLEE ? 2 : 1;
}

static int by_weight(const void *a, const void *b)
{
    const struct gate_row *left = *(const struct gate_row *const *)a;
    const struct gate_row *right = *(const struct gate_row *const *)b;
    int order = row_rank(left) - row_rank(right);
    if (order != 0)
        return order;
    if (left->kind == GATE_COMPARED && left->cost != right->cost)
        return fabs(left->cost) > fabs(right->cost) ? -1 : 1;
    return left < right ? -1 : left > right; /* in the order of the rows */
}

bool gate_order(const struct gate_sides *sides, struct gate_result *result)
{
    result->grown = MEASURED_NO_NODE;
    result->told = calloc(result->n + 1, sizeof *result->told);
    if (!result->told)
        return false;
    for (size_t i = 0; i < result->n; i++)
        if (result->rows[i].verdict != GATE_HOLDS)
            result->told[result->told_n++] = &result->rows[i];
    qsort(result->told, result->told_n, sizeof *result->told, by_weight);
    result->profile = sides->after;
    if (result->itself + result->more_calls > 0)
        result->grown = tree_grown(sides->before, sides->after, result->told[0]->after->id,
                                   result->told[0]->cause == GATE_CALLS);
    return true;
}
